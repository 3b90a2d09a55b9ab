#include "core/solve/SolveGroups.h"

#include "core/solve/HandleTarget.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

const Handle& handleOf(const CompiledRig& rig, std::size_t index) { return rig.handles[index]; }

bool sharesJoints(const std::vector<JointIndex>& a, const std::vector<JointIndex>& b)
{
    return std::any_of(a.begin(), a.end(),
                       [&](JointIndex joint) { return std::binary_search(b.begin(), b.end(), joint); });
}

/// The solver's id when it is known, else what the handle calls it: two names of one solver count as one.
std::string solverOf(const SolverRegistry& registry, const Handle& handle)
{
    const SolverInfo* info = registry.find(handle.solver);
    return info == nullptr ? handle.solver : info->id;
}

/// True if the goal or pole of the handle rides on one of `joints` or on what they carry.
bool follows(const CompiledRig& rig, const Handle& handle, const std::vector<JointIndex>& joints)
{
    const auto isMoved = [&](JointIndex followed) {
        return followed >= 0 && std::any_of(joints.begin(), joints.end(),
                                            [&](JointIndex moved) { return rig.isAtOrBelow(followed, moved); });
    };
    const auto followed = handle.followed();
    return isMoved(carrierOf(rig, handle)) || std::any_of(followed.begin(), followed.end(), [&](JointId joint) {
               return joint.isValid() && isMoved(rig.index(joint));
           });
}

/// Handles of different priority are one problem where the solver ranks goals, unless one of them waits for the other.
bool mayShareProblem(const CompiledRig& rig, const SolverInfo& info, std::size_t a, std::size_t b)
{
    const Handle &first = handleOf(rig, a), &second = handleOf(rig, b);
    if (first.priority == second.priority) return true;
    return info.has("priorities") && !follows(rig, first, movableJoints(rig, second)) &&
           !follows(rig, second, movableJoints(rig, first));
}

bool solvesTogether(const CompiledRig& rig, const SolverRegistry& registry, const SolveGroup& a, const SolveGroup& b)
{
    const Handle &first = handleOf(rig, a.handles.front()), &second = handleOf(rig, b.handles.front());
    const SolverInfo* info = registry.find(first.solver);
    if (info == nullptr || !info->has("multi-goal") || solverOf(registry, first) != solverOf(registry, second) ||
        first.parameters != second.parameters)
        return false;
    for (const std::size_t h : a.handles)
        for (const std::size_t other : b.handles)
            if (!mayShareProblem(rig, *info, h, other)) return false;
    return true;
}

/// Merges handles into groups until no two of one kind share a joint.
std::vector<SolveGroup> groupHandles(const CompiledRig& rig, const SolverRegistry& registry)
{
    std::vector<SolveGroup> groups;
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        SolveGroup made{{h}, movableJoints(rig, handleOf(rig, h))};
        for (auto group = groups.begin(); group != groups.end();) {
            const bool isOne = sharesJoints(made.joints, group->joints) && solvesTogether(rig, registry, made, *group);
            if (!isOne) {
                ++group;
                continue;
            }
            std::vector<JointIndex> joints;
            std::set_union(made.joints.begin(), made.joints.end(), group->joints.begin(), group->joints.end(),
                           std::back_inserter(joints));
            made.joints = std::move(joints);
            made.handles.insert(made.handles.end(), group->handles.begin(), group->handles.end());
            group = groups.erase(group);
        }
        std::sort(made.handles.begin(), made.handles.end());
        groups.push_back(std::move(made));
    }
    return groups;
}

/// The first handle of `group` whose goal or pole rides on a joint that `mover` moves, or kNone.
std::size_t follower(const CompiledRig& rig, const SolveGroup& group, const SolveGroup& mover)
{
    for (const std::size_t h : group.handles)
        if (follows(rig, handleOf(rig, h), mover.joints)) return h;
    return kNone;
}

/// The first of a group in order of solving.
const Handle& mostUrgentOf(const CompiledRig& rig, const SolveGroup& group)
{
    return handleOf(rig,
                    *std::min_element(group.handles.begin(), group.handles.end(), [&](std::size_t a, std::size_t b) {
                        return handleOf(rig, a).priority < handleOf(rig, b).priority;
                    }));
}

bool isAbove(const CompiledRig& rig, const SolveGroup& above, const SolveGroup& below)
{
    return !above.joints.empty() && !below.joints.empty() && above.joints.front() != below.joints.front() &&
           rig.isAtOrBelow(below.joints.front(), above.joints.front());
}

int depthOf(const CompiledRig& rig, const SolveGroup& group)
{
    int depth = 0;
    for (JointIndex joint = group.joints.empty() ? -1 : group.joints.front(); joint >= 0;
         joint = rig.parent[static_cast<std::size_t>(joint)])
        ++depth;
    return depth;
}

Error circle(const CompiledRig& rig, const std::vector<std::size_t>& handles)
{
    std::string names;
    for (const std::size_t h : handles) names += (names.empty() ? "\"" : "\", \"") + handleOf(rig, h).name;
    const bool isAlone = handles.size() == 1;
    return {ErrorCode::InvalidArgument,
            isAlone ? "the goal or pole of " + names +
                          "\" follows a joint that the handle itself moves; let it follow another"
                    : "the goals of " + names +
                          "\" follow joints that each other's solves move, in a circle; let one of them follow another "
                          "joint, or "
                          "set its stick to true",
            "handles"};
}

/// Orders groups one by one: of those whose dependencies are done, the most urgent.
class Ordering
{
public:
    Ordering(const CompiledRig& rig, std::vector<SolveGroup> groups) : m_rig(rig), m_groups(std::move(groups))
    {
        const std::size_t n = m_groups.size();
        m_follows.assign(n, std::vector<bool>(n, false));
        m_urgency.resize(n);
        for (std::size_t g = 0; g < n; ++g) m_urgency[g] = mostUrgentOf(rig, m_groups[g]).priority;
        for (std::size_t g = 0; g < n; ++g)
            for (std::size_t other = 0; other < n; ++other)
                m_follows[g][other] = follower(rig, m_groups[g], m_groups[other]) != kNone;
    }

    Result<std::vector<SolveGroup>> run()
    {
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (m_follows[g][g]) return followsItself(g);
        inheritUrgency();

        std::vector<SolveGroup> ordered;
        std::vector<bool> isDone(m_groups.size(), false);
        while (ordered.size() < m_groups.size()) {
            const std::size_t next = mostUrgent(isDone);
            if (next == kNone) return circleAmong(isDone);
            isDone[next] = true;
            ordered.push_back(m_groups[next]);
        }
        return ordered;
    }

private:
    [[nodiscard]] Error followsItself(std::size_t g) const
    {
        const SolveGroup& group = m_groups[g];
        const std::size_t h = follower(m_rig, group, group);
        const SolveGroup alone{{h}, movableJoints(m_rig, handleOf(m_rig, h))};
        return circle(m_rig, follower(m_rig, alone, alone) != kNone ? alone.handles : group.handles);
    }

    /// What a group waits for is as urgent as the group.
    void inheritUrgency()
    {
        for (std::size_t round = 0; round < m_groups.size(); ++round)
            for (std::size_t g = 0; g < m_groups.size(); ++g)
                for (std::size_t other = 0; other < m_groups.size(); ++other)
                    if (m_follows[g][other]) m_urgency[other] = std::min(m_urgency[other], m_urgency[g]);
    }

    [[nodiscard]] bool mustWaitFor(std::size_t g, std::size_t other) const
    {
        const bool isBelow = m_urgency[g] == m_urgency[other] && isAbove(m_rig, m_groups[other], m_groups[g]);
        return m_follows[g][other] || isBelow;
    }

    [[nodiscard]] std::size_t mostUrgent(const std::vector<bool>& isDone) const
    {
        std::size_t best = kNone;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            if (isDone[g]) continue;
            bool isReady = true;
            for (std::size_t other = 0; other < m_groups.size(); ++other)
                isReady = isReady && (isDone[other] || other == g || !mustWaitFor(g, other));
            if (isReady && (best == kNone || rank(g) < rank(best))) best = g;
        }
        return best;
    }

    [[nodiscard]] std::array<std::int64_t, 3> rank(std::size_t g) const
    {
        return {m_urgency[g], depthOf(m_rig, m_groups[g]), static_cast<std::int64_t>(m_groups[g].handles.front())};
    }

    /// Walks from a waiting group to what it follows until one comes round again.
    [[nodiscard]] Error circleAmong(const std::vector<bool>& isDone) const
    {
        const std::size_t n = m_groups.size();
        std::vector<std::size_t> path;
        std::size_t at = static_cast<std::size_t>(std::find(isDone.begin(), isDone.end(), false) - isDone.begin());
        while (std::find(path.begin(), path.end(), at) == path.end()) {
            path.push_back(at);
            std::size_t next = kNone;
            for (std::size_t other = 0; other < n && next == kNone; ++other)
                if (!isDone[other] && other != at && m_follows[at][other]) next = other;
            for (std::size_t other = 0; other < n && next == kNone; ++other)
                if (!isDone[other] && other != at && mustWaitFor(at, other)) next = other;
            at = next;
        }
        std::vector<std::size_t> handles;
        for (auto group = std::find(path.begin(), path.end(), at); group != path.end(); ++group)
            handles.push_back(m_groups[*group].handles.front());
        std::sort(handles.begin(), handles.end());
        return circle(m_rig, handles);
    }

    const CompiledRig& m_rig;
    std::vector<SolveGroup> m_groups;
    std::vector<std::vector<bool>> m_follows; ///< [g][other] g's goals ride on what `other` moves
    std::vector<std::int32_t> m_urgency;
};

void findSharedJoints(const CompiledRig& rig, const SolverRegistry& registry, SolveOrder& order)
{
    for (std::size_t later = 0; later < order.groups.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const Handle& first = handleOf(rig, order.groups[earlier].handles.front());
            const Handle& second = handleOf(rig, order.groups[later].handles.front());
            const bool isOneSolver = solverOf(registry, first) == solverOf(registry, second) &&
                                     first.parameters == second.parameters;
            if (!sharesJoints(order.groups[earlier].joints, order.groups[later].joints)) continue;
            const SolverInfo* info = registry.find(second.solver);
            if (isOneSolver && first.priority != second.priority && info != nullptr && info->has("multi-goal") &&
                !info->has("priorities"))
                order.issues.push_back(
                    {Severity::Warning,
                     "its solver does not rank goals, so it is solved after \"" + first.name +
                         "\" and may pull that off its goal. Choose a solver with the feature \"priorities\", or give "
                         "both one priority",
                     second.name, second.id.value});
            if (isOneSolver) continue;
            order.issues.push_back(
                {Severity::Warning,
                 "moves joints that \"" + first.name +
                     "\" moves with another solver or settings; it is solved after it and has the last word. "
                     "Give both one solver, or set their priorities",
                 second.name, second.id.value});
        }
}

void findBrokenPriorities(const CompiledRig& rig, SolveOrder& order)
{
    std::int32_t highest = 0;
    for (std::size_t g = 0; g < order.groups.size(); ++g) {
        const Handle& handle = mostUrgentOf(rig, order.groups[g]);
        if (g > 0 && handle.priority < highest)
            order.issues.push_back(
                {Severity::Warning,
                 "its goal follows what a handle of a later priority moves, so it is solved after that one",
                 handle.name, handle.id.value});
        highest = g == 0 ? handle.priority : std::max(highest, handle.priority);
    }
}

} // namespace

std::vector<JointIndex> movableJoints(const CompiledRig& rig, const Handle& handle)
{
    std::vector<JointIndex> joints;
    const JointIndex start = rig.index(handle.start);
    for (JointIndex joint = rig.index(handle.end); joint >= 0; joint = rig.parent[static_cast<std::size_t>(joint)]) {
        if (rig.authored[static_cast<std::size_t>(joint)].isTerminator) break;
        joints.push_back(joint);
        if (joint == start) break;
    }
    std::reverse(joints.begin(), joints.end());
    return joints;
}

Result<SolveOrder> orderSolves(const CompiledRig& rig, const SolverRegistry& registry)
{
    auto groups = Ordering(rig, groupHandles(rig, registry)).run();
    if (!groups) return groups.error();
    SolveOrder order{*std::move(groups), {}};
    findSharedJoints(rig, registry, order);
    findBrokenPriorities(rig, order);
    return order;
}

} // namespace tendon
