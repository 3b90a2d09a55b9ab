#include "core/document/ChainFit.h"

#include "core/scene/Check.h"
#include "core/solve/Settings.h"

#include <algorithm>
#include <array>
#include <set>

namespace tendon {
namespace {

/// Whether a solver is given the same kind of joint, whatever its limits are.
bool isSameKind(const AxisFreedom& a, const AxisFreedom& b)
{
    const auto resists = [](const AxisFreedom& axis) {
        return std::array{axis.active, axis.limited, axis.ease > 0, axis.damping > 0, axis.springTension > 0};
    };
    return resists(a) == resists(b);
}

bool isSameKind(const Joint& a, const Joint& b)
{
    const auto isSameAxis = [](const AxisFreedom& one, const AxisFreedom& other) { return isSameKind(one, other); };
    return a.isTerminator == b.isTerminator && a.ball.has_value() == b.ball.has_value() &&
           std::equal(a.turning.begin(), a.turning.end(), b.turning.begin(), isSameAxis) &&
           std::equal(a.sliding.begin(), a.sliding.end(), b.sliding.begin(), isSameAxis);
}

/// What an edit has changed of the joints that handles may move.
struct ChainChanges
{
    std::set<JointId> joints; ///< that are of another kind
    bool isTree = false; ///< joints have other parents: chains may differ, and goals wait for each other in a circle

    ChainChanges(const Scene& before, const Scene& after)
    {
        if (before.joints.isSame(after.joints) || after.handles->empty()) return;
        const ObjectList<Joint>&were = *before.joints, &are = *after.joints;
        for (std::size_t place = 0; place < are.size(); ++place) {
            const Joint& joint = are[place];
            if (place < were.size() && &were[place] == &joint) continue; // lists share what they have in common
            const Joint* former = before.find(joint.id);
            if (former == nullptr) continue; // where a chain goes through it, the joint below has another parent
            isTree = isTree || former->parent != joint.parent;
            if (!isSameKind(*former, joint)) joints.insert(joint.id);
        }
    }

    [[nodiscard]] bool concern(const Scene& scene, const Handle& handle) const
    {
        if (isTree || joints.empty()) return isTree;
        const std::vector<JointId> moved = chain(scene, handle.start, handle.end);
        return std::any_of(moved.begin(), moved.end(), [&](JointId joint) { return joints.contains(joint); });
    }
};

/// A solver that takes the chain, of those that are used where none is named, the one for such a chain first; empty =
/// neither does.
std::string_view solverTaking(Draft& draft, HandleId id)
{
    const Handle& refused = *draft.scene.find(id);
    std::vector<const Joint*> moving;
    for (const JointId joint : chain(draft.scene, refused.start, refused.end))
        moving.push_back(draft.scene.find(joint));
    for (const std::string_view alias :
         {usualSolver(moving, draft.solvers), SolverRegistry::kDefaultAlias, SolverRegistry::kSlidingAlias}) {
        Scene other = draft.scene;
        std::vector<Handle> handles = other.handles->toVector();
        for (Handle& handle : handles)
            if (handle.id == id) {
                handle.solver = alias;
                handle.parameters.clear();
            }
        other.handles = std::move(handles);
        if (draft.poses.checkHandle(other, id)) return alias;
    }
    return {};
}

} // namespace

Result<void> checkChainsStaySolvable(Draft& draft, const Scene& before)
{
    const ChainChanges changes(before, draft.scene);
    if (!changes.isTree && changes.joints.empty()) return {};
    for (const Handle& handle : *draft.scene.handles) {
        if (!changes.concern(draft.scene, handle)) continue;
        const auto fits = draft.poses.checkHandle(draft.scene, handle.id);
        if (fits) continue;
        if (before.find(handle.id) != nullptr && !draft.poses.checkHandle(before, handle.id)) continue;
        const std::string_view able = solverTaking(draft, handle.id);
        std::string reason = fits.error().message;
        if (!able.empty())
            reason = reason.substr(0, reason.find("; ")) + "; set its solver to " + std::string(able) + " first";
        return Error{ErrorCode::Unsupported,
                     "the handle " + inQuotes(handle.name) + " could then not be solved by " + handle.solver + ": " +
                         reason,
                     ""};
    }
    return {};
}

} // namespace tendon
