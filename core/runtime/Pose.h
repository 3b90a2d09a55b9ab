#pragma once

#include "core/math/Transform.h"

#include <vector>

namespace tendon {

/// Local transforms of all joints of a CompiledRig, plus the angles they were made of: a joint's rotation is
/// rest * turn(angles) when it was posed by angles, and angles are read off the rotation otherwise.
struct LocalPose
{
    std::vector<LocalTransform> local; ///< (n) parentFromJoint
    std::vector<Vector3> angles;       ///< (n) [rad] about x, y, z from rest, in the joint's rotation order

    bool operator==(const LocalPose&) const = default;
};

/// modelFromJoint of all joints: the poses in the space the roots stand in, which is the world.
struct ModelPose
{
    std::vector<Affine> modelFromJoint; ///< (n)
};

} // namespace tendon
