#pragma once

#include "core/roles/Roles.h"

#include <QJsonObject>

#include <string>

namespace tendon::cli {

/// "  left leg   Thigh_L › Shin_L › Foot_L   98 %   named thigh and shin": the limbs of a skeleton, each on a line, and
/// then what could not be told. Below `sure` (0 ... 1) a line has a question mark.
[[nodiscard]] std::string limbsAsText(const Scene& scene, const SkeletonRoles& roles, double sure);

/// A line for each role: its joints, how sure, and why.
[[nodiscard]] std::string rolesAsText(const Scene& scene, const SkeletonRoles& roles, double sure);

/// {"roles": [{role, joint, joints, confidence, parts, reason}], "limbs": [...], "unknown": [...]}
[[nodiscard]] QJsonObject rolesAsJson(const Scene& scene, const SkeletonRoles& roles);

} // namespace tendon::cli
