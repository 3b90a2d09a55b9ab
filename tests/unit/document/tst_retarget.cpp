#include "core/document/RetargetJob.h"
#include "core/io/export/AnimationExport.h"
#include "core/solve/Baker.h"
#include "tests/support/Person.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

namespace {

/// A document of the person, whose roles are decided.
TestDocument holding(const Person& person)
{
    TestDocument test;
    Project project;
    project.scene = person.rig.scene;
    project.scene.roles = Shared(person.roles);
    if (!project.scene.clips.empty()) project.state.currentClip = project.scene.clips.front()->id;
    test.document = openDocument(project, {}, TestDocument::solvers());
    return test;
}

/// "roles" that say of each joint that its name is its role.
QJsonObject rolesByName(const Person& person)
{
    QJsonObject roles;
    for (const auto& [role, joints] : person.roles)
        roles[QString::fromStdString(role)] = QString::fromStdString(person.rig.scene.find(joints.front())->name);
    return roles;
}

double difference(const TestDocument& a, const TestDocument& b)
{
    double largest = 0;
    for (const Joint& joint : *a.scene().joints)
        for (int frame = 0; frame < Person::kFrames; ++frame) {
            const Affine left = a.worldAt(joint.name.c_str(), frame), right = b.worldAt(joint.name.c_str(), frame);
            largest = std::max({largest, (left.translation() - right.translation()).norm(),
                                rotationOf(left).angularDistance(rotationOf(right))});
        }
    return largest;
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

    /// One rig's clip in three formats: of the axes of joints BVH keeps none, and the motion is one.
    void aClipFromFbxGltfAndBvhIsOneMotion()
    {
        std::mt19937 random(1);
        const Person motion = Person().turnAxes(random).move(random);
        Person character = Person(1.2, 0.9, 0.6).turnAxes(random).rename();
        std::vector<TestDocument> results;
        for (const char* file : {"walk.glb", "walk.fbx", "walk.bvh"}) {
            results.push_back(holding(character));
            const auto done = carriedOut(results.back(), written(motion, file), motion, {{"as", "walk"}});
            QVERIFY2(done, done ? "" : done.error().text().c_str());
        }
        for (std::size_t i = 1; i < results.size(); ++i)
            QVERIFY2(difference(results[0], results[i]) < 1e-5,
                     qPrintable(QString::number(difference(results[0], results[i]))));
        QVERIFY(results[0].scene().lastFrame ==
                Person::kFrames - 1); // of a project without keys the range is the motion's
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
        QVERIFY(carryOut(test.document, QJsonObject{{"op", "undo"}}));
        QVERIFY(test.scene() == before);
        // Of another clip the handle is as it was.
        QVERIFY(test.still("hand", Property::Blend)[0] == 1);
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

    void theRootMotionOfAClipGoesToABoneAndBack()
    {
        std::mt19937 random(4);
        TestDocument test = holding(Person().move(random));
        const TestDocument before = test;
        test(R"({"op": "rootMotion", "mode": "bone"})");
        QVERIFY(test.says("the joint \"root\" was made"));
        QVERIFY(difference(before, test) < 1e-9);
        QVERIFY(test.worldAt("root", 20).translation().norm() > 0.5);
        QVERIFY(std::abs(test.worldAt("root", 20).translation().y()) < 1e-12);
        test(R"({"op": "rootMotion", "mode": "travels"})");
        QVERIFY(difference(before, test) < 1e-9);
        QVERIFY(test.worldAt("root", 20).isApprox(Affine::Identity(), 1e-12));
        test(R"({"op": "rootMotion", "mode": "inPlace"})");
        const Vector3 hips = test.worldAt("hips", 20).translation();
        QVERIFY(std::hypot(hips.x(), hips.z()) < 1e-9);
        QVERIFY(std::abs(hips.y() - before.worldAt("hips", 20).translation().y()) < 1e-9);
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
        QVERIFY(error({{"roles", QJsonObject{{"hips", "nobody"}}}}).contains("there is no joint called \"nobody\""));
        QVERIFY(error({{"roles", QJsonObject{{"hopes", "hips"}}}}).contains("is not the name of a role"));
        QVERIFY(error({{"root", "bone"}, {"rootBone", "leftFoot"}}).contains("is not above the hips"));
    }
};

TENDON_TEST(TestRetarget)
#include "tst_retarget.moc"
