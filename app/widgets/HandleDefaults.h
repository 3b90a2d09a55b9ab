#pragma once

#include "core/scene/Scene.h"
#include "core/solve/Settings.h"

#include <QJsonObject>

namespace tendon::editor {

/// The operation by which the window makes a handle. `solver`: alias, "" = the one that suits the chain: two-bone for
/// an arm or a leg (one joint between start and end bends), rotate-plane where such a limb has helper joints that are
/// straight at rest, as twist bones are, so that it bends at the knee alone; these two with 3 % soft reach, or with
/// less where the limb is straighter than that, so that the new handle does not move it. Any other chain: the default
/// solver, as on the command line.
/// If the chain has keys in the clip (null = none), the goal follows the motion instead, without soft reach.
[[nodiscard]] QJsonObject handleOperation(const Scene& scene, const Clip* clip, const SolverRegistry& solvers,
                                          const QString& name, const QString& solver, JointId start, JointId end);

} // namespace tendon::editor
