#pragma once

#include "core/scene/Scene.h"

namespace tendon {

// The rules for each part of a scene. Edits return these errors; validate() lists them all.

/// Whether a name is allowed: not empty, no '/', no control characters, no space at either end, at most 200 bytes.
[[nodiscard]] Result<void> checkName(std::string_view name);

/// The same, and no other joint or handle has the name. `self` may keep its own.
[[nodiscard]] Result<void> checkNameIsFree(const Scene& scene, std::string_view name, ObjectId self);

/// Numbers are finite and in range, rotations unit. Does not check the name and the parent.
[[nodiscard]] Result<void> checkJoint(const Joint& joint);

/// Start, end and followed joints exist and fit each other; numbers are finite and in range. Does not check the name
/// and the solver.
[[nodiscard]] Result<void> checkHandle(const Scene& scene, const Handle& handle);

/// No goal or pole follows, directly or through other handles, its own goal or a joint that its own handle moves.
[[nodiscard]] Result<void> checkFollowing(const Scene& scene);

/// The target exists and has the property; the numbers are finite; quaternions may have any length but 0.
[[nodiscard]] Result<void> checkChannel(const Scene& scene, ChannelId channel);
[[nodiscard]] Result<void> checkValue(Property property, const ChannelValue& value);
/// The same of a channel that exists: a correction may have any numbers, the weight of a clip's corrections is 0 ... 1.
[[nodiscard]] Result<void> checkValue(const Scene& scene, ChannelId channel, const ChannelValue& value);

/// A key of a space names the world or one of its handle's spaces; other channels may have any value.
[[nodiscard]] Result<void> checkSpace(const Scene& scene, ChannelId channel, const ChannelValue& value);

/// Not empty, no control characters, at most 200 bytes. Markers of a clip may share a name.
[[nodiscard]] Result<void> checkMarkerName(std::string_view name);

/// True for the properties of joints, false for those of handles.
[[nodiscard]] constexpr bool belongsToJoint(Property property) { return property <= Property::Rotation; }

/// The error of an edit whose clip does not exist.
[[nodiscard]] Error noSuchClip();

/// The name in quotes, for messages.
[[nodiscard]] std::string inQuotes(std::string_view name);

/// The name of the joint, handle or clip; "" if no object has the id.
[[nodiscard]] std::string nameOf(const Scene& scene, ObjectId object);

} // namespace tendon
