#pragma once

#include "core/math/Transform.h"

#include <cstdint>
#include <vector>

namespace tendon {

/// Local transforms of all joints of a CompiledRig, plus the angles they were made of: a joint's rotation is
/// rest * turn(angles) when it was posed by angles, and angles are read off the rotation otherwise.
struct LocalPose
{
    std::vector<LocalTransform> local; ///< (n) parentFromJoint
    std::vector<Vector3> angles;       ///< (n) [rad] about x, y, z from rest, in the joint's rotation order
    /// (n) 1 = the joint was posed by its rotation and the angles were read off it, those nearest to 0: they may jump
    /// by a whole turn from frame to frame where the rotation does not.
    std::vector<std::uint8_t> isReadOff;

    void resize(std::size_t joints)
    {
        local.resize(joints);
        angles.resize(joints, Vector3::Zero());
        isReadOff.resize(joints, 0);
    }

    bool operator==(const LocalPose&) const = default;
};

/// modelFromJoint of all joints: the poses in the space the roots stand in, which is the world.
struct ModelPose
{
    std::vector<Affine> modelFromJoint; ///< (n)
};

} // namespace tendon
