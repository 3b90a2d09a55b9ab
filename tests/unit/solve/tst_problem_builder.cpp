#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/solve/ProblemBuilder.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <tendon/kit/Kinematics.h>

using namespace tendon;
using namespace tendon::test;

namespace {

struct Posed
{
    std::shared_ptr<const CompiledRig> rig;
    LocalPose local;
    ModelPose model;
};

Posed posed(const Scene& scene)
{
    Posed result{*compile(scene), {}, {}};
    PoseSampler sampler(result.rig);
    sampler.prepare(scene, nullptr);
    sampler.sample({}, {}, result.local);
    forwardKinematics(*result.rig, result.local, result.model);
    return result;
}

std::vector<SolveJoint> joints(JointIndex from, JointIndex to)
{
    std::vector<SolveJoint> result;
    for (JointIndex joint = from; joint < to; ++joint) result.push_back({joint, true});
    return result;
}

/// Any of the freedoms a joint can be given.
void randomFreedom(Joint& joint, std::mt19937& random)
{
    const auto flip = [&random] { return random() % 2 == 0; };
    for (auto* axes : {&joint.turning, &joint.sliding})
        for (AxisFreedom& axis : *axes) {
            axis.active = flip();
            axis.limited = random() % 4 == 0;
            axis.from = 1;
            axis.to = -1;
        }
    if (random() % 4 == 0) joint.sliding = {};
    if (random() % 8 == 0)
        for (auto* axes : {&joint.turning, &joint.sliding}) axes->fill({.active = true});
    if (random() % 4 == 0) joint.ball = BallLimits{};
    joint.rotationOrder = static_cast<RotationOrder>(random() % 6);
}

} // namespace

class TestProblemBuilder : public QObject
{
    Q_OBJECT

    static sdk::JointKind kindOf(const std::function<void(Joint&)>& author)
    {
        TestRig test;
        author(test.edit(test.joint("j", {}, Vector3::Zero())));
        const auto rig = *compile(test.scene);
        return ProblemBuilder(rig, joints(0, 1)).model().kind[0];
    }

private slots:
    void authoredFreedomsBecomeTheDocumentedJointKinds()
    {
        using K = sdk::JointKind;
        const auto still = [](Joint& j) {
            for (AxisFreedom& a : j.turning) a.active = false;
        };
        QCOMPARE(kindOf([&](Joint& j) { still(j); }), K::Fixed);
        QCOMPARE(kindOf([&](Joint&) {}), K::Ball);
        QCOMPARE(kindOf([&](Joint& j) {
                     still(j);
                     j.ball = BallLimits{};
                 }),
                 K::Ball);
        QCOMPARE(kindOf([&](Joint& j) { j.turning[1].limited = true; }), K::Axes);
        QCOMPARE(kindOf([&](Joint& j) { j.turning[1].damping = 0.1; }), K::Axes);
        QCOMPARE(kindOf([&](Joint& j) { j.turning[0].active = false; }), K::Axes);
        QCOMPARE(kindOf([&](Joint& j) {
                     still(j);
                     j.sliding[2].active = true;
                 }),
                 K::Prismatic);
        QCOMPARE(kindOf([&](Joint& j) { j.sliding[2].active = true; }), K::Axes);
        QCOMPARE(kindOf([&](Joint& j) {
                     for (AxisFreedom& a : j.sliding) a.active = true;
                 }),
                 K::Free);
        QCOMPARE(kindOf([&](Joint& j) {
                     for (AxisFreedom& a : j.sliding) a.active = a.limited = true;
                 }),
                 K::Axes);
    }

    void limitsSpringsAndLocksReachTheModel()
    {
        TestRig test;
        Joint& joint = test.edit(test.joint("j", {}, {0, 0, 3}));
        joint.rotationOrder = RotationOrder::XYZ;
        joint.turning[0].active = false;
        joint.turning[1] = {.active = true, .limited = true, .from = 0.5, .to = -0.25, .ease = 0.3, .damping = 0.1};
        joint.turning[2] = {.active = true, .springBack = 0.7, .springTension = 0.2};
        joint.sliding[2] = {.active = true, .limited = true, .from = 30, .to = 0};
        joint.preferredAngle = {0, 0.9, -0.4};
        joint.stiffness = 0.6;
        joint.precedence = 4;
        const Posed pose = posed(test.scene);
        ProblemBuilder builder(pose.rig, joints(0, 1));
        builder.setPose(pose.local, pose.model);
        const sdk::Model& model = builder.model();
        const sdk::Problem problem = builder.problem();
        // tz, then rz, ry, rx: the product order of XYZ.
        QCOMPARE(model.dofCount, 4);
        const Property expected[] = {Property::Tz, Property::Rz, Property::Ry, Property::Rx};
        for (int v = 0; v < 4; ++v) QCOMPARE(builder.propertyOfDof(v), expected[v]);
        QCOMPARE(model.lower[0], 0.0);
        QCOMPARE(model.upper[0], 30.0);
        QCOMPARE(model.springRest[1], 0.7);
        QCOMPARE(model.springTension[1], 0.2);
        QCOMPARE(model.lower[2], -0.25);
        QCOMPARE(model.upper[2], 0.5);
        QCOMPARE(model.ease[2], 0.3);
        QCOMPARE(model.damping[2], 0.1);
        QCOMPARE(model.preferred[2], 0.5); // 0.9 is beyond the limit
        QCOMPARE(model.stiffness[3], 0.6);
        QCOMPARE(model.precedence[0], 4);
        QCOMPARE(int(problem.locked[3]), 1);
        QCOMPARE(int(problem.locked[2]), 0);
        QCOMPARE(problem.seed[0], 3.0);
        QCOMPARE(problem.base[2], 0.0);
        QCOMPARE(problem.posture[0], 3.0);
    }

    void theSolversKinematicsMatchTheRigs()
    {
        std::mt19937 random(51);
        int balls = 0, axes = 0, frees = 0, sliders = 0;
        for (int round = 0; round < 400; ++round) {
            TestRig test;
            const auto ids = test.chain("j", 8, Vector3::UnitX());
            for (const JointId id : ids) {
                Joint& joint = test.edit(id);
                joint.rest = {randomVector(random), randomRotation(random),
                              Vector3::Constant(0.5 + 0.1 * static_cast<double>(random() % 10))};
                randomFreedom(joint, random);
                test.set(id, Property::Tx, {0.7});
                if (round % 2 == 0) {
                    test.set(id, Property::Rotation, channelValue(randomRotation(random)));
                } else {
                    test.set(id, Property::Ry, {1.3});
                    test.set(id, Property::Rz, {-4});
                }
            }
            const Posed pose = posed(test.scene);
            ProblemBuilder builder(pose.rig, joints(3, 8));
            builder.setPose(pose.local, pose.model);
            QVERIFY(!builder.isDistorted());
            const sdk::Model& model = builder.model();
            for (const auto kind : model.kind) {
                balls += kind == sdk::JointKind::Ball;
                axes += kind == sdk::JointKind::Axes;
                frees += kind == sdk::JointKind::Free;
                sliders += kind == sdk::JointKind::Prismatic;
            }
            const auto check = [&](std::span<const double> q, const ModelPose& expected) {
                std::vector<kit::Frame<double>> frames(static_cast<std::size_t>(model.bodyCount));
                std::vector<std::int32_t> all(frames.size());
                for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
                kit::forwardKinematics<double>(model, builder.problem().base, q, all, frames);
                for (JointIndex j = 3; j < 8; ++j) {
                    const auto& frame = frames[static_cast<std::size_t>(builder.bodyOf(j))];
                    const Affine& joint = expected.modelFromJoint[static_cast<std::size_t>(j)];
                    for (const Vector3& p : {Vector3(0, 0, 0), Vector3(1, 2, 3)})
                        if ((frame.point(p) - joint * p).norm() > 1e-11) return false;
                }
                return true;
            };
            // The seed is the FK pose ...
            QVERIFY(check(builder.problem().seed, pose.model));
            // ... which is written back to the bit ...
            LocalPose written = pose.local;
            const std::vector<double> whole(5, 1.0);
            builder.write(builder.problem().seed, {}, whole, written);
            QVERIFY(written == pose.local);
            // ... and any other configuration is the pose that it is written back as.
            std::vector<double> dv(static_cast<std::size_t>(model.dofCount)),
                q(builder.problem().seed.begin(), builder.problem().seed.end()), moved = q;
            std::uniform_real_distribution<double> step(-1, 1);
            for (double& d : dv) d = step(random);
            kit::integrate<double>(model, q, dv, moved);
            builder.write(moved, {}, whole, written);
            ModelPose after = pose.model;
            forwardKinematics(*pose.rig, written, after);
            QVERIFY(check(moved, after));
            // Angles and rotation in the pose say the same.
            for (std::size_t j = 3; j < 8; ++j) {
                const Quaternion turned = pose.rig->rest[j].rotation *
                                          rotationFromAngles(written.angles[j], pose.rig->order[j]);
                QVERIFY(turned.angularDistance(written.joints[j].rotation) < 1e-7);
            }
        }
        QVERIFY(balls > 50 && axes > 50 && frees > 20 && sliders > 20);
    }

    void blendMovesAJointPartOfTheWay()
    {
        TestRig test;
        const auto ids = test.chain("j", 2, Vector3::UnitX());
        test.edit(ids[0]).turning[2].limited = true; // Axes
        test.edit(ids[0]).turning[2].from = -9;
        test.edit(ids[0]).turning[2].to = 9;
        test.set(ids[0], Property::Rz, {0.2});
        const Posed pose = posed(test.scene);
        ProblemBuilder builder(pose.rig, joints(0, 2));
        builder.setPose(pose.local, pose.model);
        std::vector<double> q(builder.problem().seed.begin(), builder.problem().seed.end());
        q[0] = 1.2; // rz of the first
        q[3] = std::sin(0.3);
        q[6] = std::cos(0.3); // the second turns by 0.6 about x
        LocalPose written = pose.local;
        builder.write(q, {}, std::vector<double>{0.25, 0.5}, written);
        QVERIFY(std::abs(written.angles[0].z() - 0.45) < 1e-15);
        QVERIFY(std::abs(written.angles[1].x() - 0.3) < 1e-12);
        written = pose.local;
        builder.write(q, {}, std::vector<double>{0, 0}, written);
        QVERIFY(written == pose.local);
    }

    void aNonUniformScaleIsReportedOnlyIfItAffectsTheChain()
    {
        TestRig test;
        const auto ids = test.chain("j", 4, Vector3::UnitX());
        const auto isDistorted = [&](std::size_t scaled) {
            TestRig changed = test;
            changed.edit(ids[scaled]).rest.scale = {1, 2, 1};
            const Posed pose = posed(changed.scene);
            ProblemBuilder builder(pose.rig, joints(1, 4));
            builder.setPose(pose.local, pose.model);
            return builder.isDistorted();
        };
        QVERIFY(isDistorted(0));
        QVERIFY(isDistorted(1));
        QVERIFY(!isDistorted(3));
    }
};

TENDON_TEST(TestProblemBuilder)
#include "tst_problem_builder.moc"
