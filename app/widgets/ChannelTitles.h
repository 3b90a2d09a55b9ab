#pragma once

#include "core/scene/Scene.h"

#include <QString>

namespace tendon::editor {

/// The name of a channel where keys are shown: "Goal position", "Rotation X".
[[nodiscard]] QString channelTitle(Property property);
[[nodiscard]] QString channelTitle(ChannelId channel); ///< "Goal position, correction"
/// The name of what has channels with keys: of a joint or handle; "Corrections" of a clip, whose channel is their
/// weight.
[[nodiscard]] QString ownerTitle(const Scene& scene, ObjectId owner);

} // namespace tendon::editor
