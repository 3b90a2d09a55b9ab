#pragma once

#include "core/scene/HandleChannels.h"
#include "core/scene/Scene.h"

namespace tendon::editor {

/// Whether the timeline and the dope sheet show a channel's keys: not those that a handle does not read as it is set
/// up, such as the goal's of a chain along a curve.
[[nodiscard]] inline bool isShown(const Scene& scene, ChannelId channel)
{
    const Handle* handle = scene.find(HandleId{channel.target});
    return handle == nullptr || readsChannel(*handle, channel.property);
}

} // namespace tendon::editor
