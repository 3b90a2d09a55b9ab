#include "core/solve/Evaluator.h"
#include "core/solve/GoalReach.h"
#include "core/solve/StatusNames.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TestRig.h"

#include <tendon/sdk/SoftReach.h>

#include <QTest>

using namespace tendon;
using namespace tendon::test;

namespace {

constexpr double kArmBone = 0.5, kArmReach = 2 * kArmBone;

/// An arm of two bones whose elbow is a hinge, bent a little in the FK pose, and a handle to its hand.
struct StraightArm
{
    TestRig rig;
    std::vector<JointId> joints;
    HandleId handle;

    explicit StraightArm(const std::string& solver)
    {
        joints = rig.chain("joint", 3, Vector3(kArmBone, 0, 0));
        Joint& elbow = rig.edit(joints[1]);
        elbow.turning[0].active = elbow.turning[1].active = false;
        rig.set(joints[1], Property::Rz, ChannelValue{0.3, 0, 0, 0});
        handle = rig.handle("hand", joints[0], joints[2], solver);
        Handle& hand = rig.edit(handle);
        hand.positionTolerance = 1e-6;
        hand.maxIterations = 5000;
    }

    void setGoal(const Vector3& goal) { rig.set(handle, Property::GoalPosition, goal); }
};

/// One evaluator for many goals of a limb.
class ArmPose
{
public:
    ArmPose(const StraightArm& limb, const SolverRegistry& registry)
    {
        const auto compiled = compile(limb.rig.scene);
        if (!compiled) qFatal("%s", compiled.error().text().c_str());
        m_rig = *compiled;
        auto evaluator = Evaluator::create(m_rig, registry);
        if (!evaluator) qFatal("%s", evaluator.error().text().c_str());
        m_evaluator = *std::move(evaluator);
        solve(limb);
    }

    void solve(const StraightArm& limb) { m_evaluator->evaluate(limb.rig.scene, nullptr, {}, Time{}, frame); }
    [[nodiscard]] const Issues& issues() const { return m_evaluator->issues(); }
    [[nodiscard]] const HandleResult& result(std::size_t h = 0) const { return frame.handles[h]; }
    [[nodiscard]] Vector3 place(JointId joint) const
    {
        return frame.model.modelFromJoint[static_cast<std::size_t>(m_rig->index(joint))].translation();
    }
    [[nodiscard]] double bone(JointId joint) const
    {
        return frame.local.joints[static_cast<std::size_t>(m_rig->index(joint))].translation.norm();
    }
    [[nodiscard]] double elbow(const StraightArm& limb) const
    {
        const Vector3 upper = place(limb.joints[1]) - place(limb.joints[0]),
                      lower = place(limb.joints[2]) - place(limb.joints[1]);
        return std::atan2(upper.cross(lower).norm(), upper.dot(lower));
    }

    SolvedFrame frame;

private:
    std::shared_ptr<const CompiledRig> m_rig;
    std::unique_ptr<Evaluator> m_evaluator;
};

const Vector3 kArmWay = Vector3(0.6, 0.8, 0);

} // namespace

/// Soft reach, stretch and squash with every shipped solver.
class TestGoalReach : public QObject
{
    Q_OBJECT

    SolverRegistry m_registry;

    void eachSolver()
    {
        QTest::addColumn<std::string>("solver");
        for (const SolverInfo& solver : m_registry.solvers())
            if (solver.has("position-goal") && solver.alias != "pseudo-inverse") // wild near straight, by its nature
                QTest::newRow(solver.alias.c_str()) << solver.alias;
    }
    [[nodiscard]] bool isExact(const std::string& solver) const
    {
        return solver != "penalty" && solver != "jacobian-transpose" &&
               solver != "ccd"; // slow where the arm is straight
    }

private slots:
    void initTestCase()
    {
        m_registry.scan();
        QVERIFY(m_registry.solvers().size() >= 10);
    }

    void softReachSlowsTheElbowDown_data() { eachSolver(); }
    void softReachSlowsTheElbowDown()
    {
        // At full extension a bend goes as the square root of the distance left: its rate grows without bound.
        // Softened, it stays within three times the rate of mid range.
        QFETCH(std::string, solver);
        constexpr double kSoft = 0.1, kStep = 0.005;
        StraightArm limb(solver);
        limb.rig.edit(limb.handle).soft = kSoft;
        ArmPose pose(limb, m_registry);
        const double slack = isExact(solver) ? 1e-5 : 2e-3;
        const auto elbowAt = [&](double share) {
            limb.setGoal(share * kArmReach * kArmWay);
            pose.solve(limb);
            const double distance = pose.place(limb.joints[2]).norm();
            const double wanted = sdk::softReach(share * kArmReach, kArmReach, kSoft);
            if (std::abs(distance - wanted) > slack) qWarning("at %g: %.9g instead of %.9g", share, distance, wanted);
            return pose.elbow(limb);
        };
        const double usual = std::abs(elbowAt(0.8 + kStep) - elbowAt(0.8));
        double fastest = 0;
        for (double share = 0.9; share < 1.1; share += kStep)
            fastest = std::max(fastest, std::abs(elbowAt(share + kStep) - elbowAt(share)));
        QVERIFY2(fastest < 3 * usual, qPrintable(QString::number(fastest / usual)));
        limb.setGoal(0.99 * kArmReach * kArmWay);
        pose.solve(limb);
        if (isExact(solver)) {
            QCOMPARE(statusName(pose.result()), "softened");
            QVERIFY(sdk::isSuccess(pose.result().status));
            QVERIFY(std::abs(pose.result().positionError - (0.99 - sdk::softReach(0.99, 1, kSoft)) * kArmReach) < 1e-5);
            // Beyond the reach by less than the tolerance is not out of reach; by more it is.
            const double tolerance = limb.rig.edit(limb.handle).positionTolerance;
            for (const double beyond : {0.9, 1.1}) {
                limb.setGoal((kArmReach + beyond * tolerance) * kArmWay);
                pose.solve(limb);
                QCOMPARE(statusName(pose.result()), beyond < 1 ? "softened" : "unreachable");
            }
        }
    }

    void stretchReachesByLongerBones_data() { eachSolver(); }
    void stretchReachesByLongerBones()
    {
        QFETCH(std::string, solver);
        StraightArm limb(solver);
        Handle& hand = limb.rig.edit(limb.handle);
        hand.stretch = 1.5;
        hand.positionTolerance = 1e-4;
        limb.setGoal(1.3 * kArmReach * kArmWay);
        ArmPose pose(limb, m_registry);
        const double slack = isExact(solver) ? 1.1e-4 : 5e-3;
        QVERIFY2((pose.place(limb.joints[2]) - 1.3 * kArmReach * kArmWay).norm() < slack, statusName(pose.result()));
        if (isExact(solver)) QCOMPARE(statusName(pose.result()), "stretched");
        for (const std::size_t i : {1u, 2u})
            QVERIFY(std::abs(pose.bone(limb.joints[i]) - 1.3 * kArmBone) < (isExact(solver) ? 1e-12 : 1e-3));

        limb.setGoal(2 * kArmReach * kArmWay); // beyond what it may stretch
        pose.solve(limb);
        QVERIFY((pose.place(limb.joints[2]) - 1.5 * kArmReach * kArmWay).norm() < slack + 2e-3);
        QVERIFY(!sdk::isSuccess(pose.result().status));
        QVERIFY(std::abs(pose.result().positionError - 0.5 * kArmReach) < slack + 2e-3);

        limb.setGoal(0.7 * kArmReach * kArmWay); // and not before it must
        pose.solve(limb);
        for (const std::size_t i : {1u, 2u}) QCOMPARE(pose.bone(limb.joints[i]), kArmBone);
        if (isExact(solver)) QCOMPARE(statusName(pose.result()), "converged");
    }

    void limitsThatKeepTheArmBentAreStretchedOver_data() { eachSolver(); }
    void limitsThatKeepTheArmBentAreStretchedOver()
    {
        QFETCH(std::string, solver);
        StraightArm limb(solver);
        AxisFreedom& elbow = limb.rig.edit(limb.joints[1]).turning[2];
        elbow.limited = true;
        elbow.from = 0.25; // so that it reaches less than it is long
        elbow.to = 2.5;
        limb.rig.edit(limb.handle).stretch = 1.5;
        limb.rig.edit(limb.handle).positionTolerance = 1e-3;
        limb.setGoal(1.2 * kArmReach * kArmWay);
        const ArmPose pose(limb, m_registry);
        QVERIFY2((pose.place(limb.joints[2]) - 1.2 * kArmReach * kArmWay).norm() < (isExact(solver) ? 1.01e-3 : 5e-3),
                 statusName(pose.result()));
        if (isExact(solver)) QCOMPARE(statusName(pose.result()), "stretched");
        QVERIFY(pose.bone(limb.joints[1]) > 1.2 * kArmBone && pose.bone(limb.joints[1]) < 1.25 * kArmBone);
    }

    void softReachAndStretchTogetherNeverJump()
    {
        StraightArm limb("dls");
        Handle& hand = limb.rig.edit(limb.handle);
        hand.soft = 0.1;
        hand.stretch = 1.5;
        ArmPose pose(limb, m_registry);
        constexpr double kStep = 0.004;
        Vector3 before = Vector3::Zero();
        for (int i = 0; i <= 300; ++i) {
            limb.setGoal((0.7 + i * kStep) * kArmReach * kArmWay);
            pose.solve(limb);
            const Vector3 now = pose.place(limb.joints[2]);
            if (i > 0)
                QVERIFY2((now - before).norm() < 1.05 * kStep * kArmReach + 1e-4, qPrintable(QString::number(i)));
            before = now;
        }
        QVERIFY(before.norm() < 1.5 * kArmReach && before.norm() > 1.49 * kArmReach);
        QCOMPARE(statusName(pose.result()), "unreachable");
        QVERIFY(std::abs(pose.result().shortfall - 0.4 * kArmReach) < 1e-9);
    }

    void squashShortensTheBonesInsteadOfBendingThem_data() { eachSolver(); }
    void squashShortensTheBonesInsteadOfBendingThem()
    {
        QFETCH(std::string, solver);
        constexpr double kSquash = 0.6;
        StraightArm limb(solver);
        limb.rig.edit(limb.joints[1]).rest.rotation = Eigen::AngleAxisd(1, Vector3::UnitZ());
        limb.rig.set(limb.joints[1], Property::Rz, ChannelValue{0.1, 0, 0, 0});
        const double atRest = kArmReach * std::cos(0.5); // from the shoulder to the hand
        Handle& hand = limb.rig.edit(limb.handle);
        hand.squash = kSquash;
        hand.positionTolerance = 1e-4;
        const double slack = isExact(solver) ? 1.1e-4 : 5e-3;
        ArmPose pose(limb, m_registry);
        const auto solveAt = [&](double share) {
            limb.setGoal(share * atRest * kArmWay);
            pose.solve(limb);
            QVERIFY2((pose.place(limb.joints[2]) - share * atRest * kArmWay).norm() < slack, statusName(pose.result()));
        };
        solveAt(1.05); // not farther out than at rest
        for (const std::size_t i : {1u, 2u}) QCOMPARE(pose.bone(limb.joints[i]), kArmBone);
        solveAt(0.8); // the arm keeps its shape
        if (isExact(solver)) QCOMPARE(statusName(pose.result()), "squashed");
        QVERIFY(sdk::isSuccess(pose.result().status) || !isExact(solver));
        const double bone = squashFactor(0.8, kSquash) * kArmBone, bend = pose.elbow(limb);
        QVERIFY(std::abs(bone - 0.8 * kArmBone) < 0.03 * kArmBone);
        for (const std::size_t i : {1u, 2u})
            QVERIFY(std::abs(pose.bone(limb.joints[i]) - bone) < (isExact(solver) ? 1e-12 : 5e-3));
        solveAt(0.7);
        QVERIFY(std::abs(pose.elbow(limb) - bend) < (isExact(solver) ? 1e-3 : 3e-2));
        solveAt(0.4); // it is as short as it may be
        for (const std::size_t i : {1u, 2u})
            QVERIFY(std::abs(pose.bone(limb.joints[i]) - kSquash * kArmBone) < (isExact(solver) ? 1e-12 : 5e-3));
        QVERIFY(pose.elbow(limb) > bend + 0.3);
    }

    /// As the goal comes to the arm's start, the bones stay as short as they may be, also where it is exactly there.
    void squashHoldsWhereTheGoalIsAtTheStart_data() { eachSolver(); }
    void squashHoldsWhereTheGoalIsAtTheStart()
    {
        QFETCH(std::string, solver);
        constexpr double kSquash = 0.5;
        StraightArm limb(solver);
        limb.rig.edit(limb.joints[1]).rest.rotation = Eigen::AngleAxisd(1, Vector3::UnitZ());
        limb.rig.edit(limb.handle).squash = kSquash;
        ArmPose pose(limb, m_registry);
        for (const double distance : {1e-3, 1e-6, 1e-9, 0.0}) {
            limb.setGoal(distance * kArmWay);
            pose.solve(limb);
            for (const std::size_t i : {1u, 2u})
                QVERIFY2(std::abs(pose.bone(limb.joints[i]) - kSquash * kArmBone) < (isExact(solver) ? 1e-6 : 5e-3),
                         qPrintable(QString::number(pose.bone(limb.joints[i]))));
        }
    }

    void squashStartsAndStopsWithoutAJerk()
    {
        for (const double squash : {0.05, 0.5, 0.95}) {
            constexpr double kStep = 1e-4;
            double before = squashFactor(kStep, squash), slope = 0;
            for (int i = 2; i * kStep < 1.2; ++i) {
                const double x = i * kStep, factor = squashFactor(x, squash);
                QVERIFY(factor >= squash && factor <= 1 && factor - before >= -1e-12);
                QVERIFY(x / factor >= (x - kStep) / before - 1e-12); // what is asked never turns back
                QVERIFY(std::abs(factor - std::clamp(x, squash, 1.0)) <= 0.07 * (1 - squash));
                const double now = (factor - before) / kStep;
                // The slope changes by 1 at most over a parabola of the width (1 - squash) / 8, or squash times that.
                QVERIFY(i == 2 || std::abs(now - slope) < 40 * kStep / (squash * (1 - squash)));
                slope = now;
                before = factor;
            }
            QCOMPARE(squashFactor(1, squash), 1.0);
            QCOMPARE(squashFactor(0.01 * squash, squash), squash);
        }
        QCOMPARE(squashFactor(0.5, 1), 1.0);
    }

    void softReachStretchAndSquashTogetherNeverJump()
    {
        StraightArm limb("dls"); // straight at rest: soft reach and squash meet
        Handle& hand = limb.rig.edit(limb.handle);
        hand.soft = 0.1;
        hand.stretch = 1.5;
        hand.squash = 0.5;
        ArmPose pose(limb, m_registry);
        constexpr double kStep = 0.004;
        Vector3 before = Vector3::Zero();
        double bone = 0;
        for (int i = 0; i <= 400; ++i) {
            limb.setGoal((0.2 + i * kStep) * kArmReach * kArmWay);
            pose.solve(limb);
            const Vector3 now = pose.place(limb.joints[2]);
            if (i > 0) {
                QVERIFY2((now - before).norm() < 1.05 * kStep * kArmReach + 1e-4, qPrintable(QString::number(i)));
                QVERIFY(pose.bone(limb.joints[1]) - bone < 1.2 * kStep * kArmBone);
                QVERIFY(pose.bone(limb.joints[1]) - bone > -1e-9);
            }
            before = now;
            bone = pose.bone(limb.joints[1]);
        }
    }

    /// With the goal's rotation asked, an offset turns with it and is no part of what is softened or stretched.
    void turnedOffsetIsMet()
    {
        StraightArm limb("dls");
        Handle& hand = limb.rig.edit(limb.handle);
        hand.offset = {0, 0.2, 0};
        hand.orientationWeight = 1;
        hand.stretch = 2;
        hand.positionTolerance = 1e-4;
        const Quaternion turned(Eigen::AngleAxisd(0.5, Vector3::UnitZ()));
        const Vector3 goal = 1.4 * kArmReach * kArmWay + turned * hand.offset;
        limb.setGoal(goal);
        limb.rig.set(limb.handle, Property::GoalRotation, channelValue(turned));
        const ArmPose pose(limb, m_registry);
        QCOMPARE(statusName(pose.result()), "stretched");
        QVERIFY(std::abs(pose.bone(limb.joints[1]) - 1.4 * kArmBone) < 1e-9);
        QVERIFY(pose.result().positionError <= 1.0001e-4 && pose.result().rotationError <= 1.0001e-3);
    }

    void chainsWithoutAFixedReachSayThatTheyHaveNone()
    {
        const auto textOf = [&](const StraightArm& limb) {
            const ArmPose pose(limb, m_registry);
            std::string text;
            for (const Issue& issue : pose.issues()) text += issue.text + "\n";
            return text;
        };
        StraightArm slides("dls");
        slides.rig.edit(slides.joints[1]).sliding[0].active = true;
        slides.rig.edit(slides.handle).soft = 0.1;
        slides.rig.edit(slides.handle).stretch = 2;
        slides.setGoal(1.3 * kArmReach * kArmWay);
        QVERIFY(textOf(slides).find("\"soft\" has no effect: \"joint1\" slides") != std::string::npos);
        QVERIFY(textOf(slides).find("\"stretch\" has no effect: \"joint1\" slides") != std::string::npos);

        StraightArm shared("dls");
        shared.rig.edit(shared.handle).stretch = 2;
        shared.setGoal(1.3 * kArmReach * kArmWay);
        const HandleId other = shared.rig.handle("elbow", shared.joints[0], shared.joints[1], "dls");
        shared.rig.set(other, Property::GoalPosition, Vector3(0.4, 0.3, 0));
        QVERIFY(textOf(shared).find("\"stretch\" has no effect: another handle") != std::string::npos);

        StraightArm offset("dls");
        offset.rig.edit(offset.handle).stretch = 2;
        offset.rig.edit(offset.handle).offset = {0.1, 0, 0};
        offset.setGoal(1.3 * kArmReach * kArmWay);
        QVERIFY(textOf(offset).find("\"stretch\" has no effect: its effector has an offset") != std::string::npos);
        QVERIFY(textOf(StraightArm("dls")).empty());
    }
};

TENDON_TEST(TestGoalReach)
#include "tst_goal_reach.moc"
