#include "solvers/fabrik/FabrikSolver.h"

#include <algorithm>

namespace tendon {

using sdk::GoalKind;
using sdk::Status;

FabrikSolver::FabrikSolver()
{
    declare({.goalKinds = kit::bits(GoalKind::Position, GoalKind::Orientation, GoalKind::Pose, GoalKind::Pole),
             .priorities = true});
    declareInteger("passes", 100, 1, 100000);
    declareReal("tolerance", 1, 0.001, 1);
    declareEnum("centroid", 0, 2);
    declareBool("twoSpheres", true);
    declareReal("preferred", 1, 0, 1);
    declareBool("backwardLimits", true);
    declareBool("sweeps", true);
}

Status FabrikSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    const auto n = static_cast<std::size_t>(model.bodyCount);
    m_tree.prepare(model, maxGoals);
    m_passes.prepare(model, maxGoals);
    m_descent.prepare(model, maxGoals);
    m_passesLimit = static_cast<int>(parameter("passes"));
    m_toleranceFactor = parameter("tolerance");
    m_byWeight = parameter("centroid") == 0;
    m_twoSpheres = parameter("twoSpheres") != 0;
    m_preferred = parameter("preferred");
    m_limitsBackward = parameter("backwardLimits") != 0;
    m_sweeps = parameter("sweeps") != 0;
    declareOtherStarts(m_sweeps);
    declarePreferredBend(m_preferred > 0);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_start = m_answer = m_q;
    m_points.assign(n + 1, Vector3::Zero());
    m_lengths.assign(n, 0);
    return Status::Converged;
}

int FabrikSolver::maxPasses(const kit::SolverRun& run) const
{
    return std::min(m_passesLimit, run.stopWhen().maxIterations);
}

void FabrikSolver::run(kit::SolverRun& run)
{
    m_stages = run.recorder<sdk::StageRow>(sdk::kStages);
    if (!run.next()) return;
    m_tree.build(run, m_byWeight);
    if (m_tree.nodes().empty()) {
        run.stop(Status::Stalled);
        return;
    }
    if (m_tree.isChain() && m_tree.isUnlimited())
        runChain(run);
    else
        runTree(run);
}

std::unique_ptr<sdk::Solver> makeFabrikSolver() { return std::make_unique<FabrikSolver>(); }

} // namespace tendon
