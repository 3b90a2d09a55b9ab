#include "solvers/plane_chain/PlaneChainSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <numbers>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

Goal exactGoal(int body, const Vector3& target) { return positionGoal(body, target, 1e-9); }

Goal pole(int body, int start, const Vector3& target, double twist = 0)
{
    Goal goal = exactGoal(body, target);
    goal.kind = GoalKind::Pole;
    goal.startBody = start;
    goal.twist = twist;
    goal.rotationTolerance = 1e-9;
    return goal;
}

/// Shoulder (ball joint), elbow and wrist with random rest orientations, below a fixed, rotated root.
struct Arm
{
    SolverModel rig;
    int shoulder, elbow, wrist;

    explicit Arm(std::mt19937& random, JointKind middle = JointKind::Revolute, double upper = 0.7, double lower = 0.5)
    {
        const int root = rig.add(-1, JointKind::Fixed, randomUnit(random), {}, 0, randomRotation(random));
        shoulder = rig.add(root, JointKind::Ball, randomUnit(random) * 0.2, {}, 0, randomRotation(random));
        const Vector3 bone = randomUnit(random);
        const std::vector<Vector3> axes = middle == JointKind::Revolute
                                              ? std::vector<Vector3>{kit::anyPerpendicular(bone)}
                                              : std::vector<Vector3>{};
        elbow = rig.add(shoulder, middle, bone * upper, axes);
        wrist = rig.add(elbow, JointKind::Ball, bone * lower, {}, 0, randomRotation(random));
    }

    [[nodiscard]] Vector3 at(const std::vector<double>& q, int body) const
    {
        return rig.frames(q)[static_cast<std::size_t>(body)].position;
    }
};

} // namespace

class TestTwoBone : public QObject
{
    Q_OBJECT

private slots:
    void reachesTargetAndPole_data()
    {
        QTest::addColumn<int>("middle");
        QTest::newRow("revolute") << int(JointKind::Revolute);
        QTest::newRow("ball") << int(JointKind::Ball);
    }

    void reachesTargetAndPole()
    {
        QFETCH(int, middle);
        std::mt19937 random(21);
        double worst = 0, worstPole = 0;
        for (int i = 0; i < 500; ++i) {
            const Arm arm(random, static_cast<JointKind>(middle));
            const auto solver = makeTwoBoneSolver();
            QCOMPARE(solver->prepare(arm.rig.model(), 2), Status::Converged);
            const std::vector<double> seed = i % 4 == 0 ? arm.rig.seed
                                                        : arm.rig.randomConfiguration(random, 1.5); // also straight
            const double distance = std::uniform_real_distribution<double>(0.21, 1.19)(random);
            const Vector3 target = arm.at(seed, arm.shoulder) + distance * randomUnit(random);
            const Goal goals[] = {exactGoal(arm.wrist, target),
                                  pole(arm.wrist, arm.shoulder, target + 2 * randomUnit(random), 0.3)};
            sdk::Problem problem;
            problem.seed = seed;
            const SolveResult result = solveOnce(*solver, arm.rig, goals, problem);
            QCOMPARE(result.status, Status::Converged);
            QCOMPARE(result.solution.iterations, 0);
            worst = std::max(worst, (arm.at(result.q, arm.wrist) - target).norm());
            worstPole = std::max(worstPole, result.goals[1].rotationError);
            // The wrist keeps its local rotation.
            for (int k = 0; k < 4; ++k)
                QCOMPARE(result.q[static_cast<std::size_t>(arm.rig.qBegin[static_cast<std::size_t>(arm.wrist)] + k)],
                         seed[static_cast<std::size_t>(arm.rig.qBegin[static_cast<std::size_t>(arm.wrist)] + k)]);
        }
        qInfo("largest error %.3g m, %.3g rad", worst, worstPole);
        QVERIFY(worst < 1e-9);
        QVERIFY(worstPole < 1e-9);
    }

    void twistRotatesTheElbowAboutTheHandleVector()
    {
        std::mt19937 random(22);
        for (int i = 0; i < 100; ++i) {
            const Arm arm(random);
            const auto solver = makeTwoBoneSolver();
            QCOMPARE(solver->prepare(arm.rig.model(), 2), Status::Converged);
            const Vector3 shoulder = arm.at(arm.rig.seed, arm.shoulder), target = shoulder + 0.9 * randomUnit(random);
            const Vector3 towards = target + 2 * randomUnit(random), axis = (target - shoulder).normalized();
            Vector3 bend[2];
            for (int twisted = 0; twisted < 2; ++twisted) {
                const Goal goals[] = {exactGoal(arm.wrist, target),
                                      pole(arm.wrist, arm.shoulder, towards, twisted * 90 * kDegree)};
                const SolveResult result = solveOnce(*solver, arm.rig, goals);
                const Vector3 elbow = arm.at(result.q, arm.elbow) - shoulder;
                bend[twisted] = elbow - axis * axis.dot(elbow);
            }
            const double angle = std::atan2(axis.dot(bend[0].cross(bend[1])), bend[0].dot(bend[1])) / kDegree;
            QVERIFY2(std::abs(angle - 90) < 0.1, qPrintable(QString::number(angle)));
        }
    }

    void theEndMeetsAnOrientationGoalWithAnOffset()
    {
        std::mt19937 random(23);
        for (int i = 0; i < 200; ++i) {
            const Arm arm(random);
            const auto solver = makeTwoBoneSolver();
            QCOMPARE(solver->prepare(arm.rig.model(), 1), Status::Converged);
            const Quaternion wished = randomRotation(random);
            const Vector3 offset = 0.1 * randomUnit(random);
            const double distance = std::uniform_real_distribution<double>(0.35, 1.05)(random);
            Goal goal = exactGoal(arm.wrist, arm.at(arm.rig.seed, arm.shoulder) + distance * randomUnit(random));
            goal.kind = GoalKind::Pose;
            goal.rotationTolerance = 1e-9;
            kit::store(wished, goal.targetRotation);
            for (int k = 0; k < 3; ++k) goal.offset[k] = offset[k];
            const SolveResult result = solveOnce(*solver, arm.rig, {&goal, 1});
            QCOMPARE(result.status, Status::Converged);
        }
    }

    void beyondReachTheLimbIsStraightAndReportsIt()
    {
        std::mt19937 random(24);
        const Arm arm(random);
        const auto solver = makeTwoBoneSolver();
        QCOMPARE(solver->prepare(arm.rig.model(), 1), Status::Converged);
        const Vector3 shoulder = arm.at(arm.rig.seed, arm.shoulder), way = randomUnit(random);
        const Goal goal = exactGoal(arm.wrist, shoulder + 1.5 * way);
        const SolveResult result = solveOnce(*solver, arm.rig, {&goal, 1});
        QCOMPARE(result.status, Status::Unreachable);
        QVERIFY(std::abs(result.goals[0].shortfall - 0.3) < 1e-9);
        QVERIFY((arm.at(result.q, arm.wrist) - (shoulder + 1.2 * way)).norm() < 1e-9);

        sdk::Problem hold;
        hold.unreachable = sdk::Unreachable::Hold;
        const SolveResult held = solveOnce(*solver, arm.rig, {&goal, 1}, hold);
        QCOMPARE(held.status, Status::Unreachable);
        QCOMPARE(held.q, arm.rig.seed);
    }

    void kneeLimitsHoldAndAreNamed()
    {
        std::mt19937 random(25);
        for (int i = 0; i < 200; ++i) {
            Arm arm(random);
            const int knee = arm.rig.vBegin[static_cast<std::size_t>(arm.elbow)];
            arm.rig.limit(knee, 0, 60 * kDegree);
            const auto solver = makeTwoBoneSolver();
            QCOMPARE(solver->prepare(arm.rig.model(), 1), Status::Converged);
            const double distance = std::uniform_real_distribution<double>(0.3, 1.19)(random);
            const Goal goal = exactGoal(arm.wrist, arm.at(arm.rig.seed, arm.shoulder) + distance * randomUnit(random));
            const SolveResult result = solveOnce(*solver, arm.rig, {&goal, 1});
            const double q = result.q[static_cast<std::size_t>(arm.rig.qBegin[static_cast<std::size_t>(arm.elbow)])];
            QVERIFY(q >= 0 && q <= 60 * kDegree);
            const double shortest = std::sqrt(0.49 + 0.25 + 0.7 * std::cos(60 * kDegree));
            if (distance > shortest) {
                QCOMPARE(result.status, Status::Converged);
            } else {
                QCOMPARE(result.status, Status::LimitsBlock);
                QCOMPARE(result.goals[0].blockingDof, knee);
                QCOMPARE(result.limitHits[static_cast<std::size_t>(knee)], std::int8_t(1));
                QVERIFY(std::abs(result.goals[0].positionError - (shortest - distance)) < 1e-9);
            }
        }
    }

    void shoulderLimitsAlwaysHold()
    {
        std::mt19937 random(26);
        for (int i = 0; i < 300; ++i) {
            Arm arm(random);
            const auto shoulder = static_cast<std::size_t>(arm.shoulder);
            const double semiAxes[] = {0.9, 0.4, 0.7, 0.2};
            std::copy_n(semiAxes, 4, arm.rig.ballSwing.begin() + 4 * arm.shoulder);
            arm.rig.ballTwist[2 * shoulder] = -0.5;
            arm.rig.ballTwist[2 * shoulder + 1] = 0.3;
            const auto solver = makeTwoBoneSolver();
            QCOMPARE(solver->prepare(arm.rig.model(), 1), Status::Converged);
            const Goal goal = exactGoal(arm.wrist, arm.at(arm.rig.seed, arm.shoulder) + 0.8 * randomUnit(random));
            const SolveResult result = solveOnce(*solver, arm.rig, {&goal, 1});
            QVERIFY(isUsable(result.status));
            const Quaternion turned = kit::quaternionAt(&result.q[static_cast<std::size_t>(arm.rig.qBegin[shoulder])]);
            QVERIFY(kit::ballViolation(arm.rig.model(), arm.shoulder, turned) < 1e-9);
        }
    }

    void degenerateProblemsStayFinite()
    {
        std::mt19937 random(28);
        for (const auto& [upper, lower] :
             {std::pair{0.5, 0.5}, std::pair{0.0, 0.5}, std::pair{0.5, 0.0}, std::pair{0.0, 0.0}})
            for (int i = 0; i < 20; ++i) {
                const Arm arm(random, i % 2 == 0 ? JointKind::Revolute : JointKind::Ball, upper, lower);
                const auto solver = makeTwoBoneSolver();
                QCOMPARE(solver->prepare(arm.rig.model(), 2), Status::Converged);
                const Vector3 shoulder = arm.at(arm.rig.seed, arm.shoulder), way = randomUnit(random);
                for (const double distance : {0.0, 0.5, 1.0, 2.0}) {
                    const Vector3 target = shoulder + distance * way;
                    const Goal goals[] = {exactGoal(arm.wrist, target),
                                          pole(arm.wrist, arm.shoulder, target + way)}; // pole on the line
                    const SolveResult result = solveOnce(*solver, arm.rig, goals);
                    QVERIFY(isUsable(result.status));
                    for (const double x : result.q) QVERIFY(std::isfinite(x));
                }
            }
    }

    void unsupportedProblemsAreRefused()
    {
        std::mt19937 random(29);
        Arm arm(random);
        const auto solver = makeTwoBoneSolver();
        QCOMPARE(solver->prepare(arm.rig.model(), 2), Status::Converged);
        const Goal onElbow = exactGoal(arm.elbow, Vector3::Zero()); // one bone only
        QCOMPARE(solveOnce(*solver, arm.rig, {&onElbow, 1}).status, Status::Unsupported);
        const Goal both[] = {exactGoal(arm.wrist, Vector3::Zero()), onElbow};
        QCOMPARE(solveOnce(*solver, arm.rig, both).status, Status::Unsupported);

        arm.rig.add(arm.wrist, JointKind::Revolute, Vector3::UnitX(), {Vector3::UnitZ()});
        const int tip = arm.rig.add(arm.wrist + 1, JointKind::Fixed, Vector3::UnitX());
        QCOMPARE(solver->prepare(arm.rig.model(), 2), Status::Converged);
        const Goal onTip = exactGoal(tip, Vector3::Zero()); // four rotating joints
        QCOMPARE(solveOnce(*solver, arm.rig, {&onTip, 1}).status, Status::Unsupported);

        // With the upper two joints locked, the lower two form a chain: hinge and ball.
        std::vector<std::uint8_t> locked(arm.rig.lower.size(), 0);
        for (int v = 0; v < arm.rig.vBegin[static_cast<std::size_t>(arm.wrist)]; ++v)
            locked[static_cast<std::size_t>(v)] = 1;
        sdk::Problem problem;
        problem.locked = locked;
        const Vector3 near = arm.at(arm.rig.seed, arm.wrist) + 1.2 * randomUnit(random);
        const Goal reachable = exactGoal(tip, near);
        const SolveResult result = solveOnce(*solver, arm.rig, {&reachable, 1}, problem);
        QVERIFY(isUsable(result.status));
        for (std::size_t k = 0; k < 5; ++k) QCOMPARE(result.q[k], arm.rig.seed[k]);
    }
};

TENDON_TEST(TestTwoBone)
#include "tst_two_bone.moc"
