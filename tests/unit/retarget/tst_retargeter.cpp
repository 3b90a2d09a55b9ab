#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/retarget/ClipSurvey.h"
#include "core/retarget/ClipTrack.h"
#include "core/retarget/LimbReach.h"
#include "core/retarget/RetargetClip.h"
#include "core/retarget/RootMotion.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/retarget/RetargetedPerson.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

using namespace tendon;
using namespace tendon::test;

class RetargeterTest : public QObject
{
    Q_OBJECT

private slots:
    /// Motion back on the skeleton that it came from, whose joints have other names and rest in another pose.
    void theSameSkeletonInAnotherRestPoseGetsTheSameMotion()
    {
        for (const unsigned seed : {1u, 2u, 3u}) {
            std::mt19937 random(seed);
            const Person motion = Person().turnAxes(random).move(random);
            Person character = motion;
            character.rig.scene.clips.clear();
            character.turnAtRest(random, 0.6).rename();
            Retargeter by = retargeter(motion, character);
            QVERIFY(by.facts().isSameSkeleton);
            for (int frame = 0; frame < Person::kFrames; ++frame) {
                const Moment now(by, frame);
                for (const auto& [role, joints] : motion.roles) {
                    QVERIFY2((now.here(role) - now.there(role)).norm() < 1e-4,
                             qPrintable(QString::fromStdString(role)));
                    QVERIFY(now.turnHere(role).angularDistance(now.turnThere(role)) < 0.1 / kDegrees);
                }
            }
        }
    }

    /// Targets of feet and poles stand beside the body, with parts of it or without: they go as the motion's do.
    void whatStandsBesideTheSameSkeletonGoesAlong()
    {
        std::mt19937 random(8);
        Person motion = Person().move(random);
        for (const double x : {0.3, -0.3}) {
            const std::string name = x > 0 ? "left" : "right";
            const JointId target = motion.rig.joint(name + " target", {}, {x, 0.1, 0.4});
            const JointId heel = motion.rig.joint(name + " heel", target, {0, 0.05, -0.1});
            if (x > 0) motion.roles["leftToes"] = {heel}; // it stands apart from the leg
            for (int frame = 0; frame < Person::kFrames; ++frame) {
                motion.rig.key(target, Property::Tz, frame, {0.4 + 0.02 * frame});
                motion.rig.key(target, Property::Rotation, frame,
                               channelValue(rotationFromVector(Vector3(0.1 * frame, 0.02 * frame, 0))));
            }
        }
        Person character = motion;
        character.rig.scene.clips.clear();
        character.turnAtRest(random, 0.6).rename();
        Retargeter by = retargeter(motion, character);
        QVERIFY(by.facts().isSameSkeleton);
        const auto retargeted = retargetClip(by, frameTimes(motion.clip(), FrameRate{24, 1}), FrameRate{24, 1});
        QVERIFY(retargeted);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (std::size_t j = 0; j < now.own.position.size(); ++j) { // the joints have the same order
                const double off = (now.own.position[j] - by.motionPose().position[j]).norm();
                QVERIFY2(off < 1e-6, qPrintable(QString("joint %1 at %2: %3 m").arg(j).arg(frame).arg(off)));
            }
        }
        for (const Joint& joint : *motion.rig.scene.joints)
            if (joint.name.ends_with("target"))
                QVERIFY(retargeted->channels.count({joint.id.value, Property::Tz}) == 1);
    }

    /// As BVH has it: every joint's axes are the world's, in whatever pose the skeleton rests.
    void bonesAloneBringBackAMotionWhereAxesSayNothing()
    {
        std::mt19937 random(5);
        const Person motion = Person(1, 1, 0).move(random);
        Person character = Person(1, 1, 0.9).turnAxes(random).rename(); // an A-pose
        Retargeter by = retargeter(motion, character);
        QVERIFY(!by.facts().isSameSkeleton);
        QVERIFY(std::abs(by.facts().armsDiffer - 0.9) < 1e-6);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (const auto& [role, joints] : motion.roles)
                QVERIFY2((now.here(role) - now.there(role)).norm() < 1e-4,
                         qPrintable(QString("%1 at %2: %3")
                                        .arg(QString::fromStdString(role))
                                        .arg(frame)
                                        .arg((now.here(role) - now.there(role)).norm())));
        }
    }

    void limbsOfOtherLengthsKeepFeetAndHandsInTheirScaledPlaces_data()
    {
        QTest::addColumn<double>("legs");
        QTest::addColumn<double>("arms");
        for (const auto& [legs, arms] : {std::pair{0.7, 1.4}, {1.4, 0.7}, {0.85, 0.85}, {1.2, 1.3}})
            QTest::addRow("legs %g, arms %g", legs, arms) << legs << arms;
    }
    void limbsOfOtherLengthsKeepFeetAndHandsInTheirScaledPlaces()
    {
        QFETCH(double, legs);
        QFETCH(double, arms);
        std::mt19937 random(7);
        const Person motion = Person().move(random);
        for (const bool hasOtherAxes : {false, true}) {
            Person character(legs, arms);
            if (hasOtherAxes) character.turnAxes(random);
            Retargeter by = retargeter(motion, character);
            QVERIFY(std::abs(by.facts().scale - legs) < 1e-3);
            for (int frame = 0; frame < Person::kFrames; ++frame) {
                const Moment now(by, frame);
                const double k = by.facts().legScale;
                // The hips' height goes by the legs, but for the part of the pelvis that is not scaled, and a few
                // millimetres where a leg would be out of reach.
                QVERIFY(std::abs(now.here("hips").y() - k * now.there("hips").y()) < 0.07 * std::abs(1 - k) + 0.008);
                for (const std::string& side : kSides) {
                    QVERIFY((now.here(side + "Foot") - k * now.there(side + "Foot")).norm() < 0.005);
                    const Vector3 reach = now.here(side + "Hand") - now.here(side + "UpperArm");
                    const Vector3 asked = arms * (now.there(side + "Hand") - now.there(side + "UpperArm"));
                    QVERIFY((reach - asked).norm() < 0.005);
                }
                const auto facing = trunkAxes(by.characterFigure(), now.own);
                const auto wanted = trunkAxes(by.motionFigure(), by.motionPose());
                QVERIFY(facing->angularDistance(*wanted) < 3 / kDegrees);
            }
        }
    }

    /// Bones of different proportions: the elbow gives, so that the hand comes to its place.
    void aHandReachesItsPlaceWithBonesOfOtherProportions()
    {
        std::mt19937 random(9);
        const Person motion = Person().move(random);
        Person character;
        for (const std::string& side : kSides) {
            character.rig.edit(character.id(side + "LowerArm")).rest.translation *= 1.2;
            character.rig.edit(character.id(side + "Hand")).rest.translation *= 0.8;
            character.rig.edit(character.id(side + "LowerLeg")).rest.translation *= 0.85;
            character.rig.edit(character.id(side + "Foot")).rest.translation *= 1.1;
        }
        double untouched = 0;
        for (const bool reaches : {true, false}) {
            Retargeter by = retargeter(motion, character, {.handReach = reaches});
            for (int frame = 0; frame < Person::kFrames; ++frame) {
                const Moment now(by, frame);
                for (const std::string& side : kSides) {
                    const double ratio = (0.28 * 1.2 + 0.25 * 0.8) / (0.28 + 0.25);
                    const Vector3 reach = now.here(side + "Hand") - now.here(side + "UpperArm");
                    const Vector3 asked = ratio * (now.there(side + "Hand") - now.there(side + "UpperArm"));
                    if (reaches)
                        QVERIFY((reach - asked).norm() < 1e-6);
                    else
                        untouched = std::max(untouched, (reach - asked).norm());
                    QVERIFY((now.here(side + "Foot") - by.facts().legScale * now.there(side + "Foot")).norm() < 0.005);
                    QVERIFY(now.turnHere(side + "Hand").angularDistance(now.turnThere(side + "Hand")) < 0.1 / kDegrees);
                }
            }
        }
        QVERIFY(untouched > 0.005); // the reach did something
    }

    /// Legs that pass through straight on their way, while the foot is to be a little nearer: the knee stays on its
    /// side, and no step is far beyond those around it.
    void aKneePastStraightBendsToItsOwnSide()
    {
        Vector3 before = Vector3::Zero();
        for (double bend = 12; bend >= -8; bend -= 0.5) {
            const Vector3 knee(0, -0.4, 0);
            const Quaternion turn(Eigen::AngleAxisd(bend / kDegrees, Vector3::UnitX()));
            const Vector3 end = knee + turn * Vector3(0, -0.4, 0);
            const LimbTurns turns = reachTo(Vector3::Zero(), knee, end, 0.97 * end, Vector3::UnitX());
            const Vector3 bent = turns.upper * knee, shin = turns.lower * Vector3(end - knee);
            QVERIFY((bent + shin - 0.97 * end).norm() < 1e-9);
            QVERIFY2(bent.cross(shin).x() > 0, qPrintable(QString::number(bend)));
            if (bend < 12) QVERIFY2((bent - before).norm() < 0.02, qPrintable(QString::number(bend)));
            before = bent;
        }
    }

    /// Arms that swing through straight to both sides, and legs that come to straight where one of the character's
    /// feet is out of reach: neither an elbow nor a knee steps far beyond the motion.
    void elbowsAndKneesStepAsTheMotionsDo()
    {
        Person motion, character;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const double swing = 0.35 * std::cos(0.25 * frame), bend = 0.2 + 0.2 * std::cos(0.35 * frame);
            const auto turn = [&](const std::string& role, double angle, const Vector3& axis) {
                motion.rig.key(motion.id(role), Property::Rotation, frame, toValue(rotationFromVector(angle * axis)));
            };
            for (const std::string& side : kSides) {
                turn(side + "LowerArm", swing, Vector3::UnitY());
                turn(side + "UpperLeg", -bend / 2, Vector3::UnitX());
                turn(side + "LowerLeg", bend, Vector3::UnitX());
                turn(side + "Foot", -bend / 2, Vector3::UnitX());
            }
            motion.rig.key(motion.id("hips"), Property::Ty, frame, {0.95 - 0.82 * (1 - std::cos(bend / 2))});
        }
        for (const std::string& side : kSides) {
            character.rig.edit(character.id(side + "LowerArm")).rest.translation *= 1.2;
            character.rig.edit(character.id(side + "Hand")).rest.translation *= 0.8;
            character.rig.edit(character.id(side + "UpperLeg")).rest.translation.y() += side == "left" ? 0.015 : -0.015;
        }
        Retargeter by = retargeter(motion, character);
        std::map<std::string, double> before, beforeThere;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (const std::string& side : kSides) {
                for (const auto& [upper, lower, end] :
                     {std::array<const char*, 3>{"UpperArm", "LowerArm", "Hand"}, {"UpperLeg", "LowerLeg", "Foot"}}) {
                    const auto bendOf = [&](const auto& place) {
                        const Vector3 a = place(side + lower) - place(side + upper),
                                      b = place(side + end) - place(side + lower), bend = a.cross(b);
                        const double sign = upper[5] == 'A' ? bend.y() : bend.x();
                        return std::copysign(std::atan2(bend.norm(), a.dot(b)), sign);
                    };
                    const double here = bendOf([&](const std::string&role) { return now.here(role); }),
                                 there = bendOf([&](const std::string&role) { return now.there(role); });
                    double &last = before[side + lower], &lastThere = beforeThere[side + lower];
                    const QString which =
                        QString("%1 %2 at %3: %4 from %5").arg(side.c_str(), lower).arg(frame).arg(here).arg(last);
                    if (frame > 0)
                        QVERIFY2(std::abs(here - last) < 2 * std::abs(there - lastThere) + 0.03, qPrintable(which));
                    last = here, lastThere = there;
                    if (upper[5] == 'L') QVERIFY2(here > 0.01, qPrintable(which));
                }
                // One leg hangs 15 mm higher than the motion's: the hips come down for it.
                const Vector3 foot = now.here(side + "Foot") - by.facts().legScale * now.there(side + "Foot");
                QVERIFY2(foot.norm() < 0.003, qPrintable(QString::number(foot.norm())));
            }
        }
    }

    /// Toes of captures shake. Feet that are larger for their legs would lift the ankle by that in each frame, and bend
    /// the knee.
    void toesThatShakeDoNotShakeTheKnees()
    {
        std::mt19937 random(11);
        const Person still = Person().move(random);
        Person shaking = still, character(0.5);
        for (const std::string& side : kSides) {
            character.rig.edit(character.id(side + "Toes")).rest.translation *= 2.5;
            for (int frame = 2; frame < Person::kFrames; frame += 5) {
                const Key* key = still.clip()
                                     .find({still.id(side + "Toes").value, Property::Rotation})
                                     ->at(FrameRate{24, 1}.timeOf(frame));
                shaking.rig.key(
                    still.id(side + "Toes"), Property::Rotation, frame,
                    toValue((toQuaternion(key->value) * rotationFromVector(Vector3(0.4, 0, 0))).normalized()));
            }
        }
        Retargeter by = retargeter(shaking, character), calm = retargeter(still, character);
        double shakes = 0;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame), then(calm, frame);
            for (const std::string& side : kSides) {
                QVERIFY2((now.here(side + "Foot") - then.here(side + "Foot")).norm() < 0.003,
                         qPrintable(QString("%1 at %2").arg(side.c_str()).arg(frame)));
                QVERIFY(now.turnHere(side + "LowerLeg").angularDistance(then.turnHere(side + "LowerLeg")) <
                        1 / kDegrees);
                shakes = std::max(shakes, now.turnHere(side + "Toes").angularDistance(then.turnHere(side + "Toes")));
            }
        }
        QVERIFY(shakes > 0.3);
    }

    /// A character whose rest pose is a moment of a step stands on one foot there: how high its ankles are is that
    /// one's.
    void aCharacterThatRestsInAStepStandsOnItsSoles()
    {
        std::mt19937 random(7);
        const Person motion = Person().move(random);
        Person stands(0.7), steps(0.7);
        for (Person* person : {&stands, &steps}) // in other proportions: its soles count
            for (const std::string& side : kSides)
                person->rig.edit(person->id(side + "LowerLeg")).rest.translation *= 1.2;
        steps.rig.edit(steps.id("rightUpperLeg")).rest.rotation = rotationFromVector(Vector3(-0.8, 0, 0));
        steps.rig.edit(steps.id("rightLowerLeg")).rest.rotation = rotationFromVector(Vector3(1.4, 0, 0));
        Retargeter by = retargeter(motion, steps), reference = retargeter(motion, stands);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame), then(reference, frame);
            QVERIFY(std::abs(now.here("hips").y() - then.here("hips").y()) < 0.02);
        }
    }

    /// Files state their time a frame with few digits: keys are then a little off frames, and a motion is what they
    /// say.
    void keysThatAreAlmostOnFramesCountWhereTheyAre()
    {
        std::mt19937 random(8);
        Person motion = Person().move(random);
        const FrameRate fps{24, 1};
        const Clip onFrames = motion.clip();
        for (const auto& [channel, keys] : onFrames.channels) {
            std::vector<Key> late;
            for (Key key : keys->toVector()) {
                key.time = Time::fromSeconds(0.041667 * (5000 + std::round(fps.frameAt(key.time))));
                late.push_back(key);
            }
            motion.rig.scene.clips.front().edit().channels[channel] = Shared(KeyList(late));
        }
        const std::vector<Time> times = frameTimes(motion.clip(), fps);
        QCOMPARE(times.size(), static_cast<std::size_t>(Person::kFrames));
        Person character = motion;
        character.rename();
        Retargeter by = retargeter(motion, character);
        const auto made = retargetClip(by, frameTimes(motion.clip(), fps), fps);
        QVERIFY(made);
        Scene moved = character.rig.scene;
        moved.clips.front().edit().channels = made->channels;
        const RoledFigure figure = figureOf(motion);
        for (const Time time : times) {
            const WorldPose there = worldAt(motion.rig.scene, figure, motion.clip(), time),
                            here = worldAt(moved, figure, *moved.clips.front(), time);
            for (std::size_t j = 0; j < there.position.size(); ++j)
                QVERIFY((there.position[j] - here.position[j]).norm() < 1e-6);
        }
    }

    /// Keys that fit no rate, as of a file with a few of them: what a joint does at each of them comes along, and not
    /// only what frames see.
    void keysBetweenFramesAreHit()
    {
        Person motion;
        const FrameRate fps{24, 1};
        const std::vector<double> seconds{0, 0.37, 0.39, 1.113, 2};
        for (std::size_t i = 0; i < seconds.size(); ++i)
            for (const std::string& side : kSides)
                motion.rig.key(motion.id(side + "LowerArm"), Property::Rotation, seconds[i] * 24,
                               toValue(rotationFromVector((i % 2 == 0 ? 0.1 : 1.2) * Vector3::UnitY())));
        const std::vector<Time> times = motionTimes(motion.clip(), fps);
        QVERIFY(std::is_sorted(times.begin(), times.end()));
        QCOMPARE(times.size(), frameTimes(motion.clip(), fps).size() + 3);
        Retargeter by = retargeter(motion, Person(1.2, 1, 0.5));
        const auto made = retargetClip(by, times, fps);
        QVERIFY(made);
        Person character(1.2, 1, 0.5);
        Clip moved = motion.clip();
        moved.channels = made->channels;
        const RoledFigure there = figureOf(motion), here = figureOf(character);
        const auto elbow = [](const RoledFigure& figure, const WorldPose& pose) {
            const auto place = [&](const char* role) { return pose.position[at(figure.first(role))]; };
            return (place("leftLowerArm") - place("leftUpperArm"))
                .normalized()
                .dot((place("leftHand") - place("leftLowerArm")).normalized());
        };
        for (const double second : seconds) {
            const Time time = fps.timeOf(second * 24);
            const double asked = elbow(there, worldAt(motion.rig.scene, there, motion.clip(), time)),
                         own = elbow(here, worldAt(character.rig.scene, here, moved, time));
            QVERIFY2(std::abs(asked - own) < 1e-3,
                     qPrintable(QString("%1 s: %2 for %3").arg(second).arg(own).arg(asked)));
        }
    }

    /// What a track makes of its values differs by no more than they do; one that rises evenly goes on to rise, and one
    /// that repeats fits to itself.
    void aTrackEvensOutAndExaggeratesNothing()
    {
        std::mt19937 random(13);
        std::uniform_real_distribution<double> share(-1, 1);
        std::vector<Time> times;
        std::vector<double> values, others, ramp, round;
        for (int i = 0; i <= 60; ++i) {
            times.push_back(Time::fromSeconds(i / 30.0));
            values.push_back(share(random));
            others.push_back(values.back() + 1e-3 * share(random));
            ramp.push_back(0.1 * i);
            round.push_back(std::sin(i * std::numbers::pi / 30));
        }
        const auto evened = [&](const std::vector<double>& of, bool repeats) {
            ClipTrack track(times, of, repeats);
            track.dropOutliers();
            track.widen(0.2);
            track.smooth(0.2);
            return track;
        };
        const ClipTrack a = evened(values, false), b = evened(others, false), c = evened(round, true);
        ClipTrack rising(times, ramp, false), held(times, values, false), other(times, others, false);
        rising.smooth(0.2);
        std::vector<double> stillness(times.size(), 0);
        for (std::size_t i = 10; i <= 30; ++i) stillness[i] = 1;
        const std::vector<double> still(times.size(), 0);
        held.hold({{stillness, still}}), other.hold({{stillness, still}});
        ClipTrack going(times, values, false);
        going.hold({{stillness, ramp}, {still, still}}); // what moves does not count
        for (const Time time : times) {
            QVERIFY(std::abs(a.at(time) - b.at(time)) <= 1e-3 + 1e-12);
            QVERIFY(std::abs(rising.at(time) - 3 * time.seconds()) < 1e-9);
            QVERIFY(std::abs(held.at(time)) <= 1 && std::abs(held.at(time) - other.at(time)) <= 1e-3 + 1e-12);
        }
        for (std::size_t i = 10; i <= 30; ++i) // one value at rest, and its own way otherwise
            QVERIFY(std::abs(held.at(times[i]) - held.at(times[10])) < 0.01 &&
                    std::abs(going.at(times[i]) - going.at(times[10]) - 0.1 * static_cast<double>(i - 10)) < 0.01);
        QVERIFY(std::abs(held.at(times[50]) - held.at(times[10])) > 0.01);
        QVERIFY(std::abs(c.at(times.front()) - c.at(times.back())) < 1e-12);
        ClipTrack widened(times, values, false);
        widened.widen(0.2);
        ClipTrack over = widened;
        over.smooth(0.15);
        for (std::size_t i = 6; i + 6 < times.size(); ++i) QVERIFY(over.at(times[i]) >= values[i] - 1e-12);
        QCOMPARE(ClipTrack().at(times[3]), 0.0);
    }

    /// Somebody who stands still for a second does so for a second on the character, too.
    void aClipThatHoldsAPoseKeepsItsLength()
    {
        Person motion;
        for (const int frame : {0, 24})
            for (const auto& [role, joints] : motion.roles)
                motion.rig.key(joints.front(), Property::Rotation, frame, ChannelValue{0, 0, 0, 1});
        Retargeter by = retargeter(motion, Person(1.2));
        const auto made = retargetClip(by, frameTimes(motion.clip(), FrameRate{24, 1}), FrameRate{24, 1});
        QVERIFY(made);
        Clip clip;
        clip.channels = made->channels;
        QCOMPARE(clip.begin().ticks, std::int64_t{0});
        QCOMPARE(clip.end().ticks, std::int64_t{Time::kTicksPerSecond});
        for (const auto& [channel, keys] : clip.channels) QCOMPARE(keys->size(), std::size_t{2});
    }

    /// The hips of a character may be three times as wide for its legs: its thighs run as the motion's do, and its feet
    /// stand as much wider.
    void wideHipsStandWide()
    {
        std::mt19937 random(7);
        const Person motion = Person().move(random);
        Person character;
        for (const std::string& side : kSides)
            character.rig.edit(character.id(side + "UpperLeg")).rest.translation.x() *= 3;
        Retargeter by = retargeter(motion, character);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (const std::string& side : kSides) {
                const Vector3 there = now.there(side + "LowerLeg") - now.there(side + "UpperLeg");
                const Vector3 here = now.here(side + "LowerLeg") - now.here(side + "UpperLeg");
                QVERIFY(std::acos(std::clamp(there.normalized().dot(here.normalized()), -1.0, 1.0)) < 15 / kDegrees);
            }
        }
    }

    /// A capture whose hips have no place of their own: the character stands on the floor, and that is said.
    void aMotionThatHangsAtTheOriginStandsOnTheFloor()
    {
        std::mt19937 random(7);
        Person motion = Person().move(random);
        for (int frame = 0; frame < Person::kFrames; ++frame)
            for (int axis = 0; axis < 3; ++axis)
                motion.rig.key(motion.id("hips"), offsetBy(Property::Tx, axis), frame, ChannelValue{0});
        Retargeter by = retargeter(motion, Person(1.3));
        QCOMPARE(by.facts().notes.size(), std::size_t{1});
        QVERIFY(by.facts().notes.front().find("hips stay at the origin") != std::string::npos);
        double lowest = 1;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (const std::string& side : kSides) lowest = std::min(lowest, now.here(side + "Foot").y());
        }
        QVERIFY2(std::abs(lowest - 0.08) < 0.08, qPrintable(QString::number(lowest)));
    }

    void aFileThatStandsAlongZIsTurnedUpright()
    {
        std::mt19937 random(3);
        const Person upright = Person().move(random);
        Person motion = upright;
        const Quaternion tilt(Eigen::AngleAxisd(90 / kDegrees, Vector3::UnitX()));
        // A root above that turns everything: what a file says that is Z up and is read as Y up.
        TestRig& rig = motion.rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero());
        rig.edit(root).rest.rotation = tilt;
        rig.edit(motion.id("hips")).parent = root;
        Retargeter by = retargeter(motion, Person()), reference = retargeter(upright, Person());
        QCOMPARE(by.facts().notes.size(), std::size_t{1});
        QVERIFY(by.facts().notes.front().find("+Z") != std::string::npos);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame), then(reference, frame);
            QVERIFY((now.here("leftHand") - then.here("leftHand")).norm() < 1e-6);
        }
    }

    void aCharacterThatFacesBackWalksToItsOwnFront()
    {
        std::mt19937 random(4);
        const Person motion = Person().move(random);
        Person character;
        const Quaternion back(Eigen::AngleAxisd(180 / kDegrees, Vector3::UnitY()));
        for (Joint& joint : character.rig.scene.joints.edit()) joint.rest.translation = back * joint.rest.translation;
        Retargeter by = retargeter(motion, character);
        QCOMPARE(
            QString::fromStdString(by.facts().notes.front()),
            QStringLiteral("The motion faces +Z, the character -Z; it is turned by 180° to the character's front."));
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            for (const auto& [role, joints] : motion.roles)
                QVERIFY((now.here(role) - back * now.there(role)).norm() < 1e-4);
        }
    }

    /// A motion that rests folded up says by its frames which way it goes: one that faces back all the time comes to
    /// the character's front; one that turns as it goes stays as it is in its file, whatever its first frame is. Both
    /// are said.
    void aFoldedRestFacesAsItsFramesDo_data()
    {
        QTest::addColumn<double>("from"); // [degrees]
        QTest::addColumn<double>("to");
        QTest::addColumn<double>("turned");
        QTest::addRow("back") << 180.0 << 180.0 << 180.0;
        QTest::addRow("to the side") << 90.0 << 90.0 << -90.0;
        QTest::addRow("ahead") << 3.0 << -3.0 << 0.0;
        QTest::addRow("about, from the back") << 180.0 << 360.0 << 0.0;
        QTest::addRow("askew") << 40.0 << 40.0 << 0.0;
    }
    void aFoldedRestFacesAsItsFramesDo()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(double, turned);
        Person motion;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const double turn = (from + (to - from) * frame / (Person::kFrames - 1)) / kDegrees;
            for (const auto& [role, joints] : motion.roles)
                motion.rig.key(joints.front(), Property::Rotation, frame,
                               toValue(rotationFromVector((role == "hips" ? turn : 0.0) * Vector3::UnitY())));
        }
        for (const std::string& side : kSides) {
            motion.rig.edit(motion.id(side + "UpperLeg")).rest.rotation = rotationFromVector(-1.8 * Vector3::UnitX());
            motion.rig.edit(motion.id(side + "LowerLeg")).rest.rotation = rotationFromVector(2.5 * Vector3::UnitX());
        }
        // One clip of several that goes another way goes the file's way.
        const Clip several = motion.clip();
        for (int number = 0; number < 4 && from == to; ++number) {
            Clip more = several;
            more.id = ClipId{motion.rig.scene.takeId()};
            if (number == 3)
                more.channels.insert_or_assign(
                    ChannelId{motion.id("hips").value, Property::Rotation},
                    KeyList({{.time = {},
                              .value = toValue(rotationFromVector((from + 120) / kDegrees * Vector3::UnitY()))}}));
            motion.rig.scene.clips.push_back(more);
        }
        Retargeter by = retargeter(motion, Person(1.2));
        for (const auto& clip : motion.rig.scene.clips) {
            const auto one = Retargeter::create(motion.rig.scene, *clip, motion.roles, Person(1.2).rig.scene,
                                                Person(1.2).roles, {});
            QVERIFY(one && one->worldFromMotion().angularDistance(by.worldFromMotion()) < 1e-6);
        }
        const std::vector<std::string>& notes = by.facts().notes;
        QVERIFY(notes.front().find("rests folded up") != std::string::npos);
        const auto says = [&](const char* part) {
            return std::any_of(notes.begin(), notes.end(),
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
        };
        QCOMPARE(says("it is turned by"), turned != 0);
        QCOMPARE(says("goes where it goes in its file"), turned == 0 && from != 3);
        const Quaternion turn = rotationFromVector(turned / kDegrees * Vector3::UnitY());
        QVERIFY(by.worldFromMotion().angularDistance(turn) < 1e-6);
        for (const int frame : {0, 12, 23}) {
            const Moment now(by, frame);
            const Quaternion wanted = turn * now.turnThere("hips");
            QVERIFY(now.turnHere("hips").angularDistance(wanted) < 2 / kDegrees);
        }
    }

    /// Every bone rests along its joint's x, as some BVH files have it, and the motion unfolds them: in its first frame
    /// it stands.
    void aCollapsedRestPoseIsNoticedAndItsFirstFrameCounts()
    {
        std::mt19937 random(6);
        Person motion;
        for (const auto& [role, joints] : motion.roles) // it stands in the first frame
            motion.rig.key(joints.front(), Property::Rotation, -1, ChannelValue{0, 0, 0, 1});
        for (int axis = 0; axis < 3; ++axis)
            motion.rig.key(motion.id("hips"), offsetBy(Property::Tx, axis), -1, ChannelValue{axis == 1 ? 0.95 : 0});
        motion.move(random);
        const Person straight = motion;
        // worldFromJoint of the folded skeleton when it stands: x along the bone that leads to the joint.
        Scene& scene = motion.rig.scene;
        std::map<JointId, Quaternion> folded;
        for (const Joint& joint : *straight.rig.scene.joints)
            folded[joint.id] = joint.parent.isValid() ? shortestRotation(Vector3::UnitX(), joint.rest.translation)
                                                      : Quaternion::Identity();
        // A joint in its parent's folded axes. Its offset can only be x where the parent has it alone: put a joint
        // between.
        for (const Joint& joint : *straight.rig.scene.joints) {
            const Quaternion parent = joint.parent.isValid() ? folded[joint.parent] : Quaternion::Identity();
            const JointId between = motion.rig.joint("to " + joint.name, joint.parent, Vector3::Zero());
            motion.rig.edit(joint.id).parent = between;
            motion.rig.edit(joint.id).rest.translation = Vector3::UnitX() * joint.rest.translation.norm();
            const Quaternion turn = parent.conjugate() * folded[joint.id];
            for (int frame = -1; frame < Person::kFrames; ++frame) {
                motion.rig.key(between, Property::Rotation, frame, toValue(turn));
                const KeyList& keys = *straight.clip().find({joint.id.value, Property::Rotation});
                const Quaternion world = folded[joint.id].conjugate() *
                                         toQuaternion(keys.at(FrameRate{24, 1}.timeOf(frame))->value) *
                                         folded[joint.id];
                motion.rig.key(joint.id, Property::Rotation, frame, toValue(world));
            }
        }
        const JointId hips = motion.id("hips"), above = scene.find(hips)->parent;
        motion.rig.edit(above).rest.translation = {0, 0, 0};
        Retargeter by = retargeter(motion, Person()), reference = retargeter(straight, Person());
        QVERIFY(by.facts().notes.size() == 1);
        QVERIFY(by.facts().notes.front().find("flat offsets") != std::string::npos);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame), then(reference, frame);
            for (const auto& [role, joints] : straight.roles)
                QVERIFY2((now.here(role) - then.here(role)).norm() < 1e-4, qPrintable(QString::fromStdString(role)));
        }
        const auto asIs = motionReference(scene, figureOf(motion), motion.clip(), RestAlign::Rest, 0);
        QVERIFY(asIs->note.find("flat offsets") == std::string::npos);
    }

    void aFrameThatTheMotionDoesNotHaveIsRefused()
    {
        std::mt19937 random(6);
        const Person motion = Person().move(random);
        const auto made = Retargeter::create(motion.rig.scene, motion.clip(), motion.roles, motion.rig.scene,
                                             motion.roles, {.align = RestAlign::Frame, .frame = 300});
        QVERIFY(!made);
        QCOMPARE(QString::fromStdString(made.error().message),
                 QStringLiteral("the motion has frames 0 to 23, not 300"));
    }

    void tooFewRolesAreRefusedWithTheirNumber()
    {
        std::mt19937 random(6);
        const Person motion = Person().move(random);
        RoleMap few{{"hips", motion.roles.at("hips")}, {"head", motion.roles.at("head")}};
        const auto made = Retargeter::create(motion.rig.scene, motion.clip(), few, motion.rig.scene, motion.roles, {});
        QVERIFY(!made);
        QVERIFY(made.error().text().find("2 of ") == 0);
        QVERIFY(made.error().text().find("Hips and at least one limb are needed; the motion has no ") !=
                std::string::npos);
        // Of a limb that is all but whole, the part that is not there, and on which side.
        few["leftUpperArm"] = motion.roles.at("leftUpperArm");
        few["leftLowerArm"] = motion.roles.at("leftLowerArm");
        const auto reasonOf = [&](const RoleMap& motionRoles, const RoleMap& characterRoles) {
            const auto result = Retargeter::create(motion.rig.scene, motion.clip(), motionRoles, motion.rig.scene,
                                                   characterRoles, {});
            return QString::fromStdString(result ? "" : result.error().text());
        };
        QVERIFY(reasonOf(few, motion.roles).endsWith("needed; the motion has no left hand."));
        QCOMPARE(reasonOf(motion.roles, few), QString()); // it ends at the elbow
        RoleMap none{{"hips", motion.roles.at("hips")}};
        QVERIFY(reasonOf(motion.roles, none).endsWith("needed; the character has no left upper leg."));
        few["leftHand"] = motion.roles.at("leftHand");
        QCOMPARE(reasonOf(few, motion.roles), QString());
        few.erase("hips");
        QVERIFY(reasonOf(few, motion.roles).endsWith("needed; the motion has no hips."));
        QVERIFY(reasonOf(motion.roles, few).endsWith("needed; the character has no hips."));
    }

    void aSpineOfThreeJointsBendsOneOfTwo()
    {
        std::mt19937 random(8);
        const Person motion = Person().move(random);
        const Person character(1, 1, 0, 2);
        Retargeter by = retargeter(motion, character);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            // The joint that carries the arms turns as the one that carries the motion's.
            QVERIFY(now.turnHere("chest").angularDistance(now.turnThere("upperChest")) < 1e-6);
            QVERIFY(now.turnHere("head").angularDistance(now.turnThere("head")) < 1e-6);
        }
    }

    void armsOpenByTheSpreadWithoutBendingTheWrists()
    {
        std::mt19937 random(8);
        const Person motion = Person().move(random);
        Retargeter plain = retargeter(motion, Person()),
                   open = retargeter(motion, Person(), {.armSpread = 10 / kDegrees});
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(open, frame), then(plain, frame);
            for (const std::string& side : kSides) {
                const Vector3 before = then.here(side + "LowerArm") - then.here(side + "UpperArm");
                const Vector3 after = now.here(side + "LowerArm") - now.here(side + "UpperArm");
                QVERIFY(std::abs(std::acos(std::clamp(before.normalized().dot(after.normalized()), -1.0, 1.0)) -
                                 10 / kDegrees) < 1e-6);
                const Quaternion wrist = now.turnHere(side + "LowerArm").conjugate() * now.turnHere(side + "Hand");
                const Quaternion wristBefore = then.turnHere(side + "LowerArm").conjugate() *
                                               then.turnHere(side + "Hand");
                QVERIFY(wrist.angularDistance(wristBefore) < 1e-6);
            }
        }
    }

    void framesDoNotDependOnWhatCameBefore()
    {
        std::mt19937 random(2);
        const Person motion = Person().move(random);
        const Person character = Person(1.2, 0.8).turnAxes(random);
        Retargeter forward = retargeter(motion, character), backward = retargeter(motion, character);
        std::vector<LocalPose> poses(Person::kFrames);
        for (int frame = 0; frame < Person::kFrames; ++frame)
            forward.pose(FrameRate{24, 1}.timeOf(frame), poses[static_cast<std::size_t>(frame)]);
        for (int frame = Person::kFrames - 1; frame >= 0; --frame) {
            LocalPose pose;
            backward.pose(FrameRate{24, 1}.timeOf(frame), pose);
            QVERIFY(pose == poses[static_cast<std::size_t>(frame)]);
        }
    }

    /// The travel on a bone at the floor: every joint stays where it was in the world, and the bone stays on the floor.
    void travelMovesToABoneAndBackAndIsTakenOut()
    {
        std::mt19937 random(12);
        Person walker = Person().move(random);
        TestRig& rig = walker.rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero());
        // Between the two there is a joint, and a thigh hangs from each of them beside the hips, as some figures have
        // it.
        const JointId between = rig.joint("between", root, Vector3(0, 0.1, 0));
        rig.edit(walker.id("hips")).parent = between;
        for (const auto& [side, parent] : {std::pair("left", root), std::pair("right", between)}) {
            const JointId thigh = walker.id(std::string(side) + "UpperLeg");
            rig.edit(thigh).parent = parent;
            for (int frame = 0; frame < Person::kFrames; ++frame)
                rig.key(thigh, Property::Tx, frame, ChannelValue{0.04 * frame});
        }
        const RoledFigure figure = figureOf(walker);
        const Scene& scene = rig.scene;
        const auto at24 = [&](const Clip& clip, int frame) {
            return worldAt(scene, figure, clip, FrameRate{24, 1}.timeOf(frame));
        };
        const JointIndex hips = figure.first("hips"), bone = figure.rig->index(root),
                         goesAlong = figure.rig->index(between);
        RootMotion onBone;
        onBone.travel = RootTravel::Bone;
        onBone.bone = root;
        onBone.turns = true;
        onBone.hips = walker.id("hips");
        const auto moved = withRootMotion(scene, walker.clip(), onBone);
        QVERIFY(moved);
        RootMotion back;
        back.hips = onBone.hips;
        const auto returned = withRootMotion(scene, moved->clip, back);
        QVERIFY(returned);
        RootMotion inPlace;
        inPlace.travel = RootTravel::InPlace;
        inPlace.hips = onBone.hips;
        const auto still = withRootMotion(scene, walker.clip(), inPlace);
        QVERIFY(still);
        double way = 0;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const WorldPose before = at24(walker.clip(), frame), after = at24(moved->clip, frame),
                            again = at24(returned->clip, frame), held = at24(still->clip, frame);
            for (std::size_t j = 0; j < before.position.size(); ++j) {
                if (static_cast<JointIndex>(j) == bone || static_cast<JointIndex>(j) == goesAlong) continue;
                QVERIFY((before.position[j] - after.position[j]).norm() < 1e-9);
                QVERIFY(before.rotation[j].angularDistance(after.rotation[j]) < 1e-7);
                QVERIFY((before.position[j] - again.position[j]).norm() < 1e-9);
            }
            QVERIFY(std::abs(after.position[at(bone)].y()) < 1e-12);
            QVERIFY((after.rotation[at(bone)] * Vector3::UnitY() - Vector3::UnitY()).norm() < 1e-9);
            way = std::max(way, after.position[at(bone)].norm());
            // The hips stay over the bone: of the travel nothing is left on them.
            const Vector3 local = after.rotation[at(bone)].conjugate() *
                                  (after.position[at(hips)] - after.position[at(bone)]);
            QVERIFY(std::hypot(local.x(), local.z()) < 1e-9);
            QVERIFY(std::hypot(held.position[at(hips)].x(), held.position[at(hips)].z()) < 1e-9);
            QVERIFY(std::abs(held.position[at(hips)].y() - before.position[at(hips)].y()) < 1e-12);
            QVERIFY(held.rotation[at(hips)].angularDistance(before.rotation[at(hips)]) < 1e-7);
        }
        QVERIFY(way > 0.5);
    }
};

TENDON_TEST(RetargeterTest)
#include "tst_retargeter.moc"
