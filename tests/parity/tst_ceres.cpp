#include "solvers/ceres/CeresSolver.h"
#include "solvers/dls/DlsSolver.h"
#include "tests/support/SolverModel.h"
#include "tests/support/TestProgram.h"

#include <QTest>

#include <ceres/autodiff_cost_function.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <chrono>
#include <functional>

using namespace tendon;
using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;
using sdk::JointKind;
using sdk::Status;

namespace {

constexpr int kDofs = 50; ///< the same for every rig here, so that automatic differentiation is compiled once

/// A trunk of ten hinges and five limbs of eight: 50 DOFs, as many as a figure has.
SolverModel figure(std::mt19937& random, std::vector<int>& tips)
{
    SolverModel rig;
    int trunk = -1;
    for (int i = 0; i < 10; ++i)
        trunk = rig.add(trunk, JointKind::Revolute, 0.05 * randomUnit(random), {randomUnit(random)});
    for (int limb = 0; limb < 5; ++limb) {
        int b = limb < 3 ? trunk : 4;
        for (int i = 0; i < 8; ++i)
            b = rig.add(b, JointKind::Revolute, 0.12 * randomUnit(random), {randomUnit(random)});
        tips.push_back(b);
    }
    return rig;
}

/// 50 DOFs of every kind on two branches.
SolverModel everyKind(std::mt19937& random, std::vector<int>& tips)
{
    SolverModel rig;
    int b = rig.add(-1, JointKind::Free, Vector3::Zero());
    rig.mass.back() = 3;
    for (int branch = 0; branch < 2; ++branch) {
        int at = b;
        at = rig.add(at, JointKind::Ball, 0.3 * randomUnit(random), {}, 0, Quaternion::UnitRandom(), 0.9);
        at = rig.add(at, JointKind::Universal, 0.3 * randomUnit(random), {randomUnit(random), randomUnit(random)});
        at = rig.add(at, JointKind::Axes, 0.3 * randomUnit(random),
                     {randomUnit(random), randomUnit(random), Vector3::UnitZ(), Vector3::UnitY()}, 2);
        rig.mass.back() = 1;
        at = rig.add(at, JointKind::Prismatic, 0.2 * randomUnit(random), {randomUnit(random)});
        at = rig.add(at, JointKind::Ball, 0.3 * randomUnit(random));
        for (int i = 0; i < 9; ++i)
            at = rig.add(at, JointKind::Revolute, 0.1 * randomUnit(random), {randomUnit(random)});
        rig.mass.back() = 0.5;
        tips.push_back(at);
    }
    while (rig.vBegin.back() < kDofs)
        rig.add(b, JointKind::Revolute, 0.1 * randomUnit(random), {randomUnit(random)}); // bystanders
    return rig;
}

Goal goalOf(GoalKind kind, int body, const std::vector<kit::Frame<double>>& frames, std::mt19937& random)
{
    const kit::Frame<double>& frame = frames[static_cast<std::size_t>(body)];
    Goal goal;
    goal.kind = kind;
    goal.body = body;
    for (double& each : goal.offset) each = 0.05;
    const Vector3 target = frame.point(kit::vectorAt(goal.offset)) + (kind == GoalKind::Aim || kind == GoalKind::Pole
                                                                          ? randomUnit(random)
                                                                          : Vector3(Vector3::Zero()));
    std::copy_n(target.data(), 3, goal.targetPosition);
    kit::store(frame.rotation, goal.targetRotation);
    if (kind == GoalKind::Pole) goal.startBody = 1;
    goal.positionWeight = 1.5;
    goal.rotationWeight = 0.7;
    return goal;
}

/// The goals' weighted residual by the kit's templates, as a function of a step v from q0.
struct Templated
{
    sdk::Model model;
    std::span<const double> base, q0;
    std::span<const Goal> goals;
    double length; ///< that position rows are divided by

    template <class T>
    bool operator()(const T* v, T* rows) const
    {
        const auto nq = static_cast<std::size_t>(model.coordinateCount);
        std::vector<T> from(q0.begin(), q0.end()), q(nq);
        kit::integrate<T>(model, from, std::span<const T>(v, static_cast<std::size_t>(model.dofCount)), q);
        std::vector<kit::Frame<T>> frames(static_cast<std::size_t>(model.bodyCount));
        kit::forwardKinematics<T>(model, base, q, std::span<kit::Frame<T>>(frames));
        for (const Goal& goal : goals) {
            kit::residual<T>(model, goal, frames, rows);
            for (int i = 0; i < kit::residualRows(goal.kind); ++i)
                *rows++ *= T(kit::rowWeight(goal, i) / (kit::asksPosition(goal.kind) && i < 3 ? length : 1));
        }
        return true;
    }
};

/// Exposes the problem that the solver would give to Ceres.
class Probe final : public kit::SolverBase
{
public:
    using Look = std::function<void(kit::SolverRun&, ceres_ik::Terms&, ceres_ik::Space&)>;

    explicit Probe(Look look) : m_look(std::move(look)) { declare({.goalKinds = 0x1f, .objectives = true}); }

private:
    Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override
    {
        m_space.prepare(model);
        m_terms.prepare(model, maxGoals);
        return Status::Converged;
    }
    void run(kit::SolverRun& run) override
    {
        m_terms.build(run, m_space);
        m_look(run, m_terms, m_space);
        run.offer(run.q());
    }

    Look m_look;
    ceres_ik::Space m_space;
    ceres_ik::Terms m_terms;
};

void look(const SolverModel& rig, std::span<const Goal> goals, const sdk::Problem& problem, const Probe::Look& look)
{
    Probe probe(look);
    QCOMPARE(probe.prepare(rig.model(), static_cast<std::int32_t>(goals.size())), Status::Converged);
    QVERIFY(sdk::isUsable(solveOnce(probe, rig, goals, problem).status));
}

/// Largest difference relative to the largest entry.
double relativeDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(b[i]));
    }
    return worst / largest;
}

/// The solver's own derivatives as a cost function of the step v; for hinges alone, whose v add up.
class Analytic final : public ceres::CostFunction
{
public:
    Analytic(ceres_ik::Terms& terms, std::span<const double> q0)
        : m_terms(&terms), m_q0(q0.begin(), q0.end()), m_q(m_q0)
    {
        set_num_residuals(static_cast<int>(terms.rows()));
        mutable_parameter_block_sizes()->push_back(kDofs);
    }
    bool Evaluate(double const* const* v, double* residuals, double** jacobians) const override
    {
        for (std::size_t i = 0; i < m_q.size(); ++i) m_q[i] = m_q0[i] + v[0][i];
        m_terms->evaluate(m_q, residuals);
        if (jacobians != nullptr && jacobians[0] != nullptr) m_terms->differentiate(jacobians[0]);
        return true;
    }

private:
    ceres_ik::Terms* m_terms;
    std::vector<double> m_q0;
    mutable std::vector<double> m_q;
};

struct Timing
{
    double seconds = 0;
    double cost = 0;
};

Timing timeSolve(ceres::CostFunction& function)
{
    std::array<double, kDofs> v{};
    ceres::Problem::Options ownership;
    ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    ceres::Problem problem(ownership);
    problem.AddResidualBlock(&function, nullptr, v.data());
    ceres::Solver::Options options;
    options.logging_type = ceres::SILENT;
    options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
    options.min_lm_diagonal = options.max_lm_diagonal = 1;
    options.jacobi_scaling = false;
    options.initial_trust_region_radius = 10;
    options.max_num_iterations = 8; // the same work for both
    options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance = 0;
    ceres::Solver::Summary summary;
    const auto begin = std::chrono::steady_clock::now();
    ceres::Solve(options, &problem, &summary);
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), summary.final_cost};
}

} // namespace

class TestCeres : public QObject
{
    Q_OBJECT

private slots:
    void analyticDerivativesMatchAutomaticDifferentiation()
    {
        std::mt19937 random(71);
        double worst = 0;
        for (int i = 0; i < 20; ++i) {
            std::vector<int> tips;
            const SolverModel rig = i % 2 == 0 ? everyKind(random, tips) : figure(random, tips);
            const auto wanted = rig.frames(rig.randomConfiguration(random, 1));
            std::vector<Goal> goals;
            for (const GoalKind kind :
                 {GoalKind::Pose, GoalKind::Aim, GoalKind::Pole, GoalKind::Orientation, GoalKind::Position})
                goals.push_back(goalOf(kind, tips[goals.size() % tips.size()], wanted, random));
            const std::vector<double> seed = rig.randomConfiguration(random, 1);
            sdk::Problem problem;
            problem.seed = seed;
            look(rig, goals, problem, [&](kit::SolverRun& run, ceres_ik::Terms& terms, ceres_ik::Space& space) {
                const auto rows = static_cast<std::size_t>(terms.rows());
                std::vector<double> residual(rows), own(rows * static_cast<std::size_t>(space.tangentSize())), packed;
                terms.evaluate(run.q(), residual.data());
                terms.differentiate(own.data());

                using Jet = ceres::Jet<double, kDofs>;
                const Templated templated{run.model(), run.problem().base, run.q(), goals, terms.length()};
                std::vector<Jet> v, automatic(rows);
                for (int k = 0; k < kDofs; ++k) v.emplace_back(0.0, k);
                templated(v.data(), automatic.data());
                std::vector<double> values;
                for (const Jet& row : automatic) {
                    values.push_back(row.a);
                    for (const auto& part : space.parts())
                        for (int k = 0; k < (part.isRotation ? 3 : 1); ++k) packed.push_back(row.v[part.dof + k]);
                }
                worst = std::max({worst, relativeDifference(own, packed), relativeDifference(residual, values)});
            });
        }
        qInfo("largest difference %.3g of the largest entry", worst);
        QVERIFY(worst < 1e-12); // far below the required 1e-6
    }

    void derivativesOfStepsAndObjectivesAreExact()
    {
        std::mt19937 random(72);
        double worst = 0;
        for (int i = 0; i < 10; ++i) {
            std::vector<int> tips;
            SolverModel rig = everyKind(random, tips);
            for (std::size_t v = 0; v < rig.stiffness.size(); ++v) rig.stiffness[v] = static_cast<double>(v % 4) / 5;
            std::fill(rig.precedence.begin() + 4, rig.precedence.end(), 1);
            const std::vector<double> seed = rig.randomConfiguration(random, 1),
                                      one = rig.randomConfiguration(random, 1),
                                      two = rig.randomConfiguration(random, 1),
                                      three = rig.randomConfiguration(random, 1);
            const std::vector<Goal> goals{goalOf(GoalKind::Pose, tips[0], rig.frames(one), random),
                                          goalOf(GoalKind::Position, tips[1], rig.frames(one), random)};
            sdk::Problem problem;
            problem.seed = seed;
            problem.posture = one;
            problem.natural = two;
            problem.previous = three;
            problem.dt = 0.03;
            const sdk::Objectives objectives = {.restPose = 0.5, .naturalPose = 2, .velocity = 1, .power = 3};
            problem.objectives = &objectives;
            look(rig, goals, problem, [&](kit::SolverRun& run, ceres_ik::Terms& terms, ceres_ik::Space& space) {
                QVERIFY(terms.enableObjectives(one));
                terms.setGoalFactor(10);
                const auto rows = static_cast<std::size_t>(terms.rows()),
                           tangent = static_cast<std::size_t>(space.tangentSize());
                const auto ambient = static_cast<std::size_t>(space.ambientSize());
                std::vector<double> x(ambient), moved(ambient), q(run.q().begin(), run.q().end()), plus(rows),
                    minus(rows);
                space.gather(q, x.data());
                std::vector<double> byDof(rows * tangent), byX(rows * ambient), stepping(ambient * tangent),
                    product(rows * tangent), measured(rows * tangent);
                terms.evaluate(q, plus.data());
                terms.differentiate(byDof.data());
                space.plusJacobian(x.data(), stepping.data());
                for (std::size_t r = 0; r < rows; ++r)
                    space.toAmbient(x.data(), &byDof[r * tangent], &byX[r * ambient]);
                for (std::size_t r = 0; r < rows; ++r)
                    for (std::size_t a = 0; a < ambient; ++a)
                        for (std::size_t c = 0; c < tangent; ++c)
                            product[r * tangent + c] += byX[r * ambient + a] * stepping[a * tangent + c];
                for (std::size_t c = 0; c < tangent; ++c)
                    for (const double side : {1.0, -1.0}) {
                        constexpr double kStep = 1e-6;
                        std::vector<double> y(tangent, 0.0);
                        y[c] = side * kStep;
                        space.plus(x.data(), y.data(), moved.data());
                        space.scatter(moved.data(), q);
                        terms.evaluate(q, side > 0 ? plus.data() : minus.data());
                        if (side > 0) continue;
                        for (std::size_t r = 0; r < rows; ++r)
                            measured[r * tangent + c] = (plus[r] - minus[r]) / (2 * kStep);
                    }
                worst = std::max(worst, relativeDifference(product, measured));
            });
        }
        qInfo("largest difference %.3g of the largest entry", worst);
        QVERIFY(worst < 1e-8);
    }

    void analyticDerivativesAreAtLeastTwiceAsFast()
    {
        std::mt19937 random(73);
        double analytic = 0, automatic = 0;
        for (int i = 0; i < 6; ++i) {
            std::vector<int> tips;
            const SolverModel rig = figure(random, tips);
            const std::vector<double> answer = rig.randomConfiguration(random, 0.4);
            std::vector<Goal> goals;
            for (const int tip : tips) goals.push_back(goalOf(GoalKind::Pose, tip, rig.frames(answer), random));
            look(rig, goals, {}, [&](kit::SolverRun& run, ceres_ik::Terms& terms, ceres_ik::Space& space) {
                QCOMPARE(space.tangentSize(), kDofs);
                Analytic written(terms, run.q());
                auto* functor = new Templated{run.model(), run.problem().base, run.q(), goals, terms.length()};
                ceres::AutoDiffCostFunction<Templated, 30, kDofs> derived(functor);
                double best[2] = {1e9, 1e9};
                for (int repeat = 0; repeat < 7; ++repeat) { // the minimum counts: other programs run, too
                    const Timing a = timeSolve(written), b = timeSolve(derived);
                    QVERIFY(std::abs(a.cost - b.cost) <= 1e-9 * (1 + b.cost));
                    best[0] = std::min(best[0], a.seconds);
                    best[1] = std::min(best[1], b.seconds);
                }
                analytic += best[0];
                automatic += best[1];
            });
        }
        qInfo("50 DOFs, 5 poses, 8 iterations: %.0f us written out, %.0f us automatic: %.2f times as fast",
              1e6 * analytic / 6, 1e6 * automatic / 6, automatic / analytic);
        QVERIFY(automatic >= 2 * analytic);
    }

    void dlsAndCeresFindTheSameOptimum()
    {
        // Two goals for one chain that cannot both be met: both solvers must find the weighted optimum.
        std::mt19937 random(74);
        double worst = 0;
        for (int i = 0; i < 40; ++i) {
            SolverModel rig;
            int b = -1;
            for (int k = 0; k < 6; ++k)
                b = rig.add(b, k % 3 == 0 ? JointKind::Ball : JointKind::Revolute, 0.4 * randomUnit(random),
                            k % 3 == 0 ? std::vector<Vector3>{} : std::vector<Vector3>{randomUnit(random)});
            const Vector3 middle = rig.frames(rig.seed).back().position;
            const Vector3 apart = 0.1 * randomUnit(random);
            std::vector<Goal> goals(2);
            for (const int side : {0, 1}) {
                const Vector3 target = middle + (side == 0 ? apart : Vector3(-apart));
                goals[static_cast<std::size_t>(side)].body = b;
                std::copy_n(target.data(), 3, goals[static_cast<std::size_t>(side)].targetPosition);
            }
            goals[0].positionWeight = 2;
            sdk::Problem problem;
            sdk::Stop stop;
            problem.stop = &stop;
            stop.stall = 0;
            DlsSolver dls;
            CeresSolver ceres;
            QVERIFY(ceres.setParameter("functionTolerance", 1e-14));
            QCOMPARE(dls.prepare(rig.model(), 2), Status::Converged);
            QCOMPARE(ceres.prepare(rig.model(), 2), Status::Converged);
            const SolveResult one = solveOnce(dls, rig, goals, problem), other = solveOnce(ceres, rig, goals, problem);
            QVERIFY(one.status != Status::Converged && other.status != Status::Converged);
            // The optimum splits the way by the squares of the weights: 1/2 r'r = 1/2 (4 (2/5 d)^2 + ... ) with d = |2
            // apart|.
            const double exact = 0.5 * (4.0 / 5.0) * 4 * apart.squaredNorm();
            worst = std::max(
                {worst, std::abs(one.solution.cost / exact - 1), std::abs(other.solution.cost / exact - 1)});
        }
        qInfo("costs differ from the exact one by at most %.3g of it", worst);
        QVERIFY(worst < 1e-6);
    }
};

TENDON_TEST(TestCeres)
#include "tst_ceres.moc"
