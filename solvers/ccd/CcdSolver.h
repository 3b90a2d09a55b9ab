#pragma once

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// Cyclic coordinate descent: turns one joint at a time to where the goals below it are missed least, in closed form,
/// joint after joint. README.md beside this file has the mathematics.
class CcdSolver final : public kit::SolverBase
{
public:
    CcdSolver();

private:
    enum class Order { FromTip = 0, FromRoot = 1 };

    /// One goal's effector as a pass moves it, and where it should be [model space].
    struct End
    {
        std::int32_t goal = 0;
        kit::Vector3 point = kit::Vector3::Zero(), target = kit::Vector3::Zero();
        kit::Quaternion rotation = kit::Quaternion::Identity(), targetRotation = kit::Quaternion::Identity();
        double pointWeight = 0;                      ///< of the squared distance
        double rotationWeight = 0;                   ///< of the squared angle [m^2]
        kit::Vector3 nearest = kit::Vector3::Zero(); ///< to the target within reach
        double levers = 0;                           ///< [m] the longest lever of each turn in a pass, summed
        int turns = 0;                               ///< of joints in a pass that move this end
        double cost = 0; ///< of a joint's turn, times 1 - cos(turn): what damping makes of the present miss
    };

    /// What a rotation R about a pivot makes of the ends that hang on it: the missed squares are a constant minus
    /// trace(R * matrix).
    struct Pull
    {
        kit::Matrix3 matrix = kit::Matrix3::Zero();
        double size = 0; ///< no rotation has a larger trace: what counts as rounding is relative to this
        int terms = 0;   ///< points off the pivot, and rotations
        double cost = 0; ///< of turning, times 1 - cos(turn)
        kit::Vector3 from = kit::Vector3::Zero(), to = kit::Vector3::Zero(); ///< arm and target of the last point
        double weight = 0;                                                   ///< of the last point
    };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    void run(kit::SolverRun& run) override;

    void begin(const kit::SolverRun& run);
    double keepIfBest(const kit::SolverRun& run);
    double pass(kit::SolverRun& run);
    void traceMove(kit::SolverRun& run, int body, double moved) const;
    double moveBody(const kit::SolverRun& run, int body);
    double moveDof(const kit::SolverRun& run, int body, int dof);
    double moveBall(const kit::SolverRun& run, int body);
    void updateFrame(const kit::SolverRun& run, int body);
    void carryEnds(const kit::SolverRun& run, int body);
    [[nodiscard]] Pull pullOn(int body, const kit::Vector3& pivot) const;
    [[nodiscard]] static kit::Quaternion bestRotation(const Pull& pull);
    [[nodiscard]] bool hangsOn(const End& end, int body) const;

    Order m_order = Order::FromTip;
    double m_damping = 0;
    double m_length = 1; ///< [m] counts as much as one radian
    double m_leastMissed = 0;
    std::vector<End> m_ends;
    std::vector<std::uint8_t> m_hangs;        ///< (n x goals) 1 = the goal's body is this one or hangs on it
    std::vector<double> m_q, m_best, m_dv;    ///< (nq), (nq) missing least so far, (nv)
    std::vector<kit::Frame<double>> m_frames; ///< (n) current where the pass has use for them
    std::vector<kit::DofMotion> m_motions;    ///< (nv)
    std::size_t m_goalCount = 0;              ///< the row length of m_hangs
};

/// A new CcdSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeCcdSolver();

} // namespace tendon
