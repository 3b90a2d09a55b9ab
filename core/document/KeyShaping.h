#pragma once

#include "core/math/RotationOrder.h"
#include "core/scene/Clip.h"

#include <array>
#include <vector>

namespace tendon {

// Shapes of whole curves, for operations. Each returns the keys as they become; times change where it is said alone.

/// The keys of one angle, each moved by whole turns to be nearest to the one before.
[[nodiscard]] std::vector<Key> withoutTurns(std::vector<Key> keys);

/// The keys of a joint's three angles (x, y, z), each triple nearest to the one before of all triples with the same
/// rotation: by whole turns, or (a + 180, 180 - b, c + 180 degrees) in the order of the product. Precondition: all
/// three have keys at the same times.
[[nodiscard]] std::array<std::vector<Key>, 3> nearestTriples(std::array<std::vector<Key>, 3> angles,
                                                             RotationOrder order);

/// The keys of a channel, those `chosen` moved toward the mean of themselves and the line between their neighbours: by
/// nothing with an amount of 0, all the way with 1, as often as `passes` says. Even motion stays as it is, whatever the
/// times of its keys, and a zigzag dies away without turning over. The first and the last key of the channel stay.
/// Slopes of their own go toward that of the line by as much. Rotations move along great arcs. Precondition: chosen has
/// an element for each key.
[[nodiscard]] std::vector<Key> smoothedKeys(const KeyList& keys, Property property, const std::vector<bool>& chosen,
                                            double amount, int passes);

/// Some keys of a curve at the nearest whole frames, each with the value that the curve has there.
[[nodiscard]] std::vector<Key> onWholeFrames(std::vector<Key> keys, const KeyList& curve, Property property,
                                             FrameRate fps);

} // namespace tendon
