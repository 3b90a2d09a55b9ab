#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tendon {

/// A joint's index into arrays that have one entry per joint. Precondition: not -1 ("none").
[[nodiscard]] constexpr std::size_t at(JointIndex joint) { return static_cast<std::size_t>(joint); }

/// A scene's structure laid out for evaluation: joints in topological order, as flat arrays. Immutable. Compiled again
/// when joints or handles change, kept when only values, keys or clips change.
struct CompiledRig
{
    // joints, n of them
    std::vector<JointId> id;            ///< (n)
    std::vector<JointIndex> parent;     ///< (n) parent[i] < i, -1 at a root
    std::vector<JointIndex> subtreeEnd; ///< (n) joints i .. subtreeEnd[i]-1 are i and all below it (depth-first order)
    std::vector<LocalTransform> rest;   ///< (n) rotations unit
    std::vector<RotationOrder> order;   ///< (n)
    std::vector<Joint> authored;        ///< (n) source of the solver's model
    std::unordered_map<JointId, JointIndex> indexOf;

    // for sampling; core/solve determines the order of solving
    std::vector<Handle> handles; ///< as authored, in the document's order
    std::unordered_map<HandleId, std::size_t> handleIndexOf;
    /// (handles) the joints that its goal, pole and ups depend on, also through the goals that it follows; each once
    std::vector<std::vector<JointIndex>> followed;

    [[nodiscard]] std::size_t jointCount() const { return id.size(); }
    [[nodiscard]] JointIndex index(JointId joint) const; ///< -1 if it does not exist
    /// Into `handles`; none if it does not exist.
    [[nodiscard]] std::optional<std::size_t> handleIndex(HandleId handle) const;
    [[nodiscard]] bool isAtOrBelow(JointIndex joint, JointIndex top) const
    {
        return joint >= top && joint < subtreeEnd[at(top)];
    }
};

/// Checks a scene and puts its joints in order. Errors: a missing parent, a cycle, a handle whose end is not below its
/// start, a number that is not finite, goals that follow each other in a circle. Never fails on a scene made by
/// operations.
[[nodiscard]] Result<std::shared_ptr<const CompiledRig>> compile(const Scene& scene);

} // namespace tendon
