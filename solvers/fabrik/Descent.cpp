#include "solvers/fabrik/Descent.h"

#include <tendon/kit/Cholesky.h>
#include <tendon/kit/Steps.h>

#include <algorithm>
#include <cmath>

namespace tendon::fabrik {

namespace {

constexpr double kFirstDamping = 1e-3, kMinDamping = 1e-9, kMaxDamping = 1e3; ///< shares of the mean of J J'
constexpr double kMaxStep = 0.6;                                              ///< [rad] of a joint
constexpr double kProgress = 1e-6; ///< a step that gains a smaller share than this is the last

} // namespace

void Descent::prepare(const sdk::Model& model, std::int32_t maxGoals)
{
    const auto dofs = static_cast<std::size_t>(model.dofCount),
               rows = static_cast<std::size_t>(maxGoals) * kit::kMaxRows;
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_trial = m_q;
    m_factors.assign(rows, 0);
    m_error = m_forces = m_factors;
    m_matrix.assign(rows * rows, 0);
    m_unit.assign(dofs, 0);
    m_step = m_unit;
}

void Descent::begin(const kit::SolverRun& run, std::span<const double> q, double size)
{
    m_size = size;
    m_damping = kFirstDamping;
    std::copy(q.begin(), q.end(), m_q.begin());
    std::size_t row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        const int lengths = kit::asksPosition(goal.kind) ? 3 : 0;
        for (int i = 0; i < kit::residualRows(goal.kind); ++i) m_factors[row++] = i < lengths ? 1 / size : 1;
    }
}

bool Descent::step(kit::SolverRun& run)
{
    for (; m_damping < kMaxDamping; m_damping *= 8) {
        const double before = miss(run, m_q);
        holdPressed(run);
        if (!solve(run)) return false;
        if (!(kit::stepWithinLimits(run, m_step, m_trial) > run.stopWhen().stall)) return false;
        const double there = miss(run, m_trial);
        if (!(there < before)) continue;
        const bool helps = there < before * (1 - kProgress);
        m_damping = std::max(kMinDamping, m_damping / 4);
        std::copy(m_trial.begin(), m_trial.end(), m_q.begin());
        return helps;
    }
    return false;
}

/// Writes m_error and returns its norm; the run is then at `q`.
double Descent::miss(kit::SolverRun& run, std::span<const double> q)
{
    static_cast<void>(run.residualNormAt(q));
    const auto residual = run.residual();
    double squared = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(residual.size()); ++i) {
        m_error[i] = m_factors[i] * residual[static_cast<Eigen::Index>(i)];
        squared += m_error[i] * m_error[i];
    }
    return std::sqrt(squared);
}

/// Leaves out of the step the DOFs that may not move, and those that are pulled beyond the limit at which they are.
void Descent::holdPressed(kit::SolverRun& run)
{
    const sdk::Model& model = run.model();
    const auto jacobian = run.jacobian();
    std::fill(m_unit.begin(), m_unit.end(), 0.0);
    for (const std::int32_t body : run.bodies()) {
        const std::int32_t begin = model.vBegin[body];
        std::int8_t hits[6];
        kit::limitHits(model, body, m_q.data() + model.qBegin[body], hits);
        for (std::int32_t v = begin; v < model.vBegin[body + 1]; ++v) {
            double pull = 0;
            for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
                const auto row = static_cast<std::size_t>(i);
                pull -= m_factors[row] * jacobian(i, v) * m_error[row];
            }
            if (!run.isMovable(v) || pull * hits[v - begin] > 0) continue;
            m_unit[static_cast<std::size_t>(v)] = model.dofKind[v] == sdk::DofKind::Sliding ? m_size : 1;
        }
    }
}

/// The damped step of least squares: -J'(J J' + damping)^-1 error.
bool Descent::solve(kit::SolverRun& run)
{
    const auto jacobian = run.jacobian();
    const auto n = static_cast<std::size_t>(jacobian.rows());
    const auto at = [&](std::size_t row, Eigen::Index v) {
        return m_factors[row] * jacobian(static_cast<Eigen::Index>(row), v) * m_unit[static_cast<std::size_t>(v)];
    };
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            double sum = 0;
            for (Eigen::Index v = 0; v < jacobian.cols(); ++v) sum += at(i, v) * at(k, v);
            m_matrix[k * n + i] = sum;
            if (i == k) trace += sum;
        }
    if (!(trace > 0)) return false;
    for (std::size_t i = 0; i < n; ++i) m_matrix[i * n + i] += m_damping * trace / static_cast<double>(n);
    std::copy_n(m_error.begin(), n, m_forces.begin());
    if (!kit::solveInPlace(m_matrix.data(), m_forces.data(), n)) return false;

    double largest = 0;
    for (Eigen::Index v = 0; v < jacobian.cols(); ++v) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum -= at(i, v) * m_forces[i];
        largest = std::max(largest, std::abs(sum));
        m_step[static_cast<std::size_t>(v)] = sum * m_unit[static_cast<std::size_t>(v)];
    }
    if (largest > kMaxStep)
        for (double& each : m_step) each *= kMaxStep / largest;
    return true;
}

} // namespace tendon::fabrik
