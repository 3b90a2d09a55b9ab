#pragma once

#include "core/base/Result.h"
#include "core/runtime/CurveKeys.h"
#include "core/scene/Scene.h"

#include <optional>

namespace tendon {

/// How far merged keys may be from the corrected motion, at whole frames: [m], [rad] (of a whole rotation about half of
/// it in each of its numbers), or as the setting counts. Between frames they are close; see mergedCorrections().
inline constexpr double kMergeTolerance = kCurveTolerance;

/// A clip whose corrections have become part of its keys: the same motion at every whole frame, and no corrections.
/// `only`: those of one object; the others stay. Corrections that are off are dropped: they are not shown.
///
/// Where the base or the correction stands still, the keys of the other are kept as they are and moved, with what they
/// do beyond. Elsewhere keys stand where one of the two or the weight has a key, with the tangents of the sum, and at
/// the frames in between where that alone would be too far off. Before a jump the value is held from the frame before.
/// Where one of them goes on beyond its keys, the range of the scene is keyed, and beyond that it is constant.
///
/// A place is in the space of its last key from there on, and in that of its first one before: keys of its space there,
/// which have no effect, are left out where the sum gets keys beyond them.
///
/// Errors: a goal is between two spaces for several frames, and its correction changes there; keys of its space there
/// do have an effect, on other channels.
[[nodiscard]] Result<Clip> mergedCorrections(const Scene& scene, const Clip& clip,
                                             std::optional<ObjectId> only = std::nullopt);

} // namespace tendon
