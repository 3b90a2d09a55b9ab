// A plugin that knows nothing but the frozen headers of SDK 2.0 (tests/conformance/sdk-2.0). Its solver meets one
// position goal with a chain of hinges in the xy plane by cyclic coordinate descent, written without the kit, which is
// not frozen.
#include <tendon/sdk/Version.h>

#include <QObject>

#ifndef Q_MOC_RUN
#include <tendon/sdk/Plugin.h>

#include <algorithm>
#include <cmath>
#include <vector>
#endif

Q_DECLARE_INTERFACE(tendon::sdk::SolverPlugin, TENDON_SOLVER_PLUGIN_IID)

#ifndef Q_MOC_RUN
namespace {

namespace sdk = tendon::sdk;

struct Point
{
    double x = 0, y = 0;
};

class FrozenSolver final : public sdk::Solver
{
public:
    bool setParameter(std::string_view, double) noexcept override { return false; }

    sdk::Status prepare(const sdk::Model& model, std::int32_t) noexcept override
    {
        if (model.size < sizeof(sdk::Model)) return sdk::Status::InvalidProblem;
        for (const sdk::JointKind kind : model.kind)
            if (kind != sdk::JointKind::Fixed && kind != sdk::JointKind::Revolute) return sdk::Status::Unsupported;
        m_model = model;
        m_points.resize(model.parent.size());
        return sdk::Status::Converged;
    }

    sdk::Status solve(const sdk::Problem& problem, const sdk::Control& control,
                      sdk::Solution& solution) noexcept override
    {
        const sdk::Stop stop = sdk::read(problem.stop);
        if (problem.size < sizeof(sdk::Problem) || !problem.goals.isLargeEnough()) return sdk::Status::InvalidProblem;
        if (sdk::read(problem.objectives).restPose > 0 || problem.curve != nullptr) return sdk::Status::Unsupported;
        std::copy(problem.seed.begin(), problem.seed.end(), solution.q.begin());
        sdk::Extension* stages = sdk::findExtension(control, sdk::kStages);
        if (stages != nullptr) stages->used = 0;
        solution.iterations = solution.traceRows = 0;

        sdk::Status status = sdk::Status::Converged;
        for (std::size_t g = 0; g < problem.goals.size(); ++g) {
            const sdk::Goal& goal = problem.goals[g];
            sdk::GoalResult result;
            result.status = sdk::Status::Converged;
            if (goal.positionWeight > 0) {
                result.status = status = descend(problem, goal, stop.maxIterations, control, stages, solution);
                result.positionError = miss(goal);
            }
            solution.goals[g] = result;
        }
        return status;
    }

private:
    /// Turns each hinge above the goal's body, tip to root, so that the body's origin comes nearest to the target.
    sdk::Status descend(const sdk::Problem& problem, const sdk::Goal& goal, int maxIterations,
                        const sdk::Control& control, sdk::Extension* stages, sdk::Solution& solution)
    {
        place(problem, solution.q);
        while (miss(goal) > goal.positionTolerance) {
            if (control.cancelled != nullptr && control.cancelled->load()) return sdk::Status::Cancelled;
            if (solution.iterations >= maxIterations) return sdk::Status::IterationLimit;
            const double before = miss(goal);
            for (std::int32_t b = m_model.parent[at(goal.body)]; b >= 0; b = m_model.parent[at(b)]) {
                if (m_model.kind[at(b)] != sdk::JointKind::Revolute) continue;
                const Point pivot = m_points[at(b)], tip = m_points[at(goal.body)];
                const double now = std::atan2(tip.y - pivot.y, tip.x - pivot.x);
                const double wanted = std::atan2(goal.targetPosition[1] - pivot.y, goal.targetPosition[0] - pivot.x);
                solution.q[at(m_model.qBegin[at(b)])] += wanted - now;
                place(problem, solution.q);
                record(stages, solution.iterations, b);
            }
            if (static_cast<std::size_t>(solution.traceRows) < control.trace.size())
                control.trace[at(solution.traceRows++)] = {solution.iterations, 0, before, 0, -1};
            ++solution.iterations;
        }
        return sdk::Status::Converged;
    }

    /// The origins of all bodies at q. Bases turn nothing here.
    void place(const sdk::Problem& problem, std::span<const double> q)
    {
        std::vector<double>& angle = m_angle;
        angle.assign(m_points.size(), 0);
        for (std::size_t b = 0; b < m_points.size(); ++b) {
            const std::int32_t parent = m_model.parent[b];
            const double above = parent < 0 ? 0 : angle[at(parent)];
            const Point from = parent < 0 ? Point() : m_points[at(parent)];
            const double x = problem.base[8 * b], y = problem.base[8 * b + 1];
            m_points[b] = {from.x + std::cos(above) * x - std::sin(above) * y,
                           from.y + std::sin(above) * x + std::cos(above) * y};
            angle[b] = above + (m_model.kind[b] == sdk::JointKind::Revolute ? q[at(m_model.qBegin[b])] : 0);
        }
    }

    void record(sdk::Extension* stages, std::int32_t pass, std::int32_t body)
    {
        if (stages == nullptr || stages->rows.stride < sizeof(sdk::StageRow)) return;
        if (static_cast<std::size_t>(stages->used) >= stages->rows.size()) return;
        sdk::StageRow row;
        row.pass = pass;
        row.stage = sdk::Stage::Look;
        row.body = body;
        reinterpret_cast<sdk::StageRow&>(stages->rows[at(stages->used++)]) = row;
    }

    [[nodiscard]] double miss(const sdk::Goal& goal) const
    {
        const Point tip = m_points[at(goal.body)];
        return std::hypot(tip.x - goal.targetPosition[0], tip.y - goal.targetPosition[1]);
    }

    static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

    sdk::Model m_model;
    std::vector<Point> m_points;
    std::vector<double> m_angle;
};

} // namespace

/// Calls `visit` with every member and value that the headers of this plugin list.
extern "C" Q_DECL_EXPORT void
tendonVisitLayout(void (*visit)(void* to, const char* member, std::size_t offset, std::size_t size), void* to)
{
    for (const std::span<const sdk::LayoutEntry> entries :
         {std::span<const sdk::LayoutEntry>(sdk::kRowsLayout), std::span<const sdk::LayoutEntry>(sdk::kJointLayout),
          std::span<const sdk::LayoutEntry>(sdk::kModelLayout), std::span<const sdk::LayoutEntry>(sdk::kGoalLayout),
          std::span<const sdk::LayoutEntry>(sdk::kProblemLayout),
          std::span<const sdk::LayoutEntry>(sdk::kControlLayout), std::span<const sdk::LayoutEntry>(sdk::kStagesLayout),
          std::span<const sdk::LayoutEntry>(sdk::kReportLayout)})
        for (const sdk::LayoutEntry& entry : entries) visit(to, entry.member, entry.offset, entry.size);
}
#endif

class FrozenPlugin final : public QObject, public tendon::sdk::SolverPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID TENDON_SOLVER_PLUGIN_IID FILE "solver.json")
    Q_INTERFACES(tendon::sdk::SolverPlugin)

public:
    [[nodiscard]] std::uint64_t layout() const noexcept override { return tendon::sdk::layoutHash(); }
    [[nodiscard]] std::unique_ptr<tendon::sdk::Solver> create() const noexcept override
    {
        return std::make_unique<FrozenSolver>();
    }
};

#include "FrozenSolver.moc"
