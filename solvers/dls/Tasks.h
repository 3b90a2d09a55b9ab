#pragma once

#include "solvers/dls/BoxStep.h"
#include "solvers/dls/LinkTree.h"

namespace tendon::dls {

/// One goal as rows of the system.
struct Task
{
    std::int32_t goal = 0; ///< index into the problem's goals
    std::int32_t row = 0;  ///< its first row
    std::int32_t link = 0;
    std::int32_t firstColumn = 0, columnCount = 0; ///< its part of Tasks' list: the columns that carry it
    double positionFactor = 1;                     ///< weight and scale of its position rows [1/m]
    double rotationFactor = 1;                     ///< and of its rotation rows
    Vector3 target = Vector3::Zero();              ///< position asked; within reach
    Vector3 next = Vector3::Zero();                ///< the same of the next step: the target, or on the way to it
    Vector3 anchor = Vector3::Zero();              ///< centre of the reach
    Matrix3 inverseTarget = Matrix3::Identity();   ///< transposed rotation asked
    bool isProjected = false;                      ///< target stands in for one beyond reach
};

/// The goals of one solve as one weighted, scaled residual with its Jacobian over the columns of a LinkTree.
///
/// Position rows are divided by a length of the rig, so that metres and radians weigh alike in rigs of every size and a
/// scaled rig takes the same steps.
class Tasks
{
public:
    void prepare(const sdk::Model& model, std::int32_t maxGoals);
    void build(const kit::SolverRun& run, const LinkTree& tree);

    /// Residual at the transforms of `tree`, and whether all goals are within their tolerances.
    void evaluate(const LinkTree& tree);

    /// At the transforms of the last evaluate(): where the goal is one position, and all that moves are balls without
    /// limits or more than ten joints that turn without limits, the residual from now on is that of a place on the arc
    /// about the chain's start to the goal.
    void aimAlongArc(const LinkTree& tree);
    [[nodiscard]] bool isLongArc() const { return m_hasArc && m_isLong; } ///< of more than ten joints

    /// Jacobian at the transforms of the last evaluate().
    void differentiate(const LinkTree& tree);

    [[nodiscard]] std::span<const double> residual() const { return {m_residual.data(), m_rows}; }
    [[nodiscard]] double cost() const { return m_cost; } ///< 1/2 r'r
    [[nodiscard]] bool isMet() const { return m_isMet; }
    [[nodiscard]] const double* jacobian() const { return m_jacobian.data(); } ///< rows x columns, by columns
    [[nodiscard]] double* jacobian() { return m_jacobian.data(); }
    /// Per column, the rows of the goals that it carries.
    [[nodiscard]] std::span<const BoxStep::RowRange> filledRows() const { return m_filled; }
    [[nodiscard]] double length() const { return m_length; } ///< [m] that position rows are divided by
    /// Whether aimAlongArc() does anything.
    [[nodiscard]] bool hasArc() const { return m_hasArc; }
    [[nodiscard]] bool hasProjected() const { return m_hasProjected; }
    [[nodiscard]] std::size_t taskCount() const { return m_count; }
    [[nodiscard]] const Task& task(std::size_t i) const { return m_tasks[i]; }
    [[nodiscard]] const sdk::Goal& goal(const Task& task) const { return m_problem->goals[task.goal]; }
    [[nodiscard]] Vector3 effector(const Task& task, const LinkTree& tree) const; ///< the point that it moves

private:
    void buildTask(Task& task, const kit::SolverRun& run, const LinkTree& tree);
    void chooseArc(const LinkTree& tree);
    void updateFrames(const LinkTree& tree);

    const sdk::Model* m_model = nullptr;
    const sdk::Problem* m_problem = nullptr;
    std::vector<Task> m_tasks;
    std::vector<std::int32_t> m_carriers;
    std::vector<double> m_residual, m_jacobian;
    std::vector<BoxStep::RowRange> m_filled;
    std::vector<kit::Frame<double>> m_frames; ///< for aim and pole goals only
    std::size_t m_rows = 0, m_count = 0;
    double m_length = 1, m_cost = 0;
    bool m_isMet = false, m_needsFrames = false, m_hasProjected = false, m_hasArc = false, m_isLong = false;
};

} // namespace tendon::dls
