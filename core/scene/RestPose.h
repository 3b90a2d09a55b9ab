#pragma once

#include "core/scene/Scene.h"

#include <functional>
#include <vector>

namespace tendon {

/// Local transform of `joint` in the static pose: its static values, no clip, no handle. Angles are turned about the
/// joint's own axes from rest.
[[nodiscard]] LocalTransform staticLocal(const Scene& scene, const Joint& joint);

/// Static angles [rad] about x, y, z from rest; read off the static rotation where there is one.
[[nodiscard]] Vector3 staticAngles(const Scene& scene, const Joint& joint);

/// worldFromJoint with every joint in its rest pose; the world itself for "none". Precondition: no cycles.
[[nodiscard]] Affine worldInRestPose(const Scene& scene, JointId joint);

/// worldFromJoint of every joint in the rest pose, in the scene's order. Precondition: no cycles.
[[nodiscard]] std::vector<Affine> worldInRestPose(const Scene& scene);

/// worldFromJoint in the static pose; the world itself for "none". Precondition: no cycles.
[[nodiscard]] Affine worldInStaticPose(const Scene& scene, JointId joint);

/// The transform from one space to another at a moment of a clip, or (clip null) in the static pose. Edits that move a
/// value from one joint's space to another's take it from outside, because only a solved pose knows it in full.
using SpaceChange = std::function<Affine(const Clip* clip, Time time)>;

/// The angles of a joint whose whole local rotation is `local`, nearest to `near`.
[[nodiscard]] Vector3 anglesOf(const Joint& joint, const Quaternion& local, const Vector3& near);

/// The whole local rotation of a joint turned by `angles` from rest.
[[nodiscard]] Quaternion rotationOf(const Joint& joint, const Vector3& angles);

[[nodiscard]] ChannelValue toValue(const Quaternion& q);
[[nodiscard]] ChannelValue toValue(const Vector3& v);
[[nodiscard]] Quaternion toQuaternion(const ChannelValue& value);
[[nodiscard]] Vector3 toVector(const ChannelValue& value);

/// Rotation of an affine transform, scale and shear taken out.
[[nodiscard]] Quaternion rotationPart(const Affine& transform);

} // namespace tendon
