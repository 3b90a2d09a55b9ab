#pragma once

#include "core/document/Draft.h"

#include <optional>

namespace tendon {

// A clip has keys, and corrections on top of them: core/scene/Corrections.h. What is posed is what is seen; here it is
// found out what that makes of the one layer that is being edited, while the other stays as it is.

/// True if new keys of the channel go to the corrections.
[[nodiscard]] bool keysCorrections(const Draft& draft, ChannelId channel);
/// The channel in the layer that new keys of it go to.
[[nodiscard]] ChannelId inEditedLayer(const Draft& draft, ChannelId channel);

/// A value to write into one layer, as its keys or static values hold it.
struct LayerWrite
{
    ChannelId channel;
    ChannelValue value{};
};

/// What a layer must hold at a time of the current clip for a channel to be seen as `shown`, which is in the space that
/// keys have it in. One write, or those of all three angles. Error: the corrections are off or have no weight there, or
/// a rotation is too far away for their weight; the base would be out of its range.
[[nodiscard]] Result<std::vector<LayerWrite>> writesFor(const Draft& draft, ChannelId channel, Time time,
                                                        const ChannelValue& shown, Layer into);

/// Keys a channel of the current clip, in its layer, so that it is seen as `shown` at a frame. `isFirstToo`: where this
/// is the first key of a correction, the range's first frame is keyed without one.
[[nodiscard]] Result<void> keyShown(Draft& draft, ChannelId channel, double frame, const ChannelValue& shown,
                                    std::optional<Interpolation> interpolation = std::nullopt, bool isFirstToo = false);

/// The keys of a joint's corrections as whole rotations, or as angles, that show the same at each of them where the
/// weight is 1. At the clip's own keys there are more where what is shown would be seen to change: by more than 2
/// degrees. `base`: the clip's keys that they count from.
[[nodiscard]] Result<void> convertCorrections(Draft& draft, ClipId clip, const Joint& joint, bool toWhole,
                                              const Scene& base);

/// Merges the corrections of an object of each clip into its keys, because these are about to be written anew. Says so.
[[nodiscard]] Result<void> mergeCorrectionsOf(Draft& draft, ObjectId object);

} // namespace tendon
