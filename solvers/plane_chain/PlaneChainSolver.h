#pragma once

#include "solvers/plane_chain/ChainShape.h"

#include <tendon/kit/SolverBase.h>

#include <memory>
#include <vector>

namespace tendon {

/// What tells the solvers of this core apart.
struct PlaneChainRule
{
    /// The pose whose bends the chain keeps in proportion and from whose plane twist is counted. A pose that the host
    /// does not give is replaced by the seed.
    enum class Reference { Seed, Posture, Natural };
    /// What carries that plane along: the parent of the start joint, or the rotation of the goal. Chosen: the parameter
    /// `swivelSpace`.
    enum class Plane { Start, Goal, Chosen };

    Reference reference = Reference::Seed;
    Plane plane = Plane::Start;
    bool followsPole = true;
    int bones = 0; ///< the only number of bones that it takes; 0 = any
};

/// In-plane chains of any length: start joint, inner joints that bend in proportion, effector. One scalar root, or for
/// two bones none; README.md beside this file has the formulas and what it refuses.
class PlaneChainSolver final : public kit::SolverBase
{
public:
    explicit PlaneChainSolver(const PlaneChainRule& rule);

private:
    /// The joints and goals of a problem. -1 = none.
    struct Chain
    {
        int start = -1, end = -1;
        int goal = -1, pole = -1; ///< indices of goals
        bool turnsEnd = false;    ///< the goal asks for the end's rotation
        int turning = 0;          ///< number of inner joints that may turn
    };
    /// The path to the distance that is searched, and how the search stands.
    struct Search
    {
        double wanted = 0; ///< [m]
        double tolerance = 0;
        double nearest = 0, nearestMiss = 0; ///< the point of the path that came nearest so far, and how near
        double norm = 0;                     ///< of the residual before the step, for the trace
        double last = 0, length = 0;         ///< the point tried last; [rad] the largest bend of the path
        bool isStopped = false;
    };

    sdk::Status onPrepare(const sdk::Model& model, std::int32_t maxGoals) override;
    bool supports(const kit::SolverRun& run) const override;
    void run(kit::SolverRun& run) override;

    bool findChain(const kit::SolverRun& run, Chain& chain) const;
    void listInner(const kit::SolverRun& run, const Chain& chain);
    void takeReference(const kit::SolverRun& run, const Chain& chain);
    [[nodiscard]] kit::Quaternion goalTurn(const kit::SolverRun& run, const Chain& chain) const;

    void reach(kit::SolverRun& run, const Chain& chain, double wanted);
    bool follow(kit::SolverRun& run, const Chain& chain, Search& search, ChainShape::Toward toward);
    static bool isStopped(kit::SolverRun& run);
    double missAt(kit::SolverRun& run, const Chain& chain, Search& search, double at);
    void closeIn(kit::SolverRun& run, const Chain& chain, Search& search, double a, double missA, double b,
                 double missB);
    void sharpen(kit::SolverRun& run, const Chain& chain, Search& search, double from, double to);

    void pose(const kit::SolverRun& run, const Chain& chain);
    void approach(kit::SolverRun& run, const Chain& chain);
    bool descend(kit::SolverRun& run, const Chain& chain, int rows);
    template <class Visit>
    void forEachWay(const kit::SolverRun& run, int held, const Visit& visit) const;
    void turnStart(const kit::SolverRun& run, const Chain& chain);
    [[nodiscard]] kit::Quaternion swivel(const kit::SolverRun& run, const Chain& chain, const kit::Quaternion& turned,
                                         const kit::Vector3& toEnd) const;
    [[nodiscard]] kit::Vector3 bendOfStraight(const kit::SolverRun& run, const Chain& chain,
                                              const kit::Vector3& toEnd) const;
    [[nodiscard]] kit::Quaternion swivelIntoLimits(const kit::SolverRun& run, const Chain& chain,
                                                   const kit::Quaternion& turned, const kit::Vector3& toEnd) const;
    [[nodiscard]] kit::Quaternion rotationBefore(const kit::SolverRun& run, int body) const;
    [[nodiscard]] kit::Quaternion rotationWithinLimits(const kit::SolverRun& run, int body,
                                                       const kit::Quaternion& world) const;
    void turnTo(const kit::SolverRun& run, int body, const kit::Quaternion& world);
    void updateFrames(const kit::SolverRun& run, int from);
    void settle(kit::SolverRun& run);

    PlaneChainRule m_rule;
    ChainShape m_shape;
    kit::Vector3 m_target = kit::Vector3::Zero();   ///< where the effector goes
    kit::Vector3 m_effector = kit::Vector3::Zero(); ///< in the end's space
    kit::Vector3 m_line = kit::Vector3::Zero();     ///< start -> effector in the reference pose, in model space
    kit::Quaternion m_goalTurn = kit::Quaternion::Identity();
    std::vector<double> m_q, m_reference, m_trial; ///< (nq)
    std::vector<double> m_step;                    ///< (nv)
    std::vector<int> m_inner;
    std::vector<kit::Frame<double>> m_frames;
};

// The solvers that Tendon ships on this core; each has its solver.json and README.md in a folder here.
[[nodiscard]] std::unique_ptr<sdk::Solver> makeTwoBoneSolver();
[[nodiscard]] std::unique_ptr<sdk::Solver> makeRotatePlaneSolver();
[[nodiscard]] std::unique_ptr<sdk::Solver> makeSingleChainSolver();
[[nodiscard]] std::unique_ptr<sdk::Solver> makeSpringSolver();
[[nodiscard]] std::unique_ptr<sdk::Solver> makeLimbSolver();
[[nodiscard]] std::unique_ptr<sdk::Solver> makeHiSolver();

} // namespace tendon
