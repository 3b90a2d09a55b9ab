#include "solvers/ceres/CeresSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <cstdio>
#include <numbers>

#include <fcntl.h>
#include <unistd.h>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::JointKind;
using sdk::Status;

namespace {

using Weight = double sdk::Objectives::*;

/// Seven bones of 0.2 m: ball joints with limits and hinges alternate; bones are heavier toward the root.
SolverModel arm(std::mt19937& random)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < 7; ++i) {
        const Vector3 bone = i == 0 ? Vector3(Vector3::Zero()) : Vector3(0.2 * Vector3::UnitX());
        b = rig.add(b, i % 2 == 0 ? JointKind::Ball : JointKind::Universal, bone,
                    i % 2 == 0 ? std::vector<Vector3>{} : std::vector<Vector3>{Vector3::UnitY(), randomUnit(random)});
        rig.mass.back() = 7 - i;
        rig.centre[rig.centre.size() - 3] = 0.1;
        if (i % 2 == 1)
            for (const int back : {1, 2}) rig.limit(rig.vBegin.back() - back, -1.5, 1.5);
        const double swing[] = {1.4, 1.2, 1.6, 1.3};
        std::copy_n(swing, 4, rig.ballSwing.end() - 4);
        rig.ballTwist[2 * static_cast<std::size_t>(b)] = -1;
        rig.ballTwist[2 * static_cast<std::size_t>(b) + 1] = 1;
    }
    rig.add(b, JointKind::Fixed, 0.2 * Vector3::UnitX());
    return rig;
}

/// Three hinges about z with bones of 1 m.
SolverModel planarArm()
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < 3; ++i)
        b = rig.add(b, JointKind::Revolute, i == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()),
                    {Vector3::UnitZ()});
    rig.add(b, JointKind::Fixed, Vector3::UnitX());
    return rig;
}

/// 1/2 |difference from p to q|^2 over all DOFs.
double likeness(const SolverModel& rig, const std::vector<double>& p, const std::vector<double>& q)
{
    const sdk::Model model = rig.model();
    double squared = 0;
    for (int b = 0; b < model.bodyCount; ++b) {
        double way[6] = {};
        kit::differenceBody(model, b, p.data() + model.qBegin[b], q.data() + model.qBegin[b], way);
        for (int k = 0; k < model.vBegin[b + 1] - model.vBegin[b]; ++k) squared += way[k] * way[k];
    }
    return 0.5 * squared;
}

double effort(const SolverModel& rig, const std::vector<double>& p, const std::vector<double>& q)
{
    const auto from = rig.frames(p), to = rig.frames(q);
    double sum = 0;
    for (std::size_t b = 0; b < rig.mass.size(); ++b)
        sum += 0.5 * rig.mass[b] *
               (to[b].point(kit::vectorAt(&rig.centre[3 * b])) - from[b].point(kit::vectorAt(&rig.centre[3 * b])))
                   .squaredNorm();
    return sum;
}

/// The inputs of one solve, with the arrays that the problem's spans view.
struct Wishes
{
    std::vector<double> seed, posture, natural, previous;
    sdk::Problem problem;
    sdk::Objectives objectives;

    const sdk::Problem& take()
    {
        problem.objectives = &objectives;
        problem.seed = seed;
        problem.posture = posture;
        problem.natural = natural;
        problem.previous = previous;
        return problem;
    }
};

constexpr std::pair<const char*, Weight> kObjectives[] = {{"rest pose", &sdk::Objectives::restPose},
                                                          {"natural pose", &sdk::Objectives::naturalPose},
                                                          {"velocity", &sdk::Objectives::velocity},
                                                          {"power", &sdk::Objectives::power}};

} // namespace

class TestCeresSolver : public QObject
{
    Q_OBJECT

private slots:
    void eachObjectiveChangesThePoseSteadilyWhileTheGoalIsMet_data()
    {
        QTest::addColumn<int>("objective");
        for (int k = 0; k < 4; ++k) QTest::newRow(kObjectives[k].first) << k;
    }

    void eachObjectiveChangesThePoseSteadilyWhileTheGoalIsMet()
    {
        QFETCH(int, objective);
        const Weight weight = kObjectives[objective].second;
        std::mt19937 random(static_cast<unsigned>(81 + objective));
        double least = 1, worstError = 0;
        QString figures;
        for (int i = 0; i < 12; ++i) {
            const SolverModel rig = arm(random);
            const Goal goal = positionGoal(7, rig.frames(rig.randomConfiguration(random, 1)).back().position);
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 1);
            const std::vector<double> wished = rig.randomConfiguration(random, 1);
            (objective == 0 ? wishes.posture : objective == 1 ? wishes.natural : wishes.previous) = wished;
            wishes.problem.dt = 1.0 / 24;
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            double before = 0, first = 0;
            QString row;
            for (const double w : {0.0, 0.1, 1.0, 10.0, 100.0}) {
                wishes.objectives.*weight = w;
                const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
                QCOMPARE(result.status, Status::Converged);
                worstError = std::max(
                    worstError, (rig.frames(result.q).back().position - kit::vectorAt(goal.targetPosition)).norm());
                QCOMPARE(rig.violation(result.q), 0.0);
                const double distance = objective == 3 ? effort(rig, wished, result.q)
                                                       : likeness(rig, wished, result.q);
                if (w > 0)
                    QVERIFY2(
                        distance <= before * (1 + 1e-3),
                        qPrintable(
                            QStringLiteral("case %1, weight %2: %3 after %4").arg(i).arg(w).arg(distance).arg(before)));
                if (w == 0) first = distance;
                before = distance;
                row += QStringLiteral(" %1").arg(distance, 0, 'g', 4);
            }
            if (i == 0) figures = row;
            least = std::min(least, 1 - before / first);
        }
        qInfo("%s: for weights 0, 0.1, 1, 10, 100 in the first case%s; falls by at least %.0f %%; goals within %.2g m",
              kObjectives[objective].first, qPrintable(figures), 100 * least, worstError);
        QVERIFY(least > 0.05);
        QVERIFY(worstError <= 1e-4);
    }

    void theAnswerIsTheConstrainedOptimum()
    {
        // No nearby pose that meets the goal as well has a lower cost; searched along the goal's null space.
        std::mt19937 random(85);
        double worst = 0;
        for (int i = 0; i < 10; ++i) {
            SolverModel rig = planarArm();
            for (int extra = 0; extra < 2; ++extra) { // five hinges leave three directions free
                rig.kind.back() = JointKind::Fixed;
                rig.add(static_cast<int>(rig.kind.size()) - 1, JointKind::Revolute, Vector3::Zero(),
                        {Vector3::UnitZ()});
                rig.add(static_cast<int>(rig.kind.size()) - 1, JointKind::Fixed, Vector3::UnitX());
            }
            const int tip = static_cast<int>(rig.kind.size()) - 1;
            Goal goal = positionGoal(tip, rig.frames(rig.randomConfiguration(random, 1)).back().position);
            goal.positionTolerance = 1e-9;
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 1);
            wishes.posture = rig.randomConfiguration(random, 1);
            CeresSolver solver;
            QVERIFY(solver.setParameter("functionTolerance", 1e-15));
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const std::vector<double> anchor = solveOnce(solver, rig, {&goal, 1}, wishes.take()).q;
            wishes.objectives.restPose = 2;
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            QCOMPARE(result.status, Status::Converged);

            // Gradient of 1/2 |q - anchor|^2 + 2/2 |q - posture|^2, and the goal's Jacobian by differences.
            const auto n = static_cast<Eigen::Index>(result.q.size());
            Eigen::VectorXd gradient(n);
            Eigen::MatrixXd jacobian(2, n);
            for (Eigen::Index k = 0; k < n; ++k) {
                const auto at = static_cast<std::size_t>(k);
                gradient[k] = (result.q[at] - anchor[at]) + 2 * (result.q[at] - wishes.posture[at]);
                std::vector<double> plus = result.q, minus = result.q;
                plus[at] += 1e-6;
                minus[at] -= 1e-6;
                jacobian.col(
                    k) = ((rig.frames(plus).back().position - rig.frames(minus).back().position) / 2e-6).head<2>();
            }
            const Eigen::Vector2d multipliers = (jacobian * jacobian.transpose()).ldlt().solve(jacobian * gradient);
            worst = std::max(worst, (gradient - jacobian.transpose() * multipliers).norm() / gradient.norm());
        }
        qInfo("share of the gradient that the goal does not balance: at most %.2g", worst);
        QVERIFY(worst < 1e-3);
    }

    void objectivesNeverPullAGoalOff()
    {
        std::mt19937 random(86);
        int metWithout = 0, metWith = 0, cases = 200;
        double worst = 0;
        for (int i = 0; i < cases; ++i) {
            const SolverModel rig = arm(random);
            Goal goals[] = {positionGoal(7, rig.frames(rig.randomConfiguration(random, 1.2)).back().position), {}};
            goals[1] = goals[0];
            goals[1].kind = sdk::GoalKind::Orientation;
            const auto wanted = rig.frames(rig.randomConfiguration(random, 1));
            std::copy_n(wanted.back().position.data(), 3, goals[0].targetPosition);
            kit::store(wanted.back().rotation, goals[1].targetRotation);
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 1);
            wishes.posture = rig.randomConfiguration(random, 1.5);
            wishes.natural = rig.randomConfiguration(random, 1.5);
            wishes.previous = rig.randomConfiguration(random, 1.5);
            wishes.problem.dt = 0.01 + 0.001 * i;
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 2), Status::Converged);
            metWithout += solveOnce(solver, rig, goals, wishes.take()).status == Status::Converged;
            wishes.objectives = {.restPose = 0.1 * i, .naturalPose = 3, .velocity = 0.5, .power = 1};
            const SolveResult with = solveOnce(solver, rig, goals, wishes.take());
            metWith += with.status == Status::Converged;
            worst = std::max(worst, rig.violation(with.q));
        }
        qInfo("of %d: %d met without objectives, %d with all four", cases, metWithout, metWith);
        QVERIFY(metWithout > cases * 8 / 10);
        QCOMPARE(metWith, metWithout);
        QCOMPARE(worst, 0.0);
    }

    void jointsOfHeavyPartsMoveLess()
    {
        // Power: of two arms alike but for their masses, the joint that carries the heavy part moves less.
        double moved[2];
        for (const int heavy : {0, 1}) {
            SolverModel rig = planarArm();
            rig.mass = {heavy == 0 ? 50.0 : 1.0, 1, heavy == 0 ? 1.0 : 50.0, 0};
            for (std::size_t b = 0; b < 3; ++b) rig.centre[3 * b] = 0.5;
            Wishes wishes;
            wishes.seed = {0.5, 0.6, 0.7};
            wishes.previous = wishes.seed;
            const Goal goal = positionGoal(3, rig.frames(wishes.seed).back().position + Vector3(-0.4, 0.2, 0));
            wishes.objectives.power = 1000;
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            QCOMPARE(result.status, Status::Converged);
            moved[heavy] =
                (rig.frames(result.q)[0].point({0.5, 0, 0}) - rig.frames(wishes.seed)[0].point({0.5, 0, 0})).norm();
        }
        qInfo("the first bone moves %.3g m when it is heavy, %.3g m when the last one is", moved[0], moved[1]);
        QVERIFY(moved[0] < 0.5 * moved[1]);
    }

    void aPenaltyMissesTheGoalByTheInverseOfItsWeight()
    {
        const SolverModel rig = planarArm();
        const Goal goal = positionGoal(3, {1.2, 1.6, 0});
        Wishes wishes;
        wishes.seed = {0.1, 0.1, 0.1};
        wishes.posture = {0, 0, 0};
        wishes.objectives.restPose = 1;
        std::vector<double> errors;
        for (const double w : {1.0, 10.0, 100.0, 1000.0, 1e4}) {
            CeresSolver solver;
            QVERIFY(solver.setParameter("constraints", 1) && solver.setParameter("goalWeight", w));
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            QVERIFY(sdk::isUsable(result.status) &&
                    result.status != Status::Converged); // never exact, and the status says so
            errors.push_back(result.goals[0].positionError);
        }
        qInfo("weights 1 ... 10000: off by %.3g, %.3g, %.3g, %.3g, %.3g m", errors[0], errors[1], errors[2], errors[3],
              errors[4]);
        for (std::size_t k = 1; k < errors.size(); ++k) QVERIFY(errors[k] < errors[k - 1]);
        for (std::size_t k = 3; k < errors.size(); ++k) QVERIFY(std::abs(errors[k - 1] / errors[k] - 10) < 0.5);
    }

    void aPoseThatIsAlreadyOptimalDoesNotMove()
    {
        std::mt19937 random(87);
        const SolverModel rig = arm(random);
        Wishes wishes;
        wishes.seed = rig.randomConfiguration(random, 1);
        wishes.posture = wishes.previous = wishes.seed;
        wishes.objectives = {.restPose = 5, .velocity = 5, .power = 5};
        Goal goal = positionGoal(7,
                                 rig.frames(wishes.seed).back().position + Vector3(0.5e-4, 0, 0)); // met, not exactly
        CeresSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
        QCOMPARE(result.status, Status::Converged);
        QCOMPARE(result.q, wishes.seed);
    }

    void objectivesDoNotWorsenAnUnreachableGoal()
    {
        std::mt19937 random(88);
        for (int i = 0; i < 10; ++i) {
            const SolverModel rig = arm(random);
            const Goal goal = positionGoal(7, 3 * randomUnit(random));
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 0.5);
            wishes.posture = rig.randomConfiguration(random, 1);
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const SolveResult without = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            wishes.objectives.restPose = 10;
            const SolveResult with = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            QCOMPARE(with.status, Status::Unreachable);
            QVERIFY(with.goals[0].positionError <= without.goals[0].positionError * 1.0011);
            QCOMPARE(rig.violation(with.q), 0.0);
        }
    }

    void everyMethodConvergesAndNoneLetsTheErrorRise_data()
    {
        QTest::addColumn<int>("method");
        int method = 0;
        for (const char* name : {"Levenberg-Marquardt", "dogleg", "L-BFGS", "steepest descent"})
            QTest::newRow(name) << method++;
    }

    void everyMethodConvergesAndNoneLetsTheErrorRise()
    {
        QFETCH(int, method);
        std::mt19937 random(89);
        int met = 0, steps = 0;
        constexpr int kCases = 20;
        for (int i = 0; i < kCases; ++i) {
            SolverModel rig = arm(random);
            Goal goal = positionGoal(7, rig.frames(rig.randomConfiguration(random, 0.6)).back().position);
            goal.positionTolerance = 1e-3;
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 0.6);
            CeresSolver solver;
            QVERIFY(solver.setParameter("method", method));
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            std::vector<sdk::TraceRow> trace(1000);
            sdk::Control control;
            control.trace = trace;
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take(), control);
            met += result.status == Status::Converged;
            steps += result.solution.iterations;
            QCOMPARE(rig.violation(result.q), 0.0);
            for (int r = 1; r < result.solution.traceRows; ++r)
                if (trace[static_cast<std::size_t>(r)].residual >
                    trace[static_cast<std::size_t>(r - 1)].residual * (1 + 1e-12))
                    QFAIL(qPrintable(QStringLiteral("case %1: the error rises in row %2").arg(i).arg(r)));
        }
        qInfo("%d of %d met, %.1f iterations each", met, kCases, static_cast<double>(steps) / kCases);
        constexpr int kEnough[] = {kCases, kCases, 16, 10}; // the last two are slow and get stuck at limits
        QVERIFY(met >= kEnough[method]);
    }

    void startsAndIterationsAreCountedAndBounded()
    {
        // Behind limits that no pose can pass: every start fails.
        SolverModel rig = planarArm();
        for (int v = 0; v < 3; ++v) rig.limit(v, -0.3, 0.3);
        const Goal goal = positionGoal(3, {-1, 0.5, 0});
        sdk::Problem problem;
        sdk::Stop stop;
        problem.stop = &stop;
        problem.search = sdk::Search::Find;
        stop.maxStarts = 7;
        CeresSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        const SolveResult all = solveOnce(solver, rig, {&goal, 1}, problem);
        QCOMPARE(all.status, Status::LimitsBlock);
        QCOMPARE(all.solution.starts, 7);
        stop.maxIterations = 5;
        const SolveResult few = solveOnce(solver, rig, {&goal, 1}, problem);
        QVERIFY(few.solution.iterations <= 5 && few.solution.starts < 7);
        problem.randomSeed = 2;
        QCOMPARE(solveOnce(solver, rig, {&goal, 1}, problem).q, solveOnce(solver, rig, {&goal, 1}, problem).q);
        problem.search = sdk::Search::Follow;
        QCOMPARE(solveOnce(solver, rig, {&goal, 1}, problem).solution.starts, 1);
    }

    void stiffJointsMoveLessThanOthers()
    {
        double moved[2];
        for (const int stiff : {0, 1}) {
            SolverModel rig = planarArm();
            if (stiff == 1) rig.stiffness[0] = 0.9;
            Wishes wishes;
            wishes.seed = {0.3, 0.4, 0.5};
            const Goal goal = positionGoal(3, rig.frames(wishes.seed).back().position + Vector3(-0.3, 0.1, 0));
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const SolveResult result = solveOnce(solver, rig, {&goal, 1}, wishes.take());
            QCOMPARE(result.status, Status::Converged);
            moved[stiff] = std::abs(result.q[0] - wishes.seed[0]);
        }
        QVERIFY(moved[1] < 0.3 * moved[0]);
    }

    void aStraightChainFoldsTowardAGoalOnItsLine()
    {
        for (const double side : {1.0, -1.0}) {
            SolverModel rig = planarArm();
            rig.preferred[1] = side * 0.5;
            CeresSolver solver;
            QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
            const Goal goal = positionGoal(3, {2, 0, 0});
            const SolveResult result = solveOnce(solver, rig, {&goal, 1});
            QCOMPARE(result.status, Status::Converged);
            QVERIFY(result.q[1] * side > 0);
        }
    }

    void nothingIsWrittenToStderr()
    {
        std::FILE* file = std::tmpfile();
        QVERIFY(file != nullptr);
        const int before = dup(2);
        dup2(fileno(file), 2);
        std::mt19937 random(90);
        for (int i = 0; i < 40; ++i) { // hard cases: contradictions, distant targets, extreme weights
            const SolverModel rig = arm(random);
            Goal goals[] = {positionGoal(7, 1e6 * randomUnit(random)), positionGoal(5, 0.1 * randomUnit(random))};
            goals[0].positionWeight = i % 2 == 0 ? 1e12 : 1e-12;
            Wishes wishes;
            wishes.seed = rig.randomConfiguration(random, 1);
            wishes.posture = rig.randomConfiguration(random, 1);
            wishes.objectives.restPose = i % 3 == 0 ? 1e12 : 1;
            CeresSolver solver;
            static_cast<void>(solver.setParameter("method", i % 4));
            static_cast<void>(solver.prepare(rig.model(), 2));
            static_cast<void>(solveOnce(solver, rig, goals, wishes.take()));
        }
        std::fflush(stderr);
        dup2(before, 2);
        close(before);
        const long written = lseek(fileno(file), 0, SEEK_END);
        std::fclose(file);
        QCOMPARE(written, 0L);
    }

    void objectivesWithInvalidConfigurationsAreRefused()
    {
        std::mt19937 random(91);
        const SolverModel rig = arm(random);
        CeresSolver solver;
        QCOMPARE(solver.prepare(rig.model(), 1), Status::Converged);
        const Goal goal = positionGoal(7, {0.5, 0.5, 0});
        Wishes wishes;
        wishes.seed = rig.seed;
        wishes.natural.assign(rig.seed.size(), 0.0); // quaternions of no length
        wishes.objectives.naturalPose = 1;
        QCOMPARE(solveOnce(solver, rig, {&goal, 1}, wishes.take()).status, Status::InvalidProblem);
    }
};

TENDON_TEST(TestCeresSolver)
#include "tst_ceres_solver.moc"
