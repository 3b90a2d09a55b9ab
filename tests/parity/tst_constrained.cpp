#include "solvers/constrained/ConstrainedSolver.h"
#include "solvers/penalty/PenaltySolver.h"
#include "tests/support/PlanarArm.h"
#include "tests/support/TestProgram.h"
#include "tests/support/TracedSolve.h"

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

/// Five bones of 0.3 m, balls and universal joints in turn: 13 DOFs.
SolverModel arm(std::mt19937& random)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < 5; ++i) {
        const bool isBall = i % 2 == 0;
        b = rig.add(b, isBall ? JointKind::Ball : JointKind::Universal,
                    i == 0 ? Vector3(Vector3::Zero()) : Vector3(0.3 * randomUnit(random)),
                    isBall ? std::vector<Vector3>{} : std::vector<Vector3>{randomUnit(random), randomUnit(random)}, 0,
                    randomRotation(random));
        rig.mass.back() = 5 - i;
        rig.centre[rig.centre.size() - 3] = 0.1;
    }
    rig.add(b, JointKind::Fixed, 0.3 * Vector3::UnitX());
    return rig;
}

/// One problem with the arrays that its spans view.
struct Scene
{
    SolverModel rig;
    std::vector<double> seed, posture, natural, previous;
    std::vector<Goal> goals;
    sdk::Objectives objectives;
    sdk::Stop stop;

    [[nodiscard]] sdk::Problem problem() const
    {
        sdk::Problem result;
        result.seed = seed;
        result.posture = posture;
        result.natural = natural;
        result.previous = previous;
        result.dt = 1.0 / 24;
        result.objectives = &objectives;
        result.stop = &stop;
        return result;
    }

    [[nodiscard]] SolveResult solve(std::initializer_list<std::pair<const char*, double>> parameters = {}) const
    {
        return traced(parameters).result;
    }

    [[nodiscard]] TracedSolve traced(std::initializer_list<std::pair<const char*, double>> parameters = {}) const
    {
        ConstrainedSolver solver;
        for (const auto& [id, value] : parameters) [[maybe_unused]] const bool isSet = solver.setParameter(id, value);
        [[maybe_unused]] const Status ready = solver.prepare(rig.model(), static_cast<std::int32_t>(goals.size()));
        return {solver, rig, goals, problem()};
    }

    /// What the solver says it minimises, without masses: 1/2 |q - seed|^2 + 1/2 restPose |q - posture|^2.
    [[nodiscard]] double value(const std::vector<double>& q) const
    {
        return 0.5 * squaredWay(seed, q) + 0.5 * objectives.restPose * squaredWay(posture, q);
    }

    [[nodiscard]] double squaredWay(const std::vector<double>& p, const std::vector<double>& q) const
    {
        const sdk::Model model = rig.model();
        double squared = 0;
        for (int b = 0; b < model.bodyCount; ++b) {
            double way[6] = {};
            kit::differenceBody(model, b, p.data() + model.qBegin[b], q.data() + model.qBegin[b], way);
            for (int k = 0; k < model.vBegin[b + 1] - model.vBegin[b]; ++k) squared += way[k] * way[k];
        }
        return squared;
    }
};

Scene planarScene(const PlanarArm& planar)
{
    Scene scene;
    scene.rig = PlanarArm::rig();
    scene.seed = planar.seed;
    scene.posture = planar.rest;
    scene.objectives.restPose = planar.restWeight;
    scene.goals = {planar.goal()};
    return scene;
}

PlanarArm planarArm()
{
    PlanarArm planar;
    planar.anchorWeight = 1; // least motion from the seed
    planar.restWeight = 3;
    return planar;
}

Scene randomScene(std::mt19937& random, GoalKind kind)
{
    Scene scene;
    scene.rig = arm(random);
    scene.seed = scene.rig.randomConfiguration(random, 0.8);
    scene.posture = scene.rig.randomConfiguration(random, 0.8);
    const kit::Frame<double> wanted = scene.rig.frames(scene.rig.randomConfiguration(random, 0.8)).back();
    Goal goal = positionGoal(5, wanted.position, 1e-8);
    goal.kind = kind;
    goal.rotationTolerance = 1e-8;
    kit::store(wanted.rotation, goal.targetRotation);
    scene.goals = {goal};
    scene.objectives.restPose = 2;
    return scene;
}

} // namespace

class TestConstrained : public QObject
{
    Q_OBJECT

private slots:
    void theAnswerIsTheOptimum()
    {
        // Against Newton's method on the whole dense system, written out for the planar arm.
        std::mt19937 random(31);
        double worst = 0, worstMultiplier = 0;
        int solved = 0;
        for (int i = 0; i < 30; ++i) {
            PlanarArm planar = planarArm();
            const SolverModel rig = PlanarArm::rig();
            planar.seed = rig.randomConfiguration(random, 1);
            planar.rest = rig.randomConfiguration(random, 1);
            planar.target = rig.frames(rig.randomConfiguration(random, 1.5)).back().position.head<2>();
            const SolveResult result = planarScene(planar).solve();
            QCOMPARE(result.status, Status::Converged);
            const PlanarArm::Optimum optimum = planar.constrainedOptimum(PlanarArm::vector(result.q));
            const double off = (PlanarArm::vector(result.q) - optimum.q).norm();
            if (off < 1e-6) ++solved;
            worst = std::max(worst, off);
            const double pull = optimum.multipliers.norm() / PlanarArm::kLengthOfRadian;
            worstMultiplier = std::max(worstMultiplier, std::abs(result.goals[0].multiplier - pull) / (1 + pull));
        }
        qInfo("%d of 30 at the optimum; poses within %.2g rad, multipliers within %.2g", solved, worst,
              worstMultiplier);
        QCOMPARE(solved, 30);
        QVERIFY(worst < 1e-9);
        QVERIFY(worstMultiplier < 1e-8);
    }

    void convergenceIsQuadratic_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("planar arm, position") << -1;
        QTest::newRow("position") << static_cast<int>(GoalKind::Position);
        QTest::newRow("orientation") << static_cast<int>(GoalKind::Orientation);
        QTest::newRow("pose") << static_cast<int>(GoalKind::Pose);
    }

    void convergenceIsQuadratic()
    {
        QFETCH(int, kind);
        std::mt19937 random(32);
        double worst = 0;
        int longest = 0, measured = 0;
        QString first;
        for (int i = 0; i < 20; ++i) {
            Scene scene = kind < 0 ? planarScene(planarArm()) : randomScene(random, static_cast<GoalKind>(kind));
            if (kind < 0) scene.seed = scene.rig.randomConfiguration(random, 0.5);
            const TracedSolve traced = scene.traced({{"accuracy", 1e-12}});
            if (traced.result.status != Status::Converged) continue;
            // How far each pose is from the last one, once Newton's steps are at home.
            std::vector<double> errors;
            for (std::size_t k = 0; k < traced.poses.size(); ++k)
                if (traced.rows[k].stage == 1)
                    errors.push_back(std::sqrt(scene.squaredWay(traced.result.q, traced.poses[k])));
            int run = 0;
            QString row;
            for (std::size_t k = 0; k + 1 < errors.size(); ++k) {
                row += QStringLiteral(" %1").arg(errors[k], 0, 'g', 3);
                if (errors[k] > 0.5 || errors[k + 1] < 1e-13) continue; // not near yet; rounding
                worst = std::max(worst, (errors[k + 1] - 1e-12) / (errors[k] * errors[k]));
                ++run;
            }
            if (first.isEmpty()) first = row;
            longest = std::max(longest, run);
            measured += run;
        }
        qInfo("errors of the first:%s; next error at most %.3g times the square; %d pairs, up to %d in one solve",
              qPrintable(first), worst, measured, longest);
        QVERIFY(measured >= 30 && longest >= 2);
        QVERIFY(worst < 20);
    }

    void withoutCurvatureConvergenceIsLinear()
    {
        // What the exact second derivatives are for.
        Scene scene = planarScene(planarArm());
        const TracedSolve with = scene.traced({{"accuracy", 1e-12}}),
                          without = scene.traced({{"accuracy", 1e-12}, {"curvature", 0}});
        QCOMPARE(without.result.status, Status::Converged);
        QVERIFY(std::sqrt(scene.squaredWay(with.result.q, without.result.q)) < 1e-9);
        std::vector<double> errors;
        for (const std::vector<double>& pose : without.poses)
            errors.push_back(std::sqrt(scene.squaredWay(with.result.q, pose)));
        int steady = 0;
        for (std::size_t k = 0; k + 1 < errors.size(); ++k)
            steady += errors[k] < 1e-2 && errors[k] > 1e-9 && errors[k + 1] > 0.01 * errors[k] ? 1 : 0;
        qInfo("%zu steps with curvature, %zu without, %d of them leaving more than 1 %%", with.rows.size(),
              without.rows.size(), steady);
        QVERIFY(steady >= 3);
        QVERIFY(with.rows.size() < without.rows.size());
    }

    void theMultiplierIsTheSlopeOfTheBestValue_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("position") << static_cast<int>(GoalKind::Position);
        QTest::newRow("orientation") << static_cast<int>(GoalKind::Orientation);
        QTest::newRow("pose") << static_cast<int>(GoalKind::Pose);
    }

    void theMultiplierIsTheSlopeOfTheBestValue()
    {
        // dF*/d(target) by central differences of the whole solve.
        QFETCH(int, kind);
        std::mt19937 random(33);
        double worst = 0;
        for (int i = 0; i < 10; ++i) {
            Scene scene = randomScene(random, static_cast<GoalKind>(kind));
            const SolveResult result = scene.solve({{"accuracy", 1e-12}});
            QCOMPARE(result.status, Status::Converged);
            Vector3 slope;
            constexpr double kStep = 1e-5;
            for (int k = 0; k < 3; ++k) {
                double values[2];
                for (const int side : {0, 1}) {
                    Scene moved = scene;
                    Goal& goal = moved.goals[0];
                    if (kind != static_cast<int>(GoalKind::Orientation)) {
                        goal.targetPosition[k] += side == 0 ? kStep : -kStep;
                    } else {
                        const Vector3 turn = (side == 0 ? kStep : -kStep) * Vector3::Unit(k);
                        kit::store(Quaternion(kit::expMap(turn) * kit::quaternionAt(goal.targetRotation)),
                                   goal.targetRotation);
                    }
                    const SolveResult other = moved.solve({{"accuracy", 1e-12}});
                    QCOMPARE(other.status, Status::Converged);
                    values[side] = moved.value(other.q);
                }
                slope[k] = (values[0] - values[1]) / (2 * kStep);
            }
            worst = std::max(worst, std::abs(slope.norm() - result.goals[0].multiplier) / (1 + slope.norm()));
        }
        qInfo("slope and multiplier differ by at most %.2g", worst);
        QVERIFY(worst < 1e-5);
    }

    void aSpringsForceNearsTheMultiplier()
    {
        const PlanarArm planar = planarArm();
        Scene scene = planarScene(planar);
        scene.objectives.restPose = 4;
        scene.posture = scene.seed = {0.3, 0.1, 0.2}; // so that 1 + 4 of the one is 5 of the other
        const double pull = scene.solve().goals[0].multiplier;
        PenaltySolver springs;
        QVERIFY(springs.setParameter("weight", 1e5) && springs.setParameter("accuracy", 1e-9));
        QCOMPARE(springs.prepare(scene.rig.model(), 1), Status::Converged);
        scene.objectives.restPose = 5;
        scene.stop.maxIterations = 50000;
        const SolveResult result = solveOnce(springs, scene.rig, scene.goals, scene.problem());
        qInfo("multiplier %.6f, spring %.6f", pull, result.goals[0].multiplier);
        QVERIFY(std::abs(result.goals[0].multiplier / pull - 1) < 1e-3);
    }

    void withoutObjectivesThePoseMovesLeast()
    {
        // What is left of the way from the seed, the goal must balance: it lies in the span of the goal's rows.
        std::mt19937 random(34);
        double worst = 0;
        for (int i = 0; i < 30; ++i) {
            PlanarArm planar = planarArm();
            planar.restWeight = 0;
            const SolverModel rig = PlanarArm::rig();
            planar.seed = rig.randomConfiguration(random, 1.5);
            planar.target = rig.frames(rig.randomConfiguration(random, 1.5)).back().position.head<2>();
            const SolveResult result = planarScene(planar).solve();
            QCOMPARE(result.status, Status::Converged);
            const Eigen::Vector3d q = PlanarArm::vector(result.q);
            const Eigen::Vector3d way = planar.gradient(q);
            const Eigen::Vector2d pull = PlanarArm::balance(planar.jacobian(q), way);
            worst = std::max(worst, (way - planar.jacobian(q).transpose() * pull).norm() / (1e-3 + way.norm()));
        }
        qInfo("share of the way that no goal balances: at most %.2g", worst);
        QVERIFY(worst < 1e-7);
    }

    void limitsHoldAtTheOptimum()
    {
        // At a limit the slope points outward, everywhere else the goal balances it.
        std::mt19937 random(35);
        int atLimit = 0, met = 0;
        double worst = 0;
        for (int i = 0; i < 60; ++i) {
            PlanarArm planar = planarArm();
            Scene scene = planarScene(planar);
            scene.rig.limit(0, -1.2, 1.2);
            scene.rig.limit(1, -0.8, 0.9);
            scene.rig.limit(2, -0.7, 0.7);
            scene.seed = planar.seed = scene.rig.randomConfiguration(random);
            scene.posture = planar.rest = scene.rig.randomConfiguration(random);
            planar.target = scene.rig.frames(scene.rig.randomConfiguration(random)).back().position.head<2>();
            scene.goals = {planar.goal(1e-7)};
            const SolveResult result = scene.solve();
            QCOMPARE(scene.rig.violation(result.q), 0.0);
            if (result.status != Status::Converged) continue; // a dead end that limits make
            ++met;
            const Eigen::Vector3d q = PlanarArm::vector(result.q);
            PlanarArm::Rows freeRows = planar.jacobian(q);
            for (int k = 0; k < 3; ++k)
                if (result.limitHits[static_cast<std::size_t>(k)] != 0) freeRows.col(k).setZero();
            const auto hits = std::count_if(result.limitHits.begin(), result.limitHits.begin() + 3,
                                            [](int hit) { return hit != 0; });
            if (hits > 1) continue; // the goal alone decides
            const Eigen::Vector2d pull = PlanarArm::balance(freeRows, planar.gradient(q));
            const Eigen::Vector3d slope = planar.gradient(q) - planar.jacobian(q).transpose() * pull;
            for (Eigen::Index k = 0; k < 3; ++k) {
                const int hit = result.limitHits[static_cast<std::size_t>(k)];
                atLimit += hit != 0 ? 1 : 0;
                worst = std::max(worst, hit == 0 ? std::abs(slope[k]) : slope[k] * hit);
            }
        }
        qInfo("%d of 60 met, %d joints at limits; slope that nothing balances at most %.2g", met, atLimit, worst);
        QVERIFY(met >= 40 && atLimit >= 10);
        QVERIFY(worst < 1e-6);
    }

    void atTheCapTheStatusSaysSoAndGoalsStayMet()
    {
        std::mt19937 random(36);
        int cut = 0;
        for (int i = 0; i < 10; ++i) {
            Scene scene = randomScene(random, GoalKind::Position);
            scene.goals[0].positionTolerance = 1e-4;
            const SolveResult whole = scene.solve();
            QCOMPARE(whole.status, Status::Converged);
            scene.objectives = {};
            const int nearing = scene.solve().solution.iterations;
            scene.objectives.restPose = 2;
            for (int cap = 0; cap < whole.solution.iterations; ++cap) {
                scene.stop.maxIterations = cap;
                const SolveResult result = scene.solve();
                QVERIFY2(result.status == Status::IterationLimit, qPrintable(QString::number(cap)));
                QVERIFY(result.solution.iterations <= cap);
                if (result.goals[0].status != Status::Converged) continue;
                ++cut;
                QVERIFY(result.goals[0].positionError <= 1e-4);
            }
            QVERIFY(nearing > 0);
        }
        qInfo("%d solves were cut off with the goal met", cut);
        QVERIFY(cut >= 10);
    }

    void contradictingGoalsShareAndSaySo()
    {
        std::mt19937 random(37);
        double worst = 0;
        for (int i = 0; i < 20; ++i) {
            Scene scene;
            scene.rig = arm(random);
            scene.seed = scene.rig.randomConfiguration(random, 0.5);
            const Vector3 middle = scene.rig.frames(scene.rig.randomConfiguration(random, 0.5)).back().position;
            const Vector3 apart = 0.05 * randomUnit(random);
            scene.goals = {positionGoal(5, middle + apart, 1e-6, 2), positionGoal(5, middle - apart, 1e-6)};
            scene.posture = scene.rig.randomConfiguration(random, 0.5);
            for (const double weight : {0.0, 1.0}) {
                scene.objectives.restPose = weight;
                const SolveResult result = scene.solve();
                QCOMPARE(result.status, Status::Stalled);
                for (const sdk::GoalResult& goal : result.goals) QCOMPARE(goal.status, Status::Stalled);
                QVERIFY(!std::isfinite(result.goals[0].multiplier)); // no force would do it
                const double exact = 0.5 * (4.0 / 5.0) * 4 * apart.squaredNorm();
                worst = std::max(worst, std::abs(result.solution.cost / exact - 1));
            }
        }
        qInfo("costs differ from the exact ones by at most %.2g of them", worst);
        QVERIFY(worst < 2e-3);
    }

    void theSameGoalTwiceIsNoContradiction()
    {
        std::mt19937 random(38);
        Scene scene = randomScene(random, GoalKind::Pose);
        const SolveResult once = scene.solve();
        scene.goals.push_back(scene.goals[0]);
        const SolveResult twice = scene.solve();
        QCOMPARE(once.status, Status::Converged);
        QCOMPARE(twice.status, Status::Converged);
        QVERIFY(std::sqrt(scene.squaredWay(once.q, twice.q)) < 1e-7);
        QVERIFY(std::abs(2 * twice.goals[0].multiplier - once.goals[0].multiplier) < 1e-6);
    }

    void beyondReachTheChainStraightens()
    {
        std::mt19937 random(39);
        double worst = 0;
        for (int i = 0; i < 20; ++i) {
            Scene scene;
            for (int b = 0; b < 4; ++b) scene.rig.add(b - 1, JointKind::Ball, Vector3(0, b == 0 ? 0 : 0.5, 0));
            scene.rig.add(3, JointKind::Fixed, Vector3(0, 0.5, 0));
            scene.seed = scene.rig.randomConfiguration(random, 1.5);
            scene.posture = scene.rig.randomConfiguration(random, 1.5);
            const Vector3 way = randomUnit(random);
            scene.goals = {positionGoal(4, way * (2.02 + 0.1 * i))};
            for (const double weight : {0.0, 5.0}) {
                scene.objectives.restPose = weight;
                const SolveResult result = scene.solve();
                QCOMPARE(result.status, Status::Unreachable);
                QVERIFY(std::abs(result.goals[0].shortfall - (0.02 + 0.1 * i)) < 1e-9);
                worst = std::max(worst, (scene.rig.frames(result.q).back().position - 2 * way).norm());
            }
        }
        qInfo("the end is at most %.2g m from the nearest point", worst);
        QVERIFY(worst < 2e-3);
    }

    void aStraightChainBendsTowardItsPreferredAngles()
    {
        for (const double preferred : {0.0, 0.5, -0.5}) {
            Scene scene;
            scene.rig = PlanarArm::rig();
            scene.seed = {0, 0, 0};
            scene.goals = {positionGoal(3, {1.5, 0, 0})};
            scene.rig.preferred[1] = preferred;
            const SolveResult result = scene.solve(), again = scene.solve();
            QCOMPARE(result.status, Status::Converged);
            QCOMPARE(result.q, again.q);
            if (preferred != 0) QVERIFY(result.q[1] * preferred > 0);
        }
        // Every number of joints, hinges and balls.
        for (const JointKind kind : {JointKind::Revolute, JointKind::Ball})
            for (int joints = 2; joints <= 12; ++joints) {
                Scene scene;
                for (int b = 0; b < joints; ++b)
                    scene.rig.add(b - 1, kind, Vector3(b == 0 ? 0 : 1, 0, 0),
                                  kind == JointKind::Ball ? std::vector<Vector3>{} : std::vector{Vector3{0, 0, 1}});
                scene.rig.add(joints - 1, JointKind::Fixed, {1, 0, 0});
                scene.seed = scene.rig.seed;
                scene.goals = {positionGoal(joints, {0.5 * joints, 0, 0})};
                QCOMPARE(scene.solve().status, Status::Converged);
            }
    }

    void stiffJointsMoveLess()
    {
        double moved[2];
        for (const int stiff : {0, 1}) {
            PlanarArm planar = planarArm();
            Scene scene = planarScene(planar);
            scene.objectives = {};
            scene.rig.stiffness[1] = stiff == 0 ? 0 : 0.9;
            const SolveResult result = scene.solve();
            QCOMPARE(result.status, Status::Converged);
            moved[stiff] = std::abs(result.q[1] - scene.seed[1]);
        }
        QVERIFY(moved[1] < 0.3 * moved[0]);
    }
};

TENDON_TEST(TestConstrained)
#include "tst_constrained.moc"
