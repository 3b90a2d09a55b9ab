#include "core/solve/SolveRecorder.h"

#include "core/math/Convert.h"
#include "core/runtime/ForwardKinematics.h"

#include <tendon/kit/Residuals.h>

#include <Eigen/SVD>

#include <algorithm>

namespace tendon {
namespace {

constexpr double kNegligible =
    1e-6; ///< share of the largest singular value below which one does not count for the rank

/// d(residual of all goals)/d(DOF), unweighted, with a column for each DOF that may move.
Eigen::MatrixXd jacobianOf(const sdk::Model& model, const sdk::Problem& problem, std::span<const double> q,
                           std::span<const kit::Frame<double>> frames)
{
    std::vector<kit::DofMotion> motions(static_cast<std::size_t>(model.dofCount));
    for (std::int32_t body = 0; body < model.bodyCount; ++body)
        kit::dofMotions(model, body, problem.base, q, frames, motions);
    std::vector<Eigen::Index> columns(static_cast<std::size_t>(model.dofCount), -1);
    Eigen::Index width = 0, height = 0;
    for (std::size_t v = 0; v < columns.size(); ++v)
        if (problem.locked.empty() || problem.locked[v] == 0) columns[v] = width++;
    for (const sdk::Goal& goal : problem.goals) height += kit::isActive(goal) ? kit::residualRows(goal.kind) : 0;

    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(height, width);
    Eigen::Index row = 0;
    for (const sdk::Goal& goal : problem.goals) {
        if (!kit::isActive(goal)) continue;
        const kit::ResidualDerivative derivative(model, goal, frames);
        const int rows = kit::residualRows(goal.kind);
        for (std::int32_t body = goal.body; body >= 0; body = model.parent[static_cast<std::size_t>(body)]) {
            const auto b = static_cast<std::size_t>(body);
            for (std::int32_t v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v) {
                const auto dof = static_cast<std::size_t>(v);
                if (columns[dof] < 0) continue;
                double column[kit::kMaxRows];
                derivative.column(motions[dof], body, column);
                for (int i = 0; i < rows; ++i)
                    if (kit::rowWeight(goal, i) > 0) jacobian(row + i, columns[dof]) = column[i];
            }
        }
        row += rows;
    }
    return jacobian;
}

} // namespace

struct SolveRecorder::Source
{
    const CompiledRig& rig;
    const ProblemBuilder& builder;
    const sdk::Problem& problem;
    const sdk::Solution& solution;
    std::span<const double> blend;
    const SolvedFrame& fk;

    /// The joint that a body stands for, as an index into SolverRecording::joints; -1 = a carrier.
    [[nodiscard]] std::int32_t placeOf(std::int32_t body) const
    {
        if (body < 0) return -1;
        const sdk::Model& model = builder.model();
        const auto b = static_cast<std::size_t>(body);
        const bool hasDofs = model.vBegin[b + 1] > model.vBegin[b];
        const auto& joints = builder.joints();
        for (std::size_t place = 0; place < joints.size(); ++place)
            if (hasDofs ? builder.jointOfDof(model.vBegin[b]) == joints[place].joint
                        : builder.bodyOf(joints[place].joint) == body)
                return static_cast<std::int32_t>(place);
        return -1;
    }
};

void SolveRecorder::begin(sdk::Control& control, const sdk::Model& model)
{
    if (m_detail == Detail::Steps) {
        m_rows.assign(kMaxRows, {});
        m_configurations.assign(kMaxRows * static_cast<std::size_t>(model.coordinateCount), 0.0);
        m_stageRows.assign(kMaxStages, {});
        m_stages = sdk::makeExtension(sdk::kStages, std::span(m_stageRows));
        control.trace = m_rows;
        control.traceConfigurations = m_configurations;
        control.extensions = std::span(&m_stages, 1);
    }
    m_begin = std::chrono::steady_clock::now();
}

void SolveRecorder::end(const CompiledRig& rig, const ProblemBuilder& builder, const sdk::Problem& problem,
                        const sdk::Solution& solution, std::span<const double> blend, const SolvedFrame& fk)
{
    m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    if (m_detail != Detail::Steps) return;
    const Source source{rig, builder, problem, solution, blend, fk};
    describe(source);
    if (m_recording.steps.empty()) addStep(source, problem.seed, {}, {});

    const std::size_t width = problem.seed.size(),
                      rows = std::min(static_cast<std::size_t>(std::max(0, solution.traceRows)), m_rows.size());
    m_recording.isCut |= rows == m_rows.size();
    for (std::size_t r = 0; r < rows; ++r) {
        const std::span<const double> q = std::span(m_configurations).subspan(r * width, width);
        // An iteration may have several rows; its last one has the pose that it ends with.
        if (r + 1 < rows && m_rows[r + 1].iteration == m_rows[r].iteration) {
            addMove(source, q, m_iterationsBefore + m_rows[r].iteration + 1);
            continue;
        }
        SolveStep step;
        // Closed forms need no iterations, and trace one.
        step.iteration = m_iterationsBefore + std::min(m_rows[r].iteration + 1, solution.iterations);
        step.change = m_rows[r].step;
        step.damping = m_rows[r].damping;
        addStep(source, q, {}, std::move(step));
    }
    SolveStep answer;
    answer.iteration = m_iterationsBefore + solution.iterations;
    answer.damping = m_recording.steps.back().damping;
    addStep(source, solution.q, solution.stretch, std::move(answer));
    addStages(source);
    m_iterationsBefore += solution.iterations;
}

void SolveRecorder::finish(const LocalPose& answer)
{
    if (m_detail != Detail::Steps || m_recording.steps.empty()) return;
    SolveStep& last = m_recording.steps.back();
    last.local.clear();
    for (const JointIndex joint : m_recording.joints) last.local.push_back(answer.joints[tendon::at(joint)]);
    last.positions = positionsOf(m_recording, last.local);
}

void SolveRecorder::describe(const Source& source)
{
    SolverRecording& made = m_recording;
    made.joints.clear();
    made.parents.clear();
    made.carriers.clear();
    for (const SolveJoint& joint : source.builder.joints()) made.joints.push_back(joint.joint);
    for (const JointIndex joint : made.joints) {
        const JointIndex parent = source.rig.parent[tendon::at(joint)];
        const auto found = std::lower_bound(made.joints.begin(), made.joints.end(), parent);
        const bool isInside = found != made.joints.end() && *found == parent;
        made.parents.push_back(isInside ? static_cast<std::int32_t>(found - made.joints.begin()) : -1);
        made.carriers.push_back(isInside || parent < 0 ? Affine::Identity()
                                                       : source.fk.model.modelFromJoint[tendon::at(parent)]);
    }
    made.goals.clear();
    for (std::size_t g = 0; g < source.problem.goals.size(); ++g) {
        const sdk::Goal& goal = source.problem.goals[g];
        RecordedGoal recorded;
        recorded.kind = goal.kind;
        recorded.joint = source.placeOf(goal.body);
        recorded.offset = kit::vectorAt(goal.offset);
        recorded.target = kit::vectorAt(goal.targetPosition);
        recorded.positionTolerance = goal.positionTolerance;
        recorded.rotationTolerance = goal.rotationTolerance;
        const double pull = source.solution.goals[g].multiplier;
        if (std::isfinite(pull)) recorded.pull = pull;
        made.goals.push_back(recorded);
    }
}

void SolveRecorder::addStep(const Source& source, std::span<const double> q, std::span<const double> stretch,
                            SolveStep step)
{
    measure(source, q, step);
    step.local = poseOf(source, q, stretch);
    step.positions = positionsOf(m_recording, step.local);
    m_recording.steps.push_back(std::move(step));
}

void SolveRecorder::addMove(const Source& source, std::span<const double> q, std::int32_t iteration)
{
    m_recording.moves.push_back({iteration, positionsOf(m_recording, poseOf(source, q, {}))});
}

/// The recording's joints as a configuration poses them.
std::vector<LocalTransform> SolveRecorder::poseOf(const Source& source, std::span<const double> q,
                                                  std::span<const double> stretch) const
{
    LocalPose pose = source.fk.local;
    source.builder.write(q, stretch, source.blend, pose);
    std::vector<LocalTransform> local;
    for (const JointIndex joint : m_recording.joints) local.push_back(pose.joints[tendon::at(joint)]);
    return local;
}

/// What the configuration misses, and how much each singular direction of the goals can still be moved there.
void SolveRecorder::measure(const Source& source, std::span<const double> q, SolveStep& step)
{
    const sdk::Model& model = source.builder.model();
    std::vector<kit::Frame<double>> frames(static_cast<std::size_t>(model.bodyCount));
    kit::forwardKinematics<double>(model, source.problem.base, q, frames);
    for (const sdk::Goal& goal : source.problem.goals) {
        double residual[kit::kMaxRows];
        kit::residual<double>(model, goal, frames, residual);
        const kit::GoalError error = kit::goalError(goal, residual);
        step.misses.push_back({error.position, error.rotation});
    }
    const Eigen::MatrixXd jacobian = jacobianOf(model, source.problem, q, frames);
    if (jacobian.size() == 0) return;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian);
    step.singularValues.assign(svd.singularValues().begin(), svd.singularValues().end());
    step.rank = static_cast<std::int32_t>(
        std::count_if(step.singularValues.begin(), step.singularValues.end(),
                      [&](double value) { return value > kNegligible * step.singularValues.front(); }));
}

void SolveRecorder::addStages(const Source& source)
{
    const auto used = std::min(static_cast<std::size_t>(std::max(0, m_stages.used)), m_stageRows.size());
    m_recording.isCut |= used == m_stageRows.size();
    for (std::size_t r = 0; r < used; ++r) {
        RecordedStage stage{m_stageRows[r], source.placeOf(m_stageRows[r].body), -1};
        stage.row.pass += m_iterationsBefore + 1;
        if (stage.row.other < 0 && -1 - stage.row.other < static_cast<std::int32_t>(source.problem.goals.size()) &&
            (stage.row.isForward == 0 || stage.row.body < 0))
            stage.goal = -1 - stage.row.other;
        if (stage.row.stage >= sdk::Stage::Ellipse && stage.row.stage <= sdk::Stage::Twist && stage.row.other >= 0)
            stage.limited = source.placeOf(stage.row.other);
        m_recording.stages.push_back(stage);
    }
}

} // namespace tendon
