#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/retarget/ClipSurvey.h"
#include "core/retarget/RetargetClip.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/retarget/RetargetedPerson.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

using namespace tendon;
using namespace tendon::test;

/// What a retarget makes of whole clips and of files with several: seams, stances, scale.
class WholeFilesTest : public QObject
{
    Q_OBJECT

private slots:
    /// A foot that pivots about an ankle that stays: so does the ankle of a character that stands wider. Once it has
    /// stepped round, it stands as wide the other way.
    void aFootThatPivotsDoesNotSlide()
    {
        Person motion;
        constexpr int kPivots = 30, kSteps = 44, kEnd = 70;
        const auto key = [&](const std::string& role, int frame, double turn) {
            motion.rig.key(motion.id(role), Property::Rotation, frame,
                           toValue(rotationFromVector(turn / kDegrees * Vector3::UnitY())));
        };
        for (int frame = 0; frame <= kEnd; ++frame) {
            const double step = std::clamp((frame - kPivots) / double(kSteps - kPivots), 0.0, 1.0), turn = 90 * step;
            key("hips", frame, turn);
            for (const std::string& side : kSides)
                key(side + "Foot", frame, 40.0 * std::min(frame, kPivots) / kPivots * (1 - step));
            for (int axis = 0; axis < 3; ++axis)
                motion.rig.key(motion.id("hips"), offsetBy(Property::Tx, axis), frame,
                               ChannelValue{axis == 0   ? 2 * step
                                            : axis == 1 ? 0.95
                                                        : 0});
        }
        Person character;
        for (const std::string& side : kSides)
            character.rig.edit(character.id(side + "UpperLeg")).rest.translation.x() *= 2;
        Retargeter by = retargeter(motion, character);
        std::map<std::string, Vector3> stood;
        for (int frame = 0; frame <= kEnd; ++frame) {
            const Moment now(by, frame);
            for (const std::string& side : kSides) {
                const Vector3 place = now.here(side + "Foot");
                if (frame == 0 || frame == kSteps + 3) stood[side] = place;
                if (frame > kPivots - 3 && frame < kSteps + 3) continue;
                QVERIFY2((place - stood[side]).norm() < 0.003,
                         qPrintable(QString("frame %1: %2 m").arg(frame).arg((place - stood[side]).norm())));
            }
            if (frame < kSteps + 3) continue;
            const Vector3 apart = now.here("leftFoot") - now.here("rightFoot");
            QVERIFY2(std::abs(apart.x()) < 0.03 && apart.z() < -0.3,
                     qPrintable(QString("%1 %2").arg(apart.x()).arg(apart.z())));
        }
    }

    /// Feet three times as long: where the motion's toes rest while its heels rise theirs do, and the ankles rise as
    /// those of usual feet, not three times as high. Knees bend as the motion's do.
    void longFeetStandOnTheirToesAndTiltLess()
    {
        Person motion;
        constexpr int kEnd = 80;
        const auto key = [&](const std::string& role, int frame, const Quaternion& turn) {
            motion.rig.key(motion.id(role), Property::Rotation, frame, toValue(turn));
        };
        // Everything turns about the toes, with knees a little bent.
        const auto about = [](double degrees) { return rotationFromVector(degrees / kDegrees * Vector3::UnitX()); };
        const Scene& scene = motion.rig.scene;
        Vector3 toes = Vector3::Zero();
        for (const std::string& side : kSides)
            for (int frame = 0; frame <= kEnd; ++frame)
                key(side + "UpperLeg", frame, about(-25)), key(side + "LowerLeg", frame, about(50)),
                    key(side + "Foot", frame, about(-25));
        const Quaternion thigh = about(-25), shin = about(25);
        const auto offset = [&](const char* role) { return scene.find(motion.id(role))->rest.translation; };
        toes = offset("hips") + offset("leftUpperLeg") + thigh * offset("leftLowerLeg") + shin * offset("leftFoot") +
               offset("leftToes");
        toes.x() = 0;
        for (int frame = 0; frame <= kEnd; ++frame) {
            const double angle = 30 * std::sin(std::numbers::pi * frame / kEnd);
            key("hips", frame, about(angle));
            const Vector3 place = toes - Vector3(0, toes.y(), 0) + about(angle) * (offset("hips") - toes);
            for (int axis = 0; axis < 3; ++axis)
                motion.rig.key(motion.id("hips"), offsetBy(Property::Tx, axis), frame, ChannelValue{place[axis]});
        }
        Person character(1.2, 1, 0.5);
        for (const std::string& side : kSides)
            character.rig.edit(character.id(side + "Toes")).rest.translation.z() *= 3;
        Retargeter by = retargeter(motion, character);
        const auto bend = [](const Moment& now, bool here) {
            const auto place = [&](const char* role) { return here ? now.here(role) : now.there(role); };
            const Vector3 upper = place("leftLowerLeg") - place("leftUpperLeg"),
                          lower = place("leftFoot") - place("leftLowerLeg");
            return std::atan2(upper.cross(lower).norm(), upper.dot(lower)) * kDegrees;
        };
        const Moment first(by, 0);
        const Vector3 rests = first.there("leftToes"), stood = first.here("leftToes");
        const double ankle = first.there("leftFoot").y(), ownAnkle = first.here("leftFoot").y();
        double rise = 0, ownRise = 0, slide = 0, knee = 0;
        for (int frame = 0; frame <= kEnd; ++frame) {
            const Moment now(by, frame);
            QVERIFY2((now.there("leftToes") - rests).norm() < 1e-9, "the motion stands on its toes");
            slide = std::max(slide, (now.here("leftToes") - stood).norm());
            rise = std::max(rise, now.there("leftFoot").y() - ankle);
            ownRise = std::max(ownRise, now.here("leftFoot").y() - ownAnkle);
            knee = std::max(knee, std::abs(bend(now, true) - bend(now, false)));
        }
        const QString what = QString("toes slide %1 mm, ankles rise %2 mm for %3, knees differ by %4 degrees")
                                 .arg(slide * 1000)
                                 .arg(ownRise * 1000)
                                 .arg(rise * 1000)
                                 .arg(knee);
        qInfo("%s", qPrintable(what));
        QVERIFY2(slide < 0.004, qPrintable(what));
        QVERIFY2(ownRise < 2.2 * rise && ownRise > rise && knee < 15, qPrintable(what));
    }

    /// Hips four times as wide dip less than the motion's, so that the roots of the legs rise and sink about as the
    /// motion's do; and they face as the motion's do.
    void wideHipsDipLess()
    {
        Person motion;
        constexpr int kEnd = 40;
        for (int frame = 0; frame <= kEnd; ++frame) {
            const Quaternion turn = rotationFromVector(0.3 * std::sin(0.5 * frame) * Vector3::UnitY()) *
                                    rotationFromVector(0.25 * std::sin(0.3 * frame) * Vector3::UnitZ());
            motion.rig.key(motion.id("hips"), Property::Rotation, frame, toValue(turn));
        }
        Person character(1.2, 1, 0.5);
        for (const std::string& side : kSides)
            character.rig.edit(character.id(side + "UpperLeg")).rest.translation.x() *= 4;
        Retargeter by = retargeter(motion, character);
        double dip = 0, ownDip = 0;
        for (int frame = 0; frame <= kEnd; ++frame) {
            const Moment now(by, frame);
            Vector3 there = now.there("leftUpperLeg") - now.there("rightUpperLeg"),
                    here = now.here("leftUpperLeg") - now.here("rightUpperLeg");
            dip = std::max(dip, std::abs(there.y())), ownDip = std::max(ownDip, std::abs(here.y()));
            there.y() = here.y() = 0;
            QVERIFY(there.normalized().cross(here.normalized()).norm() < 1e-6);
            QVERIFY(now.turnHere("upperChest").angularDistance(now.turnThere("upperChest")) < 1e-6);
        }
        QVERIFY2(ownDip < 1.5 * 1.2 * dip && ownDip > 0.8 * 1.2 * dip, qPrintable(QString::number(ownDip / dip)));
    }

    /// Where one clip of a file ends and the next begins nothing pops, whatever its first frame is: what its skeleton
    /// is, where its floor is and which way it faces is the file's.
    void clipsOfOneFileAreTakenAlike()
    {
        Person motion;
        constexpr int kLies = 30, kHeld = 24;
        const auto lie = [&](int frame, double share) {
            for (const auto& [role, joints] : motion.roles) {
                const bool isKnee = role.find("LowerLeg") != std::string::npos;
                const double bend = role == "hips" ? -1.5 * share : isKnee ? 0.5 : 0.0; // [rad]
                motion.rig.key(joints.front(), Property::Rotation, frame,
                               toValue(rotationFromVector(bend * Vector3::UnitX())));
            }
            const Vector3 thigh = motion.rig.scene.find(motion.id("leftUpperLeg"))->rest.translation;
            for (int axis = 0; axis < 3; ++axis) {
                motion.rig.key(motion.id("hips"), offsetBy(Property::Tx, axis), frame,
                               ChannelValue{axis == 1 ? 0.95 - 0.8 * share : 0});
                motion.rig.key(motion.id("leftUpperLeg"), offsetBy(Property::Tx, axis), frame,
                               ChannelValue{thigh[axis] + (axis == 2 ? 0.06 * share : 0)});
            }
        };
        for (int frame = 0; frame <= kLies + kHeld; ++frame) lie(frame, std::min(frame / double(kLies), 1.0));
        Clip lying;
        lying.id = ClipId{motion.rig.scene.takeId()};
        lying.name = "lying";
        motion.rig.scene.clips.push_back(lying);
        for (int frame = 0; frame <= kHeld; ++frame) lie(frame, 1);
        Person character(1.3);
        for (const std::string& side : kSides)
            character.rig.edit(character.id(side + "LowerLeg")).rest.translation *= 0.8;
        const Scene& scene = motion.rig.scene;
        std::vector<Retargeter> by;
        for (const auto& clip : scene.clips) {
            auto made = Retargeter::create(scene, *clip, motion.roles, character.rig.scene, character.roles, {});
            QVERIFY(made);
            by.push_back(std::move(*made));
        }
        QCOMPARE(by.size(), std::size_t{2});
        const Moment end(by[0], kLies + kHeld), begin(by[1], 0);
        for (const auto& [role, joints] : motion.roles) {
            QVERIFY2((end.here(role) - begin.here(role)).norm() < 0.01,
                     qPrintable(QString("%1 %2").arg(role.c_str()).arg((end.here(role) - begin.here(role)).norm())));
            QVERIFY2(end.turnHere(role).angularDistance(begin.turnHere(role)) < 1 / kDegrees, role.c_str());
        }
    }

    /// The scale of a clip comes along on the same skeleton; on another one it is said that it does not.
    void scaleComesAlongOnTheSameSkeleton()
    {
        std::mt19937 random(17);
        Person motion = Person().move(random);
        for (int axis = 0; axis < 3; ++axis) {
            motion.rig.key(motion.id("chest"), offsetBy(Property::Sx, axis), 0, ChannelValue{1});
            motion.rig.key(motion.id("chest"), offsetBy(Property::Sx, axis), 20, ChannelValue{0.5});
            motion.rig.key(motion.id("neck"), offsetBy(Property::Sx, axis), 0, ChannelValue{1}); // no scale at all
        }
        Person same = motion;
        same.rename();
        Retargeter by = retargeter(motion, same), other = retargeter(motion, Person(1.3));
        const auto made = retargetClip(by, frameTimes(motion.clip(), FrameRate{24, 1}), FrameRate{24, 1});
        QVERIFY(made);
        const auto keys = made->channels.find({same.id("chest").value, Property::Sy});
        QVERIFY(keys != made->channels.end());
        const Key* half = keys->second->at(FrameRate{24, 1}.timeOf(10));
        QVERIFY(half != nullptr && std::abs(half->value[0] - 0.75) < 1e-9);
        QVERIFY(made->channels.find({same.id("neck").value, Property::Sy}) == made->channels.end());
        for (const int frame : {0, 10, 20}) {
            const Moment now(by, frame);
            QVERIFY((now.here("head") - now.there("head")).norm() < 1e-9);
        }
        const auto says = [](const Retargeter& retargeter) {
            const std::vector<std::string>& notes = retargeter.facts().notes;
            return std::count(notes.begin(), notes.end(),
                              "The motion scales joints (chest); the character keeps its own scale.");
        };
        QCOMPARE(says(by), 0);
        QCOMPARE(says(other), 1);
        QVERIFY(other.scaled().empty());
    }

    /// A motion that rests in a step: the pelvis is turned as its is by the hip line, also where thighs do not hang
    /// from the hips and where the spine has more joints, which take up what the pelvis is turned against the chest
    /// evenly. In a stance, the pelvis is level, and turned about the vertical alone.
    void aPelvisTurnsByItsHipLine_data()
    {
        QTest::addColumn<bool>("steps");
        QTest::addColumn<bool>("thighsApart");
        QTest::addColumn<int>("spine");
        for (const bool steps : {true, false})
            for (const bool thighsApart : {true, false})
                for (const int spine : {1, 2, 3})
                    QTest::addRow("%s, %s, %d", steps ? "step" : "stance", thighsApart ? "apart" : "on hips", spine)
                        << steps << thighsApart << spine;
    }
    void aPelvisTurnsByItsHipLine()
    {
        QFETCH(bool, steps);
        QFETCH(bool, thighsApart);
        QFETCH(int, spine);
        std::mt19937 random(7);
        Person motion = Person().move(random), character(1.2, 1, 0, spine);
        motion.rig.edit(motion.id("hips")).rest.rotation = rotationFromVector(Vector3(0, 0.25, steps ? 0.1 : 0));
        motion.rig.edit(motion.id("spine")).rest.rotation = rotationFromVector(Vector3(0, -0.4, 0));
        if (steps) motion.rig.edit(motion.id("leftUpperLeg")).rest.rotation = rotationFromVector(Vector3(-0.9, 0, 0));
        // Several joints between pelvis and chest, none of which begins where a bone of the motion does.
        for (int more = 0; spine == 3 && more < 2; ++more) {
            const JointId above = character.roles.at("spine").back(),
                          joint = character.rig.joint("more", above, {0, 0.04, 0});
            character.roles.at("spine").push_back(joint);
            character.rig.edit(character.id("chest")).parent = joint;
        }
        const JointId root = character.rig.joint("root", {},
                                                 character.rig.scene.find(character.id("hips"))->rest.translation);
        character.rig.edit(character.id("hips")).rest.translation = Vector3::Zero();
        character.rig.edit(character.id("hips")).parent = root;
        for (const std::string& side : kSides) {
            if (thighsApart) character.rig.edit(character.id(side + "UpperLeg")).parent = root;
            motion.rig.edit(motion.id(side + "UpperLeg")).rest.translation.y() = 0;
            character.rig.edit(character.id(side + "UpperLeg")).rest.translation.y() = 0;
            character.rig.edit(character.id(side + "LowerLeg")).rest.translation *= 0.8; // of another shape
        }
        Retargeter by = retargeter(motion, character);
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Moment now(by, frame);
            const Vector3 line = now.here("leftUpperLeg") - now.here("rightUpperLeg"),
                          there = now.there("leftUpperLeg") - now.there("rightUpperLeg");
            const double off = std::asin(line.normalized().cross(there.normalized()).norm()) * kDegrees;
            QVERIFY2(off < 0.1, qPrintable(QString("frame %1: %2 degrees").arg(frame).arg(off)));
        }
    }

    /// A trunk, a head or both that go round twice, about any axis and swaying: joints between two of the motion's
    /// share in the turn without ever going round the other way.
    void jointsBetweenShareTurnsBeyondHalf_data()
    {
        QTest::addColumn<int>("spine");
        QTest::addColumn<int>("ownSpine");
        QTest::addColumn<QString>("turns");
        for (const char* turns : {"chest", "head", "spine head"})
            for (const auto& [spine, own] : {std::pair(1, 3), {3, 2}, {2, 3}})
                QTest::addRow("%s, %d joints on %d", turns, spine, own) << spine << own << QString(turns);
    }
    void jointsBetweenShareTurnsBeyondHalf()
    {
        QFETCH(int, spine);
        QFETCH(int, ownSpine);
        QFETCH(QString, turns);
        constexpr int kFrames = 240; // 3 degrees a frame
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        const Vector3 anyAxis = Vector3(normal(random), normal(random), normal(random)).normalized();
        for (const Vector3& axis : {Vector3(Vector3::UnitY()), Vector3(Vector3::UnitX()), anyAxis}) {
            Person motion(1, 1, 0, spine);
            for (const QString& part : turns.split(' ')) {
                const std::string role = motion.roles.count(part.toStdString()) != 0 ? part.toStdString() : "spine";
                for (int frame = 0; frame <= kFrames; ++frame)
                    motion.rig.key(motion.id(role), Property::Rotation, frame,
                                   toValue(rotationFromVector(0.2 * std::sin(0.11 * frame) * axis.unitOrthogonal()) *
                                           rotationFromVector(720.0 / kDegrees * frame / kFrames * axis)));
            }
            Person character(1.2, 1, 0, ownSpine);
            // Two joints of a neck, or none in the motion, share in what turns between chest and head.
            motion.roles.erase("neck");
            Retargeter by = retargeter(motion, character);
            double asked = 0, most = 0;
            std::map<std::string, Quaternion> before, own;
            for (int frame = 0; frame <= kFrames; ++frame) {
                const Moment now(by, frame);
                for (const auto& [role, joints] : motion.roles) {
                    const Quaternion turn = now.turnThere(role);
                    if (frame > 0) asked = std::max(asked, turn.angularDistance(before[role]));
                    before[role] = turn;
                }
                for (const JointPair& pair : by.pairs()) {
                    const std::string name = by.characterFigure().name(pair.target);
                    const Quaternion turn = now.own.rotation[at(pair.target)];
                    if (frame > 0) most = std::max(most, turn.angularDistance(own[name]));
                    own[name] = turn;
                }
            }
            QVERIFY2(
                most < 1.2 * asked,
                qPrintable(QString("seed %1: %2 for %3 degrees").arg(seed).arg(most * kDegrees).arg(asked * kDegrees)));
        }
    }

    /// A file that stands along Z is turned upright, also where it turns over in the air, and is upright for a part of
    /// its time only.
    void aFileThatStandsAlongZAndTumblesIsTurnedUpright()
    {
        Person motion;
        for (int frame = 0; frame < Person::kFrames; ++frame)
            motion.rig.key(motion.id("hips"), Property::Rotation, frame,
                           toValue(rotationFromVector(Vector3(frame < 7 ? 0 : 1.8 + 0.16 * (frame - 7), 0, 0))));
        TestRig& rig = motion.rig;
        const JointId root = rig.joint("root", {}, Vector3::Zero());
        const Quaternion tilt(Eigen::AngleAxisd(90 / kDegrees, Vector3::UnitX()));
        rig.edit(root).rest.rotation = tilt;
        rig.edit(motion.id("hips")).parent = root;
        Retargeter by = retargeter(motion, Person(1.2));
        QVERIFY(by.facts().notes.front().find("stands along +Z") != std::string::npos);
        QVERIFY(by.worldFromMotion().angularDistance(tilt.conjugate()) < 1e-6);
    }
};

TENDON_TEST(WholeFilesTest)
#include "tst_whole_files.moc"
