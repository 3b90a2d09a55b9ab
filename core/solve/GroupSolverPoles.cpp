#include "core/math/Convert.h"
#include "core/solve/ChainBend.h"
#include "core/solve/GroupSolver.h"

#include <tendon/kit/NearestInLimits.h>

#include <algorithm>
#include <cmath>

/// The part of a group's solve that is about poles: how they are met, and what to say where they cannot be.
namespace tendon {
namespace {

constexpr std::size_t kMostPlaces = 11; // longer chains spread a turn so far that no joint turns much

} // namespace

/// All goals, poles among them.
sdk::Status GroupSolver::solveWithPoles(sdk::Problem problem, const SolvedFrame& fk, const std::atomic<bool>* cancelled,
                                        SolveRecorder* recorder)
{
    problem.goals = m_goals;
    const bool hasPole = std::any_of(m_goals.begin(), m_goals.end(),
                                     [](const sdk::Goal& goal) { return goal.kind == sdk::GoalKind::Pole; });
    // Where the chain is a hinge, goal and pole leave two poses, and the way from the reference pose tells which.
    const bool isTurned = m_turnsToPole && hasPole && !(m_knowsLaw && m_members.front().hinge);
    const sdk::Status status = isTurned ? solveTurned(problem, fk, cancelled, recorder)
                                        : solveGoals(problem, fk, cancelled, recorder);
    return sdk::isUsable(status) && isTrappedByPole(problem.base) ? solveAgainForPoles(problem, fk, cancelled, recorder)
                                                                  : status;
}

/// True if a chain misses its goal because its end went onto the line to its pole, where no bend is asked: to an
/// iterative solver that is as good as the goal. Precondition: m_q is the answer for m_goals.
bool GroupSolver::isTrappedByPole(std::span<const double> base)
{
    if (!m_usesPoles || areAllMet()) return false;
    constexpr double kOnLine = 0.02; // sine of the angle between the line to the pole and that to the end
    const sdk::Model& model = m_builder.model();
    bool isPosed = false;
    for (const Member& member : m_members) {
        const auto pole = static_cast<std::size_t>(member.goal + 1); // goals of a member are side by side
        if (member.goal < 0 || pole >= m_goals.size() || m_goals[pole].kind != sdk::GoalKind::Pole) continue;
        if (m_goalResults[pole - 1].status != sdk::Status::Stalled) continue;
        if (!isPosed) kit::forwardKinematics<double>(model, base, m_q, m_frames);
        isPosed = true;
        const auto shape = kit::poleShape<double>(model, m_goals[pole], m_frames);
        if (shape.span.cross(shape.pole).norm() < kOnLine * shape.span.norm() * shape.pole.norm()) return true;
    }
    return false;
}

/// Meets the goals without the pole first, then turns the chain rigidly about the line to its end until it faces the
/// pole, and goes on from there. So the shape does not depend on the way round, and there is no pole at which the way
/// round changes; a solver that weighs poses by their way from a reference pose takes it from the turned chain. A chain
/// that its goal draws straight is turned while it is still a little bent: straight it has no
/// bend to face the pole, but it must stand as its neighbours do. Precondition: one handle.
sdk::Status GroupSolver::solveTurned(sdk::Problem problem, const SolvedFrame& fk, const std::atomic<bool>* cancelled,
                                     SolveRecorder* recorder)
{
    m_poleless.clear();
    std::copy_if(m_goals.begin(), m_goals.end(), std::back_inserter(m_poleless),
                 [](const sdk::Goal& goal) { return goal.kind != sdk::GoalKind::Pole; });
    problem.goals = m_poleless;
    sdk::Status status = solveGoals(problem, fk, cancelled, recorder);
    if (!sdk::isUsable(status) || status == sdk::Status::Cancelled) return status;
    std::int32_t iterations = m_solution.iterations;
    const double pull = m_goalResults.front().multiplier; // the pole comes after it
    const bool isStraight = isStraightAtGoal(problem.base, fk);
    if (isStraight) {
        status = solveBent(problem, fk, cancelled, recorder);
        iterations += m_solution.iterations;
        if (!sdk::isUsable(status) || status == sdk::Status::Cancelled) return status;
    }
    m_untwisted = m_q;
    for (sdk::Goal& goal : m_goals) {
        if (goal.kind != sdk::GoalKind::Pole) continue;
        leadHinge(problem, m_untwisted, fk, goal);
        turnToPole(problem, goal);
    }
    beginFrom(m_untwisted, problem);
    problem.goals = m_goals;
    if (isStraight) { // what bend is left at the end is rounding, and no pole may turn the chain by it
        m_poleless = m_goals;
        for (sdk::Goal& goal : m_poleless)
            if (goal.kind == sdk::GoalKind::Pole) goal.rotationWeight = 0;
        problem.goals = m_poleless;
    }
    const sdk::Status turned = solveGoals(problem, fk, cancelled, recorder);
    m_solution.iterations += iterations;
    m_goalResults.front().multiplier += pull; // what the goal costs beside the turn, which costs nothing by itself
    return turned;
}

/// Has the solver begin at `q` and measure the way of joints from there, where no objective asks for another pose.
void GroupSolver::beginFrom(std::span<const double> q, sdk::Problem& problem) const
{
    problem.seed = q;
    if (!problem.posture.empty() && m_objectives.restPose == 0) problem.posture = q;
    if (!problem.natural.empty() && m_objectives.naturalPose == 0) problem.natural = q;
}

/// True if the end is so far from the start that the bend cannot be told. Precondition: one handle; m_q is the answer
/// for m_poleless.
bool GroupSolver::isStraightAtGoal(std::span<const double> base, const SolvedFrame& fk)
{
    constexpr double kStraight = 1e-4; // of the reach
    const Member& member = m_members.front();
    const auto pole = std::find_if(m_goals.begin(), m_goals.end(),
                                   [](const sdk::Goal& goal) { return goal.kind == sdk::GoalKind::Pole; });
    if (member.goal < 0 || !kit::asksPosition(m_goals[static_cast<std::size_t>(member.goal)].kind)) return false;
    kit::forwardKinematics<double>(m_builder.model(), base, m_q, m_frames);
    const auto shape = kit::poleShape<double>(m_builder.model(), *pole, m_frames);
    return shape.span.norm() > (1 - kStraight) * member.reach.length(fk.model);
}

/// Solves m_poleless with a goal that is drawn in so far that the chain is bent.
sdk::Status GroupSolver::solveBent(const sdk::Problem& problem, const SolvedFrame& fk,
                                   const std::atomic<bool>* cancelled, SolveRecorder* recorder)
{
    constexpr double kDrawnIn = 1e-3; // of the reach: two equal bones are bent by 5 degrees
    const Member& member = m_members.front();
    sdk::Goal& goal = m_poleless[static_cast<std::size_t>(member.goal)];
    const auto body = static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[member.places.front()]));
    kit::forwardKinematics<double>(m_builder.model(), problem.base, m_q, m_frames);
    const Vector3 start = m_frames[body].position, target = kit::vectorAt(goal.targetPosition);
    const Vector3 way = kit::effectorPoint<double>(goal, m_frames) - start;
    writeNumbers(Vector3(start + (1 - kDrawnIn) * way), goal.targetPosition);
    const sdk::Status status = solveGoals(problem, fk, cancelled, recorder);
    writeNumbers(target, goal.targetPosition);
    return status;
}

/// Where the chain is a hinge, the twist of its pole is that of the hinge's plane at q: an iterative solver ends a
/// little short of straight, where that little is much to the plane. Precondition: one handle.
void GroupSolver::leadHinge(const sdk::Problem& problem, std::span<const double> q, const SolvedFrame& fk,
                            sdk::Goal& pole)
{
    const Member& member = m_members.front();
    if (!member.hinge) return;
    kit::forwardKinematics<double>(m_builder.model(), problem.base, q, m_frames);
    const bool turnsEnd = m_rig->handles[member.handle].orientationWeight > 0;
    const kit::Frame<double>& end = m_frames[static_cast<std::size_t>(pole.body)];
    const Vector3 point = turnsEnd ? end.position : kit::effectorPoint<double>(pole, m_frames);
    const Vector3& start = m_frames[static_cast<std::size_t>(pole.startBody)].position;
    pole.twist = fk.targets[member.handle].twist + member.hinge->lead((point - start).norm());
}

/// Turns the chain's first joint in m_untwisted, as far as it may, so that the bend faces the pole.
void GroupSolver::turnToPole(const sdk::Problem& problem, const sdk::Goal& pole)
{
    const sdk::Model& model = m_builder.model();
    kit::forwardKinematics<double>(model, problem.base, m_untwisted, m_frames);
    const auto angle = kit::poleAngle(kit::poleShape<double>(model, pole, m_frames), pole.twist);
    if (!angle.isDefined) return;
    const auto body = static_cast<std::size_t>(pole.startBody);
    const Quaternion above = model.parent[body] < 0 ? Quaternion::Identity()
                                                    : m_frames[static_cast<std::size_t>(model.parent[body])].rotation;
    const Quaternion turn(Eigen::AngleAxisd(-std::atan2(angle.sine, angle.cosine), angle.axis));
    const Quaternion placed = above * kit::quaternionAt(problem.base.data() + kit::kBaseStride * body + 3);
    kit::nearestInLimits(model, pole.startBody, problem.locked, placed.conjugate() * turn * m_frames[body].rotation,
                         m_untwisted.data() + model.qBegin[body]);
}

/// Meets the goals alone first; from there the chain has only to turn about the line to them. What does not help is
/// undone.
sdk::Status GroupSolver::solveAgainForPoles(sdk::Problem problem, const SolvedFrame& fk,
                                            const std::atomic<bool>* cancelled, SolveRecorder* recorder)
{
    const std::span<const double> seed = problem.seed;
    std::int32_t iterations = m_solution.iterations;
    m_poleless.clear();
    std::copy_if(m_goals.begin(), m_goals.end(), std::back_inserter(m_poleless),
                 [](const sdk::Goal& goal) { return goal.kind != sdk::GoalKind::Pole; });
    problem.goals = m_poleless;
    sdk::Status status = solveGoals(problem, fk, cancelled, recorder);
    iterations += m_solution.iterations;
    if (sdk::isSuccess(status)) {
        m_untwisted = m_q;
        problem.seed = m_untwisted;
        problem.goals = m_goals;
        status = solveGoals(problem, fk, cancelled, recorder);
        iterations += m_solution.iterations;
        if (sdk::isUsable(status) && areAllMet()) {
            m_solution.iterations = iterations;
            return status;
        }
    }
    problem.seed = seed;
    problem.goals = m_goals;
    return solveGoals(problem, fk, cancelled, recorder);
}

/// True if a chain is at its goal and its bend is not at its pole, because limits forbid both. Precondition: m_q is the
/// answer for m_goals.
bool GroupSolver::isOverruled(const Member& member) const
{
    constexpr double kOff = 1e-3;                                             // [rad] from which it counts
    const auto goal = static_cast<std::size_t>(member.goal), pole = goal + 1; // side by side
    if (member.goal < 0 || pole >= m_goals.size() || m_goals[pole].kind != sdk::GoalKind::Pole) return false;
    return sdk::isSuccess(m_goalResults[goal].status) && m_goalResults[pole].rotationError > kOff;
}

/// How far the chain's bend turns when its goal or its pole moves a little [rad], where that is more than it may be;
/// else 0. The solver's answers for these tell. Limits leave the bend several ways to be near its pole; where two are
/// equally near, it changes from one to the other. Precondition: m_q is the answer for m_goals; it stays.
double GroupSolver::poleSwing(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk,
                              const std::atomic<bool>* cancelled)
{
    keepAnswer();
    const auto goal = static_cast<std::size_t>(member.goal), pole = goal + 1;
    const auto shapeOfAnswer = [&] {
        kit::forwardKinematics<double>(m_builder.model(), problem.base, m_q, m_frames);
        return kit::poleShape<double>(m_builder.model(), m_goals[pole], m_frames);
    };
    const auto shape = shapeOfAnswer();
    const Vector3 along = shape.span.normalized(), aside = along.unitOrthogonal(), across = along.cross(aside);
    const double reach = member.reach.length(fk.model);
    double swing = 0;
    const auto look = [&](std::size_t moved, const Vector3& way) {
        const sdk::Goal kept = m_goals[moved];
        writeNumbers(Vector3(kit::vectorAt(kept.targetPosition) + way), m_goals[moved].targetPosition);
        const sdk::Status status = solveWithPoles(problem, fk, cancelled, nullptr);
        m_goals[moved] = kept;
        if (!sdk::isUsable(status) || !sdk::isSuccess(m_goalResults[goal].status)) return;
        const auto other = shapeOfAnswer();
        const Vector3 bend = shortestRotation(shape.span, other.span) * shape.bend, line = other.span.normalized();
        swing = std::max(swing, std::abs(std::atan2(line.dot(bend.cross(other.bend)),
                                                    bend.dot(other.bend - line * line.dot(other.bend)))));
    };
    const Vector3 round = along.cross(shape.pole).normalized();
    double found = 0;
    for (const auto& [share, bound] : {std::pair(kSmallMove, kMaxSwing), std::pair(kLargeMove, kMaxLargeSwing)}) {
        for (const double move : {share * reach, -share * reach}) {
            for (const Vector3& way : {aside, across, along}) look(goal, move * way);
            look(pole, move * round);
        }
        if (swing > bound) {
            found = swing;
            break;
        }
    }
    restoreAnswer();
    return found;
}

void GroupSolver::keepAnswer()
{
    m_keptQ = m_q; // of their sizes since the construction
    m_keptResults = m_goalResults;
    m_keptHits = m_limitHits;
    m_keptSolution = m_solution;
}

void GroupSolver::restoreAnswer()
{
    m_q = m_keptQ;
    m_goalResults = m_keptResults;
    m_limitHits = m_keptHits;
    m_solution = m_keptSolution;
}

/// True near the places at which the way round to a goal is open where nothing says which way the chain is to bend: the
/// line from its start opposite to where it points without the goal, the start itself, and anywhere for a straight
/// chain that is to bend. What the chain is without the goal is the solver's to say: the seed, the rest pose or the
/// natural pose.
bool GroupSolver::isWayOpen(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk)
{
    constexpr double kNear = 0.2;                       // of the reach: farther, no solver swings by kMaxSwing
    constexpr double kStraight = 4e-4, kShorter = 0.01; // of the reach
    if (fk.targets[member.handle].pole) return false;
    const sdk::Goal& goal = m_goals[static_cast<std::size_t>(member.goal)];
    if (goal.kind != sdk::GoalKind::Position && goal.kind != sdk::GoalKind::Pose) return false;
    const sdk::Model& model = m_builder.model();
    const auto start = static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[member.places.front()]));
    const double near = kNear * member.reach.length(fk.model);
    std::span<const double> last;
    for (const std::span<const double> without : {problem.seed, problem.posture, problem.natural}) {
        if (without.empty() || std::equal(without.begin(), without.end(), last.begin(), last.end())) continue;
        last = without;
        kit::forwardKinematics<double>(model, problem.base, without, m_frames);
        const Vector3 way = kit::effectorPoint<double>(goal, m_frames) - m_frames[start].position;
        const Vector3 toGoal = kit::vectorAt(goal.targetPosition) - m_frames[start].position;
        const double along = toGoal.dot(way), across = toGoal.cross(way).norm();
        if (along < 0 ? across < near * way.norm() : toGoal.norm() < near) return true;
        const double reach = member.reach.length(fk.model);
        const bool isStraight = way.norm() > (1 - kStraight) * reach,
                   isToBend = toGoal.norm() < (1 - kShorter) * way.norm();
        if (m_canFollow && member.places.size() <= kMostPlaces && isStraight && isToBend) return true;
    }
    return false;
}

/// How far a joint turns at most when the goal moves by a share of the reach, along the axes [rad]. The solver's
/// answers tell. Precondition: m_q is the answer for m_goals; it stays.
double GroupSolver::goalSwing(const Member& member, const sdk::Problem& problem, const SolvedFrame& fk, double share,
                              const std::atomic<bool>* cancelled)
{
    keepAnswer();
    const sdk::Model& model = m_builder.model();
    const sdk::Goal kept = m_goals[static_cast<std::size_t>(member.goal)];
    const double move = share * member.reach.length(fk.model);
    double swing = 0;
    for (const Vector3& way : {Vector3(Vector3::UnitX()), Vector3(Vector3::UnitY()), Vector3(Vector3::UnitZ())})
        for (const double by : {move, -move}) {
            sdk::Goal& goal = m_goals[static_cast<std::size_t>(member.goal)];
            writeNumbers(Vector3(kit::vectorAt(kept.targetPosition) + by * way), goal.targetPosition);
            const sdk::Status status = solveWithPoles(problem, fk, cancelled, nullptr);
            goal = kept;
            if (!sdk::isUsable(status)) continue;
            for (const std::size_t place : member.places) {
                const std::int32_t body = m_builder.bodyOf(m_group.joints[place]);
                const auto q = static_cast<std::size_t>(model.qBegin[static_cast<std::size_t>(body)]);
                swing = std::max(swing, kit::motion(model, body, m_q.data() + q)
                                            .angularDistance(kit::motion(model, body, m_keptQ.data() + q)));
            }
        }
    restoreAnswer();
    return swing;
}

/// What to say of a goal near which a small move turns a joint far; nothing where none does. Where the way round is
/// open, a very small move tells. Elsewhere another pose may be as near to a goal that limits forbid, or the end is
/// near the start or the pole near the line to the end; a larger move tells that.
std::optional<HandleResult::GoalSwing> GroupSolver::swingOf(const Member& member, const sdk::Problem& problem,
                                                            const GroupRequest& request, const SolvedFrame& fk)
{
    const bool isAlone = m_members.size() == 1 && member.goal >= 0 && member.places.size() >= 3;
    if (!isAlone || !kit::asksPosition(m_goals[static_cast<std::size_t>(member.goal)].kind)) return std::nullopt;
    if (isWayOpen(member, problem, fk))
        if (const double swing = goalSwing(member, problem, fk, kSmallMove, request.cancelled); swing > kMaxSwing)
            return HandleResult::GoalSwing{swing, true};
    if (!request.looksAround || member.places.size() > kMostPlaces) return std::nullopt;
    constexpr double kNearlyStraight = 0.9; // of the reach: farther, every chain turns much as it straightens
    kit::forwardKinematics<double>(m_builder.model(), problem.base, m_q, m_frames);
    const auto start = static_cast<std::size_t>(m_builder.bodyOf(m_group.joints[member.places.front()]));
    const sdk::Goal& goal = m_goals[static_cast<std::size_t>(member.goal)];
    const double distance = (kit::vectorAt(goal.targetPosition) - m_frames[start].position).norm();
    if (distance > kNearlyStraight * member.reach.length(fk.model)) return std::nullopt;
    const double swing = goalSwing(member, problem, fk, kLargeMove, request.cancelled);
    if (swing <= kMaxGoalSwing) return std::nullopt;
    return HandleResult::GoalSwing{swing, false};
}

/// Turns the chain in m_untwisted, the answer without its twist, to the pole that addTwists() has made. True if that
/// meets all goals, so that it is the answer: a chain that nothing holds turns as a whole. Precondition:
/// problem.goals are m_goals.
bool GroupSolver::isTurnedToTwist(const sdk::Problem& problem)
{
    if (m_members.size() != 1) return false;
    turnToPole(problem, m_goals.back());
    kit::forwardKinematics<double>(m_builder.model(), problem.base, m_untwisted, m_frames);
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        double residual[kit::kMaxRows] = {};
        kit::residual<double>(m_builder.model(), m_goals[g], m_frames, residual);
        const kit::GoalError error = kit::goalError(m_goals[g], residual);
        constexpr double kSame = 1e-9; // [m | rad] of a goal that was missed before
        const sdk::GoalResult& before = m_goalResults[g];
        const bool isPole = g + 1 == m_goals.size();
        const bool isAsBefore = !isPole && error.position <= before.positionError + kSame &&
                                error.rotation <= before.rotationError + kSame;
        if (!error.isWithin(m_goals[g]) && !isAsBefore) return false;
    }
    m_q = m_untwisted;
    m_goalResults[m_goals.size() - 1] = {.status = sdk::Status::Converged};
    return true;
}

/// Precondition: result.model is solved.
void GroupSolver::reportPole(const Member& member, SolvedFrame& result) const
{
    const HandleTarget& target = result.targets[member.handle];
    if (!m_usesPoles || member.places.size() < 3 || !target.pole) return;
    const auto frameOf = [&](std::size_t place) -> const Affine& {
        return result.model.modelFromJoint[at(m_group.joints[place])];
    };
    const Vector3 start = frameOf(member.places.front()).translation();
    const Vector3 end = frameOf(member.endPlace) * m_rig->handles[member.handle].offset;
    HandleResult& report = result.handles[member.handle];
    report.nearPole = nearPole(start, end, *target.pole, member.reach.length(result.model));
    report.isBendFaint = isBendFaint(*m_rig, result.model, m_group.joints[member.places.front()],
                                     m_group.joints[member.endPlace], end);
}

} // namespace tendon
