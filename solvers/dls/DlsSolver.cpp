#include "solvers/dls/DlsSolver.h"

#include <iterator>

namespace tendon {

namespace {

/// The values of the parameter `choice`.
constexpr kit::Choice kChoices[] = {kit::Choice::Closest, kit::Choice::Outermost, kit::Choice::Natural,
                                    kit::Choice::Any};

} // namespace

DlsSolver::DlsSolver()
{
    declare({.goalKinds = kit::bits(sdk::GoalKind::Position, sdk::GoalKind::Orientation, sdk::GoalKind::Pose,
                                    sdk::GoalKind::Aim, sdk::GoalKind::Pole),
             .priorities = true});
    declareEnum("mode", 0, 3);
    declareReal("reg_weight", 0.05, 1e-6, 1e3);
    declareReal("relax", 0.75, 0.001, 1);
    declareEnum("chart", 0, 2);
    declareEnum("choice", 3, static_cast<int>(std::size(kChoices)));
}

sdk::Status DlsSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    m_mode = static_cast<Mode>(static_cast<int>(parameter("mode")));
    declareOtherStarts(m_mode != Mode::Plain);
    declarePreferredBend(m_mode != Mode::Plain);
    m_chart = static_cast<Chart>(static_cast<int>(parameter("chart")));
    m_choice = kChoices[static_cast<int>(parameter("choice"))];
    m_isNearest = (m_mode == Mode::Nearest || (m_mode == Mode::Adaptive && m_choice != kit::Choice::Any)) &&
                  dls::NearestPose::takes(model);
    if (m_isNearest) m_nearest.prepare(model, maxGoals);
    m_tree.prepare(model);
    m_tasks.prepare(model, maxGoals);
    m_resistances.prepare(model);
    m_boxStep.prepare(maxGoals * kit::kMaxRows, model.dofCount);
    const auto nq = static_cast<std::size_t>(model.coordinateCount), nv = static_cast<std::size_t>(model.dofCount);
    m_q.assign(nq, 0);
    m_trial.assign(nq, 0);
    m_best.assign(nq, 0);
    m_path.reserve(static_cast<std::size_t>(model.bodyCount));
    for (std::vector<double>* perDof : {&m_lower, &m_upper, &m_y, &m_dv, &m_chartValues, &m_step})
        perDof->assign(nv, 0);
    if (m_mode == Mode::Plain) {
        m_normal.assign(nv * nv, 0);
        m_chartJacobian.setZero(static_cast<Eigen::Index>(maxGoals) * kit::kMaxRows, model.dofCount);
    }
    return sdk::Status::Converged;
}

void DlsSolver::run(kit::SolverRun& run)
{
    if (m_mode == Mode::Plain)
        runPlain(run);
    else
        runAdaptive(run);
}

std::unique_ptr<sdk::Solver> makeDlsSolver() { return std::make_unique<DlsSolver>(); }

} // namespace tendon
