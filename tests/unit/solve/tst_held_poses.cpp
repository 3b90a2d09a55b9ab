#include "core/solve/Evaluator.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <QTest>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr int kFrames = 20, kLastInReach = 10;
constexpr double kReach = 1;

/// An arm of two bones that hangs on a body, with a keyed goal that leaves the reach after frame 10 and comes back into
/// it at frame 20.
struct Arm
{
    TestRig rig;
    JointId body;
    std::vector<JointId> joints;
    HandleId handle;

    explicit Arm(const std::string& solver)
    {
        body = rig.joint("body", {}, Vector3::Zero());
        joints = rig.chain("arm", 3, Vector3(kReach / 2, 0, 0), body);
        Joint& elbow = rig.edit(joints[1]);
        elbow.turning[0].active = elbow.turning[1].active = false;
        rig.set(joints[1], Property::Rz, ChannelValue{0.3, 0, 0, 0});
        handle = rig.handle("hand", joints[0], joints[2], solver);
        rig.edit(handle).unreachable = Unreachable::Hold;
        rig.edit(handle).maxIterations = 5000;
        rig.scene.lastFrame = kFrames;
        keyGoal(0.08);
    }

    /// `speed` [m] a frame.
    void keyGoal(double speed)
    {
        const Vector3 way = Vector3(0.6, 0.8, 0) * kReach;
        const double from = 0.99 - (kLastInReach - 1) * speed;
        rig.key(handle, Property::GoalPosition, 1, Vector3(from * way));
        rig.key(handle, Property::GoalPosition, kFrames - 1, Vector3((from + (kFrames - 2) * speed) * way));
        rig.key(handle, Property::GoalPosition, kFrames, Vector3(0.5 * way));
    }
};

class Poses
{
public:
    Poses(const Arm& arm, const SolverRegistry& registry) : m_arm(arm)
    {
        const auto compiled = compile(arm.rig.scene);
        if (!compiled) qFatal("%s", compiled.error().text().c_str());
        auto evaluator = Evaluator::create(*compiled, registry);
        if (!evaluator) qFatal("%s", evaluator.error().text().c_str());
        m_evaluator = *std::move(evaluator);
    }

    const SolvedFrame& at(double frame)
    {
        const Scene& scene = m_arm.rig.scene;
        m_evaluator->evaluate(scene, m_arm.rig.clip(), {}, scene.fps.timeOf(frame), m_frame);
        return m_frame;
    }

    [[nodiscard]] const Issues& issues() const { return m_evaluator->issues(); }

private:
    const Arm& m_arm;
    std::unique_ptr<Evaluator> m_evaluator;
    SolvedFrame m_frame;
};

bool isSameChain(const LocalPose& a, const LocalPose& b, std::size_t from)
{
    for (std::size_t j = from; j < a.joints.size(); ++j)
        if (!(a.joints[j] == b.joints[j])) return false;
    return true;
}

} // namespace

/// The policy Hold.
class TestHeldPoses : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

private slots:
    void initTestCase() { m_registry.scan(); }

    void theLatestPoseInReachIsHeld_data()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("position-goal")) QTest::newRow(solver.alias.c_str()) << solver.alias;
    }
    void theLatestPoseInReachIsHeld()
    {
        QFETCH(std::string, solver);
        const Arm arm(solver);
        Poses poses(arm, m_registry);
        const SolvedFrame last = poses.at(kLastInReach);
        QVERIFY(std::string(statusName(last.handles[0])) != "held");
        for (int frame = kLastInReach + 1; frame < kFrames; ++frame) {
            const SolvedFrame& now = poses.at(frame);
            QCOMPARE(std::string(statusName(now.handles[0])), std::string("held"));
            QVERIFY(sdk::isSuccess(now.handles[0].status));
            QVERIFY(isSameChain(now.local, last.local, 0));
            const Vector3 end = now.model.modelFromJoint.back().translation();
            QVERIFY(std::abs(now.handles[0].positionError - (end - now.targets[0].goal.position).norm()) < 1e-12);
        }
        QVERIFY(std::string(statusName(poses.at(kFrames).handles[0])) != "held");
        QVERIFY(isSameChain(poses.at(kFrames - 0.5).local, last.local, 0)); // the frame after it is none to hold
    }

    void framesDoNotDependOnTheOrderOfVisits()
    {
        Arm arm("dls");
        std::mt19937 random(7);
        Poses poses(arm, m_registry);
        for (int visit = 0; visit < 60; ++visit) {
            if (visit % 20 == 19) arm.keyGoal(0.05 + 0.01 * (visit / 20)); // what is remembered is forgotten
            const double frame = 1 + static_cast<int>(random() % (2 * kFrames)) / 2.0;
            Poses fresh(arm, m_registry);
            QVERIFY(isSameChain(poses.at(frame).local, fresh.at(frame).local, 0));
        }
    }

    /// What lengths alone put out of reach: a goal that is nearer than the shorter bone lets the end come, too, and
    /// none that stretched bones meet.
    void lengthsAndStretchSayWhatIsOutOfReach()
    {
        const auto statusAt = [&](const Arm& arm, const Vector3& goal) {
            Arm moved = arm;
            moved.rig.key(moved.handle, Property::GoalPosition, 1, Vector3(0.5, 0.4, 0));
            moved.rig.key(moved.handle, Property::GoalPosition, kFrames - 1, goal);
            moved.rig.key(moved.handle, Property::GoalPosition, kFrames, goal);
            Poses poses(moved, m_registry);
            return std::string(statusName(poses.at(kFrames).handles[0]));
        };
        Arm unequal("dls");
        unequal.rig.edit(unequal.joints[2]).rest.translation = Vector3(0.2, 0, 0); // the end is 0.3 to 0.7 m away
        QCOMPARE(statusAt(unequal, Vector3(0, 0.31, 0)), std::string("converged"));
        QCOMPARE(statusAt(unequal, Vector3(0, 0.25, 0)), std::string("held"));
        QCOMPARE(statusAt(unequal, Vector3(0, 0.75, 0)), std::string("held"));

        Arm stretched("dls");
        stretched.rig.edit(stretched.handle).stretch = 1.2;
        QCOMPARE(statusAt(stretched, Vector3(0, 1.15 * kReach, 0)), std::string("stretched"));
        QCOMPARE(statusAt(stretched, Vector3(0, 1.25 * kReach, 0)), std::string("held"));
    }

    void anAimHasNoReachToHoldAt()
    {
        Arm arm("dls");
        arm.rig.edit(arm.handle).aimAxis = Vector3::UnitX();
        Poses poses(arm, m_registry);
        QCOMPARE(poses.issues().size(), 1u);
        QVERIFY2(poses.issues()[0].text.find("aims") != std::string::npos, poses.issues()[0].text.c_str());
        const HandleResult far = poses.at(kFrames - 1).handles[0];
        QCOMPARE(std::string(statusName(far)), std::string("converged"));
        QCOMPARE(far.positionError, 0.0); // only the direction counts
    }

    void withoutAnEarlierFrameTheFkPoseIsHeld()
    {
        Arm arm("dls");
        arm.rig.scene.clips.clear();
        arm.rig.set(arm.handle, Property::GoalPosition, Vector3(0, 3, 0));
        Poses poses(arm, m_registry);
        const SolvedFrame& now = poses.at(5);
        QCOMPARE(std::string(statusName(now.handles[0])), std::string("held"));
        QVERIFY((now.model.modelFromJoint.back().translation() - Vector3(0.5, 0, 0) -
                 0.5 * Vector3(std::cos(0.3), std::sin(0.3), 0))
                    .norm() < 1e-12);
    }

    /// Another handle moves the body that the arm hangs on: earlier frames are in reach as that handle has them.
    void aStartThatAnotherHandleMovesCounts()
    {
        Arm arm("dls");
        for (AxisFreedom& axis : arm.rig.edit(arm.body).sliding) axis.active = true;
        for (AxisFreedom& axis : arm.rig.edit(arm.body).turning) axis.active = false;
        const HandleId body = arm.rig.handle("body", arm.body, arm.body, "dls");
        arm.rig.edit(body).priority = 1;
        arm.rig.edit(arm.handle).priority = 2;
        // The body goes along with the goal until frame 15.
        arm.rig.key(body, Property::GoalPosition, 1, Vector3(0, 0, 0));
        arm.rig.key(body, Property::GoalPosition, 15, Vector3(0.5, 0.6, 0));
        arm.rig.key(body, Property::GoalPosition, 16, Vector3(-3, 0, 0));
        Poses poses(arm, m_registry);
        const SolvedFrame last = poses.at(15);
        QCOMPARE(std::string(statusName(last.handles[0])), std::string("converged"));
        const SolvedFrame& now = poses.at(17);
        QCOMPARE(std::string(statusName(now.handles[0])), std::string("held"));
        QVERIFY(isSameChain(now.local, last.local, 1));
        QVERIFY((now.model.modelFromJoint[0].translation() - Vector3(-3, 0, 0)).norm() < 1e-3);
    }

    void whereItHasNoEffectTheIssuesSaySo()
    {
        Arm arm("dls");
        arm.rig.edit(arm.joints[1]).sliding[0].active = true;
        Poses poses(arm, m_registry);
        QCOMPARE(poses.issues().size(), 1u);
        QVERIFY2(poses.issues()[0].text.find("slides") != std::string::npos, poses.issues()[0].text.c_str());
        QVERIFY(std::string(statusName(poses.at(15).handles[0])) != "held");
    }

    void halfBlendedAHandleHoldsHalfWay()
    {
        Arm arm("dls");
        Poses whole(arm, m_registry);
        const Quaternion held = whole.at(15).local.joints[2].rotation;
        arm.rig.set(arm.handle, Property::Blend, ChannelValue{0.5, 0, 0, 0});
        Poses half(arm, m_registry);
        const Quaternion now = half.at(15).local.joints[2].rotation;
        const Quaternion fk(Eigen::AngleAxisd(0.3, Vector3::UnitZ()));
        QVERIFY(std::abs(now.angularDistance(fk) - 0.5 * held.angularDistance(fk)) < 0.02);
    }
};

TENDON_TEST(TestHeldPoses)
#include "tst_held_poses.moc"
