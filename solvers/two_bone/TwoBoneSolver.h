#pragma once

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// Analytic two-bone: start -> middle -> end in closed form, no iterations. Pole and twist, soft reach, limits;
/// README.md beside this file has the formulas and what it refuses.
class TwoBoneSolver final : public kit::SolverBase
{
public:
    TwoBoneSolver();

private:
    /// The joints that a problem asks it to move.
    struct Chain
    {
        int start = -1, middle = -1, end = -1;
        bool endTurns = false; ///< the end has free turning DOFs of its own
        int position = -1;     ///< indices of goals, -1 = none
        int orientation = -1;  ///< may be the same as position (pose)
        int pole = -1;
    };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    bool supports(const kit::SolverRun& run) const override;
    void run(kit::SolverRun& run) override;

    static bool findChain(const kit::SolverRun& run, Chain& chain);
    void bendMiddle(const kit::SolverRun& run, const Chain& chain, double distance);
    void turnStart(const kit::SolverRun& run, const Chain& chain, const kit::Vector3& target);
    void turnEnd(const kit::SolverRun& run, const Chain& chain);
    void updateFrames(const kit::SolverRun& run, int from);
    kit::Vector3 hingeAxis(const kit::SolverRun& run, int body, int dof) const;
    kit::Quaternion motionFromWorld(const kit::SolverRun& run, int body, const kit::Quaternion& world) const;

    kit::Vector3 m_effector = kit::Vector3::Zero(); ///< in the end's space: the point that must arrive
    std::vector<double> m_q;
    std::vector<kit::Frame<double>> m_frames;
};

/// A new TwoBoneSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeTwoBoneSolver();

} // namespace tendon
