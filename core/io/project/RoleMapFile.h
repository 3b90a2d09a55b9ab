#pragma once

#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

class FileStage;

/// Which joints of a skeleton have which role, by their names: a file (.tendonmap) that people share, and that is used
/// where a skeleton with those joints comes. What a motion needs to be retargeted is kept with it.
struct RoleMapFile
{
    std::map<std::string, std::vector<std::string>> roles; ///< from the top; an empty list: no joint has the role
    std::vector<std::string> joints;                       ///< all joints of the skeleton that it was made for
    /// The joint above all others, "" where there are several. In a skeleton of another take it may have another name:
    /// files of motions often name it after the take.
    std::string root;
    std::string align = "directions"; ///< how rest poses are aligned: directions, frame, rest
    double frame = 1;                 ///< of "frame": the frame of the motion that is the T-pose
    double armSpread = 0;             ///< [degrees] by which the arms are opened after that

    bool operator==(const RoleMapFile&) const = default;
};

/// The names in a scene of the joints that have roles.
[[nodiscard]] RoleMapFile roleMapFile(const Scene& scene, const RoleMap& roles);

/// What a map means for a scene.
struct RoleMapFit
{
    RoleMap roles;                    ///< those whose joints are there
    std::vector<std::string> missing; ///< roles whose joints are not
    std::size_t knownJoints = 0;      ///< joints of the scene that the map's skeleton had, too
    std::size_t joints = 0;           ///< joints of the scene

    [[nodiscard]] bool isWhole() const { return missing.empty(); }
};

/// Joints are found by their names; where that fails, without the namespace before a colon, and the root by its place.
[[nodiscard]] RoleMapFit fitRoleMap(const RoleMapFile& map, const Scene& scene);

[[nodiscard]] Result<RoleMapFile> readRoleMap(const std::string& path);
[[nodiscard]] Result<void> writeRoleMap(const RoleMapFile& map, const std::string& path, FileStage& stage);

/// The maps in a folder, in order of name, that are of a skeleton with the same joints as the scene. Files that are no
/// maps are passed over.
[[nodiscard]] std::vector<std::string> fittingRoleMaps(const std::string& folder, const Scene& scene);

/// Whether `path` is named as maps are: NAME.tendonmap.
[[nodiscard]] bool isRoleMapName(const std::string& path);

} // namespace tendon
