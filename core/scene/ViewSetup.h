#pragma once

#include "core/base/Id.h"
#include "core/base/Result.h"
#include "core/math/Transform.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

struct Scene;

/// Where a view looks from: an eye that orbits a target point at a distance. The front of a model is +Z.
struct ViewCamera
{
    Vector3 target = Vector3(0, 0.9, 0); ///< [m]
    double distance = 4.2;               ///< [m] eye to target, > 0
    double yaw = 0.6;                    ///< [rad] about +Y; 0 looks along -Z, at the front
    double pitch = -0.18;                ///< [rad] below 0 looks down; within +-pi/2
    double fieldOfView = 0.6;            ///< [rad] over the full height of the picture
    bool isOrthographic = false;

    bool operator==(const ViewCamera&) const = default;
};

/// A camera that was kept under a name.
struct CameraBookmark
{
    std::string name;
    ViewCamera camera;

    bool operator==(const CameraBookmark&) const = default;
};

/// Joints and handles that are selected together.
struct SelectionSet
{
    std::string name;
    std::vector<ObjectId> objects; ///< none twice, at least one

    bool operator==(const SelectionSet&) const = default;
};

/// What of a scene a view shows and lets be posed, named selections and named cameras. No pose depends on it.
struct ViewSetup
{
    std::set<ObjectId> hidden;          ///< joints, with all that is below them, and handles
    std::set<ObjectId> locked;          ///< joints and handles that the view neither picks nor poses
    std::set<std::string> hiddenMeshes; ///< by name
    std::vector<SelectionSet> sets;     ///< by their names each once, in the order in which they were made
    std::vector<CameraBookmark> bookmarks;

    [[nodiscard]] const SelectionSet* setNamed(std::string_view name) const;
    [[nodiscard]] const CameraBookmark* bookmarkNamed(std::string_view name) const;

    bool operator==(const ViewSetup&) const = default;
};

/// Numbers are finite and in range. Errors name the number.
[[nodiscard]] Result<void> checkViewCamera(const ViewCamera& camera);

/// Removes joints and handles that are gone from a scene's view; sets of which nothing is left are gone, too.
void forgetInView(Scene& scene, const std::set<ObjectId>& gone);

/// Whether a joint or one above it is hidden.
[[nodiscard]] bool isJointHidden(const Scene& scene, JointId joint);

/// The joints and handles that are hidden, those below hidden joints included.
[[nodiscard]] std::set<ObjectId> allHidden(const Scene& scene);

} // namespace tendon
