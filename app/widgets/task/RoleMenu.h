#pragma once

#include "core/roles/Roles.h"

#include <functional>

class QMenu;

namespace tendon::editor {

/// Fills a menu with the limbs and their parts that a joint may be said to be, for a body like the one found; the part
/// that it is has a mark. `choose` is told what was said: {role: joints}, or no joints for a role that nothing has.
void fillRoleMenu(QMenu& menu, const Scene& scene, const SkeletonRoles& roles, JointId joint,
                  const std::function<void(const RoleMap&)>& choose);

} // namespace tendon::editor
