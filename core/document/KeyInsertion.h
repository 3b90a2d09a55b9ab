#pragma once

#include "core/scene/Clip.h"

namespace tendon {

/// The key at a time, or else one on the curve: its value and slope there, and the interpolation of its segment.
/// Precondition: keys is not empty.
[[nodiscard]] Key keyOnCurve(const KeyList& keys, Property property, Time time);

/// True if a key on the curve leaves it as it is at all times.
[[nodiscard]] bool canBeSplit(const KeyList& keys, Property property, Time time);

/// The keys, of which those within [from, to] are new, with the curve that `former` had before `from` and after the
/// first key after `to`: keys beside them store the slopes that they would have lost.
[[nodiscard]] KeyList withFormerCurve(const KeyList& keys, const KeyList& former, Property property, Time from,
                                      Time to);

/// The keys of whole rotations, of which those from `before` on are new, with the curve that `former` had up to there:
/// no single key on a curve of quaternions leaves it as it was, so the frames from the key before get keys.
[[nodiscard]] KeyList withFormerTurn(KeyList keys, const KeyList& former, Property property, Time before,
                                     FrameRate fps);

} // namespace tendon
