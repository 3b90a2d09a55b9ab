#pragma once

#include "core/document/Draft.h"
#include "core/scene/HandleEdit.h"

#include <optional>

namespace tendon {

/// worldFromSpace at a moment, solved: of a joint, of a handle's goal, of the world (0).
[[nodiscard]] Result<Affine> worldOfSpace(const Draft& draft, const Scene& scene, const Clip* clip,
                                          const PendingValues& pending, Time time, ObjectId space);

/// What the value of a goal, pole or curve is given in at a time of a clip. Precondition: isPlace(place).
[[nodiscard]] ObjectId spaceOfValue(const Scene& scene, const Clip* clip, const Handle& handle, Property place,
                                    Time time);

/// The same, as a transform, at the current frame of the draft.
[[nodiscard]] Result<Affine> worldOfValues(const Draft& draft, const Handle& handle, Property place);

/// The change between two spaces at moments of clips, in the scene as it is at this call. For a static value: as they
/// stand now, or without a clip if the current clip keys the channel, so that the value shows in other clips alone.
[[nodiscard]] SpaceBetween spacesOf(const Draft& draft);

/// The value of a keyed goal, pole or curve in the space of `time`, where keys around it are in other spaces; none
/// where its keys have the answer.
[[nodiscard]] std::optional<ChannelValue> valueBetweenSpaces(const Draft& draft, ChannelId channel, Time time);

/// By how much a correction of 1 moves such a place (no rotation) in the space of `time`, with weight 1: both ends of
/// its way are corrected, each in its own space. None as above, and where one of the spaces is scaled to nothing.
[[nodiscard]] std::optional<Eigen::Matrix3d> correctionBetweenSpaces(const Draft& draft, ChannelId channel, Time time);

/// A key of the current clip as another space has it at the time of the key.
[[nodiscard]] Result<Key> keyInSpace(const Draft& draft, const Handle& handle, Property place, Key key, ObjectId space);

/// From `frame` on the goal, or the pole, follows another object (0 = the world). It stays where it is at this frame;
/// so does each of its keys until the next key of the space, and the frame before is keyed as it was. A clip without
/// keys of the space gets one of the former space at its beginning. `keepsFrames`: what moves on its own stays where it
/// was in each frame up to its last key, or the next key of the space, with more keys where it takes them.
[[nodiscard]] Result<void> keySpace(Draft& draft, HandleId handle, Property place, ObjectId space, double frame,
                                    bool keepsFrames = false);

/// From frame `from` to frame `to` the goal keeps its place on another object, over keys that it has there. Before, and
/// from its next key on, it moves as it did.
[[nodiscard]] Result<void> holdInSpace(Draft& draft, HandleId handle, ObjectId space, double from, double to);

/// After an edit: keys of goals and poles that are in another space now than they were in `before` stay where they are
/// in the world. At a switch of spaces that the edit has moved, or made, they are keyed as keySpace() does, and on the
/// frame before: what is held stays held in the frames that belong to its holder now. Corrections that reach across a
/// switch are keyed there, too.
[[nodiscard]] Result<void> keepPlaces(Draft& draft, const Scene& before);

} // namespace tendon
