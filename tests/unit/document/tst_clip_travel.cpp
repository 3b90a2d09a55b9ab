#include "core/document/MirrorPose.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/HeldPerson.h"
#include "tests/unit/document/KeyedArm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>

using namespace tendon;
using namespace tendon::test;

/// The travel of clips: on a bone, taken out, and round by round in loops.
class TestClipTravel : public QObject
{
    Q_OBJECT

private slots:
    void theRootMotionOfAClipGoesToABoneAndBack()
    {
        std::mt19937 random(4);
        TestDocument test = holding(Person().move(random));
        const TestDocument before = test;
        test(R"({"op": "rootMotion", "mode": "bone"})");
        QVERIFY(test.says("the joint \"root\" was made"));
        QVERIFY(test.says(" m, on \"root\""));
        QVERIFY(difference(before, test) < 1e-9);
        QVERIFY(test.worldAt("root", 20).translation().norm() > 0.5);
        QVERIFY(std::abs(test.worldAt("root", 20).translation().y()) < 1e-12);
        test(R"({"op": "rootMotion", "mode": "travels"})");
        QVERIFY(difference(before, test) < 1e-9);
        QVERIFY(test.worldAt("root", 20).isApprox(Affine::Identity(), 1e-12));
        for (const Property property : {Property::Tx, Property::Tz, Property::Rotation, Property::Ry})
            QVERIFY2(test.keys("root", property) == nullptr, "it rests");
        QVERIFY(test.says("travels 1.30 m, on \"hips\""));
        test(R"({"op": "rootMotion", "mode": "inPlace"})");
        QVERIFY(test.says("1.30 m of travel are taken out; height stays"));
        const Vector3 hips = test.worldAt("hips", 20).translation();
        QVERIFY(std::hypot(hips.x(), hips.z()) < 1e-9);
        QVERIFY(std::abs(hips.y() - before.worldAt("hips", 20).translation().y()) < 1e-9);
        test(R"({"op": "rootMotion", "mode": "inPlace"})");
        QVERIFY(test.says("was in place already"));
        test(R"({"op": "rootMotion", "mode": "bone"})");
        QVERIFY(test.says("is in place, so \"root\" does not move"));
    }

    /// In place: what is keyed in the world goes along with the figure, so that hands stay on their props: goals,
    /// poles, props with keys and props without that are held, also where a goal moves the hips.
    void inPlaceTakesPropsAndGoalsAlong()
    {
        for (const bool areHipsSolved : {false, true}) {
            std::mt19937 random(4);
            TestDocument test = holding(Person().move(random));
            test(R"({"op": "addJoint", "name": "cup", "translation": [0.3, 1, 0.4]})")(
                R"({"op": "addJoint", "name": "rail", "translation": [0.5, 0.9, 0.6], "rotation": [0, 30, 0]})")(
                R"({"op": "addJoint", "name": "knob", "parent": "rail", "translation": [0.1, 0.1, 0]})")(
                R"({"op": "addJoint", "name": "tree", "translation": [2, 0, 0]})");
            test(R"({"op": "setFrame", "value": 0})")(
                R"({"op": "key", "target": "cup", "channels": ["translation", "rotation"]})");
            test(
                R"({"op": "addHandle", "name": "hand", "start": "leftUpperArm", "end": "leftHand", "solver": "two-bone"})")(
                R"({"op": "setHandle", "name": "hand", "pole": [0.5, 0.8, -1], "orientationWeight": 1})")(
                R"({"op": "key", "target": "hand"})")(R"({"op": "setFrame", "value": 11})")(
                R"({"op": "setGoal", "handle": "hand", "position": [0.4, 1.1, 0.6], "rotation": [10, 40, 0]})")(
                R"({"op": "key", "target": "hand"})")(R"({"op": "setFrame", "value": 20})")(
                R"({"op": "setGoal", "handle": "hand", "position": [0.4, 1.2, 1.2], "rotation": [0, 0, 50]})")(
                R"({"op": "key", "target": "hand"})")(
                R"({"op": "setPose", "joint": "cup", "translation": [0.4, 1, 1.1], "rotation": [0, 60, 0]})")(
                R"({"op": "key", "target": "cup", "channels": ["translation", "rotation"]})");
            test(R"({"op": "keySpace", "handle": "hand", "space": "cup", "frame": 8})")(
                R"({"op": "keySpace", "handle": "hand", "space": "knob", "frame": 13})")(
                R"({"op": "keySpace", "handle": "hand", "space": null, "frame": 18})");
            if (areHipsSolved)
                test(R"({"op": "setFrame", "value": 0})")(
                    R"({"op": "addHandle", "name": "carry", "end": "hips", "solver": "parent"})")(
                    R"({"op": "key", "target": "carry"})")(R"({"op": "setFrame", "value": 20})")(
                    R"({"op": "setGoal", "handle": "carry", "position": [0.2, 1, 0.9]})")(
                    R"({"op": "key", "target": "carry"})");
            const TestDocument before = test;
            test(R"({"op": "rootMotion", "mode": "inPlace"})");
            QVERIFY(test.says("goes along with the figure, so its goal has a key at each frame"));
            double way = 0;
            for (int frame = 0; frame < Person::kFrames; ++frame) {
                const Vector3 hips = before.worldAt("hips", frame).translation();
                const Affine back(Eigen::Translation3d(-hips.x(), 0, -hips.z()));
                way = std::max(way, std::hypot(hips.x(), hips.z()));
                for (const Joint& joint : *before.scene().joints) {
                    if (joint.name == "tree") continue; // nothing keys or holds it
                    const Affine wanted = back * before.worldAt(joint.name.c_str(), frame),
                                 is = test.worldAt(joint.name.c_str(), frame);
                    const double off = std::max((is.translation() - wanted.translation()).norm(),
                                                rotationOf(is).angularDistance(rotationOf(wanted)));
                    QVERIFY2(off < 2e-4, qPrintable(QString("%1 at frame %2 is off by %3")
                                                        .arg(QString::fromStdString(joint.name))
                                                        .arg(frame)
                                                        .arg(off)));
                }
            }
            QVERIFY(way > 0.5);
            QVERIFY(distance(test.worldAt("tree", 20), before.worldAt("tree", 20)) < 1e-12);
            // On a bone, what is in the world stays there.
            TestDocument bone = before;
            bone(R"({"op": "rootMotion", "mode": "bone"})");
            for (int frame = 0; frame < Person::kFrames; ++frame)
                for (const Joint& joint : *before.scene().joints)
                    QVERIFY(distance(bone.worldAt(joint.name.c_str(), frame),
                                     before.worldAt(joint.name.c_str(), frame)) < 2e-4);
            QVERIFY(bone.worldAt("root", 20).translation().norm() > 0.5);
        }
    }

    void aClosedLoopEndsAsItBeginsAndGoesOnWhereItWas()
    {
        std::mt19937 random(8);
        Person person = Person().move(random);
        const JointId hips = person.id("hips");
        const KeyList turns = *person.clip().find({hips.value, Property::Rotation});
        for (int frame = 0; frame < Person::kFrames; ++frame) { // it walks round a bend
            const Time time = person.rig.scene.fps.timeOf(frame);
            const Quaternion heading(Eigen::AngleAxisd(0.03 * frame, Vector3::UnitY()));
            person.rig.key(hips, Property::Rotation, frame, toValue(heading * toQuaternion(turns.at(time)->value)));
        }
        TestDocument test = holding(person);
        const TestDocument before = test;
        test(R"({"op": "closeLoop", "frames": 6})");
        const int last = Person::kFrames - 1;
        const auto heading = [&](const TestDocument& by, int frame) {
            return headingOf(by.scene(), hips, by.worldAt("hips", frame), 0);
        };
        const Affine travel = heading(before, last) * heading(before, 0).inverse();
        QVERIFY(travel.translation().norm() > 0.5);
        for (const auto& [role, joints] : person.roles) {
            const Affine end = test.worldAt(role.c_str(), last), wanted = travel * before.worldAt(role.c_str(), 0);
            QVERIFY2((end.translation() - wanted.translation()).norm() < 1e-6, role.c_str());
            QVERIFY(rotationOf(end).angularDistance(rotationOf(wanted)) < 1e-6);
            for (int frame = 0; frame <= last - 6; ++frame) // before, it is what it was
                QVERIFY(distance(test.worldAt(role.c_str(), frame), before.worldAt(role.c_str(), frame)) < 1e-12);
        }
        TestDocument still = holding(person);
        still(R"({"op": "closeLoop", "frames": 6, "travel": "remove"})");
        for (const auto& [role, joints] : person.roles) // all of it, heading too
            QVERIFY(distance(still.worldAt(role.c_str(), last), still.worldAt(role.c_str(), 0)) < 1e-6);
        QVERIFY(distance(still.worldAt("hips", 0), before.worldAt("hips", 0)) < 1e-9);
        const double turned = std::abs(Eigen::AngleAxisd(travel.linear()).angle());
        QVERIFY(turned > 0.05);
        for (const bool travels : {true, false}) {
            TestDocument part = holding(person);
            part(travels ? R"({"op": "closeLoop", "frames": 6, "turn": "remove"})"
                         : R"({"op": "closeLoop", "frames": 6, "travel": "remove", "turn": "keep"})");
            const Affine goes = heading(part, last) * heading(part, 0).inverse();
            QVERIFY(std::abs(Eigen::AngleAxisd(goes.linear()).angle() - (travels ? 0 : turned)) < 1e-6);
            for (int frame = 0; frame <= last - 6 && travels; ++frame) // it stops turning where it is
                QVERIFY(
                    (part.worldAt("hips", frame).translation() - before.worldAt("hips", frame).translation()).norm() <
                    1e-6);
            const Vector3 way = part.worldAt("hips", last).translation() - part.worldAt("hips", 0).translation();
            QVERIFY(travels ? way.norm() > 0.5 : way.norm() < 1e-6);
        }
        QVERIFY(test.error(R"({"op": "closeLoop", "frames": 300})").find("which is 23 frames") != std::string::npos);
    }

    /// A part of a clip: the frames beside it stay as they are, or go.
    void aPartOfAClipIsClosedToALoop()
    {
        std::mt19937 random(8);
        const Person person = Person().move(random);
        const JointId hips = person.id("hips");
        for (const bool trims : {false, true})
            for (const char* travel : {"keep", "remove"}) {
                TestDocument test = holding(person);
                test(
                    R"({"op": "addHandle", "name": "hand", "start": "leftUpperArm", "end": "leftHand", "solver": "two-bone"})");
                for (const auto& [frame, x] : {std::pair(0, 0.5), std::pair(10, 0.7), std::pair(22, 0.4)})
                    test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                        QString(R"({"op": "setGoal", "handle": "hand", "position": [%1, 1.2, 0.3]})")
                            .arg(x)
                            .toUtf8()
                            .constData())(R"({"op": "key", "target": "hand", "channels": ["goal"]})");
                const TestDocument before = test;
                test(QString(R"({"op": "closeLoop", "frames": 5, "range": [4, 18], "travel": "%1"%2})")
                         .arg(travel, trims ? R"(, "trim": true)" : "")
                         .toUtf8()
                         .constData());
                const auto heading = [&](const TestDocument& by, int frame) {
                    return headingOf(by.scene(), hips, by.worldAt("hips", frame), 0);
                };
                const bool isKept = *travel == 'k';
                const Affine goes = isKept ? Affine(heading(before, 18) * heading(before, 4).inverse())
                                           : Affine(Affine::Identity());
                for (const auto& [role, joints] : person.roles) {
                    const Affine end = test.worldAt(role.c_str(), 18), wanted = goes * before.worldAt(role.c_str(), 4);
                    QVERIFY2((end.translation() - wanted.translation()).norm() < 1e-4 &&
                                 rotationOf(end).angularDistance(rotationOf(wanted)) < 1e-3,
                             qPrintable(QString("%1, %2: %3 m, %4 rad")
                                            .arg(travel, QString::fromStdString(role))
                                            .arg((end.translation() - wanted.translation()).norm())
                                            .arg(rotationOf(end).angularDistance(rotationOf(wanted)))));
                    for (int frame = 0; frame < Person::kFrames; ++frame) {
                        const bool isSame = trims ? isKept && frame >= 4 && frame <= 13
                                                  : frame <= 4 || frame > 18 || (isKept && frame <= 13);
                        if (!isSame) continue;
                        const double off = distance(test.worldAt(role.c_str(), frame),
                                                    before.worldAt(role.c_str(), frame));
                        QVERIFY2(off < 1e-6, qPrintable(QString("%1: frame %2 is off by %3")
                                                            .arg(QString::fromStdString(role))
                                                            .arg(frame)
                                                            .arg(off)));
                    }
                }
                if (!trims) continue;
                QCOMPARE(test.scene().fps.frameAt(test.document.clip()->begin()), 4.0);
                QCOMPARE(test.scene().fps.frameAt(test.document.clip()->end()), 18.0);
            }
        TestDocument test = holding(person);
        QVERIFY(test.error(R"({"op": "closeLoop", "frames": 9, "range": [4, 10]})").find("range, which is 6 frames") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "closeLoop", "range": [4, 300]})").find("it has keys from 0 to 23") !=
                std::string::npos);
        QVERIFY(test.error(R"({"op": "closeLoop", "trim": true})").find("counts with range only") != std::string::npos);
    }

    /// Nothing is seen before the frames over which it turns into its beginning, nor beside the range: whatever
    /// tangents the keys have that are cut there.
    void aClosedLoopLeavesTheFramesBeforeItsBlend()
    {
        TestDocument moving = keyedArm();
        moving(R"({"op": "setTangent", "target": "shoulder", "range": [0, 60], "interpolation": "bezier"})")(
            R"({"op": "setFrame", "value": 40})")(
            R"({"op": "setPose", "joint": "shoulder", "rotation": [10, 30, -40], "translation": [0.1, 1.2, 0]})")(
            R"({"op": "key", "target": "shoulder", "channels": ["rotation", "translation"]})")(
            R"({"op": "setPose", "joint": "elbow", "rotation": [0, 50, 70]})")(
            R"({"op": "key", "target": "elbow", "channels": ["angles"]})");
        moving(
            R"({"op": "setTangent", "target": "hand", "channels": ["goal"], "frame": 21, "out": [3, -2, 1], "outWeight": 0.7})")(
            R"({"op": "addJoint", "name": "prop", "translation": [0.3, 1, 0.2]})");
        TestDocument spaces = moving;
        spaces(R"({"op": "keySpace", "handle": "hand", "space": "prop", "frame": 14})");
        for (const TestDocument* start : {&moving, &spaces})
            for (const char* fields : {R"("frames": 8)", R"("frames": 19)", R"("frames": 6, "range": [8, 31])",
                                       R"("frames": 4, "range": [8.5, 25])"}) {
                TestDocument d = *start;
                d(QStringLiteral(R"({"op": "closeLoop", %1})").arg(fields).toUtf8().constData());
                const bool isPart = QString(fields).contains("range");
                const double from = isPart ? (QString(fields).contains("8.5") ? 8.5 : 8) : 1,
                             to = !isPart    ? 40
                                  : from > 8 ? 25
                                             : 31,
                             blend = to - (isPart                           ? (from > 8 ? 4 : 6)
                                           : QString(fields).contains("19") ? 19
                                                                            : 8);
                double most = 0;
                for (double frame = 0; frame < 48; frame += 0.25)
                    for (const char* joint : {"shoulder", "elbow", "wrist"}) {
                        const double off = distance(d.worldAt(joint, frame), start->worldAt(joint, frame));
                        if (frame > blend && frame < (isPart ? to + 1 : 48)) {
                            most = std::max(most, off);
                            continue;
                        }
                        QVERIFY2(
                            off < 1e-5,
                            qPrintable(
                                QString("%1: %2 at frame %3 is off by %4").arg(fields, joint).arg(frame).arg(off)));
                    }
                QVERIFY(most > 0.1); // it does turn into its beginning
                const auto bend = [](const TestDocument& of, double frame) -> Affine { // whatever it has travelled
                    return of.worldAt("elbow", frame).inverse() * of.worldAt("wrist", frame);
                };
                QVERIFY(distance(bend(d, to), bend(*start, from)) < 1e-5);
            }
    }

    void aClosedLoopTurnsWithTheGoalOfItsHips()
    {
        TestDocument test = holding(Person());
        test(R"({"op": "addClip", "name": "turn by a goal"})")(R"({"op": "setFrame", "value": 1})")(
            R"({"op": "addHandle", "name": "carrier", "end": "hips", "solver": "parent"})")(
            R"({"op": "key", "target": "carrier", "channels": ["goal"]})")(R"({"op": "setFrame", "value": 25})")(
            R"({"op": "setGoal", "handle": "carrier", "position": [0.3, 1, 1], "rotation": [0, 40, 0]})")(
            R"({"op": "key", "target": "carrier", "channels": ["goal"]})");
        const Quaternion begin = rotationOf(test.worldAt("hips", 1)), end = rotationOf(test.worldAt("hips", 25));
        QVERIFY(begin.angularDistance(end) > 0.6);
        TestDocument removed = test;
        test(R"({"op": "closeLoop", "frames": 8})");
        QVERIFY2(rotationOf(test.worldAt("hips", 25)).angularDistance(end) < 1e-6, "each round turns on");
        removed(R"({"op": "closeLoop", "frames": 8, "travel": "remove"})");
        QVERIFY(rotationOf(removed.worldAt("hips", 25)).angularDistance(begin) < 1e-6);
    }

    /// By a smooth step over the last frames; what has a range stays within it.
    void aClosedLoopComesBackSmoothly()
    {
        TestDocument test = arm();
        test(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})")(
            R"({"op": "addClip", "name": "c"})");
        for (const auto& [frame, x, blend] : {std::tuple(0, 0.0, 1.0), std::tuple(16, 1.0, 0.5)})
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "shoulder", "translation": [%1, 1, 0]})")
                    .arg(x)
                    .toUtf8()
                    .constData())(
                R"({"op": "key", "target": "shoulder", "channels": ["tx"], "interpolation": "linear"})")(
                QString(R"({"op": "setHandle", "name": "hand", "blend": %1})").arg(blend).toUtf8().constData())(
                R"({"op": "key", "target": "hand", "channels": ["blend"], "interpolation": "linear"})");
        test(R"({"op": "setFrame", "value": 14})")(R"({"op": "setHandle", "name": "hand", "blend": 1})")(
            R"({"op": "key", "target": "hand", "channels": ["blend"]})");
        for (const auto& [frame, x] : {std::pair(0, 0.9), std::pair(16, 0.5)})
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setGoal", "handle": "hand", "position": [%1, 1, 0]})").arg(x).toUtf8().constData())(
                R"({"op": "key", "target": "hand", "channels": ["goal"], "interpolation": "linear"})");
        test(R"({"op": "closeLoop", "frames": 8})");
        const std::array shares{0.0, 0.04296875, 0.15625, 0.31640625, 0.5, 0.68359375, 0.84375, 0.95703125, 1.0};
        for (int i = 0; i <= 8; ++i) // of 3 x^2 - 2 x^3
            QVERIFY(std::abs(test.keyed("shoulder", Property::Tx, 8 + i) -
                             ((8 + i) / 16.0 - shares[static_cast<std::size_t>(i)])) < 1e-9);
        for (int i = 0; i <= 8; ++i)
            QVERIFY(std::abs(test.keyed("hand", Property::GoalPosition, 8 + i) -
                             (0.9 - 0.4 * (8 + i) / 16.0 + 0.4 * shares[static_cast<std::size_t>(i)])) < 1e-9);
        for (int frame = 0; frame <= 16; ++frame) QVERIFY(test.keyed("hand", Property::Blend, frame) <= 1);
        QCOMPARE(test.keyed("hand", Property::Blend, 16), 1.0);
    }

    /// Height and turn go with the rest of the travel where that is asked.
    void heightAndTurnMayGoAlong()
    {
        TestDocument test = holding(Person());
        test(R"({"op": "addClip", "name": "c"})");
        for (const auto& [frame, place, turn] :
             {std::tuple(0, "[0, 0.95, 0]", 0), std::tuple(12, "[0.5, 1.4, 1]", 100), std::tuple(20, "[1, 1, 2]", 200)})
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "hips", "translation": %1, "rotation": [0, %2, 0]})")
                    .arg(place)
                    .arg(turn)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "hips", "channels": ["translation", "rotation"]})");
        const Vector3 rest = test.scene().find(*test.scene().jointNamed("hips"))->rest.translation;
        for (const bool turns : {false, true}) {
            TestDocument moved = test;
            moved(turns ? R"({"op": "rootMotion", "mode": "inPlace", "height": false, "turns": true})"
                        : R"({"op": "rootMotion", "mode": "inPlace", "height": false})");
            for (int frame = 0; frame <= 20; ++frame) {
                const Affine hips = moved.worldAt("hips", frame);
                QVERIFY((hips.translation() - rest).norm() < 1e-9);
                const Quaternion wanted = turns ? Quaternion::Identity() : rotationOf(test.worldAt("hips", frame));
                QVERIFY(rotationOf(hips).angularDistance(wanted) < 1e-6);
            }
        }
    }

    /// Somebody who lies on the back heads where they did, though their front points a little backward.
    void whoLiesDownTurnsNoFurther()
    {
        TestDocument test = holding(Person());
        test(R"({"op": "addClip", "name": "c"})");
        for (const auto& [frame, pitch] : {std::pair(0, 0), std::pair(10, -94)})
            test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData())(
                QString(R"({"op": "setPose", "joint": "hips", "rotation": [%1, 0, 0]})")
                    .arg(pitch)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "hips", "channels": ["rotation"]})");
        const Quaternion lying = rotationOf(test.worldAt("hips", 10));
        test(R"({"op": "rootMotion", "mode": "inPlace", "turns": true})");
        QVERIFY(rotationOf(test.worldAt("hips", 10)).angularDistance(lying) < 1e-6);
    }

    /// A figure whose hips a goal moves: what the handle shows is what goes on, round by round.
    void aClosedLoopKeepsTheTravelOfAGoal()
    {
        for (const bool travels : {true, false}) {
            TestDocument test = holding(Person());
            const Vector3 begin = test.worldAt("hips", 1).translation();
            test(R"({"op": "addClip", "name": "walk by a goal"})")(R"({"op": "setFrame", "value": 1})")(
                R"({"op": "addHandle", "name": "carrier", "end": "hips", "solver": "parent"})")(
                R"({"op": "key", "target": "carrier", "channels": ["goal"]})")(R"({"op": "setFrame", "value": 25})")(
                QString(R"({"op": "setGoal", "handle": "carrier", "position": [%1, %2, %3]})")
                    .arg(begin.x(), 0, 'g', 17)
                    .arg(begin.y() + 0.1, 0, 'g', 17)
                    .arg(begin.z() + 2, 0, 'g', 17)
                    .toUtf8()
                    .constData())(R"({"op": "key", "target": "carrier", "channels": ["goal"]})");
            // What the hips have of their own, which the goal hides, stays.
            test(R"({"op": "key", "target": "hips", "channels": ["translation"], "frame": 1})")(
                R"({"op": "setKeyValue", "target": "hips", "channels": ["tz"], "frame": 1, "value": 0.25})")(
                R"({"op": "key", "target": "hips", "channels": ["translation"], "frame": 25})");
            const KeyList own = *test.keys("hips", Property::Tz);
            test(travels ? R"({"op": "closeLoop", "frames": 8})"
                         : R"({"op": "closeLoop", "frames": 8, "travel": "remove"})");
            QVERIFY(*test.keys("hips", Property::Tz) == own);
            const Vector3 way = test.worldAt("hips", 25).translation() - begin;
            QVERIFY2((way - Vector3(0, 0, travels ? 2 : 0)).norm() < 1e-6, qPrintable(QString::number(way.z())));
            for (int frame = 2; frame <= 25 && travels; ++frame)
                QVERIFY(test.worldAt("hips", frame).translation().z() >=
                        test.worldAt("hips", frame - 1).translation().z() - 1e-9);
        }
    }

    /// Goals that go along with the hips, or with the head from some frame on, and poles in the world, with and without
    /// keys: the chain closes, and without the travel it bends as it did.
    void aClosedLoopTakesPolesAndFollowedGoalsAlong()
    {
        for (const bool isPoleKeyed : {true, false})
            for (const bool travels : {true, false})
                for (const bool switches : {true, false}) {
                    TestDocument test = holding(Person());
                    test(R"({"op": "addClip", "name": "stride"})")(R"({"op": "setFrame", "value": 1})");
                    test(
                        R"({"op": "addHandle", "name": "hand", "start": "leftUpperArm", "end": "leftHand", "follow": "hips", "solver": "two-bone"})");
                    const Vector3 elbow = test.world("leftLowerArm").translation();
                    const auto pole = [&](double z) {
                        return QString(R"({"op": "setHandle", "name": "hand", "pole": [%1, %2, %3]})")
                            .arg(elbow.x() + 0.2, 0, 'g', 17)
                            .arg(elbow.y() - 0.3, 0, 'g', 17)
                            .arg(elbow.z() + z, 0, 'g', 17)
                            .toUtf8();
                    };
                    test(pole(-1).constData());
                    for (const int frame : {1, 13, 25}) {
                        test(QString(R"({"op": "setFrame", "value": %1})").arg(frame).toUtf8().constData());
                        test(QString(R"({"op": "setPose", "joint": "hips", "translation": [0, %1, %2]})")
                                 .arg(test.world("hips").translation().y(), 0, 'g', 17)
                                 .arg((frame - 1) / 12.0)
                                 .toUtf8()
                                 .constData());
                        test(R"({"op": "key", "target": "hips", "channels": ["translation"]})");
                        if (isPoleKeyed) test(pole(-1 + (frame - 1) / 12.0).constData());
                        test(isPoleKeyed ? R"({"op": "key", "target": "hand", "channels": ["goal.position", "pole"]})"
                                         : R"({"op": "key", "target": "hand", "channels": ["goal.position"]})");
                    }
                    if (switches) test(R"({"op": "keySpace", "handle": "hand", "space": "head", "frame": 9})");
                    const auto inChest = [](const TestDocument& d, int frame) -> Vector3 {
                        return d.worldAt("hips", frame).inverse() * d.worldAt("leftLowerArm", frame).translation();
                    };
                    const TestDocument was = test;
                    test(travels ? R"({"op": "closeLoop", "frames": 6})"
                                 : R"({"op": "closeLoop", "frames": 6, "travel": "remove"})");
                    const double open = (inChest(test, 25) - inChest(was, 1)).norm();
                    QVERIFY2(
                        open < 3e-4,
                        qPrintable(
                            QString("%1 %2 %3: open by %4 m").arg(isPoleKeyed).arg(travels).arg(switches).arg(open)));
                    for (int frame = 1; frame <= 19; ++frame)
                        QVERIFY2(
                            (inChest(test, frame) - inChest(was, frame)).norm() < 3e-4,
                            qPrintable(
                                QString("%1 %2 %3: frame %4").arg(isPoleKeyed).arg(travels).arg(switches).arg(frame)));
                }
    }
};

TENDON_TEST(TestClipTravel)
#include "tst_clip_travel.moc"
