#include "core/solve/SolveGroups.h"

#include "core/scene/Constraint.h"
#include "core/solve/HandleTarget.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace tendon {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

const Handle& handleOf(const CompiledRig& rig, std::size_t index) { return rig.handles[index]; }

/// For each joint, the groups that move it, in the order in which they were added.
class Movers
{
public:
    explicit Movers(const CompiledRig& rig) : m_groupsOf(rig.jointCount()) {}

    void add(const std::vector<JointIndex>& joints, std::size_t group)
    {
        for (const JointIndex joint : joints) m_groupsOf[at(joint)].push_back(group);
    }
    [[nodiscard]] const std::vector<std::size_t>& of(JointIndex joint) const { return m_groupsOf[at(joint)]; }

private:
    std::vector<std::vector<std::size_t>> m_groupsOf;
};

/// The solver's id when it is known, else what the handle calls it: two names of one solver count as one.
std::string solverOf(const SolverRegistry& registry, const Handle& handle)
{
    const SolverInfo* info = registry.find(handle.solver);
    return info == nullptr ? handle.solver : info->id;
}

/// The joints on which the goal and the pole of the handle ride.
std::vector<JointIndex> followedBy(const CompiledRig& rig, const Handle& handle)
{
    std::vector<JointIndex> joints = rig.followed[*rig.handleIndex(handle.id)];
    if (const JointIndex carrier = carrierOf(rig, handle); carrier >= 0) joints.push_back(carrier);
    return joints;
}

/// True if the goal or pole of the handle rides on one of `joints` or on what they carry.
bool follows(const CompiledRig& rig, const Handle& handle, const std::vector<JointIndex>& joints)
{
    const std::vector<JointIndex> followed = followedBy(rig, handle);
    return std::any_of(followed.begin(), followed.end(), [&](JointIndex joint) {
        return std::any_of(joints.begin(), joints.end(),
                           [&](JointIndex moved) { return rig.isAtOrBelow(joint, moved); });
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
    std::vector<SolveGroup> groups; // one that was merged into a later one has no handles
    Movers movers(rig);
    for (std::size_t h = 0; h < rig.handles.size(); ++h) {
        SolveGroup made{{h}, movableJoints(rig, handleOf(rig, h))};
        std::set<std::size_t> sharing;
        const auto addSharing = [&](const std::vector<JointIndex>& joints, std::size_t after) {
            for (const JointIndex joint : joints)
                for (const std::size_t group : movers.of(joint))
                    if (group >= after && !groups[group].handles.empty()) sharing.insert(group);
        };
        addSharing(made.joints, 0);
        for (auto next = sharing.begin(); next != sharing.end(); ++next) {
            SolveGroup& group = groups[*next];
            if (!solvesTogether(rig, registry, made, group)) continue;
            std::vector<JointIndex> joints;
            std::set_union(made.joints.begin(), made.joints.end(), group.joints.begin(), group.joints.end(),
                           std::back_inserter(joints));
            made.joints = std::move(joints);
            made.handles.insert(made.handles.end(), group.handles.begin(), group.handles.end());
            addSharing(group.joints, *next + 1);
            group = {};
        }
        std::sort(made.handles.begin(), made.handles.end());
        movers.add(made.joints, groups.size());
        groups.push_back(std::move(made));
    }
    std::erase_if(groups, [](const SolveGroup& group) { return group.handles.empty(); });
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

/// The id of a parameter that two handles set differently.
std::string firstDifferent(const std::map<std::string, double>& first, const std::map<std::string, double>& second)
{
    const auto differs = [](const auto& one, const auto& other) {
        const auto found = other.find(one.first);
        return found == other.end() || found->second != one.second;
    };
    for (const auto& each : first)
        if (differs(each, second)) return each.first;
    for (const auto& each : second)
        if (differs(each, first)) return each.first;
    return {};
}

/// Orders groups one by one: of those whose dependencies are done, the most urgent.
class Ordering
{
public:
    Ordering(const CompiledRig& rig, std::vector<SolveGroup> groups)
        : m_rig(rig), m_groups(std::move(groups)), m_follows(m_groups.size()), m_carriers(m_groups.size()),
          m_urgency(m_groups.size())
    {
        Movers movers(rig);
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            movers.add(m_groups[g].joints, g);
            m_urgency[g] = mostUrgentOf(rig, m_groups[g]).priority;
        }
        for (std::size_t g = 0; g < m_groups.size(); ++g) findCarriers(movers, g);
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            for (const std::size_t h : m_groups[g].handles)
                for (JointIndex joint : followedBy(rig, handleOf(rig, h)))
                    for (; joint >= 0; joint = rig.parent[at(joint)])
                        m_follows[g].insert(movers.of(joint).begin(), movers.of(joint).end());
    }

    Result<std::vector<SolveGroup>> run()
    {
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (m_follows[g].count(g) != 0) return followsItself(g);
        inheritUrgency();
        return order();
    }

private:
    /// The nearest groups that move the whole chain of a group, and share none of its joints.
    void findCarriers(const Movers& movers, std::size_t g)
    {
        if (m_groups[g].joints.empty()) return;
        const JointIndex top = m_groups[g].joints.front();
        for (JointIndex joint = m_rig.parent[at(top)]; joint >= 0 && m_carriers[g].empty();
             joint = m_rig.parent[at(joint)])
            for (const std::size_t other : movers.of(joint)) {
                const std::vector<JointIndex>& moved = m_groups[other].joints;
                if (!std::binary_search(moved.begin(), moved.end(), top)) m_carriers[g].push_back(other);
            }
    }

    /// Error: groups wait for each other in a circle.
    [[nodiscard]] Result<std::vector<SolveGroup>> order() const
    {
        const std::size_t n = m_groups.size();
        std::vector<std::vector<std::size_t>> waiting(n); // [g] those that wait for g
        std::vector<std::size_t> missing(n);              // [g] how many g waits for
        const auto wait = [&](std::size_t g, std::size_t other) {
            waiting[other].push_back(g);
            ++missing[g];
        };
        for (std::size_t g = 0; g < n; ++g)
            for (const std::size_t other : m_follows[g]) wait(g, other);
        addWaitingBelow(wait);

        using Rank = std::array<std::int64_t, 3>;
        std::set<std::pair<Rank, std::size_t>> ready;
        for (std::size_t g = 0; g < n; ++g)
            if (missing[g] == 0) ready.emplace(rank(g), g);
        std::vector<SolveGroup> ordered;
        std::vector<bool> isDone(n, false);
        while (!ready.empty()) {
            const std::size_t next = ready.extract(ready.begin()).value().second;
            isDone[next] = true;
            ordered.push_back(m_groups[next]);
            for (const std::size_t g : waiting[next])
                if (--missing[g] == 0) ready.emplace(rank(g), g);
        }
        if (ordered.size() < n) return circleAmong(isDone);
        return ordered;
    }

    [[nodiscard]] Error followsItself(std::size_t g) const
    {
        const SolveGroup& group = m_groups[g];
        const std::size_t h = follower(m_rig, group, group);
        const SolveGroup alone{{h}, movableJoints(m_rig, handleOf(m_rig, h))};
        return circle(m_rig, follower(m_rig, alone, alone) != kNone ? alone.handles : group.handles);
    }

    /// What a group waits for is as urgent as the group. So is what carries its chain: solved after it, a carrier would
    /// take its end off a goal that was met.
    void inheritUrgency()
    {
        std::vector<std::size_t> byUrgency(m_groups.size());
        std::iota(byUrgency.begin(), byUrgency.end(), std::size_t{0});
        std::stable_sort(byUrgency.begin(), byUrgency.end(),
                         [&](std::size_t a, std::size_t b) { return m_urgency[a] < m_urgency[b]; });
        std::vector<bool> isSettled(m_groups.size(), false);
        std::vector<std::size_t> open;
        for (const std::size_t first : byUrgency)
            for (open = {first}; !open.empty();) {
                const std::size_t g = open.back();
                open.pop_back();
                if (isSettled[g]) continue;
                isSettled[g] = true;
                m_urgency[g] = m_urgency[first];
                open.insert(open.end(), m_follows[g].begin(), m_follows[g].end());
                open.insert(open.end(), m_carriers[g].begin(), m_carriers[g].end());
            }
    }

    /// Of equally urgent groups the lower waits for the upper: for the nearest above it, which wait for those above
    /// them.
    template <typename Wait>
    void addWaitingBelow(Wait wait) const
    {
        std::map<std::pair<JointIndex, std::int32_t>, std::vector<std::size_t>> byTop; // and urgency
        for (std::size_t g = 0; g < m_groups.size(); ++g)
            if (!m_groups[g].joints.empty()) byTop[{m_groups[g].joints.front(), m_urgency[g]}].push_back(g);
        for (const auto& [top, groups] : byTop)
            for (JointIndex joint = m_rig.parent[at(top.first)]; joint >= 0; joint = m_rig.parent[at(joint)]) {
                const auto above = byTop.find({joint, top.second});
                if (above == byTop.end()) continue;
                for (const std::size_t g : groups)
                    for (const std::size_t other : above->second) wait(g, other);
                break;
            }
    }

    [[nodiscard]] bool mustWaitFor(std::size_t g, std::size_t other) const
    {
        const bool isBelow = m_urgency[g] == m_urgency[other] && isAbove(m_rig, m_groups[other], m_groups[g]);
        return m_follows[g].count(other) != 0 || isBelow;
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
            for (const std::size_t other : m_follows[at])
                if (next == kNone && !isDone[other] && other != at) next = other;
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
    std::vector<std::set<std::size_t>> m_follows; ///< [g] the groups that move what g's goals ride on
    std::vector<std::vector<std::size_t>> m_carriers;
    std::vector<std::int32_t> m_urgency; ///< [g] of groups that are ready, the lowest comes first
};

void findSharedJoints(const CompiledRig& rig, const SolverRegistry& registry, SolveOrder& order)
{
    Movers movers(rig);
    for (std::size_t later = 0; later < order.groups.size(); ++later) {
        std::set<std::size_t> sharing; // of those before it
        for (const JointIndex joint : order.groups[later].joints)
            sharing.insert(movers.of(joint).begin(), movers.of(joint).end());
        movers.add(order.groups[later].joints, later);
        for (const std::size_t earlier : sharing) {
            const Handle& first = handleOf(rig, order.groups[earlier].handles.front());
            const Handle& second = handleOf(rig, order.groups[later].handles.front());
            const bool isOneSolver = solverOf(registry, first) == solverOf(registry, second) &&
                                     first.parameters == second.parameters;
            if (mayShareJoint(first, second)) continue;
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
            const std::string moves = "moves joints that \"" + first.name + "\" moves with ";
            const std::string last = "; it is solved after it and has the last word. ";
            const std::string differing = firstDifferent(first.parameters, second.parameters);
            const bool isBySolver = solverOf(registry, first) != solverOf(registry, second);
            order.issues.push_back(
                {Severity::Warning,
                 isBySolver ? moves + "another solver" + last + "Give both one solver, or set their priorities"
                            : moves + "another \"" + differing + "\" of the same solver" + last +
                                  "Give both the same \"" + differing + "\", so that they are solved together",
                 second.name, second.id.value});
        }
    }
}

void findBrokenPriorities(const CompiledRig& rig, SolveOrder& order)
{
    std::int32_t highest = 0;
    for (std::size_t g = 0; g < order.groups.size(); ++g) {
        const Handle& handle = mostUrgentOf(rig, order.groups[g]);
        const bool isLater = g > 0 && handle.priority < highest;
        if (isLater && std::any_of(order.groups.begin(), order.groups.begin() + static_cast<std::ptrdiff_t>(g),
                                   [&](const SolveGroup& earlier) {
                                       return mostUrgentOf(rig, earlier).priority > handle.priority &&
                                              follows(rig, handle, earlier.joints);
                                   }))
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
    if (isConstraint(handle)) return {rig.index(handle.end)}; // terminators stop solves
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

std::vector<std::vector<std::size_t>> dependenciesOf(const CompiledRig& rig, const std::vector<SolveGroup>& groups)
{
    Movers movers(rig); // of the groups so far
    std::vector<std::vector<std::size_t>> dependencies(groups.size());
    std::vector<std::size_t> seenBy(rig.jointCount(), kNone); // the last group that has looked at a joint
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::set<std::size_t> found;
        const auto addAbove = [&](JointIndex joint) {
            for (; joint >= 0 && seenBy[at(joint)] != g; joint = rig.parent[at(joint)]) {
                seenBy[at(joint)] = g;
                found.insert(movers.of(joint).begin(), movers.of(joint).end());
            }
        };
        for (const JointIndex joint : groups[g].joints) addAbove(joint);
        for (const std::size_t h : groups[g].handles) {
            addAbove(rig.index(handleOf(rig, h).end)); // where terminators hold the chain
            for (const JointIndex joint : followedBy(rig, handleOf(rig, h))) addAbove(joint);
        }
        dependencies[g].assign(found.begin(), found.end());
        movers.add(groups[g].joints, g);
    }
    return dependencies;
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
