#include "solvers/penalty/PenaltySolver.h"
#include "tests/support/PlanarArm.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TracedSolve.h"

using namespace tendon;
using kit::Vector3;
using sdk::Goal;
using sdk::JointKind;
using sdk::Status;

namespace {

/// One planar arm with its problem; the spans stay valid as long as it lives.
struct Springs
{
    PlanarArm arm;
    SolverModel rig = PlanarArm::rig();
    Goal goal = arm.goal();
    sdk::Objectives objectives;
    sdk::Stop stop;
    sdk::Problem problem;

    Springs()
    {
        objectives.restPose = arm.restWeight;
        stop.maxIterations = 20000;
        stop.stall = 1e-13; // short steps are not the end of a slow method
        problem.seed = arm.seed;
        problem.posture = arm.rest;
        problem.objectives = &objectives;
        problem.stop = &stop;
    }

    [[nodiscard]] double total(const std::vector<double>& q, double weight) const
    {
        const Eigen::Vector3d at = PlanarArm::vector(q);
        return arm.objective(at) + 0.5 * weight * arm.off(at).squaredNorm();
    }

    [[nodiscard]] std::unique_ptr<sdk::Solver>
    solver(std::initializer_list<std::pair<const char*, double>> parameters) const
    {
        auto made = makePenaltySolver();
        for (const auto& [id, value] : parameters) [[maybe_unused]] const bool isSet = made->setParameter(id, value);
        return made->prepare(rig.model(), 2) == Status::Converged ? std::move(made) : nullptr;
    }
};

} // namespace

class TestPenalty : public QObject
{
    Q_OBJECT

private slots:
    void theErrorFallsAsTheInverseOfTheWeight()
    {
        const Springs scene;
        std::vector<double> errors;
        double worst = 0;
        for (const double weight : {1.0, 10.0, 100.0, 1000.0, 1e4}) {
            const auto solver = scene.solver({{"weight", weight}, {"accuracy", 1e-6}});
            const SolveResult result = solveOnce(*solver, scene.rig, {&scene.goal, 1}, scene.problem);
            QCOMPARE(result.status, Status::Stalled); // at the lowest point, and the goal is missed
            const Eigen::Vector3d least = scene.arm.springOptimum(PlanarArm::vector(result.q), weight);
            worst = std::max(worst, (PlanarArm::vector(result.q) - least).norm());
            errors.push_back(result.goals[0].positionError);
        }
        qInfo("weights 1, 10, 100, 1000, 10000: off by %.4g, %.4g, %.4g, %.4g, %.4g m; poses within %.2g of the least",
              errors[0], errors[1], errors[2], errors[3], errors[4], worst);
        for (std::size_t k = 1; k < errors.size(); ++k) QVERIFY(errors[k] < errors[k - 1]);
        QVERIFY(std::abs(errors[2] / errors[3] - 10) < 0.3);
        QVERIFY(std::abs(errors[3] / errors[4] - 10) < 0.03);
        QVERIFY(worst < 1e-5); // F shows no more than the square of it
    }

    void withLineSearchTheTotalNeverRises()
    {
        const Springs scene;
        std::mt19937 random(11);
        int rises = 0, steps = 0;
        for (int i = 0; i < 40; ++i) {
            Springs each;
            each.arm.seed = each.rig.randomConfiguration(random, 3);
            each.problem.seed = each.arm.seed;
            const auto solver = each.solver({{"weight", 100}});
            const TracedSolve traced(*solver, each.rig, {&each.goal, 1}, each.problem);
            double before = each.total(each.arm.seed, 100);
            for (const std::vector<double>& pose : traced.poses) {
                const double after = each.total(pose, 100);
                rises += after > before * (1 + 1e-13) ? 1 : 0; // rounding of the two formulas
                ++steps;
                before = after;
            }
        }
        qInfo("%d steps, %d of them up", steps, rises);
        QVERIFY(steps > 400);
        QCOMPARE(rises, 0);
    }

    void withoutLineSearchStepsAreAFixedShareOfTheGradient()
    {
        // A short step falls steadily and ends at the same pose; a long one overshoots, which line search prevents.
        const Springs scene;
        const double weight = 10;
        const auto searching = scene.solver({{"weight", weight}, {"accuracy", 1e-6}}),
                   fixed = scene.solver({{"weight", weight}, {"lineSearch", 0}, {"accuracy", 1e-6}}),
                   large = scene.solver({{"weight", weight}, {"lineSearch", 0}, {"step", 10}});
        const TracedSolve a(*searching, scene.rig, {&scene.goal, 1}, scene.problem),
            b(*fixed, scene.rig, {&scene.goal, 1}, scene.problem);
        Springs brief;
        brief.stop.maxIterations = 50;
        const TracedSolve c(*large, brief.rig, {&brief.goal, 1}, brief.problem);
        QCOMPARE(b.result.status, Status::Stalled);
        QVERIFY((PlanarArm::vector(a.result.q) - PlanarArm::vector(b.result.q)).norm() < 1e-5);

        double before = scene.total(scene.arm.seed, weight);
        bool rises = false;
        for (const std::vector<double>& pose : c.poses) {
            const double after = scene.total(pose, weight);
            rises |= after > before;
            before = after;
        }
        QVERIFY(rises);

        // Linear: near the end each step leaves the same share of what was left.
        const double least = scene.total(b.result.q, weight);
        std::vector<double> left;
        for (const std::vector<double>& pose : b.poses)
            if (const double over = scene.total(pose, weight) - least; over > 1e-8) left.push_back(over);
        QVERIFY(left.size() > 30);
        const std::size_t n = left.size();
        const double share = left[n - 1] / left[n - 2], earlier = left[n - 11] / left[n - 12];
        qInfo("fixed steps: %zu iterations, each leaves %.4f of the rest (ten before: %.4f); line search: %zu",
              b.rows.size(), share, earlier, a.rows.size());
        QVERIFY(share > 0.5 && share < 1 && std::abs(share - earlier) < 0.01);
        QVERIFY(a.rows.size() < b.rows.size());
    }

    void withoutObjectivesTheGoalIsMet()
    {
        Springs scene;
        scene.objectives = {};
        scene.goal.positionTolerance = 1e-5;
        for (const double lineSearch : {0.0, 1.0}) {
            const auto solver = scene.solver({{"lineSearch", lineSearch}});
            const SolveResult result = solveOnce(*solver, scene.rig, {&scene.goal, 1}, scene.problem);
            QCOMPARE(result.status, Status::Converged);
            QVERIFY(scene.arm.off(PlanarArm::vector(result.q)).norm() * PlanarArm::kLengthOfRadian <= 1e-5);
        }
    }

    void fightingGoalsSettleByTheirWeights()
    {
        // Two springs at one end: the mean, weighted by the squares of the weights; each reports its own residual.
        Springs scene;
        scene.objectives = {};
        const Vector3 middle(1.2, 1.6, 0), apart(0.1, -0.05, 0);
        const Goal goals[] = {positionGoal(3, middle + apart, 1e-6, 2), positionGoal(3, middle - apart, 1e-6, 1)};
        const auto solver = scene.solver({{"accuracy", 1e-9}});
        const SolveResult result = solveOnce(*solver, scene.rig, goals, scene.problem);
        QCOMPARE(result.status, Status::Stalled);
        const double whole = 2 * apart.norm();
        QVERIFY(std::abs(result.goals[0].positionError - 0.2 * whole) < 1e-6);
        QVERIFY(std::abs(result.goals[1].positionError - 0.8 * whole) < 1e-6);
        QVERIFY(std::abs(result.goals[0].multiplier - result.goals[1].multiplier) < 1e-3); // equal and opposite
    }

    void limitsAreKeptAndFollowed()
    {
        Springs scene;
        scene.rig.limit(1, -0.1, 0.3);
        const auto solver = scene.solver({{"weight", 100}, {"accuracy", 1e-9}});
        const SolveResult result = solveOnce(*solver, scene.rig, {&scene.goal, 1}, scene.problem);
        QCOMPARE(scene.rig.violation(result.q), 0.0);
        const Eigen::Vector3d q = PlanarArm::vector(result.q);
        const Eigen::Vector3d slope = scene.arm.gradient(q) +
                                      100 * scene.arm.jacobian(q).transpose() * scene.arm.off(q);
        QCOMPARE(q[1], 0.3);
        QVERIFY(slope[1] < -1e-3); // it would go further, and everything else is at rest
        QVERIFY(std::abs(slope[0]) < 1e-5 && std::abs(slope[2]) < 1e-5);
    }
};

TENDON_TEST(TestPenalty)
#include "tst_penalty.moc"
