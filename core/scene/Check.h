#pragma once

#include "core/scene/Scene.h"

namespace tendon {

// What has to hold of each part of a scene. The edits refuse what these refuse; Validate lists it.

/// A name that can be given: not empty, no '/', no control characters, no space at its ends, at most 200 bytes.
[[nodiscard]] Result<void> checkName(std::string_view name);

/// The same, and no other joint or handle has it. `self` may keep its own.
[[nodiscard]] Result<void> checkNameIsFree(const Scene& scene, std::string_view name, ObjectId self);

/// Numbers finite and in range, rotations unit. Says nothing of name and parent.
[[nodiscard]] Result<void> checkJoint(const Joint& joint);

/// Start, end and followed joints are there and fit each other; numbers finite and in range. Says nothing of the name
/// and the solver.
[[nodiscard]] Result<void> checkHandle(const Scene& scene, const Handle& handle);

/// No handle's goal or pole follows, directly or through other handles, a joint which that handle itself moves.
[[nodiscard]] Result<void> checkFollowing(const Scene& scene);

/// The target is there, has such a property, and the numbers are finite; quaternions of any length but 0.
[[nodiscard]] Result<void> checkChannel(const Scene& scene, ChannelId channel);
[[nodiscard]] Result<void> checkValue(Property property, const ChannelValue& value);

/// True for the properties of joints, false for those of handles.
[[nodiscard]] constexpr bool belongsToJoint(Property property) { return property <= Property::Rotation; }

/// What an edit answers that was given the id of a clip that is not there.
[[nodiscard]] Error noSuchClip();

/// `"name"`, for messages.
[[nodiscard]] std::string inQuotes(std::string_view name);

/// The joint's or handle's name; "" when there is none of that id.
[[nodiscard]] std::string nameOf(const Scene& scene, ObjectId object);

} // namespace tendon
