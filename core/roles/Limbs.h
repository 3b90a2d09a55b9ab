#pragma once

#include "core/roles/BodyRoles.h"

namespace tendon {

/// Roles of what is no trunk and no limb of a body like ours: many legs, tails, ears, wings, fins, and the arms of
/// mechanisms and robots.
void claimChains(const Skeleton& skeleton, const Body& body, Claims& claims);

/// The limbs that the roles of a skeleton make up, its twist helpers, and the joints without a role.
void findLimbs(const Skeleton& skeleton, const Scene& scene, const Claims& claims, SkeletonRoles& result);

} // namespace tendon
