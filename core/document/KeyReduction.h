#pragma once

#include "core/scene/Clip.h"

#include <vector>

namespace tendon {

/// A channel with as few of its keys as keep the curve within `error` (metres, radians, or the number's own unit; the
/// length of the difference, or the angle between two rotations) of what it was, at every frame and every former key.
/// Of keys that are `chosen` and follow each other, the first and the last stay; from each key on, the next one that
/// stays is the furthest that can. Keys beside a gap get the slopes that the curve had there, as aligned tangents, or
/// free ones where it had a corner; those of linear keys are read off the parabola through the neighbours. What cannot
/// be a curve stays a line or a hold. Beyond two million frames between the first and the last key not every frame is
/// looked at. Precondition: chosen has an element for each key.
[[nodiscard]] std::vector<Key> reducedKeys(const KeyList& keys, Property property, const std::vector<bool>& chosen,
                                           double error, FrameRate fps);

} // namespace tendon
