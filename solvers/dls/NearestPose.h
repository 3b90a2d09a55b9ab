#pragma once

#include "solvers/dls/LimitWalls.h"
#include "solvers/dls/Tasks.h"
#include "solvers/dls/TreeMatrix.h"

#include <span>
#include <vector>

namespace tendon::dls {

/// Leads a pose to the one nearest to a reference of all that meet the goals within the limits: the least value of
///
///     E(q) = 1/2 |y(q)|^2  +  goal weight * 1/2 |r(q)|^2  +  wall * LimitWalls(q)
///
/// with y the way from the reference in units of each DOF's metric (of a ball: its rotation vector), and r the residual
/// of Tasks. Newton's steps with the goals' own curvature, on a TreeMatrix.
///
/// E is approached from afar: with goals that hardly weigh and walls that are felt everywhere, then with ever heavier
/// goals and lower, narrower walls. So the pose leaves the reference along one way that depends on reference and goals
/// alone, and nearly always ends in the lowest minimum, which moves continuously with the goals. Memory is sized by
/// prepare(); nothing else allocates.
class NearestPose
{
public:
    /// False for rigs whose columns carry each other so often that a Newton step costs too much time and memory.
    [[nodiscard]] static bool takes(const sdk::Model& model);

    void prepare(const sdk::Model& model, std::int32_t maxGoals);

    /// Takes the reference (nq) of a solve. `tree` and `tasks` have been built, metrics included, and must stay.
    void build(const kit::SolverRun& run, LinkTree& tree, Tasks& tasks, std::span<const double> reference);

    /// Leads `q` (nq) from the reference to the least E, as near as Newton's steps come. A reference that meets the
    /// goals keeps every bit.
    void approach(kit::SolverRun& run, std::span<double> q);

private:
    enum class Curvature { Exact, OfResiduals };

    void evaluate(std::span<const double> q);
    [[nodiscard]] double energy(std::span<const double> q) const;
    [[nodiscard]] bool newton(std::span<const double> q);
    void differentiate(std::span<const double> q, Curvature curvature);
    void addBallWay(const Link& link, std::span<const double> q, Curvature curvature);
    void addGoals();
    void addGoalCurvature();
    void holdAtLimits(std::span<const double> q);
    void noteForces();
    [[nodiscard]] double tryStep(std::span<const double> q);
    [[nodiscard]] double tryAt(std::span<const double> q, std::span<const double> step);
    void expect(std::span<const double> step);
    void correct();
    [[nodiscard]] double largest(std::span<const double> step) const;

    const sdk::Model* m_model = nullptr;
    LinkTree* m_tree = nullptr;
    Tasks* m_tasks = nullptr;
    LimitWalls m_walls;
    TreeMatrix m_hessian;
    std::vector<double> m_reference, m_trial;            ///< (nq)
    std::vector<double> m_gradient, m_step, m_corrected; ///< per column, in units of the metric
    std::vector<double> m_dv;                            ///< per column
    std::vector<std::uint8_t> m_isHeld;                  ///< per column: at a limit that it presses
    std::vector<double> m_packed;                        ///< a goal's Jacobian, row by row
    std::vector<double> m_forces, m_expected;            ///< per row: what goals pull with; the residual foreseen
    std::vector<Vector3> m_force, m_torque;              ///< per link, of all goals that it carries
    std::vector<Matrix3> m_moment;                       ///< per link: sum of point force'
    double m_goalWeight = 0, m_wall = 0;
    double m_shift = 0; ///< added to the Hessian's diagonal
    bool m_hasForces = false;
};

} // namespace tendon::dls
