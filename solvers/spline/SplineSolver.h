#pragma once

#include "solvers/spline/CurveMarch.h"

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// Lays a chain along sdk::Problem::curve, joint by joint from its root. Closed form but for one root per bone, and one
/// for the stretch; README.md beside this file has the formulas.
class SplineSolver final : public kit::SolverBase
{
public:
    SplineSolver();

private:
    /// A joint that turns, and the bone from it to the next one (of the last: to the end of the chain).
    struct Link
    {
        int body = -1;
        int next = -1;                                        ///< the body at the other end of the bone
        kit::Vector3 bone = kit::Vector3::Zero();             ///< [m] in body space, in the present stretch
        kit::Vector3 restDirection = kit::Vector3::Zero();    ///< of the bone in the rest pose, in model space, unit
        kit::Quaternion unbent = kit::Quaternion::Identity(); ///< its rest rotation, the bends above it undone
        double length = 0;                                    ///< [m] of the bone
        double share = 0;                                     ///< of the twist that the end has more than the start
    };
    /// How well the chain lies on the curve.
    struct Fit
    {
        double miss = 0;   ///< [m] largest distance of a joint from its place
        double bones = 0;  ///< the same, largest in lengths of its bone
        double beyond = 0; ///< [m] how far the chain's end is behind the curve's
        double excess = 0; ///< [m] `beyond`; below 0 how far the chain ends before the curve's end
    };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    bool supports(const kit::SolverRun& run) const override;
    void run(kit::SolverRun& run) override;

    void findPath(const kit::SolverRun& run, const sdk::Curve& curve);
    bool slideRoot(const kit::SolverRun& run, const kit::Vector3& place);
    void takeRest(const kit::SolverRun& run);
    void setStretch(const kit::SolverRun& run, double stretch);
    Fit layAlong(const kit::SolverRun& run, const sdk::Curve& curve, const spline::CurveMarch& march,
                 const spline::CurveMarch::Place& start);
    void turnTo(const kit::SolverRun& run, const Link& link, const kit::Quaternion& world,
                const kit::Vector3& direction);
    void updateFrames(const kit::SolverRun& run, int from, int to);
    [[nodiscard]] bool isAtLimit(const kit::SolverRun& run) const;

    bool m_rootOnCurve = true;
    std::vector<int> m_path; ///< bodies from the start to the end
    std::vector<Link> m_links;
    std::vector<double> m_q;    ///< (nq)
    std::vector<double> m_base; ///< (n x 8) with the present stretch
    std::vector<kit::Frame<double>> m_frames;
};

/// A new SplineSolver: what the plugin's shell calls, so that it need not compile this class.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeSplineSolver();

} // namespace tendon
