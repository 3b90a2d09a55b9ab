#include "core/document/ClipTransfer.h"
#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/export/bvh/BvhWriter.h"
#include "core/io/export/prepare/LengthUnit.h"
#include "core/math/Convert.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/RestPose.h"
#include "core/solve/Baker.h"
#include "tests/support/TestDocument.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr int kFrames = 12;

/// A small figure with turned rest poses, and a clip that turns every joint and moves the hips.
Scene figure(bool isTurned, bool hasClip)
{
    std::mt19937 random(11);
    TestRig rig;
    const JointId hips = rig.joint("hips", {}, {0.1, 1, 0});
    const JointId spine = rig.joint("spine", hips, {0, 0.3, 0});
    std::vector<JointId> all{hips, spine, rig.joint("head", spine, {0, 0.4, 0.05}),
                             rig.joint("left leg", hips, {0.1, -0.5, 0})};
    all.push_back(rig.joint("left foot", all[3], {0, -0.45, 0.1}));
    if (isTurned) { // the bones stay where they are: only the joints' own axes turn
        const Scene straight = rig.scene;
        for (const JointId id : all) { // parents first
            const JointId parent = rig.edit(id).parent;
            rig.edit(id).rest.translation = worldInRestPose(rig.scene, parent).inverse() *
                                            worldInRestPose(straight, id).translation();
            rig.edit(id).rest.rotation = randomRotation(random);
        }
    }
    rig.scene.fps = {30, 1};
    if (!hasClip) return rig.scene;
    for (const JointId id : all)
        for (int frame = 0; frame < kFrames; ++frame) {
            const Quaternion turn(Eigen::AngleAxisd(0.1 * frame, randomVector(random).normalized()));
            rig.key(id, Property::Rotation, frame,
                    channelValue((rig.scene.find(id)->rest.rotation * turn).normalized()));
            if (id != hips) continue;
            for (int axis = 0; axis < 3; ++axis)
                rig.key(id, static_cast<Property>(static_cast<int>(Property::Tx) + axis), frame,
                        {rig.scene.find(id)->rest.translation[axis] + 0.02 * frame * axis});
        }
    return rig.scene;
}

BakedClip baked(const Scene& scene)
{
    const Clip& clip = *scene.clips.front();
    auto result = bake(scene, TestDocument::solvers(),
                       {.clip = clip.id, .fps = scene.fps, .from = clip.begin(), .to = clip.end(), .progress = {}});
    if (!result) qFatal("%s", result.error().text().c_str());
    return std::move(*result);
}

TestDocument holding(const Scene& scene)
{
    TestDocument test;
    Project project;
    project.scene = scene;
    if (!scene.clips.empty()) project.state.currentClip = scene.clips.front()->id;
    test.document = openDocument(project, {}, TestDocument::solvers());
    return test;
}

/// The largest difference of any joint's world position and (if asked for) of its turn since rest, over all frames.
double worst(const TestDocument& a, const TestDocument& b)
{
    double largest = 0;
    for (const Joint& joint : *a.scene().joints)
        for (int frame = 0; frame < kFrames; ++frame) {
            const char* name = joint.name.c_str();
            const auto turned = [&](const TestDocument& test) {
                return rotationOf(test.worldAt(name, frame)) *
                       rotationOf(worldInRestPose(test.scene(), test.joint(name).id)).conjugate();
            };
            largest = std::max({largest,
                                (a.worldAt(name, frame).translation() - b.worldAt(name, frame).translation()).norm(),
                                turned(a).angularDistance(turned(b))});
        }
    return largest;
}

std::string operation(const std::string& file, const char* more)
{
    return "{\"op\": \"importClip\", \"file\": \"" + file + "\"" + more + "}";
}

} // namespace

/// Clips of files that were written and read for true.
class TestClipTransfer : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Exports the clip of `source` to a file and takes it onto `target`.
    TestDocument transferred(const Scene& source, const char* file, const Scene& target, const char* more = "")
    {
        const std::string path = m_folder.filePath(QString::fromUtf8(file)).toStdString();
        const auto report = exportAnimation(source, {baked(source)}, path, {});
        if (!report || !report->readBack.isWithin()) qFatal("not written");
        TestDocument test = holding(target);
        test(operation(path, more).c_str());
        return test;
    }

private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void onTheSameSkeletonEveryWorldPoseIsTheSame_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("isTurned");
        for (const char* file : {"walk.bvh", "walk.glb", "walk.fbx"})
            for (const bool isTurned : {false, true})
                QTest::addRow("%s%s", file, isTurned ? ", turned" : "") << QString(file) << isTurned;
    }

    void onTheSameSkeletonEveryWorldPoseIsTheSame()
    {
        QFETCH(QString, file);
        QFETCH(bool, isTurned);
        const Scene source = figure(isTurned, true);
        const TestDocument result = transferred(source, qPrintable(file), figure(isTurned, false));
        const double error = worst(holding(source), result);
        QVERIFY2(error < 2e-5, qPrintable(QString::number(error)));
        QVERIFY(!result.says("are not in the project"));
        QCOMPARE(result.says("turn from rest"), isTurned && file == "walk.bvh"); // BVH has no axes of its own
        QCOMPARE(result.document.clip()->name, std::string(file == "walk.bvh" ? "walk" : "clip"));
    }

    void differentJointAxesDoNotChangeTheMotion()
    {
        const Scene source = figure(true, true);
        const TestDocument result = transferred(source, "walk.glb", figure(false, false));
        QVERIFY(result.says("the rest poses differ"));
        const double error = worst(holding(source), result);
        QVERIFY2(error < 2e-5, qPrintable(QString::number(error)));
    }

    void retargetNoneCopiesLocalTransformsWithAWarning()
    {
        const Scene source = figure(true, true);
        const TestDocument result = transferred(source, "walk.glb", figure(false, false), ", \"retarget\": \"none\"");
        QVERIFY(result.says("taken over as it is"));
        QVERIFY(worst(holding(source), result) > 0.1);
    }

    /// A joint whose place is held and whose rotation runs on: each channel keeps its own keys, on other axes too.
    void everyChannelKeepsItsOwnKeysAndInterpolation()
    {
        TestRig rig;
        const JointId hips = rig.joint("hips", {}, {0, 1, 0});
        rig.joint("tip", hips, {0, 1, 0});
        rig.scene.fps = {30, 1};
        for (const int frame : {0, 11}) {
            rig.key(hips, Property::Rotation, frame,
                    channelValue(Quaternion(Eigen::AngleAxisd(0.1 * frame, Vector3::UnitX()))));
            for (int axis = 0; axis < 3; ++axis)
                rig.key(hips, static_cast<Property>(static_cast<int>(Property::Tx) + axis), frame,
                        {axis == 1 ? 1.0 : 0.0}, Interpolation::Step);
        }
        rig.key(hips, Property::Tx, 4, {0.5}, Interpolation::Step);
        const Scene& source = rig.scene;
        Scene target = source;
        target.clips.clear();
        const Quaternion turn(Eigen::AngleAxisd(0.7, Vector3::UnitY()));
        target.joints.edit()[0].rest.rotation = turn;
        target.joints.edit()[1].rest.translation = turn.conjugate() * Vector3(0, 1, 0);
        TestDocument result = holding(target);
        Draft draft{.scene = result.scene(),
                    .edit = result.document.edit,
                    .solvers = *result.document.solvers,
                    .services = result.document.services,
                    .poses = *result.document.poses,
                    .text = {},
                    .messages = {},
                    .posed = {}};
        QVERIFY(transferClip(draft, source, *source.clips.front(), {.name = "swing", .names = {}}));
        const Clip& clip = *draft.scene.clips.back();
        const KeyList* turns = clip.find({hips.value, Property::Rotation});
        QCOMPARE(turns->size(), std::size_t{2});
        QCOMPARE((*turns)[0].interpolation, Interpolation::Linear);
        const Quaternion half = toQuaternion(sampleKeys(*turns, Property::Rotation, source.fps.timeOf(5.5)));
        QVERIFY(half.angularDistance(Quaternion(Eigen::AngleAxisd(0.55, Vector3::UnitX())) * turn) < 1e-9);
        const KeyList* places = clip.find({hips.value, Property::Tx});
        QCOMPARE(places->size(), std::size_t{3});
        QCOMPARE((*places)[0].interpolation, Interpolation::Step);
    }

    void aMissingUnitIsDerivedFromTheBones()
    {
        for (const bool isTurned : {false, true}) {
            const Scene source = figure(isTurned, true);
            for (const double unit : {0.01, 0.17}) {
                const auto written = writeBvh(withLengthsTimes(source, 1 / unit),
                                              withLengthsTimes(baked(source), 1 / unit));
                const std::string path = m_folder.filePath("unit.bvh").toStdString();
                QVERIFY(written && writeFile(path, written->text));
                TestDocument test = holding(figure(isTurned, false));
                test(operation(path, "").c_str());
                const double error = worst(holding(source), test);
                QVERIFY2(error < 2e-5, qPrintable(QString("%1, unit %2").arg(error).arg(unit)));
            }
        }
    }

    /// A character in centimetres below a node that is scaled by 0.01 and turned, as programs with Z up write it.
    void scaleAboveTheRootIsTakenOffItsWay_data()
    {
        QTest::addColumn<bool>("isTurned");
        QTest::addColumn<bool>("isAtOrigin");
        QTest::newRow("the same axes") << false << false;
        QTest::newRow("other axes") << true << false;
        QTest::newRow("a root without a height") << true << true;
    }

    void scaleAboveTheRootIsTakenOffItsWay()
    {
        QFETCH(bool, isTurned);
        QFETCH(bool, isAtOrigin);
        const Scene whole = figure(false, true);
        Scene source = whole;
        Scene target = figure(isTurned, false);
        if (isAtOrigin) source.joints.edit()[0].rest.translation.setZero(); // its keys are places in the world
        // The same places, with an armature above.
        TestRig above;
        above.scene = target;
        const Quaternion turn(Eigen::AngleAxisd(isTurned ? -M_PI / 2 : 0, Vector3::UnitX()));
        const JointId armature = above.joint("armature", {}, isTurned ? Vector3(0.3, 0, 0.2) : Vector3::Zero());
        above.edit(armature).rest.rotation = turn;
        above.edit(armature).rest.scale = Vector3::Constant(0.01);
        for (const Joint& joint : *target.joints) above.edit(joint.id).rest.translation *= 100;
        const JointId hips = target.joints->front().id;
        above.edit(hips).parent = armature;
        above.edit(hips).rest.translation = worldInRestPose(above.scene, armature).inverse() *
                                            target.joints->front().rest.translation;
        above.edit(hips).rest.rotation = turn.conjugate() * target.joints->front().rest.rotation;

        TestDocument result = holding(above.scene);
        Draft draft{.scene = result.scene(),
                    .edit = result.document.edit,
                    .solvers = *result.document.solvers,
                    .services = result.document.services,
                    .poses = *result.document.poses,
                    .text = {},
                    .messages = {},
                    .posed = {}};
        QVERIFY(transferClip(draft, source, *source.clips.front(), {.name = "walk", .names = {}}));
        const TestDocument expected = holding(whole), moved = [&] {
            Project project;
            project.scene = draft.scene;
            project.state.currentClip = draft.scene.clips.back()->id;
            TestDocument test;
            test.document = openDocument(project, {}, TestDocument::solvers());
            return test;
        }();
        for (int frame = 0; frame < kFrames; ++frame) {
            const Vector3 off = moved.worldAt("head", frame).translation() -
                                expected.worldAt("head", frame).translation();
            QVERIFY2(off.norm() < 1e-9, qPrintable(QString("frame %1: %2 m").arg(frame).arg(off.norm())));
        }
    }

    void jointsWithoutACounterpartAreNamed()
    {
        Scene target = figure(false, false);
        target.joints.edit()[2].name = "skull";
        const TestDocument result = transferred(figure(false, true), "walk.bvh", target);
        QVERIFY(result.says("1 moving joints of the file are not in the project: \"head\""));
    }
};

TENDON_TEST(TestClipTransfer)
#include "tst_clip_transfer.moc"
