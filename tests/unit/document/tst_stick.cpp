#include "core/scene/Validate.h"
#include "core/solve/SolvedPoses.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QJsonArray>

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kMet = 3e-4; // [m] two goals' tolerances

/// hips - waist - shoulder - elbow - wrist, bent, with the handle "hand" from the shoulder on, its pole, and "body",
/// which moves the hips and the waist.
TestDocument figure()
{
    TestDocument d;
    d(R"({"op": "addJoint", "name": "hips", "translation": [0, 1, 0]})");
    d(R"({"op": "addJoint", "name": "waist", "parent": "hips", "translation": [0, 0.3, 0]})");
    d(R"({"op": "addJoint", "name": "shoulder", "parent": "waist", "translation": [0.2, 0.3, 0]})");
    d(R"({"op": "addJoint", "name": "elbow", "parent": "shoulder", "translation": [0.3, 0, 0]})");
    d(R"({"op": "addJoint", "name": "wrist", "parent": "elbow", "translation": [0.3, 0, 0]})");
    d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
    d(R"({"op": "setGoal", "handle": "hand", "position": [0.6, 1.4, 0.2]})");
    d(R"({"op": "setHandle", "name": "hand", "pole": [0.4, 1.6, -1]})");
    return d;
}

TestDocument loose() { return figure()(R"({"op": "setHandle", "name": "hand", "stick": false})"); }

/// The hips turn and travel; the hand's goal alone is keyed.
TestDocument turningFigure(TestDocument d)
{
    d(R"({"op": "addClip", "name": "turn"})");
    for (const auto& [frame, angle, x] : {std::tuple(1, 0, 0.6), std::tuple(12, 12, 0.5), std::tuple(40, 40, 0.4)}) {
        d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
        d(QString(R"({"op": "setPose", "joint": "hips", "rotation": [0, %1, 0]})").arg(angle).toUtf8().constData());
        d(R"({"op": "key", "target": "hips", "channels": ["angles"]})");
        d(QString(R"({"op": "setGoal", "handle": "hand", "position": [%1, 1.4, 0.2]})").arg(x).toUtf8().constData());
        d(R"({"op": "key", "target": "hand", "channels": ["goal.position"]})");
    }
    return d;
}

Vector3 placeIn(const TestDocument& d, const char* joint) { return d.world(joint).translation(); }

/// What takes the wrist and the elbow from one pose to another is what takes the waist there.
void verifyCarried(const Affine& before, const TestDocument& d, const Vector3& wrist, const Vector3& elbow)
{
    const Affine moved = d.world("waist") * before.inverse();
    QVERIFY2((moved * wrist - placeIn(d, "wrist")).norm() < kMet, "wrist");
    QVERIFY2((moved * elbow - placeIn(d, "elbow")).norm() < 3 * kMet, "elbow");
}

} // namespace

/// What a goal and a pole without keys do when what is above their chain moves.
class TestStick : public QObject
{
    Q_OBJECT

private slots:
    void aGoalWithoutKeysStaysUnlessItsHandleDoesNotStick()
    {
        for (const bool sticks : {true, false}) {
            TestDocument d = sticks ? figure() : loose();
            const Affine waist = d.world("waist");
            const Vector3 wrist = placeIn(d, "wrist"), elbow = placeIn(d, "elbow");
            d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 10})");
            if (sticks)
                QVERIFY((placeIn(d, "wrist") - wrist).norm() < kMet);
            else
                verifyCarried(waist, d, wrist, elbow);
        }
    }

    void anotherHandleTakesItAlong()
    {
        TestDocument d = loose();
        d(R"({"op": "addHandle", "name": "body", "start": "hips", "end": "waist"})");
        const Affine waist = d.world("waist");
        const Vector3 wrist = placeIn(d, "wrist"), elbow = placeIn(d, "elbow");
        d(R"({"op": "setGoal", "handle": "body", "position": [0.2, 1.2, 0.1]})");
        QVERIFY((d.world("waist").translation() - waist.translation()).norm() > 0.1);
        verifyCarried(waist, d, wrist, elbow);
        // Also with a greater priority, which would be solved first.
        d(R"({"op": "setHandle", "name": "body", "priority": 3})");
        verifyCarried(waist, d, wrist, elbow);
    }

    /// An arm that is keyed, on a body that is keyed at other frames: a new handle keeps the motion if it is to.
    void aNewGoalFollowsTheMotionOfItsChain_data()
    {
        QTest::addColumn<QString>("solver");
        QTest::addColumn<bool>("follows");
        for (const char* solver : {"two-bone", "dls"})
            for (const bool follows : {true, false})
                QTest::addRow("%s %s", solver, follows ? "follows" : "stands still") << QString(solver) << follows;
    }
    void aNewGoalFollowsTheMotionOfItsChain()
    {
        QFETCH(QString, solver);
        QFETCH(bool, follows);
        TestDocument d = figure();
        const auto run = [&](const QJsonObject& operation) { d(QJsonDocument(operation).toJson().constData()); };
        d(R"({"op": "removeHandle", "name": "hand"})");
        d(R"({"op": "addClip", "name": "recorded"})");
        const auto key = [&](int frame, const char* joint, const char* axis, double angle) {
            run({{"op", "setFrame"}, {"value", frame}});
            run({{"op", "rotate"}, {"joint", joint}, {"axis", axis}, {"value", angle}});
            run({{"op", "key"}, {"target", joint}, {"channels", QJsonArray{QString("r") + axis}}});
        };
        for (const int frame : {1, 8, 20}) {
            key(frame, "shoulder", "z", -3.0 * frame);
            key(frame, "elbow", "y", -20 - 2.0 * frame);
        }
        for (const int frame : {1, 14}) key(frame, "hips", "z", 2.0 * frame);
        const auto places = [&] {
            std::map<int, std::array<Vector3, 3>> at;
            for (int frame = 1; frame <= 20; ++frame) { // keys are at 1, 8, 14 and 20
                run({{"op", "setFrame"}, {"value", frame}});
                at[frame] = {placeIn(d, "shoulder"), placeIn(d, "elbow"), placeIn(d, "wrist")};
            }
            return at;
        };
        const auto before = places();
        const std::size_t steps = d.document.history.undoCount();
        run({{"op", "addHandle"},
             {"name", "hand"},
             {"start", "shoulder"},
             {"end", "wrist"},
             {"solver", solver},
             {"followMotion", follows}});
        QCOMPARE(d.document.history.undoCount(), steps + 1);
        QCOMPARE(d.document.messages.size(), std::size_t{1});
        const std::string said = d.document.messages.front().text;
        QVERIFY2(said.find(follows ? "follows the motion" : "stands still") != std::string::npos, said.c_str());
        double worst = 0, atKeys = 0;
        for (const auto& [frame, now] : places())
            for (std::size_t i = 0; i < now.size(); ++i) {
                const double off = (now[i] - before.at(frame)[i]).norm();
                worst = std::max(worst, off);
                if (std::set{1, 8, 14, 20}.count(frame) != 0) atKeys = std::max(atKeys, off);
            }
        if (follows) {
            QVERIFY2(atKeys < kMet, qPrintable(QString::number(atKeys)));
            QVERIFY2(worst < 10 * kMet, qPrintable(QString::number(worst)));
        } else
            QVERIFY(worst > 0.05);
        // A chain without keys has nothing to follow, and a body that moves without it is what handles are for.
        d(R"({"op": "undo"})");
        d(R"({"op": "addHandle", "name": "body", "start": "waist", "end": "shoulder", "followMotion": true})");
        QCOMPARE(d.document.scene()
                     .clipNamed("recorded")
                     ->find({d.document.scene().handleNamed("body")->id.value, Property::GoalPosition}),
                 nullptr);
    }

    void switchingItKeepsThePose()
    {
        TestDocument d = figure();
        d(R"({"op": "rotate", "joint": "hips", "axis": "x", "value": 20})");
        const Vector3 wrist = placeIn(d, "wrist"), elbow = placeIn(d, "elbow");
        const ChannelValue goal = d.still("hand", Property::GoalPosition), pole = d.still("hand", Property::Pole);
        const auto verifySame = [&](const char* what) {
            QVERIFY2((placeIn(d, "wrist") - wrist).norm() < 1e-9, what);
            QVERIFY2((placeIn(d, "elbow") - elbow).norm() < 1e-9, what);
        };
        d(R"({"op": "setHandle", "name": "hand", "stick": false})");
        verifySame("stick false");
        QVERIFY(d.still("hand", Property::GoalPosition) != goal && d.still("hand", Property::Pole) != pole);
        d(R"({"op": "setHandle", "name": "hand", "pinned": true})");
        verifySame("pinned");
        d(R"({"op": "setHandle", "name": "hand", "pinned": false})");
        d(R"({"op": "setHandle", "name": "hand", "follow": "hips"})");
        verifySame("follow");
        d(R"({"op": "setHandle", "name": "hand", "follow": null})");
        d(R"({"op": "setHandle", "name": "hand", "poleTarget": "hips"})");
        d(R"({"op": "setHandle", "name": "hand", "poleTarget": null, "pole": [0.4, 1.6, -1]})");
        verifySame("pole");
        d(R"({"op": "setHandle", "name": "hand", "stick": true})");
        verifySame("stick true");
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(d.still("hand", Property::GoalPosition)[i] - goal[i]) < 1e-12 &&
                    std::abs(d.still("hand", Property::Pole)[i] - pole[i]) < 1e-12);
        d(R"({"op": "undo"})");
        verifySame("undo");
        QVERIFY(d.handle("hand").isCarried());
    }

    void switchingItWhileAClipKeysTheGoalKeepsTheGoalOfOtherClips()
    {
        TestDocument d = figure();
        const Vector3 wrist = placeIn(d, "wrist");
        d(R"({"op": "addClip", "name": "bow"})");
        d(R"({"op": "key", "target": "hips"})")(R"({"op": "key", "target": "hand"})"); // so that static values stay
        d(R"({"op": "rotate", "joint": "hips", "axis": "x", "value": 25})");
        d(R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.2, 0.3]})");
        d(R"({"op": "key", "target": "hips"})")(R"({"op": "key", "target": "hand"})");
        QVERIFY((placeIn(d, "wrist") - wrist).norm() > 0.1);
        d(R"({"op": "setHandle", "name": "hand", "stick": false})");
        d(R"({"op": "addClip", "name": "still"})");
        QVERIFY((placeIn(d, "wrist") - wrist).norm() < kMet);
    }

    void itIsSetInTheWorldWhereverItsChainIs()
    {
        TestDocument d = loose();
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 30})");
        d(R"({"op": "setGoal", "handle": "hand", "position": [0.2, 1.5, 0.3]})");
        QVERIFY((placeIn(d, "wrist") - Vector3(0.2, 1.5, 0.3)).norm() < kMet);
        d(R"({"op": "drag", "joint": "wrist", "by": [0, -0.1, 0.05]})");
        QVERIFY((placeIn(d, "wrist") - Vector3(0.2, 1.4, 0.35)).norm() < kMet);
        d(R"({"op": "copyPose"})");
        const Vector3 wrist = placeIn(d, "wrist"), elbow = placeIn(d, "elbow");
        d(R"({"op": "resetPose"})");
        QVERIFY((placeIn(d, "wrist") - Vector3(0.8, 1.6, 0)).norm() < kMet);
        d(R"({"op": "pastePose"})");
        QVERIFY((placeIn(d, "wrist") - wrist).norm() < kMet && (placeIn(d, "elbow") - elbow).norm() < 3 * kMet);
    }

    void itsFirstKeyPutsItInTheWorldWhereItIs()
    {
        TestDocument d = loose();
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 30})");
        const Vector3 wrist = placeIn(d, "wrist");
        d(R"({"op": "key", "target": "hand", "channels": ["goal.position"]})");
        const ChannelValue keyed = (*d.keys("hand", Property::GoalPosition))[0].value;
        QVERIFY((toVector(keyed) - wrist).norm() < kMet);
        QVERIFY((placeIn(d, "wrist") - wrist).norm() < kMet);
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": -10})");
        QVERIFY((placeIn(d, "wrist") - wrist).norm() < kMet);
        // A pose that is pending is in the world as keys are.
        d(R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.3, 0.1]})");
        QVERIFY((placeIn(d, "wrist") - Vector3(0.5, 1.3, 0.1)).norm() < kMet);
    }

    void autoKeyKeysWhereItWasOnTheFirstFrame()
    {
        TestDocument d = loose();
        d(R"({"op": "key", "target": "hips", "channels": ["rz"], "frame": 1})");
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 40})");
        d(R"({"op": "setFrame", "value": 20})");
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 40})");
        d(R"({"op": "key", "target": "hips", "channels": ["rz"]})");
        const Vector3 first = d.worldAt("wrist", 1).translation();
        d(R"({"op": "autoKey", "on": true})");
        d(R"({"op": "setGoal", "handle": "hand", "position": [0.1, 1.5, 0.3]})");
        QVERIFY((d.worldAt("wrist", 1).translation() - first).norm() < kMet);
        QVERIFY((placeIn(d, "wrist") - Vector3(0.1, 1.5, 0.3)).norm() < kMet);
    }

    void itStaysInPlaceWhenItsChainIsLinkedElsewhere()
    {
        TestDocument d = loose();
        d(R"({"op": "addJoint", "name": "rail", "translation": [1, 0, 0], "rotation": [0, 50, 10]})");
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": 15})");
        const Vector3 wrist = placeIn(d, "wrist"), elbow = placeIn(d, "elbow");
        for (const char* parent : {"\"rail\"", "null", "\"hips\""}) {
            d((std::string(R"({"op": "link", "joint": "shoulder", "parent": )") + parent + "}").c_str());
            QVERIFY2((placeIn(d, "wrist") - wrist).norm() < kMet, parent);
            QVERIFY2((placeIn(d, "elbow") - elbow).norm() < 3 * kMet, parent);
        }
        const Affine hips = d.world("hips");
        d(R"({"op": "rotate", "joint": "hips", "axis": "z", "value": -20})");
        QVERIFY((d.world("hips") * hips.inverse() * wrist - placeIn(d, "wrist")).norm() < kMet);
    }

    void aFileKeepsItAndOldFilesKeepTheirPose()
    {
        TestDocument d = loose();
        const auto project = [](const Scene& scene) {
            Project made;
            made.scene = scene;
            return made;
        };
        const auto bytes = projectBytes(project(d.scene()), "figure.tendon");
        QVERIFY(bytes);
        const auto again = projectFromBytes(*bytes, "figure.tendon");
        QVERIFY(again && again->scene == d.scene());

        // Version 1 stored a value that had no effect.
        for (const char* stored : {"true", "false"}) {
            QJsonObject old = QJsonDocument::fromJson(
                                  QByteArray::fromStdString(*projectBytes(project(figure().scene()), "old.tendon")))
                                  .object();
            QJsonArray handles = old["handles"].toArray();
            QJsonObject hand = handles[0].toObject();
            hand["stick"] = QByteArray(stored) == "true";
            handles[0] = hand;
            old["handles"] = handles;
            old["version"] = 1;
            const auto upgraded = projectFromBytes(QJsonDocument(old).toJson().toStdString(), "old.tendon");
            QVERIFY(upgraded && upgraded->scene.handleNamed("hand")->isSticky);
        }
    }

    void whatCannotBeIsRefusedOrNamed()
    {
        TestDocument d = figure();
        // The waist, which would carry it, is moved in the same solve.
        d(R"({"op": "addHandle", "name": "whole", "start": "hips", "end": "elbow"})");
        QVERIFY(d.error(R"({"op": "setHandle", "name": "hand", "stick": false})").find("stick") != std::string::npos);

        TestDocument roots = arm();
        roots(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
        roots(R"({"op": "setHandle", "name": "hand", "stick": false})");
        QVERIFY(roots.document.poses->prepare(roots.scene()));
        const Issues issues = roots.document.poses->issues();
        QVERIFY(issues.size() == 1 &&
                issues[0].text == "\"stick\" has no effect: there is no joint above its chain's start. Set it to true");
    }

    /// The switch keys a pole that went along until then: in the frames before it goes on doing so.
    void aSwitchBackToIkLeavesThePoleBeforeIt()
    {
        TestDocument d = turningFigure(loose());
        std::vector<Vector3> elbow;
        for (int frame = 1; frame <= 40; ++frame) elbow.push_back(d.worldAt("elbow", frame).translation());
        QVERIFY((elbow[16] - elbow[0]).norm() > 0.05);
        d(R"({"op": "switch", "handle": "hand", "to": "fk", "frame": 18})");
        const Vector3 bent = d.worldAt("elbow", 30).translation();
        d(R"({"op": "setFrame", "value": 30})")(R"({"op": "autoKey", "on": true})");
        d(R"({"op": "rotate", "joint": "shoulder", "axis": "x", "value": 40})")(
            R"({"op": "rotate", "joint": "shoulder", "axis": "z", "value": 70})")(R"({"op": "autoKey", "on": false})");
        QVERIFY((d.worldAt("elbow", 30).translation() - bent).norm() > 0.01); // so that the pole has to move
        const Vector3 switched = d.worldAt("elbow", 30).translation();
        d(R"({"op": "switch", "handle": "hand", "to": "ik", "frame": 30})");
        QVERIFY(d.keys("hand", Property::Pole) != nullptr);
        QVERIFY((d.worldAt("elbow", 30).translation() - switched).norm() < kMet);
        for (int frame = 1; frame <= 17; ++frame)
            QVERIFY2((d.worldAt("elbow", frame).translation() - elbow[static_cast<std::size_t>(frame - 1)]).norm() <
                         1e-6,
                     qPrintable(QString::number(frame)));
    }

    /// Poses whose goals alone are keyed stay, whatever is done with the pole at another frame; `key` keys it, too.
    void theFirstKeyOfAPoleLeavesThePosesAtOtherKeys()
    {
        for (const bool sticks : {true, false}) {
            TestDocument d = turningFigure(sticks ? figure() : loose());
            std::map<int, Vector3> elbow;
            for (const int frame : {1, 12, 40}) elbow[frame] = d.worldAt("elbow", frame).translation();
            TestDocument keyed = d;
            d(R"({"op": "setFrame", "value": 20})")(R"({"op": "autoKey", "on": true})");
            const Vector3 before = placeIn(d, "elbow");
            d(R"({"op": "drag", "joint": "elbow", "by": [0, 0.1, 0.1]})");
            QVERIFY((placeIn(d, "elbow") - before).norm() > 0.02);
            QVERIFY(d.frames("hand", Property::Pole) == std::vector<double>({12, 20, 40}));
            keyed(R"({"op": "key", "target": "hand", "frame": 20})");
            QVERIFY(keyed.frames("hand", Property::Pole) == std::vector<double>({20}));
            for (const auto& [frame, place] : elbow) {
                QVERIFY2((d.worldAt("elbow", frame).translation() - place).norm() < kMet,
                         qPrintable(QString::number(frame)));
                QVERIFY((keyed.worldAt("elbow", frame).translation() - place).norm() < kMet);
            }
        }
    }
};

TENDON_TEST(TestStick)
#include "tst_stick.moc"
