#include "solvers/dls/DlsSolver.h"

#include <tendon/kit/Cholesky.h>

#include <algorithm>

/// The plain mode: J. Gregson's "Simple & compact damped least-squares IK solver" (2020), number for number, when the
/// root is locked, all joints are balls and the chart is rotationVector:
///
///     (J'J + reg diag(max(1e-6, J'J))) d = J'r,   theta <- theta - relax d
///
/// The damping term depends on the chart: rotation vectors that add up, or steps in each joint's own turned frame.
namespace tendon {

namespace {

constexpr double kDiagonalFloor = 1e-6;

/// d exp(theta + d) = exp(theta) exp(Jr(theta) d): the right Jacobian of SO(3) (Sola et al. 2018, eq. 143).
kit::Matrix3 rightJacobian(const kit::Vector3& theta)
{
    const double squared = theta.squaredNorm();
    const kit::Matrix3 cross = kit::skew(theta);
    if (squared < 1e-10) return kit::Matrix3::Identity() - 0.5 * cross + cross * cross / 6.0;
    const double angle = std::sqrt(squared);
    return kit::Matrix3::Identity() - (1 - std::cos(angle)) / squared * cross +
           (angle - std::sin(angle)) / (squared * angle) * cross * cross;
}

} // namespace

void DlsSolver::readChart(const kit::SolverRun& run)
{
    const sdk::Model& model = run.model();
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], dofs = model.vBegin[body + 1] - begin;
        const double* own = run.q().data() + model.qBegin[body];
        const int singles = kit::singleDofs(model, body);
        for (int k = 0; k < singles; ++k) m_chartValues[begin + k] = own[k];
        if (singles == dofs) continue;
        const kit::Vector3 theta = kit::logMap(kit::quaternionAt(own + singles));
        for (int k = 0; k < 3; ++k) m_chartValues[begin + singles + k] = theta[k];
    }
}

void DlsSolver::runPlain(kit::SolverRun& run)
{
    readChart(run);
    run.countStart();
    while (run.next()) stepPlain(run);
}

void DlsSolver::stepPlain(kit::SolverRun& run)
{
    const sdk::Model& model = run.model();
    const auto tangent = run.jacobian();
    auto jacobian = m_chartJacobian.topRows(tangent.rows());
    jacobian = tangent;
    if (m_chart == Chart::RotationVector) {
        for (const std::int32_t body : run.bodies()) {
            if (!kit::traitsOf(model, body).hasQuaternion) continue;
            const int first = model.vBegin[body + 1] - 3;
            const kit::Matrix3 right = rightJacobian(kit::vectorAt(&m_chartValues[first]));
            for (Eigen::Index row = 0; row < tangent.rows(); ++row)
                jacobian.row(row).segment<3>(first) = tangent.row(row).segment<3>(first).lazyProduct(right);
            for (int k = 0; k < 3; ++k)
                if (!run.isMovable(first + k)) jacobian.col(first + k).setZero();
        }
    }

    // The damped normal equations over all DOFs; those that do not move have zero columns and drop out.
    const auto nv = static_cast<std::size_t>(model.dofCount);
    const double reg = parameter("reg_weight"), relax = parameter("relax");
    for (std::size_t j = 0; j < nv; ++j) {
        const auto column = jacobian.col(static_cast<Eigen::Index>(j));
        for (std::size_t i = j; i < nv; ++i)
            m_normal[j * nv + i] = jacobian.col(static_cast<Eigen::Index>(i)).dot(column);
        m_normal[j * nv + j] += reg * std::max(kDiagonalFloor, m_normal[j * nv + j]);
        m_step[j] = column.dot(run.residual());
    }
    if (!kit::solveInPlace(m_normal.data(), m_step.data(), nv)) {
        run.stop(sdk::Status::NumericalFailure);
        m_step.assign(nv, 0);
    }
    for (double& d : m_step) d *= -relax;
    if (m_chart == Chart::Tangent) {
        run.advance(m_step, reg);
        return;
    }

    double largest = 0;
    std::copy(run.q().begin(), run.q().end(), m_trial.begin());
    for (const std::int32_t body : run.bodies()) {
        const int begin = model.vBegin[body], dofs = model.vBegin[body + 1] - begin;
        double* own = m_trial.data() + model.qBegin[body];
        const int singles = kit::singleDofs(model, body);
        bool moves = false;
        for (int k = 0; k < dofs; ++k) {
            if (!run.isMovable(begin + k) || m_step[begin + k] == 0) continue;
            m_chartValues[begin + k] += m_step[begin + k];
            largest = std::max(largest, std::abs(m_step[begin + k]));
            moves = true;
        }
        if (!moves) continue;
        for (int k = 0; k < singles; ++k) own[k] = m_chartValues[begin + k];
        if (singles < dofs) kit::store(kit::expMap(kit::vectorAt(&m_chartValues[begin + singles])), own + singles);
        if (!kit::clampBody(model, body, run.problem().locked, own)) continue;
        for (int k = 0; k < singles; ++k) m_chartValues[begin + k] = own[k]; // a limit was met: go on from there
        if (singles == dofs) continue;
        const kit::Vector3 theta = kit::logMap(kit::quaternionAt(own + singles));
        for (int k = 0; k < 3; ++k) m_chartValues[begin + singles + k] = theta[k];
    }
    run.setConfiguration(m_trial, largest, reg);
}

} // namespace tendon
