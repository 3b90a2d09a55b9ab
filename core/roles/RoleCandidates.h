#pragma once

#include "core/roles/Roles.h"

#include <atomic>
#include <string>
#include <vector>

namespace tendon {

/// A joint that may have a role.
struct RoleCandidate
{
    JointId joint;
    /// 0 ... 1: how surely the rest of the body stays as it is told if it is this one, and less where the joint is not
    /// between those of the neighbouring roles.
    double fit = 0;
};

/// The joints that a role may mean, best first: each near joint is taken for it, and the rest guessed anew. Joints that
/// `scene` decides otherwise are left out. About a millisecond a joint; `cancelled` (null: never) ends it early.
[[nodiscard]] std::vector<RoleCandidate> candidatesFor(const Scene& scene, const SkeletonRoles& guessed,
                                                       const std::string& role,
                                                       const std::atomic<bool>* cancelled = nullptr);

} // namespace tendon
