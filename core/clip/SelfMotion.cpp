#include "core/clip/SelfMotion.h"

#include <algorithm>
#include <cmath>

namespace tendon {

SelfMotion::SelfMotion(const AnswerSpace& space)
    : m_space(&space), m_frames(static_cast<std::size_t>(space.model().bodyCount)), m_motions(space.dofs()),
      m_direction(space.dofs())
{
}

/// The DOFs that are free and move a goal, into m_columns. Returns how many numbers the goals ask for.
Eigen::Index SelfMotion::findColumns(const sdk::Problem& problem)
{
    const sdk::Model& model = m_space->model();
    std::vector<bool> moves(m_space->dofs(), false);
    Eigen::Index rows = 0;
    for (const sdk::Goal& goal : problem.goals) {
        if (!kit::isActive(goal)) continue;
        rows += kit::residualRows(goal.kind);
        for (std::int32_t b = goal.body; b >= 0; b = model.parent[b])
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
                moves[static_cast<std::size_t>(v)] = true;
    }
    m_columns.clear();
    for (std::size_t v = 0; v < moves.size(); ++v)
        if (moves[v] && (problem.locked.empty() || problem.locked[v] == 0) && model.lower[v] < model.upper[v])
            m_columns.push_back(v);
    return rows;
}

int SelfMotion::leastFreedom(const sdk::Problem& problem)
{
    const Eigen::Index rows = findColumns(problem);
    return static_cast<int>(std::max<Eigen::Index>(0, static_cast<Eigen::Index>(m_columns.size()) - rows));
}

double SelfMotion::conditioning() const
{
    const auto pivots = m_qr.matrixR().diagonal().cwiseAbs();
    return pivots.size() == 0 || pivots[0] == 0 ? 0 : pivots.minCoeff() / pivots[0];
}

Eigen::MatrixXd SelfMotion::openDirections() const
{
    const auto free = static_cast<Eigen::Index>(m_columns.size());
    Eigen::MatrixXd last = Eigen::MatrixXd::Identity(free, free).rightCols(free - m_qr.rank());
    last.applyOnTheLeft(m_qr.householderQ());
    return last;
}

void SelfMotion::correction(double* step) const
{
    // J' P = Q R: of the goals' numbers as many as are independent are met.
    const Eigen::Index rank = m_qr.rank();
    Eigen::VectorXd way = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m_columns.size()));
    if (rank > 0) {
        const Eigen::VectorXd wanted = m_qr.colsPermutation().transpose() * m_residual;
        way.head(rank) = -m_qr.matrixR()
                              .topLeftCorner(rank, rank)
                              .triangularView<Eigen::Upper>()
                              .transpose()
                              .solve(wanted.head(rank));
        way.applyOnTheLeft(m_qr.householderQ());
    }
    std::fill_n(step, m_space->dofs(), 0.0);
    for (std::size_t i = 0; i < m_columns.size(); ++i) step[m_columns[i]] = way[static_cast<Eigen::Index>(i)];
}

void SelfMotion::evaluate(const sdk::Problem& problem, const double* q)
{
    constexpr double kSingular = 1e-6; // of the largest pivot
    const sdk::Model& model = m_space->model();
    const std::span<const double> configuration(q, m_space->coordinates());
    kit::forwardKinematics<double>(model, problem.base, configuration, m_frames);
    for (std::int32_t b = 0; b < model.bodyCount; ++b)
        kit::dofMotions(model, b, problem.base, configuration, m_frames, m_motions);

    const Eigen::Index rows = findColumns(problem);
    const auto free = static_cast<Eigen::Index>(m_columns.size());
    m_jacobian.setZero(free, rows);
    m_residual.resize(rows);
    Eigen::Index row = 0;
    for (const sdk::Goal& goal : problem.goals) {
        if (!kit::isActive(goal)) continue;
        const kit::ResidualDerivative derivative(model, goal, m_frames);
        kit::residual<double>(model, goal, m_frames, m_residual.data() + row);
        const int count = kit::residualRows(goal.kind);
        for (std::int32_t b = goal.body; b >= 0; b = model.parent[b])
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                const auto place = std::lower_bound(m_columns.begin(), m_columns.end(), static_cast<std::size_t>(v));
                if (place == m_columns.end() || *place != static_cast<std::size_t>(v)) continue;
                double column[kit::kMaxRows];
                derivative.column(m_motions[static_cast<std::size_t>(v)], b, column);
                const double unit = m_space->unitOf(static_cast<std::size_t>(v));
                for (int i = 0; i < count; ++i) m_jacobian(place - m_columns.begin(), row + i) = unit * column[i];
            }
        row += count;
    }
    m_qr.setThreshold(kSingular);
    m_qr.compute(m_jacobian);
    m_freedom = static_cast<int>(free - m_qr.rank());
    if (m_freedom != 1) return;
    Eigen::VectorXd last = Eigen::VectorXd::Unit(free, free - 1);
    last = m_qr.householderQ() * last;
    const double most = last.cwiseAbs().maxCoeff();
    std::fill(m_direction.begin(), m_direction.end(), 0.0);
    for (Eigen::Index i = 0; i < free; ++i) m_direction[m_columns[static_cast<std::size_t>(i)]] = last[i] / most;
}

} // namespace tendon
