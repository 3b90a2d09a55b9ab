#include "core/io/project/ProjectFile.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/Check.h"
#include "core/scene/Validate.h"
#include "core/solve/Baker.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/ArmAndProp.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kSame = 1e-9; // [m], [rad] rounding through a few transforms

} // namespace

/// Keys of what goals and poles follow: hand to prop and back.
class TestFollowSpaces : public QObject
{
    Q_OBJECT

private slots:
    void handToPropAndBackDoesNotPop()
    {
        TestDocument d = armAndProp();
        std::vector<GoalPose> before;
        for (int frame = 0; frame <= 70; ++frame) before.push_back(asked(d, frame).goal);
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        QVERIFY2(distance(asked(d, 20).goal, before[20]) < kSame, "at the switch");
        QVERIFY2(distance(asked(d, 19).goal, before[19]) < kSame, "at the frame before");
        QVERIFY2(distance(asked(d, 25).goal, before[25]) < kSame, "at the key that came after");
        QVERIFY2(distance(asked(d, 60).goal, before[60]) < kSame, "at the last key");
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 20}));

        const GoalPose at44 = inProp(d, 44);
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 45})");
        QVERIFY2(distance(asked(d, 25).goal, before[25]) < kSame, "keys before the way back");
        QVERIFY2(distance(asked(d, 60).goal, before[60]) < kSame, "the last key, in the world again");
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 20, 45}));

        // Everything in between is smooth: no frame steps further than its neighbours allow, on either side of a key.
        for (const double at : {19.0, 20.0, 44.0, 45.0})
            for (const double beside : {at - 1e-4, at + 1e-4})
                QVERIFY2(distance(asked(d, beside).goal, asked(d, at).goal) < 1e-4,
                         qPrintable(QString("between frames at %1").arg(beside)));
        for (const double at : {20.0, 45.0}) {
            const auto step = [&](double from, double to) {
                return Vector3((asked(d, to).goal.position - asked(d, from).goal.position) / (to - from));
            };
            const double turn = (step(at, at + 0.05) - step(at - 0.05, at)).norm();
            QVERIFY2(turn < 2e-3, qPrintable(QString("%1 m/frame of speed leap at %2").arg(turn).arg(at)));
        }
        QVERIFY(distance(inProp(d, 44), at44) < kSame);
    }

    /// A hand that moves on its own goes on as it did, whatever it follows by turns: exactly at its keys and around the
    /// switches, and nearly so between them, since keys have the speed that is seen, whatever they are given in.
    void spacesOneAfterTheOtherMoveNothing()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "addJoint", "name": "shelf", "translation": [0, 0, 1], "rotation": [0, 30, 10]})")(
            R"({"op": "setFrame", "value": 1})")(R"({"op": "key", "target": "shelf", "channels": ["angles"]})")(
            R"({"op": "setFrame", "value": 40})")(
            R"({"op": "setPose", "joint": "shelf", "rotation": [0, 90, -30], "translation": [0.2, 0.3, 0.8]})")(
            R"({"op": "key", "target": "shelf", "channels": ["translation", "angles"]})");
        // Keys of a walk: slopes of their own, rotations along curves.
        for (int frame = 1; frame <= 60; frame += 4)
            d(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                R"({"op": "key", "target": "hand", "channels": ["goal"], "interpolation": "bezier"})");
        d(R"({"op": "setTangent", "target": "hand", "channels": ["goal"], "range": [0, 60], "mode": "free"})");
        std::vector<GoalPose> before;
        for (int i = 0; i <= 280; ++i) before.push_back(asked(d, 0.25 * i).goal);
        const std::vector<double> keyed = d.frames("hand", Property::GoalPosition);
        TestDocument every = d;
        const auto isSwitch = [](double frame) { // within the frame before one the goal goes over from space to space
            const int whole = static_cast<int>(std::floor(frame));
            return whole == 20 || whole == 30 || whole == 38 || whole == 45;
        };
        for (const auto& [space, frame] : {std::pair("\"prop\"", 20), std::pair("\"shelf\"", 30),
                                           std::pair("\"grip\"", 38), std::pair("null", 45)}) {
            d(QString(R"({"op": "keySpace", "handle": "hand", "space": %1, "frame": %2})")
                  .arg(space)
                  .arg(frame)
                  .toUtf8()
                  .constData());
            for (std::size_t i = 0; i < before.size(); ++i) {
                const double at = 0.25 * static_cast<double>(i), off = distance(asked(d, at).goal, before[i]);
                const bool isKeyed = std::find(keyed.begin(), keyed.end(), at) != keyed.end();
                const bool isUntouched = at <= 19;
                QVERIFY2(off < (isKeyed       ? 1e-9
                                : isUntouched ? 1e-6
                                              : 2e-3),
                         qPrintable(QString("%1 at %2: frame %3 is off by %4").arg(space).arg(frame).arg(at).arg(off)));
            }
            every(QString(R"({"op": "keySpace", "handle": "hand", "space": %1, "frame": %2, "keep": "frames"})")
                      .arg(space)
                      .arg(frame)
                      .toUtf8()
                      .constData());
            for (std::size_t i = 0; i < before.size(); ++i) {
                const double at = 0.25 * static_cast<double>(i), off = distance(asked(every, at).goal, before[i]);
                QVERIFY2(
                    off < (at == std::floor(at) ? 1e-6
                           : isSwitch(at + 1)   ? 1e-3
                                                : 2e-5),
                    qPrintable(
                        QString("%1 at %2, all frames: frame %3 is off by %4").arg(space).arg(frame).arg(at).arg(off)));
            }
        }
        QVERIFY(every
                    .error(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 30, "to": 40,
                               "keep": "frames"})")
                    .find("leave it out of a hold") != std::string::npos);
    }

    void noScaleOfWhatIsFollowedTurnsAGoal()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> place(-1, 1), turn(-180, 180), factor(0.5, 2);
        const auto text = [](const char* format, double x, double y, double z) {
            char made[300];
            std::snprintf(made, sizeof made, format, x, y, z);
            return std::string(made);
        };
        for (int round = 0; round < 24; ++round) {
            TestDocument d;
            const char* parent = "";
            for (const char* name : {"A", "B", "C"}) { // C is below B
                d(text(("{\"op\": \"addJoint\", \"name\": \"" + std::string(name) + "\"" + parent +
                        ", \"rotation\": [%.9g, %.9g, %.9g]}")
                           .c_str(),
                       turn(random), turn(random), turn(random))
                      .c_str());
                const auto scale = [&] {
                    return (random() % 3 == 0 ? -1 : 1) * (random() % 2 == 0 ? 1 : factor(random));
                };
                d(text(
                      ("{\"op\": \"setPose\", \"joint\": \"" + std::string(name) + "\", \"scale\": [%.9g, %.9g, %.9g]}")
                          .c_str(),
                      scale(), scale(), scale())
                      .c_str());
                parent = *name == 'B' ? ", \"parent\": \"B\"" : "";
            }
            d(R"({"op": "addJoint", "name": "x", "translation": [1, 0, 0]})");
            d(R"({"op": "addHandle", "name": "h", "end": "x", "solver": "parent"})");
            if (round % 2 == 0) d(R"({"op": "setHandle", "name": "h", "follow": "C"})");
            d(R"({"op": "addClip", "name": "M"})");
            for (const int frame : {1, 7, 20}) {
                d(text("{\"op\": \"setFrame\", \"value\": %g}", frame, 0, 0).c_str());
                d(text(R"({"op": "setGoal", "handle": "h", "position": [%.9g, %.9g, %.9g]})", place(random),
                       place(random), place(random))
                      .c_str());
                d(text(R"({"op": "setGoal", "handle": "h", "rotation": [%.9g, %.9g, %.9g]})", turn(random),
                       turn(random), turn(random))
                      .c_str());
                d(R"({"op": "key", "target": "h", "interpolation": "linear"})");
            }
            std::vector<GoalPose> before;
            std::vector<double> frames;
            for (double frame = 0; frame <= 24; frame += 0.3) {
                frames.push_back(frame);
                before.push_back(asked(d, frame, "h").goal);
            }
            const auto check = [&](const char* step) {
                for (std::size_t i = 0; i < frames.size(); ++i)
                    QVERIFY2(distance(asked(d, frames[i], "h").goal, before[i]) < 1e-7,
                             qPrintable(QStringLiteral("%1, round %2 of seed %3, frame %4: off by %5")
                                            .arg(step)
                                            .arg(round)
                                            .arg(seed)
                                            .arg(frames[i])
                                            .arg(distance(asked(d, frames[i], "h").goal, before[i]))));
            };
            for (const char* step : {R"({"op": "setHandle", "name": "h", "follow": "A"})",
                                     R"({"op": "setHandle", "name": "h", "follow": "C"})",
                                     R"({"op": "setHandle", "name": "h", "follow": null})",
                                     R"({"op": "keySpace", "handle": "h", "space": "C", "frame": 5})",
                                     R"({"op": "keySpace", "handle": "h", "space": "A", "frame": 12})",
                                     R"({"op": "keySpace", "handle": "h", "space": null, "frame": 16})"}) {
                d(step);
                check(step);
                if (QTest::currentTestFailed()) return;
            }
        }
    }

    void aHandThatHoldsTravelsWithTheProp()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "frame": 60})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})");
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 50})");
        const auto inGrip = [&](double frame) { return goalInSpace(d.worldAt("grip", frame), asked(d, frame).goal); };
        for (double frame = 25; frame <= 49; frame += 0.5)
            QVERIFY2(distance(inGrip(frame), inGrip(25)) < kSame,
                     qPrintable(QString("frame %1: %2").arg(frame).arg(distance(inGrip(frame), inGrip(25)))));
        for (const double frame : {49.25, 49.5, 49.75}) { // up to the moment at which it is let go
            const double off = (inGrip(frame).position - inGrip(25).position).norm();
            QVERIFY2(off < 1e-4, qPrintable(QString("frame %1: %2 m").arg(frame).arg(off)));
        }
        const GoalPose carried = goalInWorld(d.worldAt("grip", 50), inGrip(25));
        QVERIFY(distance(asked(d, 50).goal, carried) < kSame);
        for (const double frame : {51.0, 55.0, 100.0})
            QVERIFY2(distance(asked(d, frame).goal, asked(d, 50).goal) < kSame, "it stays where it was let go");

        // Every moment follows from the document alone, and a bake shows what is seen.
        BakeOptions options;
        options.clip = d.document.edit.currentClip;
        options.fps = d.scene().fps;
        options.from = d.scene().fps.timeOf(1);
        options.to = d.scene().fps.timeOf(60);
        const auto baked = bake(d.scene(), TestDocument::solvers(), options);
        QVERIFY2(baked, baked ? "" : baked.error().text().c_str());
        QCOMPARE(baked->times.size(), std::size_t{60}); // a switch is no jump, which would be sampled on both sides
        auto poses = BakedPoses::of(d.scene());
        for (std::size_t s = 0; s < baked->times.size(); ++s) {
            poses->at(*baked, s);
            const Vector3 seen = d.worldAt("wrist", d.scene().fps.frameAt(baked->times[s])).translation();
            QVERIFY((poses->world(d.joint("wrist").id).translation() - seen).norm() < kSame);
        }
    }

    void aSpaceKeyThatMovesConvertsTheKeysItPasses()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        const GoalPose at20 = asked(d, 20).goal, at25 = asked(d, 25).goal, at60 = asked(d, 60).goal;
        d(R"({"op": "moveKeys", "target": "hand", "channels": ["space"], "frame": 20, "by": 10})");
        for (const auto& [frame, goal] : {std::pair(20.0, at20), std::pair(25.0, at25), std::pair(60.0, at60)})
            QVERIFY2(distance(asked(d, frame).goal, goal) < kSame, qPrintable(QString::number(frame)));
        QVERIFY(distance(asked(d, 25).goal, {toVector(sampleKeys(*d.keys("hand", Property::GoalPosition),
                                                                 Property::GoalPosition, d.scene().fps.timeOf(25))),
                                             asked(d, 25).goal.rotation}) < kSame); // in the world now
        d(R"({"op": "undo"})");
        QVERIFY(distance(asked(d, 25).goal, at25) < kSame);
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["space"], "frame": 20})");
        QVERIFY2(distance(asked(d, 25).goal, at25) < kSame && distance(asked(d, 60).goal, at60) < kSame, "deleted");
        d(R"({"op": "undo"})");

        // With a time that is deleted the goal stays with what it follows after it.
        const GoalPose held = inProp(d, 60);
        d(R"({"op": "deleteKey", "target": "hand", "range": [10, 22]})");
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 23}));
        QVERIFY2(distance(asked(d, 25).goal, at25) < kSame && distance(inProp(d, 60), held) < kSame, "time deleted");
        d(R"({"op": "undo"})");

        // A key of the goal that crosses the border keeps the place that it had.
        d(R"({"op": "moveKeys", "target": "hand", "channels": ["goal"], "frame": 25, "by": -10})");
        QVERIFY(distance(asked(d, 15).goal, at25) < kSame);
        d(R"({"op": "undo"})");
        // All keys of a frame together: the pose goes along.
        const GoalPose inItsProp = inProp(d, 20);
        d(R"({"op": "moveKeys", "target": "hand", "frames": [19, 20], "by": 3})");
        QVERIFY(distance(inProp(d, 23), inItsProp) < kSame);
    }

    void aSpaceKeyedBeforeTheFirstChangesNothingAfterIt()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["space"], "frame": 1})");
        std::vector<GoalPose> before;
        for (int frame = -2; frame <= 70; ++frame) before.push_back(asked(d, frame).goal);
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 10})");
        for (int frame = -2; frame <= 70; ++frame)
            if (frame <= 10 || frame >= 20) { // in between it goes along with the grip
                const double off = distance(asked(d, frame).goal, before[static_cast<std::size_t>(frame + 2)]);
                const bool isKeyed = frame <= 1 || frame >= 9;
                QVERIFY2(off < (isKeyed ? 1e-7 : 1e-3), qPrintable(QStringLiteral("%1: %2").arg(frame).arg(off)));
            }
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 10, 20}));
    }

    void keysInTwoSpacesAreSmoothedInOne()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "frame": 60})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})");
        d(R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 50})");
        d(R"({"op": "setFrame", "value": 37})")(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
        const GoalPose held = inProp(d, 37);
        const Vector3 at24 = asked(d, 24).goal.position;
        d(R"({"op": "smoothKeys", "target": "hand", "channels": ["goal"], "amount": 1})");
        for (const double frame : {37.0, 44.0, 49.0})
            QVERIFY2(distance(inProp(d, frame), held) < 1e-6,
                     qPrintable(QString("frame %1: %2").arg(frame).arg(distance(inProp(d, frame), held))));
        // Between the world's key before it and the prop's it moves toward the line, in metres of the world.
        QVERIFY((asked(d, 24).goal.position - at24).norm() < 0.1);
        QVERIFY((asked(d, 24).goal.position - at24).norm() > 1e-3);
    }

    void pastedKeysComeToWhereTheyWere()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        const GoalPose at25 = asked(d, 25).goal, prop25 = inProp(d, 25);
        d(R"({"op": "keysToClipboard", "target": "hand", "channels": ["goal"], "frame": 25})");
        d(R"({"op": "pasteKeys", "frame": 10})");
        QVERIFY2(distance(asked(d, 10).goal, at25) < kSame, "in the world, where the prop is not followed");
        d(R"({"op": "pasteKeys", "frame": 40})");
        QVERIFY2(distance(inProp(d, 40), prop25) < kSame, "in the same space the numbers are the same");
        // With what is followed, the frames of the copy are held as well.
        d(R"({"op": "keysToClipboard", "target": "hand", "frame": 20})");
        d(R"({"op": "pasteKeys", "frame": 70})");
        QVERIFY(distance(inProp(d, 70), inProp(d, 20)) < kSame);
    }

    void theFirstKeyInASpaceIsWhereTheGoalStood()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "range": [0, 100]})");
        QVERIFY(d.keys("hand", Property::GoalPosition) == nullptr);
        const GoalPose still = asked(d, 30).goal;
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 30})");
        for (const double frame : {1.0, 29.0, 30.0}) QVERIFY(distance(asked(d, frame).goal, still) < kSame);
        QVERIFY(distance(inProp(d, 55), inProp(d, 30)) < kSame);
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "range": [0, 100]})");
        d(R"({"op": "setFrame", "value": 50})")(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
        QVERIFY2(distance(asked(d, 50).goal, still) < kSame, "static values are not in the space of the keys");
    }

    /// The first key of a goal where its space is keyed: its corrections are turned into that space.
    void correctionsGoAlongWithAFirstKey()
    {
        TestDocument d;
        d(R"({"op": "addJoint", "name": "B", "rotation": [0, 20, 90]})")(R"({"op": "addJoint", "name": "X"})")(
            R"({"op": "addHandle", "name": "h", "end": "X", "solver": "parent"})")(R"({"op": "addClip", "name": "C"})");
        d(R"({"op": "keySpace", "handle": "h", "space": "B", "frame": 8})")(
            R"({"op": "deleteKey", "target": "h", "channels": ["goal"], "range": [0, 60]})")(
            R"({"op": "editLayer", "layer": "corrections"})");
        for (const int frame : {5, 30}) {
            d(QStringLiteral(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            d(QStringLiteral(R"({"op": "setGoal", "handle": "h", "position": [%1, 1, 0]})")
                  .arg(frame * 0.1)
                  .toUtf8()
                  .constData());
            d(R"({"op": "key", "target": "h", "channels": ["goal"], "interpolation": "linear"})");
        }
        std::vector<GoalPose> before;
        for (int frame = 1; frame <= 40; ++frame) before.push_back(asked(d, frame, "h").goal);
        d(R"({"op": "editLayer", "layer": "keys"})")(R"({"op": "setFrame", "value": 20})")(
            R"({"op": "key", "target": "h", "channels": ["goal"]})");
        for (int frame = 1; frame <= 40; ++frame)
            QVERIFY(distance(asked(d, frame, "h").goal, before[static_cast<std::size_t>(frame - 1)]) < 1e-7);
    }

    /// What has no key of its own up to the next change of what it follows has no speed of its own either.
    void aHandWithoutKeysOfItsOwnGoesAlong()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 40})")(
            R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 39})")(
            R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 25})")(
            R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        const KeyList& keys = *d.keys("hand", Property::GoalPosition);
        QCOMPARE(d.frames("hand", Property::GoalPosition), std::vector<double>({1, 19, 20, 39, 40, 60}));
        QCOMPARE(keys[2].out, ChannelValue{});
        QVERIFY(keys[2].in != ChannelValue{});
    }

    /// A hand that lets go of a prop earlier has no key any more that the prop gave it.
    void whatIsHeldNoMoreLeavesNoKeyBehind()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 60})")(
            R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 25})")(
            R"({"op": "setFrame", "value": 35})")(R"({"op": "key", "target": "hand", "channels": ["goal"]})")(
            R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 45})");
        d(R"({"op": "moveKeys", "target": "hand", "channels": ["space"], "frame": 45, "by": -15})");
        for (const double frame : {32.0, 35.0, 40.0, 50.0, 60.0})
            QVERIFY2(distance(asked(d, frame).goal, asked(d, 30).goal) < kSame,
                     qPrintable(QStringLiteral("it moves after it was let go: frame %1").arg(frame)));
    }

    /// "Take the prop, then hand it on", without a key of the goal between: what the first holder's frames show counts.
    void aSecondSwitchChangesNothingUpToIt()
    {
        for (const bool hasLaterKey : {false, true})
            for (const int frame : {16, 17, 18, 22, 30}) {
                TestDocument d = armAndProp();
                d(R"({"op": "addJoint", "name": "shelf", "translation": [0, 0, 1], "rotation": [0, 30, 10]})");
                if (!hasLaterKey)
                    d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "range": [2, 100]})");
                d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 15})");
                std::vector<GoalPose> before;
                std::vector<Affine> wrist;
                for (int at = 0; at <= frame; ++at) {
                    before.push_back(asked(d, at).goal);
                    wrist.push_back(d.worldAt("wrist", at));
                }
                for (const QString& op :
                     {QString(R"({"op": "keySpace", "handle": "hand", "space": "shelf", "frame": %1})"),
                      QString(R"({"op": "switch", "handle": "hand", "to": "fk", "frame": %1})")}) {
                    d(op.arg(frame).toUtf8().constData());
                    for (int at = 0; at <= frame; ++at) {
                        const std::size_t i = static_cast<std::size_t>(at);
                        const bool isExact = at <= 15 || at >= frame - 1; // between, by the slopes that are measured
                        QVERIFY2(
                            distance(asked(d, at).goal, before[i]) < (isExact ? 1e-6 : 2e-3) &&
                                (at == frame || (d.worldAt("wrist", at).translation() - wrist[i].translation()).norm() <
                                                    (isExact ? 1e-4 : 2e-3)),
                            qPrintable(QString("%1: frame %2 is off by %3")
                                           .arg(op.arg(frame))
                                           .arg(at)
                                           .arg(distance(asked(d, at).goal, before[i]))));
                    }
                    d(R"({"op": "undo"})");
                }
            }
    }

    /// A drag in the later space, eased in from a zero key in the earlier one: the goal goes straight there.
    void aCorrectionEasesInAcrossASwitch()
    {
        for (const char* prop : {R"({"op": "setPose", "joint": "P", "rotation": [0, 0, 90]})",
                                 R"({"op": "setPose", "joint": "P", "scale": [0.01, 0.01, 0.01]})",
                                 R"({"op": "setPose", "joint": "P", "rotation": [0, 180, 40], "scale": [5, 5, 5]})"})
            for (const bool hasZeroKey : {true, false}) {
                TestDocument d;
                d(R"({"op": "addJoint", "name": "P"})")(prop)(R"({"op": "addJoint", "name": "X"})")(
                    R"({"op": "addClip", "name": "c"})")(R"({"op": "setRange", "from": 1, "to": 40})")(
                    R"({"op": "addHandle", "name": "h", "end": "X", "solver": "parent"})")(
                    R"({"op": "key", "target": "h", "channels": ["goal"]})")(
                    R"({"op": "keySpace", "handle": "h", "space": "P", "frame": 20})")(
                    R"({"op": "editLayer", "layer": "corrections"})");
                if (hasZeroKey)
                    d(R"({"op": "setFrame", "value": 10})")(
                        R"({"op": "key", "target": "h", "zero": true, "channels": ["goal"]})");
                d(R"({"op": "setFrame", "value": 30})")(R"({"op": "drag", "joint": "X", "by": [1, 0, 0]})")(
                    R"({"op": "key", "target": "h", "channels": ["goal"]})");
                double former = hasZeroKey ? 0 : 1;
                for (int frame = 1; frame <= 40; ++frame) {
                    const Vector3 place = asked(d, frame, "h").goal.position;
                    const double least = former - 1e-9, most = std::min(1.0, former + 0.12) + 1e-9;
                    QVERIFY2(place.x() > least && place.x() < most && std::hypot(place.y(), place.z()) < 1e-9,
                             qPrintable(QString("frame %1 at %2, %3, %4 with %5")
                                            .arg(frame)
                                            .arg(place.x())
                                            .arg(place.y())
                                            .arg(place.z())
                                            .arg(prop)));
                    former = place.x();
                }
                QVERIFY(std::abs(former - 1) < 1e-9);
            }
    }

    /// A prop that nothing carries goes to where the mirror shows it, wherever it is at rest, and the other hand has
    /// it.
    void aMirroredHandHoldsItsProp()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 20})");
        std::vector<Vector3> hands, props;
        for (int frame = 1; frame <= 60; ++frame) {
            hands.push_back(asked(d, frame).goal.position);
            props.push_back(d.worldAt("prop", frame).translation());
        }
        d(R"({"op": "mirrorClip", "about": "world", "axis": "x", "as": "m"})");
        const auto image = [](const Vector3& place) { return Vector3(-place.x(), place.y(), place.z()); };
        for (int frame = 1; frame <= 60; ++frame) {
            const std::size_t i = static_cast<std::size_t>(frame - 1);
            QVERIFY2((d.worldAt("prop", frame).translation() - image(props[i])).norm() < 1e-6,
                     qPrintable(QString("the prop in frame %1").arg(frame)));
            const double off = (asked(d, frame).goal.position - image(hands[i])).norm();
            QVERIFY2(off < 1e-5, qPrintable(QString("the hand is off by %1 m in frame %2").arg(off).arg(frame)));
        }
    }

    void posingAtAnyFrameGoesWhereItIsPut()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        for (const int frame : {10, 20, 40}) {
            d(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
            d(R"({"op": "drag", "joint": "wrist", "to": [0.55, 1.1, 0.25]})");
            const PendingValues& pending = d.document.edit.pending;
            const auto pose = d.document.poses->at(d.scene(), d.document.clip(), pending, d.scene().fps.timeOf(frame));
            QVERIFY(((*pose)->targets[0].goal.position - Vector3(0.55, 1.1, 0.25)).norm() < kSame);
            d(R"({"op": "discardPending"})");
        }
        // Between keys in two spaces, too: what is keyed there is what is seen.
        d(R"({"op": "deleteKey", "target": "hand", "channels": ["goal"], "frame": 19})");
        const GoalPose seen = asked(d, 12).goal;
        d(R"({"op": "setFrame", "value": 12})")(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
        QVERIFY(distance(asked(d, 12).goal, seen) < kSame);
    }

    void aPoleFollowsToo()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "setFrame", "value": 1})")(R"({"op": "key", "target": "hand", "channels": ["pole"]})");
        const Vector3 pole = *asked(d, 30).pole;
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "part": "pole", "frame": 30})");
        QVERIFY((*asked(d, 29).pole - pole).norm() < kSame && (*asked(d, 30).pole - pole).norm() < kSame);
        const Affine way = d.worldAt("prop", 60) * d.worldAt("prop", 30).inverse();
        QVERIFY((*asked(d, 60).pole - way * pole).norm() < kSame);
        QVERIFY((way * pole - pole).norm() > 0.1);
        QVERIFY2(d.keys("hand", Property::Space) == nullptr, "the goal does not");
        d(R"({"op": "setHandle", "name": "hand", "poleFollow": "prop"})");
        d(R"({"op": "setHandle", "name": "hand", "poleTarget": "prop"})");
        QVERIFY(d.error(R"({"op": "keySpace", "handle": "hand", "space": null, "part": "pole"})")
                    .find("a point of its own") != std::string::npos);
    }

    void aGoalFollowsAnotherHandle()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "addHandle", "name": "lift", "start": "prop", "end": "grip"})");
        d(R"({"op": "setHandle", "name": "hand", "follow": "lift"})");
        const GoalPose before = asked(d, 25).goal;
        const Vector3 lift = asked(d, 25, "lift").goal.position;
        d(R"({"op": "setGoal", "handle": "lift", "position": [0.9, 1.3, 0.1]})");
        const GoalPose after = asked(d, 25).goal;
        QVERIFY((after.position - before.position - (Vector3(0.9, 1.3, 0.1) - lift)).norm() < kSame);
        // And lets go of it, keyed.
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 40})");
        d(R"({"op": "keySpace", "handle": "hand", "space": "lift", "frame": 50})");
        QVERIFY(d.error(R"({"op": "setHandle", "name": "lift", "follow": "hand"})").find("own goal") !=
                std::string::npos);
        QVERIFY(d.error(R"({"op": "keySpace", "handle": "hand", "space": "hand"})").find("its own goal") !=
                std::string::npos);
        QVERIFY(d.error(R"({"op": "keySpace", "handle": "hand", "space": "wrist"})").find("moves with the handle") !=
                std::string::npos);
        d(R"({"op": "removeHandle", "name": "lift"})");
        QVERIFY(d.handle("hand").follow == 0);
        const std::vector<ObjectId> spaces = d.handle("hand").spaces;
        QCOMPARE(spaces, std::vector<ObjectId>{d.id("prop")});
    }

    void whatIsFollowedMayGo()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        const GoalPose at25 = asked(d, 25).goal, at60 = asked(d, 60).goal;
        d(R"({"op": "removeJoint", "joint": "prop"})");
        QVERIFY(distance(asked(d, 25).goal, at25) < kSame && distance(asked(d, 60).goal, at60) < kSame);
        QVERIFY(d.handle("hand").spaces.empty());
        QVERIFY(validate(d.scene()).empty());
    }

    void aProjectRemembersIt()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        d(R"({"op": "setHandle", "name": "hand", "poleFollow": "grip"})");
        QTemporaryDir dir;
        const std::string file = dir.filePath("carry.tendon").toStdString();
        d(QString(R"({"op": "save", "file": "%1"})").arg(QString::fromStdString(file)).toUtf8().constData());
        const auto read = readProject(file);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QCOMPARE(read->scene, d.scene());
    }

    void numbersAreNotDoneToASpace()
    {
        TestDocument d = armAndProp();
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20})");
        const KeyList before = *d.keys("hand", Property::Space);
        QVERIFY(d.error(R"({"op": "setKeyValue", "target": "hand", "channels": ["space"], "frame": 20, "value": 3})")
                    .find("not a number") != std::string::npos);
        const std::string several = d.error(R"({"op": "moveKeys", "target": "hand", "value": 0.1})");
        QVERIFY2(several.find("one kind") != std::string::npos && several.find("goal.position") != std::string::npos,
                 several.c_str());
        d(R"({"op": "breakdown", "target": "hand", "frame": 40, "factor": 0.3})");
        d(R"({"op": "smoothKeys", "target": "hand", "amount": 0.5})");
        QVERIFY(*d.keys("hand", Property::Space) == before);
    }

    /// A hold: constant on the prop in its frames, and nothing else changes but the way to the next key.
    void aHoldLeavesTheMotionBeforeAndAfter()
    {
        TestDocument d = armAndProp();
        for (const char* move : {R"({"op": "setFrame", "value": 70})",
                                 R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.1, 0.4]})",
                                 R"({"op": "key", "target": "hand"})"})
            d(move);
        const TestDocument was = d;
        QVERIFY(d.error(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 20, "to": 20})")
                    .find("must be after") != std::string::npos);
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 15, "to": 33})");
        for (double frame = 1; frame <= 14; frame += 0.25) // goal.rotation goes along the great arc
            QVERIFY2((asked(d, frame).goal.position - asked(was, frame).goal.position).norm() < kSame,
                     qPrintable(QString::number(frame)));
        for (double frame = 60; frame <= 75; frame += 0.25)
            QVERIFY2(distance(asked(d, frame).goal, asked(was, frame).goal) < kSame,
                     qPrintable(QString::number(frame)));
        const GoalPose held = inProp(d, 15);
        QVERIFY(distance(asked(d, 15).goal, asked(was, 15).goal) < kSame);
        for (double frame = 15; frame <= 32; frame += 0.5)
            QVERIFY2(distance(inProp(d, frame), held) < kSame, qPrintable(QString::number(frame)));
        QVERIFY(distance(inProp(d, 33), held) < kSame);
        const double way = (asked(d, 60).goal.position - asked(d, 33).goal.position).norm();
        QVERIFY(way > 0.05);
        for (int frame = 33; frame < 60; ++frame) // it goes over evenly, and neither waits nor leaps
            QVERIFY((asked(d, frame + 1).goal.position - asked(d, frame).goal.position).norm() < way / 5);
        QVERIFY((asked(d, 46).goal.position - asked(d, 33).goal.position).norm() > way / 10);
        QCOMPARE(d.frames("hand", Property::Space), std::vector<double>({1, 15, 33}));
    }

    /// The key before a switch is on the curve, and leaves it as it was between the keys before.
    void aSwitchLeavesTheCurveBeforeIt()
    {
        TestDocument d = armAndProp();
        for (const char* move :
             {R"({"op": "setFrame", "value": 10})",
              R"({"op": "setGoal", "handle": "hand", "position": [0.4, 1.3, 0.3], "rotation": [50, 0, 80]})",
              R"({"op": "key", "target": "hand"})"})
            d(move);
        for (const int frame : {1, 10, 25}) // rotations on a curve, too
            d(QString(
                  R"({"op": "setTangent", "target": "hand", "channels": ["goal.rotation"], "frame": %1, "interpolation": "bezier"})")
                  .arg(frame)
                  .toUtf8()
                  .constData());
        const TestDocument was = d;
        d(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 16})");
        QVERIFY(d.says("its key at frame 25 pulls it away from \"prop\""));
        d(R"({"op": "keySpace", "handle": "hand", "space": "grip", "frame": 40})");
        for (double frame = 1; frame <= 15; frame += 0.25)
            QVERIFY2((asked(d, frame).goal.position - asked(was, frame).goal.position).norm() < kSame,
                     qPrintable(QString::number(frame)));
        for (int frame = 1; frame <= 15; ++frame)
            QVERIFY2(distance(asked(d, frame).goal, asked(was, frame).goal) < 1e-6, qPrintable(QString::number(frame)));
    }
};

TENDON_TEST(TestFollowSpaces)
#include "tst_follow_spaces.moc"
