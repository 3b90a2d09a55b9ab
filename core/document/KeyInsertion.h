#pragma once

#include "core/scene/Clip.h"

namespace tendon {

/// The key at a time, or else one on the curve: its value and slope there, and the interpolation of its segment.
/// Precondition: keys is not empty.
[[nodiscard]] Key keyOnCurve(const KeyList& keys, Property property, Time time);

/// The keys with one more on the curve, which shows at all times as it did: the keys beside it store the slopes that
/// they would have lost, and a weighted tangent is cut where the key is. A curve of whole rotations is the same at the
/// keys, and between them as closely as cubics have it (where keys are 20 degrees apart, some 0.01 degrees, at most
/// 0.05). Signs of quaternions may change where slopes come to be stored. Unchanged where there is a key. Precondition:
/// keys is not empty, and !isInfinite(keys, time).
[[nodiscard]] KeyList withKeyOnCurve(const KeyList& keys, Property property, Time time);

/// True if a key on the curve leaves it as it is at all times.
[[nodiscard]] bool canBeSplit(const KeyList& keys, Property property, Time time);

/// The keys, of which those within [from, to] are new, with the curve that `former` had before `from` and after the
/// first key after `to`: keys beside them store the slopes that they would have lost.
[[nodiscard]] KeyList withFormerCurve(const KeyList& keys, const KeyList& former, Property property, Time from,
                                      Time to);

/// The keys of whole rotations, of which those from `before` on are new, with the curve that `former` had up to there
/// at whole frames: with more keys where withKeyOnCurve() alone would be off.
[[nodiscard]] KeyList withFormerTurn(KeyList keys, const KeyList& former, Property property, Time before,
                                     FrameRate fps);

} // namespace tendon
