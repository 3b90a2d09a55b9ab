#pragma once

#include "core/document/Document.h"

#include <string>
#include <vector>

namespace tendon {

/// A pose of the library, as a file (.tendonpose): what joints do since rest, and a picture of it.
struct StoredPose
{
    std::string name;
    std::vector<std::uint8_t> thumbnail; ///< a PNG file; empty = none

    struct Joint
    {
        std::string name;
        std::string role;                         ///< empty = none
        LocalTransform rest, pose;                ///< local
        Quaternion turn = Quaternion::Identity(); ///< since rest, in world axes as they are at rest
        Vector3 move = Vector3::Zero();           ///< since rest, in world axes as they are at rest [m]
        Vector3 bone = Vector3::Zero(); ///< of limbs: unit, along the bone at rest, in the world; 0 = not known
    };
    struct Goal
    {
        std::string handle;
        GoalPose goal;              ///< in the world
        std::vector<Vector3> curve; ///< of handles that follow one, instead
    };
    std::vector<Joint> joints;
    std::vector<Goal> goals;
    std::string root;                             ///< name of the joint that carries the figure; empty = none does
    Vector3 rootPlace = Vector3::Zero();          ///< in the world [m]
    Quaternion rootTurn = Quaternion::Identity(); ///< since rest, in the world
};

/// A copied pose as it is stored, with the names and roles of its joints.
[[nodiscard]] StoredPose storedPose(const Scene& scene, const CopiedPose& pose, std::string name);

/// The pose on the joints of a scene: by name, else by role. On a joint that rests as the stored one did its local pose
/// is the stored one; on others it has turned and moved as much since rest, arms, legs and fingers from where the
/// stored ones rest: between an A-pose and a T-pose a bone points where the stored one does. Goals are those of the
/// same handles of the same chains. `missing` takes the names of joints that the scene lacks.
[[nodiscard]] CopiedPose poseFor(const Scene& scene, const StoredPose& stored, std::vector<std::string>& missing);

[[nodiscard]] std::string poseFileBytes(const StoredPose& pose);

/// Errors name the file and the place in it.
[[nodiscard]] Result<StoredPose> readPoseFile(const std::string& path);

} // namespace tendon
