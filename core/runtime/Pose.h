#pragma once

#include "core/math/Transform.h"

#include <cstdint>
#include <vector>

namespace tendon {

/// The local transforms of all joints of a CompiledRig, and the angles of their rotations. See JointPose for the rule
/// that connects rotation and angles.
struct LocalPose
{
    std::vector<LocalTransform> joints; ///< (n) parentFromJoint
    std::vector<Vector3> angles;        ///< (n) [rad] about x, y, z from rest, in the joint's rotation order
    /// (n) 1 = the joint was posed by a whole rotation, and the angles were read off it, those nearest to 0. Such
    /// angles may jump by a full turn from frame to frame while the rotation does not.
    std::vector<std::uint8_t> isReadOff;

    void resize(std::size_t count)
    {
        joints.resize(count);
        angles.resize(count, Vector3::Zero());
        isReadOff.resize(count, 0);
    }

    bool operator==(const LocalPose&) const = default;
};

/// The transforms of all joints in model space, which is the world.
struct ModelPose
{
    std::vector<Affine> modelFromJoint; ///< (n)
};

} // namespace tendon
