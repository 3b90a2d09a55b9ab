#pragma once

#include "core/scene/Channel.h"

#include <QString>

namespace tendon::editor {

/// The name of a channel where keys are shown: "Goal position", "Rotation X".
[[nodiscard]] QString channelTitle(Property property);

} // namespace tendon::editor
