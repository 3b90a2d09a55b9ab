#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"

#include <vector>

namespace tendon {

// What the names in an operation's fields stand for. Errors name the field's value and what there is instead.

[[nodiscard]] Result<JointId> jointIn(const Scene& scene, const Arguments& arguments, const char* field);
/// None for null and for a field that is not given.
[[nodiscard]] Result<JointId> jointOrNoneIn(const Scene& scene, const Arguments& arguments, const char* field);
[[nodiscard]] Result<HandleId> handleIn(const Scene& scene, const Arguments& arguments, const char* field);
[[nodiscard]] Result<ObjectId> targetIn(const Scene& scene, const Arguments& arguments, const char* field);
/// A joint or handle, else a clip: what has channels with keys.
[[nodiscard]] Result<ObjectId> channelOwnerIn(const Scene& scene, const Arguments& arguments, const char* field);
/// The field "layer" of an operation on the keys of a target; if it is not given, the layer that is being edited.
[[nodiscard]] Result<Layer> layerIn(const Draft& draft, const Arguments& arguments, ObjectId target);
/// 0 for null and for a field that is not given.
[[nodiscard]] Result<ObjectId> targetOrNoneIn(const Scene& scene, const Arguments& arguments, const char* field);
/// Joints and handles named in a list, each once.
[[nodiscard]] Result<std::vector<ObjectId>> targetsIn(const Scene& scene, const Arguments& arguments,
                                                      const char* field);
[[nodiscard]] Result<ClipId> clipIn(const Scene& scene, const Arguments& arguments, const char* field);
/// Joints named in a list; all of them when the field is not given.
[[nodiscard]] Result<std::vector<JointId>> jointsIn(const Scene& scene, const Arguments& arguments, const char* field);

/// Channels of a target named in "channels"; empty when the field is not given. Besides channels' own names,
/// "translation" "scale", "angles" (rx, ry, rz) "goal" (position and rotation) and "curve" (all its points) stand for
/// several.
[[nodiscard]] Result<std::vector<Property>> channelsIn(const Scene& scene, ObjectId target, const Arguments& arguments);

} // namespace tendon
