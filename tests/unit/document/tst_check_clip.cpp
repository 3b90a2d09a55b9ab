#include "core/document/GoalTally.h"
#include "core/math/Degrees.h"
#include "core/solve/Baker.h"
#include "core/solve/ClipCheck.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <tendon/kit/Random.h>

#include <QJsonArray>

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

/// What of a clip is worth a look: one line a cause.
class TestCheckClip : public QObject
{
    Q_OBJECT

    using Kind = ClipFinding::Kind;

    /// The arm with a handle, and samples of frames as they are wanted.
    struct Judged
    {
        TestDocument test = arm();
        std::shared_ptr<const CompiledRig> rig;
        HandleId hand;
        std::map<std::int32_t, ClipSample> frames;

        Judged()
        {
            test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "dls"})");
            rig = *compile(test.scene());
            hand = HandleId{test.id("hand")};
        }
        ClipSample& at(std::int32_t frame)
        {
            ClipSample& sample = frames[frame];
            if (!sample.chains.empty()) return sample;
            ClipSample::Chain chain;
            chain.handle = hand;
            chain.isBending = true;
            sample.chains.push_back(chain);
            sample.turns.assign(rig->jointCount(), Eigen::Quaternionf::Identity());
            return sample;
        }
        void turn(std::int32_t frame, const char* joint, double angle)
        {
            at(frame).turns[tendon::at(rig->index(test.joint(joint).id))] = Eigen::Quaternionf(
                Eigen::AngleAxisf(static_cast<float>(radians(angle)), Eigen::Vector3f::UnitZ()));
        }
        [[nodiscard]] ClipReport report(const ClipThresholds& thresholds = {}) const
        {
            ClipSamples samples;
            for (const auto& [frame, sample] : frames) samples[frame] = std::make_shared<const ClipSample>(sample);
            return checkClip(*rig, samples, thresholds);
        }
        [[nodiscard]] QStringList lines(const ClipThresholds& thresholds = {}) const
        {
            QStringList list;
            for (const ClipFinding& finding : report(thresholds).findings)
                list << QString::fromStdString(framesOf(finding) + ": " + titleOf(*rig, finding) + ", " +
                                               detailOf(finding));
            return list;
        }
    };

private slots:
    void neighbouringMissesAreOneLineAndFarOnesTwo()
    {
        Judged judged;
        for (int frame = 1; frame <= 80; ++frame) judged.at(frame);
        for (const auto& [frame, miss] : {std::pair(41, 0.005), {42, 0.020}, {43, 0.0382}, {45, 0.002}, {60, 0.004}})
            judged.at(frame).chains[0].error = miss;
        QCOMPARE(judged.lines(), (QStringList{"41 to 45: hand can't reach its goal, 38.2 mm short at 43",
                                              "60: hand can't reach its goal, 4 mm short at 60"}));
        QCOMPARE(judged.lines({.goal = 0.006}),
                 QStringList{"42 to 43: hand can't reach its goal, 38.2 mm short at 43"});
        QCOMPARE(judged.lines({.goal = 0.0382}), QStringList()); // not above it
        QVERIFY(std::abs(judged.report().frames.at(42).goal - 0.020) < 1e-12);
        judged.at(50).chains[0].hasAnswer = false;
        QCOMPARE(judged.lines().front(),
                 QString("50: hand has no answer, its solver failed; its chain is shown in FK"));
    }

    /// All joints of the chain jump, and the knee with them: the one that turns farthest is named.
    void aJumpIsToldOnce()
    {
        Judged judged;
        for (int frame = 1; frame <= 100; ++frame) {
            const double more = frame >= 71 ? 39 : 0;
            judged.turn(frame, "elbow", 2 * frame + more);
            judged.turn(frame, "shoulder", 2 * frame + more / 2);
            judged.at(frame).chains[0].bend = radians(2 * frame + more);
        }
        QCOMPARE(judged.lines(), QStringList{"71: elbow jumps, 41° in one frame at 71, 20.5 times its neighbours"});
        const ClipReport report = judged.report();
        QVERIFY(std::abs(report.frames.at(71).jump - 20.5) < 0.1);
        QVERIFY(std::abs(degrees(report.frames.at(71).kneeRate) - 41) < 1e-9);
        QVERIFY(std::abs(report.frames.at(70).jump - 1) < 0.1); // even motion
        QCOMPARE(judged.lines({.jump = 21}), QStringList{"71: hand bends fast, 41° in one frame at 71"});
        QCOMPARE(judged.lines({.jump = 21, .kneeRate = radians(42)}), QStringList());
    }

    /// A fast knee among fast frames is no jump; trembling below a degree is nothing.
    void evenMotionDoesNotJump()
    {
        Judged judged;
        for (int frame = 1; frame <= 60; ++frame) {
            const double bend = frame < 20 ? 0 : 30.0 * (std::min(frame, 29) - 20) + (frame >= 25 ? 1 : 0);
            judged.turn(frame, "elbow", bend);
            judged.turn(frame, "wrist", frame % 2 == 0 ? 0.8 : 0);
            judged.at(frame).chains[0].bend = radians(bend);
        }
        const QStringList lines = judged.lines({.jump = 31});
        QCOMPARE(lines, QStringList{"21 to 29: hand bends fast, 31° in one frame at 25"});
        for (int frame = 24; frame < 27; ++frame) QVERIFY(judged.report().frames.at(frame).jump < 1.1);
    }

    void framesWithAGapAreNoStep()
    {
        Judged judged;
        for (const int frame : {1, 2, 3, 20, 21, 22}) {
            judged.turn(frame, "elbow", frame < 10 ? 0 : 90);
            judged.at(frame).chains[0].bend = radians(frame < 10 ? 0 : 90);
        }
        QCOMPARE(judged.lines(), QStringList());
    }

    void aJointAtItsLimitIsOneLine()
    {
        Judged judged;
        for (int frame = 1; frame <= 50; ++frame) judged.at(frame);
        for (int frame = 20; frame <= 27; ++frame) judged.at(frame).limited = {judged.test.joint("elbow").id};
        QCOMPARE(judged.lines(), QStringList{"20 to 27: elbow is at its limit, for 8 frames"});
        QCOMPARE(judged.lines({.limits = 1}), QStringList());
        QCOMPARE(judged.report().frames.at(22).limits, 1.0);
    }

    /// What the clip's solution has as a jump is listed with its reason, however little it stands out, and not twice.
    void aJumpOfTheSolutionIsListed()
    {
        Judged judged;
        for (int frame = 1; frame <= 40; ++frame) {
            judged.turn(frame, "elbow", 10 * frame + (frame >= 20 ? 12 : 0) + (frame >= 21 ? 12 : 0));
            if (frame != 20 && frame != 21) continue;
            judged.at(frame).chains[0].jump = HandleResult::Jump{20, radians(44), JumpReason::Branch, JumpCause::Pole,
                                                                 judged.test.joint("elbow").id};
        }
        QCOMPARE(judged.lines(), QStringList{"20 to 21: elbow jumps, 44° in 2 frames"});
        const ClipFinding finding = judged.report().findings.front();
        QVERIFY(finding.reason == JumpReason::Branch && finding.cause == JumpCause::Pole);
        QVERIFY(std::abs(finding.ratio - 2.2) < 0.01);
        QCOMPARE(judged.lines({.jump = 3.5}), QStringList()); // a higher threshold than the usual one counts
    }

    /// A goal that is held and then leaps, limits that are met, and a closed form that turns over: the report of a bake
    /// and the check name the same jumps, with the same frames and reasons.
    void aBakeListsWhatTheCheckLists()
    {
        int asked = 0, others = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            kit::Random random(seed);
            TestDocument test = arm();
            test(
                random.index(2) == 0
                    ? R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "dls"})"
                    : R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})");
            if (random.index(2) == 0)
                test(
                    R"({"op": "setRotationAxis", "joint": "elbow", "axis": "z", "limited": true, "from": -20, "to": 60})");
            test(R"({"op": "setRange", "from": 1, "to": 40})");
            for (const int frame : {1, 8, 15, 22, 31, 40}) {
                const QJsonArray place{random.uniform(-0.7, 0.7), 1 + random.uniform(-0.7, 0.7),
                                       random.uniform(-0.7, 0.7)};
                const bool isStep = random.index(3) == 0;
                for (const QJsonObject& operation :
                     {QJsonObject{{"op", "setFrame"}, {"value", frame}},
                      QJsonObject{{"op", "setGoal"}, {"handle", "hand"}, {"position", place}},
                      QJsonObject{{"op", "key"}, {"target", "hand"}, {"interpolation", isStep ? "step" : "linear"}}})
                    test(QJsonDocument(operation).toJson().constData());
            }
            BakeOptions options;
            const Scene& scene = test.scene();
            options.clip = scene.clips.front()->id;
            options.fps = scene.fps;
            options.from = scene.fps.timeOf(1);
            options.to = scene.fps.timeOf(40);
            const auto baked = bake(scene, TestDocument::solvers(), options);
            QVERIFY(baked);
            QStringList fromBake, fromCheck;
            for (const JumpResult& jump : tallyGoals(scene, {*baked}).jumps) {
                fromBake << QStringLiteral("%1 to %2: %3 jumps")
                                .arg(jump.frame)
                                .arg(jump.last)
                                .arg(QString::fromStdString(jump.joint));
                ++(jump.jump.reason == JumpReason::Asked ? asked : others);
            }
            test.document.messages.clear();
            test(R"({"op": "checkClip"})");
            for (const Issue& issue : test.document.messages) {
                if (issue.text.find(" jumps") == std::string::npos) continue;
                const QString frames = QString::fromStdString(issue.where).mid(6); // "frame "
                fromCheck << (frames.contains(" to ") ? frames : frames + " to " + frames) + ": " +
                                 QString::fromStdString(issue.text).section(" jumps", 0, 0) + " jumps";
            }
            fromBake.sort();
            fromCheck.sort();
            QVERIFY2(fromBake == fromCheck, qPrintable(QStringLiteral("seed %1\n  bake %2\n check %3")
                                                           .arg(seed)
                                                           .arg(fromBake.join(", "), fromCheck.join(", "))));
        }
        QVERIFY2(asked > 0 && others > 0, qPrintable(QStringLiteral("%1, %2").arg(asked).arg(others)));
    }

    /// A script says each of them, each time: they are what was asked for.
    void eachJumpIsNamedAndTooManyAreCounted()
    {
        const auto checked = [](int jumps) {
            std::string text = R"({"op": "addJoint", "name": "a"}
{"op": "addClip", "name": "C"}
{"op": "setRange", "from": 1, "to": )" +
                               std::to_string(6 * jumps + 6) + "}\n";
            for (int i = 0; i <= jumps; ++i)
                text += R"({"op": "setFrame", "value": )" + std::to_string(6 * i + 1) +
                        "}\n"
                        R"({"op": "rotate", "joint": "a", "axis": "z", "value": )" +
                        std::to_string(40 * i) +
                        "}\n"
                        R"({"op": "key", "target": "a", "interpolation": "step"})"
                        "\n";
            text += R"({"op": "checkClip"}
{"op": "checkClip", "from": 1, "to": 10})";
            TestDocument test;
            const auto script = parseScript(text);
            if (!script) qFatal("%s", script.error().text().c_str());
            RunOptions options;
            options.onPending = OnPending::Key;
            if (const auto done = runScript(test.document, *script, options); !done)
                qFatal("%s", done.error().text().c_str());
            QStringList lines;
            for (const Issue& issue : test.document.messages) lines << QString::fromStdString(issue.line());
            return lines;
        };
        const QStringList four = checked(4);
        QCOMPARE(four.size(), 5);   // the second check sees the first jump again
        for (int i = 0; i < 4; ++i) // in the order of rounding
            QCOMPARE(four.first(4).filter(QStringLiteral("frame %1: a jumps: 40").arg(6 * i + 7)).size(), 1);
        QVERIFY2(four[4].contains("frame 7: a jumps: 40"), qPrintable(four[4]));
        const QStringList many = checked(104);
        QCOMPARE(many.size(), 102);
        QVERIFY2(many[100].contains("and 4 more findings"), qPrintable(many[100]));
    }

    /// By script, on a clip with a goal that moves out of reach: what is said is what the frames say.
    void theOperationSaysItAndChangesNothing()
    {
        Judged judged;
        TestDocument& test = judged.test;
        test(R"({"op": "setRange", "from": 1, "to": 40})")(R"({"op": "setFrame", "value": 1})")(
            R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.3, 0]})")(R"({"op": "key", "target": "hand"})")(
            R"({"op": "setFrame", "value": 20})")(R"({"op": "setGoal", "handle": "hand", "position": [1.5, 1, 0]})")(
            R"({"op": "key", "target": "hand"})")(R"({"op": "setFrame", "value": 40})")(
            R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.3, 0]})")(R"({"op": "key", "target": "hand"})");
        const Scene before = test.scene();
        const std::size_t steps = test.document.history.undoCount();
        test.document.messages.clear();
        test(R"({"op": "checkClip"})");
        QVERIFY(test.scene() == before && test.document.history.undoCount() == steps);
        // Findings are no errors of the operation.
        const auto missed = std::count_if(
            test.document.messages.begin(), test.document.messages.end(), [](const Issue& issue) {
                return issue.severity == Severity::Warning && issue.text.find("can't reach") != std::string::npos;
            });
        QCOMPARE(missed, 1);
        const Issue& issue = test.document.messages.front();
        QCOMPARE(QString::fromStdString(issue.text), QString("hand can't reach its goal: 50.0 cm short at 20"));
        QVERIFY2(issue.where.starts_with("frame ") && issue.where.find(" to ") != std::string::npos,
                 issue.where.c_str());
        QCOMPARE(issue.object, judged.hand.value);

        test.document.messages.clear();
        test(R"({"op": "checkClip", "from": 1, "to": 3})");
        QVERIFY2(test.says("nothing to look at: 3 frames, 1 goal met within 0.1 mm"),
                 test.document.messages.front().text.c_str());
        test.document.messages.clear();
        test(R"({"op": "checkClip", "goal": 0.6, "kneeRate": 180, "jump": 1000})");
        QVERIFY(test.says("nothing to look at"));
        QVERIFY(QString::fromStdString(test.error(R"({"op": "checkClip", "from": 9, "to": 8})")).contains("before"));
        QVERIFY(QString::fromStdString(test.error(R"({"op": "checkClip", "goal": -1})")).contains("negative"));
        QVERIFY(QString::fromStdString(test.error(R"({"op": "checkClip", "clip": "none"})")).contains("none"));
    }
};

TENDON_TEST(TestCheckClip)
#include "tst_check_clip.moc"
