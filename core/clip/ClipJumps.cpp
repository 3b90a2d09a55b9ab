#include "core/clip/ClipJumps.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tendon {
namespace {

using kit::Quaternion;
using kit::Vector3;

constexpr double kTurned = 20 * std::numbers::pi / 180; ///< [rad] that a joint may turn beyond what is asked
constexpr double kTimesAsked = 3;                       ///< times what is asked
constexpr int kWindow = 3;                              ///< frames in which a joint may do it
constexpr double kTimesUsual = 2;                       ///< in several frames: times what it does about there anyway
constexpr int kUsualAbout = 12;                         ///< frames
constexpr double kSeen = 10 * std::numbers::pi / 180;   ///< [rad] a step beyond this and so many times those about it
constexpr double kSeenOnArms = 4 * std::numbers::pi / 180; ///< the same where goals leave one direction open, or none,
constexpr double kTimesAbout = 3;                          ///< stands out
constexpr int kSeenAbout = 6;                              ///< frames
constexpr double kNearLimit = 0.01;                        ///< [rad]
constexpr double kLittle = 0.5;                            ///< of a jump's size
constexpr double kOwnShare = 0.2;                          ///< of a window's turn that makes a frame part of the jump

double turnBetween(const Quaternion& a, const Quaternion& b)
{
    return 2 * std::acos(std::min(1.0, std::abs(a.dot(b)))); // near 0 it is rough, and nobody asks
}

/// The body that a chain hangs from.
std::int32_t rootOf(const sdk::Model& model, std::int32_t body)
{
    while (model.parent[body] >= 0) body = model.parent[body];
    return body;
}

/// [m] From the start of a goal's chain to where it pulls.
double reachOf(const sdk::Model& model, const sdk::Goal& goal, std::span<const double> base)
{
    double length = kit::vectorAt(goal.offset).norm();
    for (std::int32_t b = goal.body; model.parent[b] >= 0 && b != goal.startBody; b = model.parent[b])
        length += kit::vectorAt(base.data() + kit::kBaseStride * b).norm();
    return length;
}

/// A frame's targets as the chain's base sees them.
struct Seen
{
    Seen(const sdk::Model& model, const sdk::Problem& problem, const sdk::Goal& goal,
         std::span<const kit::Frame<double>> frames)
    {
        const double* base = problem.base.data() + kit::kBaseStride * rootOf(model, goal.body);
        const Quaternion turn = kit::quaternionAt(base + 3).conjugate();
        const Vector3 place = kit::vectorAt(base);
        const auto& end = frames[static_cast<std::size_t>(goal.body)];
        const Vector3 point = turn * (end.point(kit::vectorAt(goal.offset)) - place);
        target = goal.isDirection != 0 ? Vector3(turn * kit::vectorAt(goal.targetPosition))
                                       : Vector3(turn * (kit::vectorAt(goal.targetPosition) - place));
        rotation = turn * kit::quaternionAt(goal.targetRotation);
        fromEnd = target - point;
        turnFromEnd = end.rotation.conjugate() * kit::quaternionAt(goal.targetRotation);
        if (goal.startBody >= 0) start = turn * (frames[static_cast<std::size_t>(goal.startBody)].position - place);
    }
    Vector3 target, fromEnd, start = Vector3::Zero();
    Quaternion rotation, turnFromEnd;
};

double angleOf(const Vector3& a, const Vector3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

} // namespace

ClipJumps::ClipJumps(const ClipTask& task, const AnswerSpace& space, Poses poses)
    : m_task(&task), m_space(&space), m_poses(std::move(poses)), m_landing(space),
      m_asked(static_cast<std::size_t>(task.frameCount), std::numeric_limits<double>::quiet_NaN()), m_farthest(m_asked),
      m_farthestPart(m_asked.size()), m_before(static_cast<std::size_t>(space.model().bodyCount)), m_now(m_before)
{
    m_seen = task.frameCount > 0 && SelfMotion(space).leastFreedom(task.problem(0)) <= 1 ? kSeenOnArms : kSeen;
    const sdk::Model& model = space.model();
    const auto hasRate = [&](std::int32_t dof) {
        return std::any_of(task.rates.begin(), task.rates.end(), [&](const ClipRate& rate) { return rate.dof == dof; });
    };
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        const std::int32_t begin = model.vBegin[b], slides = kit::slidingDofs(model, b);
        const std::int32_t turns = model.vBegin[b + 1] - begin - slides;
        if (slides > 0) m_parts.push_back({b, begin, 0, Part::Kind::Slides, false});
        const std::int32_t dof = begin + slides;
        if (turns == 1)
            m_parts.push_back({b, dof, model.qBegin[b] + slides, Part::Kind::Hinge,
                               hasRate(dof) || !space.isPeriodic(static_cast<std::size_t>(dof))});
        else if (turns > 1)
            m_parts.push_back({b, dof, 0, Part::Kind::Rotation, false});
    }
}

/// [rad] How far a part goes from one pose to another.
double ClipJumps::way(const Part& part, const double* from, const double* to) const
{
    const sdk::Model& model = m_space->model();
    if (part.kind == Part::Kind::Hinge) {
        const double way = to[part.coordinate] - from[part.coordinate];
        return std::abs(part.countsTurns ? way : std::remainder(way, 2 * std::numbers::pi));
    }
    const double *a = from + model.qBegin[part.body], *b = to + model.qBegin[part.body];
    if (part.kind == Part::Kind::Slides)
        return (kit::slide(model, part.body, b) - kit::slide(model, part.body, a)).norm() / m_space->length();
    return turnBetween(kit::motion(model, part.body, a), kit::motion(model, part.body, b));
}

/// As way() > kTurned, and quicker.
bool ClipJumps::isFar(const Part& part, const double* from, const double* to) const
{
    if (part.kind == Part::Kind::Hinge) return std::abs(to[part.coordinate] - from[part.coordinate]) > kTurned;
    const sdk::Model& model = m_space->model();
    const double *a = from + model.qBegin[part.body], *b = to + model.qBegin[part.body];
    const int slides = kit::slidingDofs(model, part.body);
    if (part.kind == Part::Kind::Rotation && kit::traitsOf(model, part.body).hasQuaternion) {
        static const double kHalf = std::cos(0.5 * kTurned);
        const int singles = kit::singleDofs(model, part.body);
        return std::abs(kit::quaternionAt(a + singles).dot(kit::quaternionAt(b + singles))) < kHalf;
    }
    double sum = 0; // the whole is no farther than its axes one after the other
    const int first = part.kind == Part::Kind::Slides ? 0 : slides,
              end = part.kind == Part::Kind::Slides ? slides : kit::singleDofs(model, part.body);
    for (int k = first; k < end; ++k) sum += std::abs(b[k] - a[k]);
    if (part.kind == Part::Kind::Slides) sum /= m_space->length();
    return sum > kTurned && way(part, from, to) > kTurned;
}

/// [rad] The same from frame to frame, less what the reference does.
double ClipJumps::wayBesides(const Part& part, int from, int to) const
{
    const sdk::Model& model = m_space->model();
    const double *a = m_poses(from), *b = m_poses(to);
    const double *before = m_task->problem(from).seed.data(), *now = m_task->problem(to).seed.data();
    if (part.kind == Part::Kind::Hinge) {
        const auto c = static_cast<std::size_t>(part.coordinate);
        const double way = b[c] - a[c], own = now[c] - before[c];
        const double besides = way - std::remainder(own, 2 * std::numbers::pi);
        return std::abs(part.countsTurns ? besides : std::remainder(besides, 2 * std::numbers::pi));
    }
    const std::int32_t q = model.qBegin[part.body];
    if (part.kind == Part::Kind::Slides) {
        const Vector3 own = kit::slide(model, part.body, now + q) - kit::slide(model, part.body, before + q);
        return (kit::slide(model, part.body, b + q) - kit::slide(model, part.body, a + q) - own).norm() /
               m_space->length();
    }
    const auto offset = [&](const double* reference, const double* pose) {
        return Quaternion(kit::motion(model, part.body, reference + q).conjugate() *
                          kit::motion(model, part.body, pose + q));
    };
    return turnBetween(offset(before, a), offset(now, b));
}

/// [rad] A part's median step about some frames.
double ClipJumps::usual(const Part& part, int first, int last) const
{
    std::vector<double> steps;
    for (int t = std::max(1, first - kUsualAbout); t <= std::min(frames() - 1, last + kUsualAbout); ++t)
        steps.push_back(way(part, m_poses(t - 1), m_poses(t)));
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle;
}

/// [rad] What is asked of the step to a frame: of the goal that asks most, and of the chain itself.
double ClipJumps::asked(int frame)
{
    double& known = m_asked[static_cast<std::size_t>(frame)];
    if (!std::isnan(known)) return known;
    const sdk::Model& model = m_space->model();
    const sdk::Problem before = m_task->problem(frame - 1), now = m_task->problem(frame);
    kit::forwardKinematics<double>(model, before.base, before.seed, m_before);
    kit::forwardKinematics<double>(model, now.base, now.seed, m_now);
    double most = 0;
    for (std::size_t g = 0; g < std::min(before.goals.size(), now.goals.size()); ++g)
        most = std::max(most, askedOf(before, now, g));
    double ofBones = 0; // that are posed by something else
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        if (model.parent[b] < 0) continue;
        const double *x = before.base.data() + kit::kBaseStride * b, *y = now.base.data() + kit::kBaseStride * b;
        if (std::equal(x, x + kit::kBaseStride, y)) continue;
        ofBones = std::max(ofBones, (kit::vectorAt(x) - kit::vectorAt(y)).norm() / m_space->length() +
                                        turnBetween(kit::quaternionAt(x + 3), kit::quaternionAt(y + 3)));
    }
    known = most + ofBones + (m_task->alsoAsked ? m_task->alsoAsked(frame) : 0);
    return known;
}

double ClipJumps::askedOf(const sdk::Problem& before, const sdk::Problem& now, std::size_t goal) const
{
    const sdk::Model& model = m_space->model();
    const sdk::Goal &a = before.goals[goal], &b = now.goals[goal];
    if (!kit::isActive(a) && !kit::isActive(b)) return 0;
    const auto weightOf = [](const sdk::Goal& g) {
        return kit::asksPosition(g.kind) ? g.positionWeight : g.rotationWeight;
    };
    const double heavier = std::max(weightOf(a), weightOf(b));
    double sum = heavier > 0 ? std::abs(weightOf(a) - weightOf(b)) / heavier : 0;
    const Seen x(model, before, a, m_before), y(model, now, b, m_now);
    const double reach = std::max(reachOf(model, b, now.base), 1e-9);
    if (kit::asksPosition(b.kind))
        sum += std::min((x.target - y.target).norm(), (x.fromEnd - y.fromEnd).norm()) / reach;
    if (kit::asksRotation(b.kind))
        sum += std::min(turnBetween(x.rotation, y.rotation), turnBetween(x.turnFromEnd, y.turnFromEnd));
    if (b.kind == sdk::GoalKind::Aim)
        sum += b.isDirection != 0 ? angleOf(x.target, y.target) : angleOf(x.fromEnd, y.fromEnd);
    if (b.kind == sdk::GoalKind::Pole) { // a direction is the bend of another answer: nobody asks for that
        sum += std::abs(a.twist - b.twist);
        if (b.isDirection == 0) sum += angleOf(x.target - x.start, y.target - y.start);
    }
    return sum;
}

/// [rad] How far the part goes from the frame before that goes farthest.
double ClipJumps::farthest(int frame)
{
    const auto place = static_cast<std::size_t>(frame);
    double& known = m_farthest[place];
    if (!std::isnan(known)) return known;
    known = 0;
    const double *from = m_poses(frame - 1), *to = m_poses(frame);
    for (const Part& part : m_parts)
        if (const double turn = way(part, from, to); turn > known) {
            known = turn;
            m_farthestPart[place] = &part;
        }
    return known;
}

/// True if the step to a frame is far longer than those about it, and what is asked of it is not.
bool ClipJumps::standsOut(int frame)
{
    if (farthest(frame) <= m_seen) return false;
    std::vector<double> steps, askedOfThem;
    for (int t = std::max(1, frame - kSeenAbout); t <= std::min(frames() - 1, frame + kSeenAbout); ++t) {
        if (t == frame) continue;
        steps.push_back(farthest(t));
        askedOfThem.push_back(asked(t));
    }
    if (steps.empty()) return false;
    const auto median = [](std::vector<double>& values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    const double allowed = std::max(m_seen, kTimesAbout * median(steps)) +
                           kTimesAsked * std::max(0.0, asked(frame) - median(askedOfThem));
    return farthest(frame) > allowed &&
           wayBesides(*m_farthestPart[static_cast<std::size_t>(frame)], frame - 1, frame) > allowed;
}

void ClipJumps::mark(int begin, int end, std::span<std::uint8_t> marks)
{
    begin = std::max(begin, 0);
    end = std::min(end, frames());
    std::fill(marks.begin() + begin, marks.begin() + end, std::uint8_t{0});
    for (int t = std::max(begin, 1); t < end; ++t)
        if (standsOut(t)) marks[static_cast<std::size_t>(t)] = 1;
    for (int last = std::max(begin, 1); last < std::min(end + kWindow - 1, frames()); ++last)
        for (int length = 1; length <= std::min(kWindow, last); ++length) {
            const double *from = m_poses(last - length), *to = m_poses(last);
            for (const Part& part : m_parts) {
                if (!isFar(part, from, to)) continue;
                double allowed = kTurned;
                for (int t = last - length + 1; t <= last; ++t) allowed += kTimesAsked * asked(t);
                const double turn = way(part, from, to);
                if (turn <= allowed || wayBesides(part, last - length, last) <= allowed) continue;
                if (length > 1 && turn <= allowed + kTimesUsual * length * usual(part, last - length + 1, last))
                    continue;
                for (int t = std::max(begin, last - length + 1); t <= std::min(end - 1, last); ++t)
                    if (length == 1 || way(part, m_poses(t - 1), m_poses(t)) > kOwnShare * turn)
                        marks[static_cast<std::size_t>(t)] = 1;
            }
        }
}

std::vector<ClipJump> ClipJumps::gather(std::span<const std::uint8_t> marks) const
{
    std::vector<ClipJump> jumps;
    const auto isMarked = [&](int t) { return t < frames() && marks[static_cast<std::size_t>(t)] != 0; };
    for (int first = 1; first < frames(); ++first) {
        if (!isMarked(first)) continue;
        ClipJump jump{.frame = first, .last = first, .size = 0, .dof = 0, .reason = JumpReason::Branch};
        const double* from = m_poses(first - 1);
        for (int last = first; isMarked(last); ++last) {
            const Part* farthest = nullptr;
            double size = 0;
            for (const Part& part : m_parts)
                if (const double turn = way(part, from, m_poses(last)); turn > size) {
                    farthest = &part;
                    size = turn;
                }
            if (farthest == nullptr || size <= jump.size) break; // it comes back
            jump.size = size;
            jump.dof = farthest->dof;
            jump.last = last;
        }
        jumps.push_back(jump);
        first = jump.last;
    }
    return jumps;
}

JumpReason ClipJumps::reasonOf(const ClipJump& jump, bool follows, CandidateFinder& finder)
{
    if (goesOn(jump, follows)) return JumpReason::Branch;
    if (follows) {
        const JumpReason onward = endOf(jump.frame - 1, 1, finder), back = endOf(jump.last, -1, finder);
        return onward != JumpReason::Branch ? onward : back;
    }
    bool isSingular = false, isLimited = false;
    for (const int frame : {jump.frame - 1, jump.last}) {
        const std::span<const double> q(m_poses(frame), m_space->coordinates());
        const bool hasGoals = m_task->problem(frame).goals.begin() != m_task->problem(frame).goals.end();
        isSingular |= hasGoals && finder.isSingular(frame, q.data());
        isLimited |= isAtLimit(frame, q, kNearLimit);
    }
    return isLimited ? JumpReason::Limit : isSingular ? JumpReason::Singularity : JumpReason::Branch;
}

/// True if the pose before a jump can go on to the end of it, straight onto the goals that are no poles, and so goes by
/// far less than the jump.
bool ClipJumps::goesOn(const ClipJump& jump, bool follows)
{
    std::vector<double> q(m_poses(jump.frame - 1), m_poses(jump.frame - 1) + m_space->coordinates()), next(q.size()),
        way(m_space->dofs());
    std::vector<sdk::Goal> goals;
    for (int t = jump.frame; t <= jump.last; ++t) {
        sdk::Problem problem = m_task->problem(t);
        goals.clear();
        bool hasPole = false;
        for (const sdk::Goal& goal : problem.goals) {
            const bool isPole = goal.kind == sdk::GoalKind::Pole;
            hasPole = hasPole || (isPole && kit::isActive(goal));
            if (!isPole) goals.push_back(goal);
        }
        if (goals.empty() || (follows && !hasPole)) return false;
        problem.goals = goals;
        m_space->difference(m_task->problem(t - 1).seed.data(), problem.seed.data(), way.data());
        m_space->move(q.data(), way.data(), 1, problem.locked, next.data());
        if (!m_landing.land(problem, next.data())) return false;
        std::swap(q, next);
    }
    return m_space->isWithin(m_poses(jump.frame - 1), q.data(), kLittle * jump.size);
}

JumpReason ClipJumps::endOf(int frame, int by, CandidateFinder& finder)
{
    constexpr int kFarthest = 48;
    std::vector<double> now(m_poses(frame), m_poses(frame) + m_space->coordinates()), next(now.size());
    double moved = 0;
    for (int i = 0; i < kFarthest && frame + by >= 0 && frame + by < frames(); ++i, frame += by) {
        if (finder.isSingular(frame, now.data())) return JumpReason::Singularity;
        const sdk::Status status = finder.followOn(frame, now.data(), frame + by, next.data());
        const bool goesOn = finder.isAnswer(frame + by, status, next.data()) &&
                            m_space->isWithin(now.data(), next.data(),
                                              kTurned + kTimesAsked * asked(std::max(frame, frame + by)));
        if (!goesOn) // the solver may be on the other side already: how near a limit it was before tells
            return isAtLimit(frame, now, std::max(kNearLimit, 2 * moved)) ? JumpReason::Limit : JumpReason::Branch;
        moved = std::min(m_space->largest(now.data(), next.data()), kTurned);
        std::swap(now, next);
    }
    return JumpReason::Branch;
}

bool ClipJumps::isAtLimit(int frame, std::span<const double> q, double near) const
{
    const sdk::Model& model = m_space->model();
    const std::span<const std::uint8_t> locked = m_task->problem(frame).locked;
    for (std::int32_t b = 0; b < model.bodyCount; ++b)
        for (int k = 0; k < kit::singleDofs(model, b); ++k) {
            const auto v = static_cast<std::size_t>(model.vBegin[b] + k);
            const double value = q[static_cast<std::size_t>(model.qBegin[b] + k)];
            const bool isFree = (locked.empty() || locked[v] == 0) && model.lower[v] < model.upper[v];
            const double by = near * m_space->unitOf(v);
            if (isFree && (value <= model.lower[v] + by || value >= model.upper[v] - by)) return true;
        }
    return false;
}

} // namespace tendon
