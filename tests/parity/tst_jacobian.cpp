#include "sdls_numbers.h"
#include "solvers/jacobian/JacobianSolver.h"
#include "tests/support/Folding.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <Eigen/LU>

#include <numbers>

using namespace tendon;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

constexpr double kHalfTurn = std::numbers::pi;

using Settings = std::vector<std::pair<const char*, double>>;

const Settings kTranspose = {{"method", 0}};
const Settings kPseudoInverse = {{"method", 1}, {"maxStep", kHalfTurn}, {"bend", 0}};
const Settings kSdls = {{"method", 2}};

/// Unit bones along x with hinges about z; the last body is the end.
SolverModel planarArm(int bones)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < bones; ++i)
        b = rig.add(b, JointKind::Revolute, i == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()),
                    {Vector3::UnitZ()});
    rig.add(b, JointKind::Fixed, Vector3::UnitX());
    return rig;
}

/// Hinges with skew axes; the last body is the end.
SolverModel skewArm(int bones, std::mt19937& random)
{
    SolverModel rig;
    int b = -1;
    for (int i = 0; i < bones; ++i)
        b = rig.add(b, JointKind::Revolute, randomUnit(random), {randomUnit(random)}, 0, randomRotation(random));
    rig.add(b, JointKind::Fixed, randomUnit(random));
    return rig;
}

struct Steps
{
    SolveResult result;
    std::vector<sdk::TraceRow> trace;       ///< a row per step, before it
    std::vector<std::vector<double>> after; ///< the configuration after each
};

Steps solveWith(const Settings& settings, const SolverModel& rig, std::span<const Goal> goals,
                const std::vector<double>& seed = {}, int maxSteps = 1000)
{
    JacobianSolver solver;
    for (const auto& [id, value] : settings)
        if (!solver.setParameter(id, value)) qFatal("%s", id);
    if (solver.prepare(rig.model(), static_cast<int>(goals.size())) != Status::Converged) qFatal("prepare");
    sdk::Stop stop;
    stop.maxIterations = maxSteps;
    stop.stall = 1e-14;
    sdk::Problem problem;
    problem.stop = &stop;
    problem.seed = seed;
    const std::size_t nq = rig.seed.size(), rows = static_cast<std::size_t>(maxSteps);
    Steps made;
    made.trace.resize(rows);
    std::vector<double> configurations(rows * nq);
    sdk::Control control;
    control.trace = made.trace;
    control.traceConfigurations = configurations;
    made.result = solveOnce(solver, rig, goals, problem, control);
    made.trace.resize(static_cast<std::size_t>(made.result.solution.traceRows));
    for (std::size_t i = 0; i < made.trace.size(); ++i)
        made.after.emplace_back(configurations.begin() + static_cast<std::ptrdiff_t>(i * nq),
                                configurations.begin() + static_cast<std::ptrdiff_t>((i + 1) * nq));
    return made;
}

/// d(end)/d(q) by central differences.
Eigen::MatrixXd slopes(const SolverModel& rig, const std::vector<double>& q)
{
    constexpr double kStep = 1e-6;
    Eigen::MatrixXd result(3, static_cast<Eigen::Index>(q.size()));
    for (std::size_t k = 0; k < q.size(); ++k) {
        std::vector<double> more = q, less = q;
        more[k] += kStep;
        less[k] -= kStep;
        result.col(static_cast<Eigen::Index>(
            k)) = (rig.frames(more).back().position - rig.frames(less).back().position) / (2 * kStep);
    }
    return result;
}

/// ln(r2 / r1) / ln(r1 / r0) of the last three errors above rounding: 1 = linear, 2 = quadratic.
double orderOf(const std::vector<sdk::TraceRow>& trace)
{
    std::vector<double> r;
    for (const sdk::TraceRow& row : trace)
        if (row.residual > 1e-13) r.push_back(row.residual);
    const std::size_t n = r.size();
    return n < 3 ? 0 : std::log(r[n - 1] / r[n - 2]) / std::log(r[n - 2] / r[n - 3]);
}

} // namespace

class TestJacobian : public QObject
{
    Q_OBJECT

private slots:
    /// Orthonormal vectors on both sides whose products add up to the matrix: there is only one such decomposition.
    void decompositionIsThatOfTheMatrix()
    {
        std::mt19937 random(81);
        std::normal_distribution<double> normal;
        jacobian::Decomposition ours;
        ours.prepare(12, 20);
        const auto areOrthonormal = [](const auto& a, const auto& b, bool isSame) {
            return std::abs(a.dot(b) - (isSame ? 1 : 0)) < 1e-12;
        };
        for (int i = 0; i < 200; ++i) {
            const Eigen::Index rows = 1 + i % 12, columns = 1 + i % 19;
            Eigen::MatrixXd matrix = Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
            if (i % 3 == 0 && rows > 1) matrix.row(rows - 1) = 2 * matrix.row(0); // of lower rank
            if (i % 5 == 0) matrix.col(0).setZero();
            ours.decompose(matrix);
            Eigen::MatrixXd joined = Eigen::MatrixXd::Zero(rows, columns);
            for (Eigen::Index k = 0; k < ours.count(); ++k) {
                joined += ours.value(k) * ours.left(k) * ours.right(k).transpose();
                QVERIFY(ours.value(k) >= 0);
                for (Eigen::Index other = 0; other <= k; ++other) {
                    QVERIFY(areOrthonormal(ours.left(k), ours.left(other), other == k));
                    if (ours.value(k) == 0 || ours.value(other) == 0) continue; // their right side is zero
                    QVERIFY(areOrthonormal(ours.right(k), ours.right(other), other == k));
                }
            }
            QVERIFY((joined - matrix).norm() < 1e-12 * (1 + matrix.norm()));
        }
    }

    void pseudoInverseStepIsTheLeastOne()
    {
        std::mt19937 random(82);
        double worst = 0;
        for (int i = 0; i < 100; ++i) {
            const int bones = 2 + i % 7; // fewer joints than rows, as many, more
            const SolverModel rig = skewArm(bones, random);
            const std::vector<double> seed = rig.randomConfiguration(random);
            const Vector3 error = 0.05 * randomUnit(random), end = rig.frames(seed).back().position;
            const Goal goal = positionGoal(bones, end + error, 1e-9);
            const Eigen::MatrixXd jacobian = slopes(rig, seed);
            Eigen::VectorXd wanted; // nearest to the error; of all such steps the shortest
            if (bones < 3)
                wanted = Eigen::Matrix2d(jacobian.transpose() * jacobian).inverse() * jacobian.transpose() * error;
            else
                wanted = jacobian.transpose() * (Eigen::Matrix3d(jacobian * jacobian.transpose()).inverse() * error);
            if (wanted.cwiseAbs().maxCoeff() > kHalfTurn) continue; // shortened
            const Steps made = solveWith(kPseudoInverse, rig, {&goal, 1}, seed, 1);
            for (std::size_t k = 0; k < seed.size(); ++k)
                worst = std::max(worst, std::abs(made.after[0][k] - seed[k] - wanted[static_cast<Eigen::Index>(k)]));
        }
        qInfo("largest difference %.3g", worst);
        QVERIFY(worst < 1e-7); // that of the central differences
    }

    /// Bent by a right angle, J = (-1 -1; 1 0). For e = (-0.1, 0.2): J'e = (0.3, 0.1), J J'e = (-0.4, 0.3), and the
    /// best length is 0.10 / 0.25.
    void transposeStepIsThatByHand()
    {
        const SolverModel rig = planarArm(2);
        const Goal goal = positionGoal(2, {0.9, 1.2, 0});
        const Steps made = solveWith(kTranspose, rig, {&goal, 1}, {0, kHalfTurn / 2}, 1);
        QVERIFY(std::abs(made.after[0][0] - 0.12) < 1e-12);
        QVERIFY(std::abs(made.after[0][1] - kHalfTurn / 2 - 0.04) < 1e-12);
    }

    void selectivelyDampedStepsReproduceTheReference()
    {
        double worst = 0;
        for (const SdlsCase& given : kSdlsCases) {
            SolverModel rig;
            for (int b = 0; b < 6; ++b)
                rig.add(b - 1, JointKind::Revolute, b == 0 ? Vector3(Vector3::Zero()) : Vector3(Vector3::UnitX()),
                        {kit::vectorAt(given.axes + 3 * b)});
            Goal goals[] = {positionGoal(5, kit::vectorAt(given.targetA), 1e-12),
                            positionGoal(2, kit::vectorAt(given.targetB), 1e-12)};
            goals[0].offset[0] = goals[1].offset[0] = 1;
            const std::vector<double> seed(given.theta, given.theta + 6);
            const int count = static_cast<int>(std::size(given.residuals));
            const Steps made = solveWith(kSdls, rig, {goals, static_cast<std::size_t>(given.goals)}, seed, count);
            QCOMPARE(made.result.solution.traceRows, count);
            for (std::size_t i = 0; i < made.trace.size(); ++i)
                worst = std::max(worst, std::abs(made.trace[i].residual - given.residuals[i]));
            for (std::size_t k = 0; k < 6; ++k)
                worst = std::max(worst, std::abs(made.after.back()[k] - given.result[k]));
        }
        qInfo("largest difference %.3g", worst);
        QVERIFY(worst < 1e-9);
    }

    void theTraceTellsTheRank()
    {
        const SolverModel rig = planarArm(3);
        const Goal goal = positionGoal(3, {1, 1, 0});
        for (const Settings& settings : {kPseudoInverse, kSdls}) {
            QCOMPARE(solveWith(settings, rig, {&goal, 1}, {}, 1).trace[0].stage, 1); // straight: only across
            QCOMPARE(solveWith(settings, rig, {&goal, 1}, {0, 0.5, 0.5}, 1).trace[0].stage, 2);
        }
    }

    void newtonsMethodsConvergeQuadratically()
    {
        std::mt19937 random(83);
        for (const Settings& settings : {kPseudoInverse, kSdls}) {
            double sum = 0;
            int counted = 0;
            for (int i = 0; i < 60; ++i) {
                const SolverModel rig = skewArm(5, random);
                const std::vector<double> seed = rig.randomConfiguration(random);
                std::vector<double> answer = seed;
                for (double& q : answer) q += 0.15;
                const auto frames = rig.frames(answer);
                Goal goal = positionGoal(5, frames.back().position, 1e-12);
                const Steps made = solveWith(settings, rig, {&goal, 1}, seed);
                if (made.result.status != Status::Converged || made.trace.size() < 3) continue;
                const double order = orderOf(made.trace);
                sum += order;
                ++counted;
            }
            QVERIFY(counted >= 50);
            qInfo("order %.2f in the mean of %d", sum / counted, counted);
            QVERIFY(sum / counted > 1.8 && sum / counted < 2.6);
        }
    }

    void transposeConvergesLinearly()
    {
        const SolverModel rig = planarArm(3);
        const Goal goal = positionGoal(3, {1.2, 1.1, 0}, 1e-12);
        const Steps made = solveWith(kTranspose, rig, {&goal, 1}, {0.3, 0.4, 0.5});
        QCOMPARE(made.result.status, Status::Converged);
        QVERIFY(made.trace.size() > 10);
        qInfo("%zu steps, order %.3f, factor %.3f", made.trace.size(), orderOf(made.trace),
              made.trace.back().residual / made.trace[made.trace.size() - 2].residual);
        QVERIFY(std::abs(orderOf(made.trace) - 1) < 0.1);
    }

    /// A goal a little nearer than an almost straight chain reaches: the pseudo-inverse answers with a step of many
    /// turns, selectively damped least squares with a small one.
    void onlyThePseudoInverseIsWildNearASingularPose()
    {
        const SolverModel rig = planarArm(2);
        const Goal goal = positionGoal(2, {1.9, 0, 0});
        const std::vector<double> seed = {-1e-4, 2e-4};
        Settings unclamped = kPseudoInverse;
        unclamped[1].second = 20 * kHalfTurn;
        QVERIFY(solveWith(unclamped, rig, {&goal, 1}, seed, 1).trace[0].step > 6 * kHalfTurn);
        QVERIFY(solveWith(kSdls, rig, {&goal, 1}, seed, 1).trace[0].step < 0.1);
    }

    void aStraightChainFoldsIfItMayBend()
    {
        for (const int bones : {2, 4}) {
            const SolverModel rig = planarArm(bones);
            const Goal goal = positionGoal(bones, {bones / 2.0, 0, 0});
            for (Settings settings : {kTranspose, kPseudoInverse, kSdls}) {
                settings.emplace_back("bend", 0);
                const Steps stuck = solveWith(settings, rig, {&goal, 1});
                QCOMPARE(stuck.result.status, Status::Stalled);
                QCOMPARE(stuck.result.q, rig.seed);
                settings.back().second = 1;
                QCOMPARE(solveWith(settings, rig, {&goal, 1}).result.status, Status::Converged);
            }
        }
        for (const double side : {1.0, -1.0}) {
            SolverModel rig = planarArm(2);
            rig.preferred[1] = side * 0.5;
            const Goal goal = positionGoal(2, {1, 0, 0});
            QVERIFY(solveWith(kSdls, rig, {&goal, 1}).result.q[1] * side > 0);
        }
    }

    void foldingDoesNotPop()
    {
        for (const Settings& settings : {kTranspose, kSdls})
            for (const int bones : {2, 3, 5, 10}) {
                const SolverModel rig = planarArm(bones);
                const std::optional<double> largest = largestStepWhileFolding(bones, [&](const Goal& goal) {
                    return solveWith(settings, rig, {&goal, 1}).result;
                });
                QVERIFY(largest);
                qInfo("%d bones: at most %.3g rad a step", bones, *largest);
                QVERIFY(*largest < 0.05);
            }
    }

    /// A joint at its limit stays out of the way of the others, and the status says what blocks.
    void limitsBlockAndAreKept()
    {
        for (const Settings& settings : {kTranspose, kPseudoInverse, kSdls}) {
            SolverModel rig = planarArm(2);
            rig.limit(0, -0.3, 0.3);
            const Goal behind = positionGoal(2, {0, 1.9, 0});
            const Steps made = solveWith(settings, rig, {&behind, 1}, {0.1, 0.2});
            QCOMPARE(made.result.status, Status::LimitsBlock);
            QCOMPARE(made.result.goals[0].blockingDof, 0);
            QCOMPARE(made.result.q[0], 0.3);

            SolverModel longer = planarArm(4);
            longer.limit(1, -0.2, 0.2);
            const Goal within = positionGoal(4, {0.5, 1.8, 0});
            const Steps met = solveWith(settings, longer, {&within, 1}, {0.1, 0.2, 0.3, 0.4});
            QCOMPARE(met.result.status, Status::Converged);
            QCOMPARE(longer.violation(met.result.q), 0.0);
        }
    }

    void higherPrioritiesGoFirst()
    {
        const SolverModel rig = planarArm(2);
        Goal goals[] = {positionGoal(2, {1, 0.8, 0}), positionGoal(2, {1, -0.8, 0})}; // cannot both be met
        goals[1].priority = 7;
        const Steps made = solveWith(kSdls, rig, goals, {0.1, 0.2});
        QVERIFY2(made.result.goals[1].positionError < 1e-3,
                 qPrintable(QString::number(made.result.goals[1].positionError)));
    }

    void transposeTakesNoPole()
    {
        const SolverModel rig = planarArm(2);
        Goal goals[] = {positionGoal(2, {1, 1, 0}), positionGoal(2, {1, 3, 0})};
        goals[1].kind = GoalKind::Pole;
        goals[1].startBody = 0;
        QCOMPARE(solveWith(kTranspose, rig, goals, {0.1, 0.2}).result.status, Status::Unsupported);
        QVERIFY(solveWith(kSdls, rig, goals, {0.1, 0.2}).result.status != Status::Unsupported);
    }
};

TENDON_TEST(TestJacobian)
#include "tst_jacobian.moc"
