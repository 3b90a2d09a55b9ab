#include "core/document/MirrorPose.h"
#include "core/document/PoseFile.h"
#include "core/document/RetargetJob.h"
#include "core/document/Sides.h"
#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/roles/RoleNames.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/RestPose.h"
#include "core/solve/BakeTimes.h"
#include "core/solve/Baker.h"
#include "tests/support/Person.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/unit/document/HeldPerson.h"

#include <QJsonArray>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <utility>

using namespace tendon;
using namespace tendon::test;

namespace {

/// "roles" that say of each joint that its name is its role.
QJsonObject rolesByName(const Person& person)
{
    QJsonObject roles;
    for (const auto& [role, joints] : person.roles)
        roles[QString::fromStdString(role)] = QString::fromStdString(person.rig.scene.find(joints.front())->name);
    return roles;
}

} // namespace

/// The operations on motions of other skeletons, with files that were written and read for true.
class TestRetarget : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Writes the person's clip to a file.
    std::string written(const Person& person, const char* file)
    {
        const Clip& clip = person.clip();
        auto baked = bake(
            person.rig.scene, TestDocument::solvers(),
            {.clip = clip.id, .fps = person.rig.scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
        if (!baked) qFatal("%s", baked.error().text().c_str());
        const std::string path = m_folder.filePath(QString::fromUtf8(file)).toStdString();
        const auto report = exportAnimation(person.rig.scene, {*baked}, path, {});
        if (!report || !report->readBack.isWithin()) qFatal("not written");
        return path;
    }

    static Result<void> carriedOut(TestDocument& test, const std::string& file, const Person& motion,
                                   QJsonObject more = {})
    {
        QJsonObject operation{
            {"op", "retarget"}, {"file", QString::fromStdString(file)}, {"roles", rolesByName(motion)}};
        for (auto field = more.begin(); field != more.end(); ++field) operation[field.key()] = field.value();
        return carryOut(test.document, operation);
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    /// Of a clip that is keyed on handles, what they make of it is retargeted, not the rest pose below.
    void aClipOfHandlesIsRetargetedAsItIsSolved()
    {
        TestDocument test = holding(Person());
        const auto name = [&](const char* role) {
            return QString::fromStdString(test.scene().find(test.scene().roles->at(role).front())->name);
        };
        const QString hand = name("leftHand");
        test(R"({"op": "addClip", "name": "by hand"})");
        const auto run = [&](const QJsonObject& operation) {
            const auto done = carryOut(test.document, operation);
            QVERIFY2(done, done ? "" : done.error().text().c_str());
        };
        run({{"op", "addHandle"}, {"name", "arm"}, {"start", name("leftUpperArm")}, {"end", hand}});
        const Vector3 place = test.world(hand.toUtf8().constData()).translation();
        for (const int frame : {1, 20}) {
            run({{"op", "setFrame"}, {"value", frame}});
            run({{"op", "setGoal"},
                 {"handle", "arm"},
                 {"position", QJsonArray{place.x() - 0.2, place.y() + 0.01 * frame, place.z() + 0.2}}});
            run({{"op", "key"}, {"target", "arm"}});
        }
        std::map<int, Vector3> solved;
        for (int frame = 1; frame <= 20; ++frame)
            solved[frame] = test.worldAt(hand.toUtf8().constData(), frame).translation();
        QVERIFY((solved[1] - place).norm() > 0.1);
        run({{"op", "retarget"}, {"from", "by hand"}, {"as", "again"}});
        QCOMPARE(test.document.clip()->name, std::string("again"));
        QCOMPARE(test.scene().clips.size(), std::size_t{2});
        for (const auto& [frame, at] : solved) {
            const double off = (test.worldAt(hand.toUtf8().constData(), frame).translation() - at).norm();
            QVERIFY2(off < 1e-6, qPrintable(QString("frame %1: %2 m").arg(frame).arg(off)));
        }
    }

    /// One rig's clip in three formats: of the axes of joints BVH keeps none, and the motion is one.
    void aClipFromFbxGltfAndBvhIsOneMotion()
    {
        std::mt19937 random(1);
        const Person motion = Person().turnAxes(random).move(random);
        const Person inProportion = Person(1.2, 0.9, 0.6).turnAxes(random).rename();
        // Hips three times as wide, and short thighs: its stance is wider, and its hips come down for feet out of
        // reach. Its bones are parallel to the motion's, so that soles do not count: BVH does not say how high a
        // skeleton rests.
        Person other(1, 0.9);
        for (const char* side : {"left", "right"}) {
            other.rig.edit(other.id(std::string(side) + "UpperLeg")).rest.translation *= 3;
            other.rig.edit(other.id(std::string(side) + "LowerLeg")).rest.translation *= 0.9;
        }
        other.turnAxes(random).rename();
        for (const Person* character : {&inProportion, &std::as_const(other)}) {
            std::vector<TestDocument> results;
            for (const char* file : {"walk.glb", "walk.fbx", "walk.bvh"}) {
                results.push_back(holding(*character));
                const auto done = carriedOut(results.back(), written(motion, file), motion, {{"as", "walk"}});
                QVERIFY2(done, done ? "" : done.error().text().c_str());
            }
            for (std::size_t i = 1; i < results.size(); ++i)
                QVERIFY2(difference(results[0], results[i]) < 1e-5,
                         qPrintable(QString::number(difference(results[0], results[i]))));
            // Of a project without keys the range is the motion's.
            QVERIFY(results[0].scene().lastFrame == Person::kFrames - 1);
        }
    }

    void retargetingIsOneStepAndHandlesAreInFkInItsClip()
    {
        std::mt19937 random(2);
        const Person motion = Person().move(random);
        Person character = Person(1.3, 1);
        const HandleId hand = character.rig.handle("hand", character.id("leftUpperArm"), character.id("leftHand"),
                                                   "two-bone");
        character.rig.set(hand, Property::GoalPosition, Vector3(0.5, 0.5, 0.5));
        const std::string file = written(motion, "motion.glb");
        TestDocument test = holding(character);
        const Scene before = test.scene();
        QVERIFY(carriedOut(test, file, motion, {{"as", "walk"}}));
        QVERIFY(test.says("in FK in this clip (\"hand\")"));
        QVERIFY(test.says("legs are"));
        QCOMPARE(test.document.clip()->name, std::string("walk"));
        const double legs = 1.3; // the whole lower body is scaled
        const TestDocument source = holding(motion);
        for (int frame = 0; frame < Person::kFrames; frame += 5)
            QVERIFY(
                (test.worldAt("leftFoot", frame).translation() - legs * source.worldAt("leftFoot", frame).translation())
                    .norm() < 0.005);
        // The goal goes along: IK from the first frame shows the motion, and a switch at one goes on with it.
        const auto shows = [&](TestDocument& by, const char* how) {
            double off = 0;
            for (double frame = 0; frame <= Person::kFrames - 1; frame += 1)
                for (const char* role : {"leftUpperArm", "leftLowerArm", "leftHand"}) {
                    const auto name = by.scene().find(character.id(role))->name;
                    off = std::max(off, (by.worldAt(name.c_str(), frame).translation() -
                                         test.worldAt(name.c_str(), frame).translation())
                                            .norm());
                }
            QVERIFY2(off < 0.002, qPrintable(QString("%1: %2 m").arg(how).arg(off)));
        };
        TestDocument inIk = test;
        inIk(R"({"op": "setFrame", "value": 0})")(R"({"op": "switch", "handle": "hand", "to": "ik"})");
        QVERIFY(inIk.still("hand", Property::Blend)[0] == 1);
        shows(inIk, "from the first frame on");
        TestDocument later = test;
        later(R"({"op": "setFrame", "value": 11})")(R"({"op": "switch", "handle": "hand", "to": "ik"})");
        shows(later, "from a frame in the middle on");
        QVERIFY(carryOut(test.document, QJsonObject{{"op", "undo"}}));
        QVERIFY(test.scene() == before);
        // Of another clip the handle is as it was.
        QVERIFY(test.still("hand", Property::Blend)[0] == 1);
    }

    /// A leg that the motion lacks goes along as it hangs, instead of reaching for where its goal stands.
    void aLimbWithoutMotionGoesAlongAsItRests()
    {
        std::mt19937 random(2);
        const Person motion = Person().move(random);
        QJsonObject roles = rolesByName(motion);
        for (const char* part : {"UpperLeg", "LowerLeg", "Foot", "Toes"})
            roles[QStringLiteral("left") + part] = QJsonValue::Null;
        Person character;
        const HandleId leg = character.rig.handle("leg", character.id("leftUpperLeg"), character.id("leftFoot"),
                                                  "two-bone");
        character.rig.set(leg, Property::GoalPosition, Vector3(0.1, 0.1, 0));
        TestDocument test = holding(character);
        QVERIFY(carriedOut(test, written(motion, "oneLeg.glb"), motion, {{"as", "walk"}, {"roles", roles}}));
        QVERIFY(test.says("the motion does not move their limbs"));
        const auto inHips = [](const TestDocument& by, int frame) -> Vector3 {
            return by.worldAt("hips", frame).inverse() * by.worldAt("leftFoot", frame).translation();
        };
        const Vector3 rests = inHips(holding(Person()), 0);
        for (int frame = 0; frame < Person::kFrames; frame += 4)
            QVERIFY2((inHips(test, frame) - rests).norm() < 1e-6, qPrintable(QString::number(frame)));
    }

    /// A project with clips has a range of its own, which grows until all of the new clip is in it.
    void theRangeGrowsUntilTheNewClipIsInIt()
    {
        std::mt19937 random(3);
        const Person motion = Person().move(random);
        const std::string file = written(motion, "range.glb");
        TestDocument test = holding(Person(1.2, 1));
        QVERIFY(carriedOut(test, file, motion, {{"as", "first"}}));
        for (const auto& [from, to] : {std::pair(2, 5), std::pair(-10, 500)}) {
            test(QStringLiteral(R"({"op": "setRange", "from": %1, "to": %2})").arg(from).arg(to).toUtf8().constData());
            const QString name = QStringLiteral("until %1").arg(to);
            QVERIFY(carriedOut(test, file, motion, {{"as", name}}));
            QCOMPARE(test.scene().firstFrame, std::min(from, 0));
            QCOMPARE(test.scene().lastFrame, std::max(to, Person::kFrames - 1));
            test(R"({"op": "undo"})");
            QCOMPARE(test.scene().lastFrame, to);
        }
    }

    /// A retarget counts the jumps of joints that checkClip would find in its clip, and says how many the motion has.
    void jumpsAreCountedAsCheckClipDoes()
    {
        std::mt19937 random(14);
        Person motion = Person().move(random);
        for (const auto& [role, frame] : {std::pair("leftLowerArm", 8), {"rightLowerArm", 16}})
            motion.rig.key(motion.id(role), Property::Rotation, frame, toValue(rotationFromVector({0, 0, 1.5})));
        TestDocument test = holding(Person(1.2, 0.8));
        RetargetOutcome outcome;
        test.document.services.retargeted = [&](const RetargetOutcome& made) { outcome = made; };
        QVERIFY(carriedOut(test, written(motion, "jumps.glb"), motion, {{"as", "jumps"}}));
        QVERIFY(test.says("in the motion; checkClip names them"));
        const auto counted = [](TestDocument& by) {
            if (!carryOut(by.document, QJsonObject{{"op", "checkClip"}})) qFatal("no");
            return static_cast<std::size_t>(
                std::count_if(by.document.messages.begin(), by.document.messages.end(),
                              [](const Issue& issue) { return issue.text.find(" jumps") != std::string::npos; }));
        };
        QVERIFY(outcome.jointJumps >= 2);
        QCOMPARE(outcome.jointJumps, counted(test));
        TestDocument source = holding(motion);
        source(
            QStringLiteral(R"({"op": "setRange", "from": 0, "to": %1})").arg(Person::kFrames - 1).toUtf8().constData());
        QCOMPARE(outcome.motionJumps, counted(source));
    }

    /// Limits are passed and said, or kept: then each joint is within them at all frames, and where it was, untouched.
    void aMotionPassesLimitsOrKeepsThem()
    {
        std::mt19937 random(4);
        const Person motion = Person().move(random);
        const std::string file = written(motion, "limits.glb");
        Person character = Person(1.1, 1);
        Joint& knee =
            character.rig.scene.joints.edit()[character.rig.scene.joints->placesNamed("leftLowerLeg").front()];
        knee.turning[0] = {.active = true, .limited = true};
        knee.turning[0].from = 0;
        knee.turning[0].to = 0.6; // [rad] it bends by 0.2 to 0.8
        TestDocument passed = holding(character), kept = holding(character);
        std::vector<LimitHit> hits, none;
        passed.document.services.retargeted = [&](const RetargetOutcome& outcome) { hits = outcome.limits; };
        kept.document.services.retargeted = [&](const RetargetOutcome& outcome) { none = outcome.limits; };
        QVERIFY(carriedOut(passed, file, motion));
        QVERIFY(carriedOut(kept, file, motion, {{"keepLimits", true}}));
        QCOMPARE(hits.size(), std::size_t{1});
        QVERIFY(hits.front().worst > 0.1);
        for (const double worst : {radians(9), radians(11)}) { // less is a limb that is drawn a little otherwise
            std::vector<LimitHit> one{hits.front()};
            one.front().worst = worst;
            QCOMPARE(limitIssues(passed.scene(), one).front().severity == Severity::Warning, worst > radians(10));
        }
        std::vector<LimitHit> three(3, hits.front()); // the last word is the worst
        three[0].worst = radians(30), three[1].worst = radians(5), three[2].worst = radians(12);
        QVERIFY(limitIssues(passed.scene(), three).back().text.find("30.0°") != std::string::npos);
        // In a project with keys, frames are the project's
        TestDocument slower = holding(character);
        const FrameRate own = slower.scene().fps;
        std::vector<LimitHit> shown;
        slower.document.services.retargeted = [&](const RetargetOutcome& outcome) { shown = outcome.limits; };
        slower(R"({"op": "key", "target": "leftLowerLeg"})")(
            QStringLiteral(R"({"op": "setFps", "value": %1})").arg(own.perSecond() / 4).toUtf8().constData());
        QVERIFY(carriedOut(slower, file, motion));
        QCOMPARE(shown.size(), std::size_t{1});
        QCOMPARE(shown.front().worstFrame, std::round(shown.front().worstFrame));
        QVERIFY(shown.front().worstFrame < Person::kFrames / 4 && shown.front().frames <= Person::kFrames / 4);
        const Time worst = slower.scene().fps.timeOf(shown.front().worstFrame);
        const ClipId into = slower.document.edit.currentClip;
        const JointPose there = sampleJoint(slower.scene(), slower.scene().find(into), {}, slower.joint("leftLowerLeg"),
                                            worst);
        QVERIFY(std::abs(there.angles[0] - 0.6 - shown.front().worst) < 1e-6);
        // In a faster one it has no more frames beyond its limits than frames.
        TestDocument faster = holding(character);
        faster.document.services.retargeted = [&](const RetargetOutcome& outcome) { shown = outcome.limits; };
        faster(R"({"op": "key", "target": "leftLowerLeg"})")(
            QStringLiteral(R"({"op": "setFps", "value": %1})").arg(own.perSecond() * 4).toUtf8().constData());
        QVERIFY(carriedOut(faster, file, motion));
        QCOMPARE(shown.size(), std::size_t{1});
        QCOMPARE(shown.front().frames, hits.front().frames);
        QVERIFY2(none.empty(), qPrintable(QString::number(none.empty() ? 0 : none.front().worst)));
        int same = 0;
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const double turn = rotationOf(passed.worldAt("leftLowerLeg", frame))
                                    .angularDistance(rotationOf(kept.worldAt("leftLowerLeg", frame)));
            same += turn < 1e-9 ? 1 : 0;
            QVERIFY(turn < hits.front().worst + 1e-3);
        }
        QCOMPARE(same, Person::kFrames - hits.front().frames);
    }

    void aClipOfTheProjectIsRetargetedToo()
    {
        std::mt19937 random(3);
        TestDocument test = holding(Person().move(random));
        const TestDocument before = test;
        const std::string from = test.document.clip()->name;
        QVERIFY(carryOut(test.document,
                         QJsonObject{{"op", "retarget"}, {"from", QString::fromStdString(from)}, {"as", "again"}}));
        QVERIFY(test.says("the same skeleton"));
        QCOMPARE(test.document.clip()->name, std::string("again"));
        QVERIFY(difference(before, test) < 1e-9);
    }

    /// A handle that is blended out has no part in the motion: the new clip has the keys that it has without the
    /// handle, between frames, too.
    void aHandleThatIsBlendedOutCostsNoKeys()
    {
        std::mt19937 random(5);
        TestDocument plain = holding(Person().move(random));
        const QString from = QString::fromStdString(plain.document.clip()->name);
        TestDocument handled = plain;
        handled(R"({"op": "addHandle", "name": "hand", "start": "leftUpperArm", "end": "leftHand"})")(
            R"({"op": "setHandle", "name": "hand", "blend": 0})");
        const auto keysOf = [&](TestDocument& test) {
            if (!carryOut(test.document, QJsonObject{{"op", "retarget"}, {"from", from}, {"as", "again"}}))
                qFatal("no");
            std::map<ChannelId, std::vector<Time>> times;
            for (const auto& [channel, keys] : test.document.clip()->channels)
                if (test.scene().find(JointId{channel.target}) != nullptr)
                    for (const Key& key : keys->toVector()) times[channel].push_back(key.time);
            return times;
        };
        const auto expected = keysOf(plain);
        QVERIFY(!expected.empty());
        QVERIFY(keysOf(handled) == expected);
    }

    /// A name that all joints begin with is no side, for whatever it holds.
    void counterpartsAreFoundWhateverTheCharacterIsCalled()
    {
        for (const char* prefix : {"", "Hero_R_", "R_", "L.Hero ", "Right:"}) {
            Person person;
            for (Joint& joint : person.rig.scene.joints.edit()) joint.name = prefix + joint.name;
            const Counterparts sides(person.rig.scene);
            for (const auto& [role, joints] : person.roles)
                QVERIFY2(sides.of(joints.front()) == person.id(mirroredRole(role)), (prefix + role).c_str());
        }
    }

    /// A figure that stands elsewhere and heads elsewhere stays there: twice mirrored it is as it was, and once
    /// mirrored its left is where its right was, as it sees itself.
    void aMirroredPoseAndClipKeepTheFiguresPlaceAndHeading()
    {
        std::mt19937 random(6);
        Person person = Person().turnAxes(random).move(random);
        const Affine there = Affine(Eigen::Translation3d(3, 0, -2)) * Affine(Eigen::AngleAxisd(0.8, Vector3::UnitY()));
        // The whole motion elsewhere.
        const JointId hips = person.id("hips");
        Clip& clip = person.rig.scene.clips.front().edit();
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Time time = person.rig.scene.fps.timeOf(frame);
            Vector3 place;
            for (int axis = 0; axis < 3; ++axis)
                place[axis] = clip.find({hips.value, offsetBy(Property::Tx, axis)})->at(time)->value[0];
            place = there * place;
            for (int axis = 0; axis < 3; ++axis)
                person.rig.key(hips, offsetBy(Property::Tx, axis), frame, {place[axis]});
            const Quaternion turn = rotationOf(there) *
                                    toQuaternion(clip.find({hips.value, Property::Rotation})->at(time)->value);
            person.rig.key(hips, Property::Rotation, frame, toValue(turn));
        }
        TestDocument test = holding(person);
        const TestDocument before = test;
        test(R"({"op": "mirrorClip", "as": "mirrored"})");
        const auto seen = [&](const TestDocument& by, const char* joint, int frame) -> Vector3 {
            const Affine first = headingOf(by.scene(), hips, before.worldAt("hips", 0), 0);
            return first.inverse() * by.worldAt(joint, frame).translation();
        };
        const Vector3 flip(-1, 1, 1);
        for (int frame = 0; frame < Person::kFrames; ++frame)
            for (const auto& [left, right] :
                 {std::pair{"leftHand", "rightHand"}, {"rightFoot", "leftFoot"}, {"head", "head"}, {"hips", "hips"}})
                QVERIFY2((seen(test, left, frame) - flip.asDiagonal() * seen(before, right, frame)).norm() < 1e-9,
                         left);
        QVERIFY((test.worldAt("hips", 0).translation() - before.worldAt("hips", 0).translation()).norm() < 1e-9);
        test(R"({"op": "mirrorClip", "as": "twice"})");
        QVERIFY(difference(before, test) < 1e-7);

        // A pose of it, the same way.
        TestDocument posed = holding(person);
        posed(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 7})")(R"({"op": "copyPose"})");
        posed(R"({"op": "pastePose", "mirror": "x"})");
        const Vector3 stood = before.worldAt("hips", 7).translation(), stands = posed.worldAt("hips", 7).translation();
        QVERIFY((stood - stands).norm() < 1e-9);
        const Affine heading = headingOf(posed.scene(), hips, before.worldAt("hips", 7), 0);
        const Vector3 left = heading.inverse() * posed.worldAt("leftHand", 7).translation();
        const Vector3 right = heading.inverse() * before.worldAt("rightHand", 7).translation();
        QVERIFY((left - flip.asDiagonal() * right).norm() < 1e-9);
        // The plain paste of old is there for those who want it.
        TestDocument plain = holding(person);
        plain(R"({"op": "autoKey", "on": true})")(R"({"op": "setFrame", "value": 7})")(R"({"op": "copyPose"})");
        plain(R"({"op": "pastePose", "mirror": "x", "about": "world"})");
        QVERIFY((plain.worldAt("leftHand", 7).translation() -
                 flip.asDiagonal() * before.worldAt("rightHand", 7).translation())
                    .norm() < 1e-9);
    }

    /// Whatever its keys are, axis by axis: where it can be told, with the same shape, else within a stated tolerance.
    void aMirroredCurveKeepsItsShape()
    {
        const unsigned seed = std::random_device()();
        std::mt19937 random(seed);
        const auto between = [&](double from, double to) {
            return std::uniform_real_distribution<double>(from, to)(random);
        };
        for (int round = 0; round < 24; ++round) {
            TestDocument d;
            const bool isTurned = round % 2 == 0; // so that the mirror mixes axes
            d(isTurned ? R"({"op": "addJoint", "name": "p", "rotation": [20, 35, -50]})"
                       : R"({"op": "addJoint", "name": "p"})");
            d(R"({"op": "addJoint", "name": "a", "parent": "p", "rotation": [10, 20, 30]})")(
                R"({"op": "addClip", "name": "C"})")(R"({"op": "setRange", "from": 1, "to": 24})");
            d(R"({"op": "key", "target": "a", "channels": ["translation", "angles"], "frame": 1})");
            Document& document = d.document;
            Scene scene = d.scene();
            Clip& clip = scene.clips.front().edit();
            const bool isOpen = round % 4 == 1;
            const auto made = clip.channels;
            for (const auto& [channel, keys] : made) {
                std::vector<Key> list;
                for (int i = static_cast<int>(between(1, 6)); i >= 0; --i) {
                    Key key{.time = scene.fps.timeOf(std::floor(between(1, 25)))};
                    key.value = {between(-1, 1)}, key.in = {between(-3, 3)}, key.out = {between(-3, 3)};
                    key.interpolation = round < 6 ? Interpolation::Bezier
                                                  : static_cast<Interpolation>(static_cast<int>(between(0, 3)));
                    key.tangents = static_cast<TangentMode>(static_cast<int>(between(0, 5)));
                    if (round % 3 == 0) key.inWeight = between(0.2, 0.9), key.outWeight = between(0.2, 0.9);
                    list.push_back(key);
                }
                KeyList given(list);
                if (isOpen) given.setInfinity(Infinity::Cycle, Infinity::Oscillate);
                clip.channels.insert_or_assign(channel, std::move(given));
            }
            document.history.push(versionOf(scene, document.edit), "Keys");
            const TestDocument before = d;
            const Quaternion rest = rotationOf(worldInRestPose(scene, d.joint("a").id));
            d(R"({"op": "mirrorClip", "as": "M", "about": "world", "axis": "x"})");
            const Vector3 flip(-1, 1, 1);
            for (double frame = 1.013; frame < 24; frame += 0.05) { // at a step a tick more or less would tell
                const Affine was = before.worldAt("a", frame), is = d.worldAt("a", frame);
                const double off = (is.translation() - flip.asDiagonal() * was.translation()).norm();
                const Eigen::Matrix3d turn = flip.asDiagonal() *
                                             (rotationOf(was) * rest.conjugate()).toRotationMatrix() *
                                             flip.asDiagonal();
                const double turned = Quaternion(turn).angularDistance(rotationOf(is) * rest.conjugate());
                QVERIFY2(off < (isTurned ? 2e-5 : 1e-9) && turned < 1e-4,
                         qPrintable(QStringLiteral("frame %1, round %2 of seed %3: off by %4 m, %5 rad")
                                        .arg(frame)
                                        .arg(round)
                                        .arg(seed)
                                        .arg(off)
                                        .arg(turned)));
            }
            const ChannelId tx{d.joint("a").id.value, Property::Tx};
            if (!isTurned) QVERIFY(d.document.clip()->find(tx)->size() == before.document.clip()->find(tx)->size());
            if (!isTurned && isOpen) QVERIFY(d.document.clip()->find(tx)->after() == Infinity::Oscillate);
        }
    }

    /// A pose is what the joints do: handles are asked for what shows it, on the same character and on others.
    void aPoseIsSeenAlikeOnHandlesAndWithoutThem()
    {
        const unsigned seed = 31;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        const auto handled = [](Person person, double blend) {
            for (const char* role : {"leftHand", "rightFoot", "upperChest"}) {
                const std::string end = role;
                const bool isArm = end == "leftHand", isSpine = end == "upperChest";
                const HandleId handle = person.rig.handle("to " + end,
                                                          person.id(isArm     ? "leftUpperArm"
                                                                    : isSpine ? "spine"
                                                                              : "rightUpperLeg"),
                                                          person.id(end), isSpine ? "dls" : "two-bone");
                person.rig.edit(handle).orientationWeight = isArm ? 1 : 0;
                person.rig.edit(handle).hasPole = !isSpine;
                person.rig.set(handle, Property::GoalPosition, Vector3(0.5, 0.7, 0.5)); // where no pose has it
                person.rig.set(handle, Property::Pole, Vector3(0, 0.4, -3));
                person.rig.set(handle, Property::Blend, {blend});
            }
            return person;
        };
        const auto still = [](Person person) {
            person.rig.scene.clips.clear();
            return person;
        };
        const auto farthest = [](const TestDocument& a, const TestDocument& b) {
            double far = 0;
            for (const Joint& joint : *a.scene().joints) {
                const Affine left = a.world(joint.name.c_str()), right = b.world(joint.name.c_str());
                far = std::max({far, (left.translation() - right.translation()).norm(),
                                rotationOf(left).angularDistance(rotationOf(right))});
            }
            return far;
        };
        const QString file = m_folder.filePath("seen.tendonpose");
        const auto apply = [&](TestDocument& test, QJsonObject more = {}) {
            more["op"] = "applyPose", more["file"] = file;
            const auto done = carryOut(test.document, more);
            if (!done) qFatal("%s", done.error().text().c_str());
        };
        const Person bare = Person().move(random);
        TestDocument source = holding(handled(bare, 0));
        source(R"({"op": "setFrame", "value": 9})");
        QVERIFY(carryOut(source.document, QJsonObject{{"op", "savePose"}, {"file", file}}));
        const auto stored = readPoseFile(file.toStdString());
        QVERIFY(stored && stored->goals.empty()); // they show nothing

        TestDocument same = holding(still(handled(bare, 1)));
        QVERIFY(farthest(same, source) > 0.1);
        apply(same);
        QVERIFY2(farthest(same, source) < 2e-3, qPrintable(QString::number(farthest(same, source))));
        QVERIFY(same.still("to leftHand", Property::Blend)[0] == 1);
        // Keyed, too, and with handles that are wholly and partly blended in.
        TestDocument keyed = holding(still(handled(bare, 0.6)));
        keyed(R"({"op": "addClip", "name": "held"})")(R"({"op": "autoKey", "on": true})");
        apply(keyed);
        QVERIFY2(farthest(keyed, source) < 2e-3, qPrintable(QString::number(farthest(keyed, source))));
        QVERIFY(keyed.document.edit.pending.empty());

        // Of a limb half of which is posed, the other half stays as it is seen.
        TestDocument part = holding(still(handled(bare, 1)));
        const auto turnOf = [](const TestDocument& test, const char* joint, const char* parent) {
            return Quaternion(rotationOf(test.world(parent)).conjugate() * rotationOf(test.world(joint)));
        };
        const Quaternion elbow = turnOf(part, "leftLowerArm", "leftUpperArm");
        apply(part, {{"joints", QJsonArray{"leftUpperArm"}}});
        QVERIFY(turnOf(part, "leftLowerArm", "leftUpperArm").angularDistance(elbow) < 2e-3);
        QVERIFY(turnOf(part, "leftUpperArm", "leftShoulder")
                    .angularDistance(turnOf(source, "leftUpperArm", "leftShoulder")) < 2e-3);
        // Its end stands for all of it.
        apply(part, {{"joints", QJsonArray{"leftHand"}}});
        QVERIFY(turnOf(part, "leftLowerArm", "leftUpperArm")
                    .angularDistance(turnOf(source, "leftLowerArm", "leftUpperArm")) < 2e-3);

        // Another character on its handles is as it would be without.
        const Person other = Person(1.3, 0.8).turnAxes(random).rename();
        TestDocument inFk = holding(handled(other, 0)), onIk = holding(handled(other, 1));
        for (const QJsonObject& how : {QJsonObject(), QJsonObject{{"mirror", "x"}, {"keepPlace", true}}}) {
            apply(inFk, how), apply(onIk, how);
            QVERIFY2(farthest(inFk, onIk) < 2e-3, qPrintable(QString::number(farthest(inFk, onIk))));
        }

        // A goal beyond reach is kept on the same rig, which shows the pose with it, and is no other rig's affair.
        TestDocument reaching = holding(still(handled(bare, 1)));
        reaching(R"({"op": "setGoal", "handle": "to leftHand", "position": [4, 1, 0.3]})");
        QVERIFY(carryOut(reaching.document, QJsonObject{{"op", "savePose"}, {"file", file}}));
        apply(same), apply(onIk);
        const auto goalX = [](const TestDocument& test) {
            return test.still("to leftHand", Property::GoalPosition)[0];
        };
        for (const Joint& joint : *same.scene().joints) { // how a straight arm rolls, its pole decides
            const Affine here = same.world(joint.name.c_str()), there = reaching.world(joint.name.c_str());
            QVERIFY2((here.translation() - there.translation()).norm() < 2e-3, joint.name.c_str());
        }
        QVERIFY(std::abs(goalX(same) - 4) < 1e-9);
        QVERIFY(goalX(onIk) < 2);
    }

    /// In place: the hips stay where they are and head as they do, also where a joint above them carries the figure.
    void inPlaceTheHipsStay()
    {
        std::mt19937 random(32);
        Person person = Person().move(random);
        const JointId carrier = person.rig.joint("carrier", {}, {0, 0, 0});
        person.rig.edit(person.id("hips")).parent = carrier;
        for (int frame = 0; frame < Person::kFrames; ++frame)
            person.rig.key(carrier, Property::Tz, frame, ChannelValue{0.1 * frame});
        // A prop that is no part of the figure stays, too, and so does one that a handle holds.
        const JointId prop = person.rig.joint("prop", {}, {1, 0, 0}), held = person.rig.joint("held", {}, {2, 0, 0});
        for (const JointId joint : {prop, held})
            for (int frame = 0; frame < Person::kFrames; ++frame)
                person.rig.key(joint, Property::Tx, frame, ChannelValue{1 + 0.2 * frame});
        const QString file = m_folder.filePath("walking.tendonpose");
        TestDocument test = holding(person);
        test(R"({"op": "addHandle", "name": "hold", "end": "held", "solver": "parent"})")(
            R"({"op": "setFrame", "value": 3})");
        QVERIFY(carryOut(test.document, QJsonObject{{"op", "savePose"}, {"file", file}}));
        test(R"({"op": "setFrame", "value": 15})");
        const std::array props{test.world("prop"), test.world("held")};
        const Affine before = headingOf(test.scene(), person.id("hips"), test.world("hips"), 0);
        for (const bool isMirrored : {false, true}) {
            QJsonObject operation{{"op", "applyPose"}, {"file", file}, {"keepPlace", true}};
            if (isMirrored) operation["mirror"] = "x";
            QVERIFY(carryOut(test.document, operation));
            const Affine after = headingOf(test.scene(), person.id("hips"), test.world("hips"), 0);
            QVERIFY2((after.matrix() - before.matrix()).norm() < 1e-9,
                     qPrintable(QString::number((after.matrix() - before.matrix()).norm())));
            QVERIFY((test.world("prop").matrix() - props[0].matrix()).norm() < 1e-12);
            QVERIFY((test.world("held").matrix() - props[1].matrix()).norm() < 1e-12);
        }
        QVERIFY(carryOut(test.document, QJsonObject{{"op", "applyPose"}, {"file", file}}));
        QVERIFY2(std::abs(test.world("prop").translation().x() - 1.6) < 1e-9, "without in place it is as saved");
    }

    void aPoseOfTheLibraryIsAppliedWhollyPartlyMirroredAndBlended()
    {
        std::mt19937 random(7);
        const Person person = Person().turnAxes(random).move(random);
        TestDocument source = holding(person);
        source(R"({"op": "setFrame", "value": 9})");
        const std::string file = m_folder.filePath("reach.tendonpose").toStdString();
        const std::string picture = m_folder.filePath("picture.png").toStdString();
        QVERIFY(writeFile(picture, "\x89PNG\r\n\x1a\nand so on"));
        const auto op = [&](const char* name, QJsonObject more = {}) {
            QJsonObject operation{{"op", name}, {"file", QString::fromStdString(file)}};
            for (auto field = more.begin(); field != more.end(); ++field) operation[field.key()] = field.value();
            return operation;
        };
        QVERIFY(carryOut(source.document, op("savePose", {{"thumbnail", QString::fromStdString(picture)}})));
        const auto stored = readPoseFile(file);
        QVERIFY(stored && stored->thumbnail.size() == 17 && stored->joints.size() == person.rig.scene.joints->size());

        Person still = person;
        still.rig.scene.clips.clear();
        TestDocument whole = holding(still);
        QVERIFY(carryOut(whole.document, op("applyPose")));
        const auto far = [&](const TestDocument& test, const char* joint) {
            return (test.world(joint).translation() - source.world(joint).translation()).norm();
        };
        for (const auto& [role, joints] : person.roles) QVERIFY(far(whole, role.c_str()) < 1e-9);

        TestDocument part = holding(still);
        QVERIFY(carryOut(part.document, op("applyPose", {{"joints", QJsonArray{"leftUpperArm"}}})));
        const auto localOf = [](const TestDocument& test, const char* joint) {
            const Joint& found = test.joint(joint);
            return sampleJoint(test.scene(), test.document.clip(), {}, found, test.document.time()).local;
        };
        QVERIFY(localOf(part, "leftUpperArm").rotation.angularDistance(localOf(source, "leftUpperArm").rotation) <
                1e-9);
        QVERIFY(localOf(part, "rightUpperArm").rotation.angularDistance(part.joint("rightUpperArm").rest.rotation) <
                1e-9);

        TestDocument half = holding(still);
        QVERIFY(carryOut(half.document, op("applyPose", {{"blend", 0.5}})));
        const double turned = localOf(source, "head").rotation.angularDistance(half.joint("head").rest.rotation);
        QVERIFY(turned > 0.01);
        QVERIFY(std::abs(localOf(half, "head").rotation.angularDistance(half.joint("head").rest.rotation) -
                         turned / 2) < 1e-9);

        TestDocument mirrored = holding(still);
        QVERIFY(carryOut(mirrored.document, op("applyPose", {{"mirror", "x"}})));
        const Affine heading = headingOf(source.scene(), person.id("hips"), source.world("hips"), 0);
        const Vector3 left = heading.inverse() * mirrored.world("leftHand").translation();
        const Vector3 right = heading.inverse() * source.world("rightHand").translation();
        QVERIFY((left - Vector3(-right.x(), right.y(), right.z())).norm() < 1e-9);

        // Another character, whose joints have other names and axes and who stands elsewhere: by role, in place.
        Person other = Person().turnAxes(random).rename();
        TestDocument elsewhere = holding(other);
        QVERIFY(carryOut(elsewhere.document, op("applyPose", {{"keepPlace", true}})));
        const std::string hand = elsewhere.scene().find(other.id("leftHand"))->name,
                          hips = elsewhere.scene().find(other.id("hips"))->name;
        QVERIFY(std::hypot(elsewhere.world(hips.c_str()).translation().x(),
                           elsewhere.world(hips.c_str()).translation().z()) < 1e-9);
        const Vector3 asThere = heading.inverse() * source.world("leftHand").translation();
        QVERIFY((elsewhere.world(hand.c_str()).translation() - asThere).norm() < 1e-6);

        QVERIFY(source.error(R"({"op": "applyPose", "file": "nothing.tendonpose"})").find("nothing.tendonpose") !=
                std::string::npos);
        QVERIFY(writeFile(file, "{\"tendonPose\": 1, \"joints\": [{\"name\": \"hips\", \"rest\": {}, \"pose\": "
                                "{\"rotation\": [0, 0, 0, 0]}}]}"));
        const auto broken = readPoseFile(file);
        QVERIFY(!broken && broken.error().text().find("/joints/0/pose/rotation") != std::string::npos);
    }

    /// A capture of 96 frames a second in a project of 24: its keys stand between frames, unless that is not wanted.
    void keysStandOnTheProjectsFramesWhereThatIsAsked()
    {
        std::mt19937 random(6);
        Person motion = Person().move(random);
        motion.rig.scene.fps = FrameRate{96, 1}; // four keys a frame
        for (auto& clip : motion.rig.scene.clips)
            for (auto& [channel, keys] : Clip(*clip).channels) {
                std::vector<Key> faster = keys->toVector();
                for (Key& key : faster) key.time.ticks /= 4;
                clip.edit().channels.insert_or_assign(channel, KeyList(std::move(faster)));
            }
        const std::string file = written(motion, "fast.glb");
        std::mt19937 other(7);
        const Person character = Person(1.1).move(other);
        const auto between = [](const TestDocument& test) {
            std::size_t count = 0;
            for (const auto& [channel, keys] : test.document.clip()->channels)
                for (const Key& key : keys->toVector()) {
                    const double frame = test.scene().fps.frameAt(key.time);
                    count += std::abs(frame - std::round(frame)) > 1e-3 ? 1 : 0;
                }
            return count;
        };
        TestDocument dense = holding(character), sparse = holding(character);
        QVERIFY(carriedOut(dense, file, motion));
        QVERIFY(between(dense) > 100);
        QVERIFY(dense.says("the motion has 96 frames a second and the project 24"));
        QVERIFY(carriedOut(sparse, file, motion, {{"keys", "project"}}));
        QCOMPARE(between(sparse), std::size_t{0});
        QVERIFY(sparse.document.clip()->keyCount() < dense.document.clip()->keyCount() / 3);
        for (int frame = 0; frame <= 5; ++frame)
            for (const Joint& joint : *dense.scene().joints)
                QVERIFY(distance(sparse.worldAt(joint.name.c_str(), frame), dense.worldAt(joint.name.c_str(), frame)) <
                        1e-9);
        // And afterwards, or of the same skeleton.
        for (const Joint& joint : *dense.scene().joints)
            if (dense.document.clip()->find({joint.id.value, Property::Rotation}) != nullptr)
                QVERIFY(carryOut(dense.document, QJsonObject{{"op", "snapKeys"},
                                                             {"target", QString::fromStdString(joint.name)},
                                                             {"resample", true}}));
        for (int frame = 0; frame <= 5; ++frame)
            QVERIFY(distance(sparse.worldAt("leftHand", frame), dense.worldAt("leftHand", frame)) < 1e-9);
        TestDocument same = holding(character), snapped = holding(character);
        const QJsonObject import{{"op", "importClip"}, {"file", QString::fromStdString(file)}};
        QVERIFY(carryOut(same.document, import));
        QVERIFY(between(same) > 100 && same.says("stand between the frames of the project"));
        QJsonObject onFrames = import;
        onFrames["keys"] = "project";
        QVERIFY(carryOut(snapped.document, onFrames));
        QCOMPARE(between(snapped), std::size_t{0});
        for (int frame = 0; frame <= 5; ++frame)
            QVERIFY(distance(same.worldAt("leftHand", frame), snapped.worldAt("leftHand", frame)) < 1e-9);
    }

    /// A file that states its step with six digits (0.033333 s) has keys a little before each frame: they are on it,
    /// and neither the goals that go along nor an export have another key there.
    void aStepThatIsRoundedHasOneKeyAFrame()
    {
        std::mt19937 random(8);
        Person motion = Person().move(random);
        motion.rig.scene.fps = FrameRate{30, 1};
        for (auto& clip : motion.rig.scene.clips)
            for (auto& [channel, keys] : Clip(*clip).channels) {
                std::vector<Key> rounded = keys->toVector();
                for (std::size_t i = 0; i < rounded.size(); ++i)
                    rounded[i].time = Time::fromSeconds(0.033333 * static_cast<double>(i));
                clip.edit().channels.insert_or_assign(channel, KeyList(std::move(rounded)));
            }
        Person character = Person(1.2);
        for (const std::string& side : {std::string("left"), std::string("right")})
            character.rig.handle(side, character.id(side + "UpperArm"), character.id(side + "Hand"), "two-bone");
        TestDocument test = holding(character);
        QVERIFY(carriedOut(test, written(motion, "rounded.glb"), motion));
        const Clip& made = *test.document.clip();
        for (const auto& [channel, keys] : made.channels)
            QVERIFY2(keys->size() <= std::size_t{Person::kFrames}, qPrintable(QString::number(keys->size())));
        QCOMPARE(bakeTimes(made, test.scene().fps, made.begin(), made.end()).size(), std::size_t{Person::kFrames});
    }

    void whatCannotBeDoneIsSaidInOneLineAndChangesNothing()
    {
        std::mt19937 random(5);
        const Person motion = Person().move(random);
        const std::string file = written(motion, "errors.glb");
        TestDocument test = holding(Person());
        const auto error = [&](QJsonObject more) {
            const Scene before = test.scene();
            const auto done = carriedOut(test, file, motion, std::move(more));
            if (done || !(test.scene() == before)) return QString("CHANGED");
            return QString::fromStdString(done.error().text());
        };
        QCOMPARE(error({{"contacts", "lock"}}),
                 QString("retarget: contacts: contacts of feet and hands are not found yet in this "
                         "version of Tendon; leave the field out, or give off"));
        QCOMPARE(error({{"from", "x"}}), QString("retarget: give either file or from, a clip of this project"));
        QVERIFY(error({{"align", "frame"}, {"frame", 300}}).endsWith("the motion has frames 0 to 23, not 300"));
        QVERIFY(error({{"scale", -1}}).contains("from 0 to 1000"));
        QVERIFY(error({{"turns", true}}).contains("turns: counts with root: bone or inPlace"));
        QVERIFY(error({{"roles", QJsonObject{{"hips", "nobody"}}}}).contains("there is no joint \"nobody\""));
        QVERIFY(error({{"roles", QJsonObject{{"hopes", "hips"}}}}).contains("there is no role \"hopes\""));
        QVERIFY(error({{"root", "bone"}, {"rootBone", "leftFoot"}}).contains("is not above the hips"));
    }
};

TENDON_TEST(TestRetarget)
#include "tst_retarget.moc"
