#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace tendon {

/// A joint's place in the arrays that are kept per joint. Precondition: not negative, which stands for "none".
[[nodiscard]] constexpr std::size_t at(JointIndex joint) { return static_cast<std::size_t>(joint); }

/// What a scene's structure comes to when it is run: joints in topological order as flat arrays. Immutable; made anew
/// when joints or handles change, kept when only values, keys or clips do.
struct CompiledRig
{
    // joints, n of them
    std::vector<JointId> id;            ///< (n)
    std::vector<JointIndex> parent;     ///< (n) parent[i] < i, -1 at a root
    std::vector<JointIndex> subtreeEnd; ///< (n) joints i .. subtreeEnd[i]-1 are i and all below it (depth-first order)
    std::vector<LocalTransform> rest;   ///< (n) rotations unit
    std::vector<RotationOrder> order;   ///< (n)
    std::vector<Joint> authored;        ///< (n) what the solver model is built from
    std::unordered_map<JointId, JointIndex> indexOf;

    // handles in order of solving are in core/solve; here only what sampling needs
    std::vector<Handle> handles; ///< as authored, in the document's order

    [[nodiscard]] std::size_t jointCount() const { return id.size(); }
    [[nodiscard]] JointIndex index(JointId joint) const; ///< -1 when it is not there
    [[nodiscard]] bool isAtOrBelow(JointIndex joint, JointIndex top) const
    {
        return joint >= top && joint < subtreeEnd[static_cast<std::size_t>(top)];
    }
};

/// Checks and orders what was authored. Errors: a parent that is missing, a cycle, a handle whose end is not below its
/// start, numbers that are not finite. Never fails on a scene made by operations.
[[nodiscard]] Result<std::shared_ptr<const CompiledRig>> compile(const Scene& scene);

} // namespace tendon
