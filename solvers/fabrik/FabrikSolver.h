#pragma once

#include "solvers/fabrik/Descent.h"
#include "solvers/fabrik/PointChain.h"
#include "solvers/fabrik/TreePasses.h"

#include <tendon/kit/Random.h>
#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// FABRIK (Aristidou and Lasenby 2011): joints are points that are pulled along lines, tip to root and back, until the
/// effectors reach their goals. Chains and trees, every joint kind, limits in every pass. See README.md.
class FabrikSolver : public kit::SolverBase
{
public:
    FabrikSolver();

    /// The stages in the trace's rows. Every step of a pass is in the rows of sdk/Stages.h.
    enum TraceStage { Backward = 0, Forward = 1, Straight = 2, Sweep = 3, Nudge = 4, Descend = 5 };

protected:
    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

private:
    using Vector3 = kit::Vector3;
    using Quaternion = kit::Quaternion;

    /// Stuck: no pass helps any more. Capped: the parameter's passes are used up. Stopped: the host ends the solve.
    enum class Ending { Met, Stuck, Capped, Stopped };

    // FabrikChain.cpp: chains without limits, as points
    void runChain(kit::SolverRun& run);
    void readPoints(const kit::SolverRun& run);
    void writePoints(const kit::SolverRun& run);
    [[nodiscard]] sdk::Status passPoints(kit::SolverRun& run, const Vector3& target, double tolerance);
    [[nodiscard]] bool closeTriangle(const Vector3& target);
    void closeGap(const Vector3& target, double tolerance, double error);
    void bendWhereStraight(const kit::SolverRun& run, const Vector3& target);
    void recordPoints(sdk::Stage stage, bool isForward, std::int32_t pass);

    // FabrikTree.cpp: everything else
    void runTree(kit::SolverRun& run);
    [[nodiscard]] Ending follow(kit::SolverRun& run);
    [[nodiscard]] Ending tryOtherStarts(kit::SolverRun& run, Ending ending);
    [[nodiscard]] Ending settle(kit::SolverRun& run);
    [[nodiscard]] Ending descend(kit::SolverRun& run);
    [[nodiscard]] Ending repeat(kit::SolverRun& run, TraceStage what, int patience);
    [[nodiscard]] bool isOver(const kit::SolverRun& run);
    void countPass(kit::SolverRun& run);
    void traceStep(kit::SolverRun& run, TraceStage stage);
    [[nodiscard]] bool isStraight() const;
    void nudge(kit::SolverRun& run, int attempt);
    void turnToPoles(kit::SolverRun& run);
    [[nodiscard]] double miss() const;
    void clampTargets(const kit::SolverRun& run);
    void keepIfBest();

    /// The parameter's or the host's limit, whichever is lower.
    [[nodiscard]] int maxPasses(const kit::SolverRun& run) const;

    fabrik::JointTree m_tree;
    fabrik::TreePasses m_passes;
    fabrik::Descent m_descent;
    kit::Recorder<sdk::StageRow> m_stages;

    int m_passesLimit = 100;
    double m_toleranceFactor = 1, m_preferred = 1;
    bool m_limitsBackward = true, m_byWeight = true, m_twoSpheres = true, m_sweeps = true;

    std::vector<double> m_q;                     ///< (nq) scratch
    std::vector<double> m_start;                 ///< (nq) the seed within limits
    std::vector<double> m_answer;                ///< (nq) the best pose of all starts that may be it
    double m_bestMiss = 0;                       ///< of what m_passes keeps
    int m_passCount = 0;                         ///< passes, sweeps and steps of this solve
    int m_passesOfStart = 0;                     ///< passes and sweeps since this start
    sdk::Status m_ending = sdk::Status::Stalled; ///< why a solve was stopped
    bool m_isReachable = true;
    bool m_hasPoles = false;
    double m_poleMiss = 0;         ///< [rad] weighted
    std::vector<Vector3> m_points; ///< (nodes + 1) pivots, then the effector
    std::vector<double> m_lengths; ///< (nodes) m_points[i] to m_points[i + 1]
};

/// A new FabrikSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeFabrikSolver();

} // namespace tendon
