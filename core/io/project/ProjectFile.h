#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <optional>
#include <string>

namespace tendon {

class FileStage;

/// Editing state that a project stores beside its scene.
struct ProjectState
{
    ClipId currentClip; ///< invalid = no clip yet
    std::int32_t frame = 1;
    std::optional<ViewCamera> camera = {}; ///< none = the model is framed when the project is opened
    Layer layer = Layer::Keys;             ///< of the current clip: the one that is edited
    bool operator==(const ProjectState&) const = default;
};

struct Project
{
    Scene scene;
    ProjectState state;
};

struct ReadProjectOptions
{
    /// False: the model's file is not opened, so scene.model has a source but no meshes. Enough for posing and for
    /// saving again.
    bool loadsMeshes = true;
};

/// Reads a .tendon file of this or an older version (upgraded step by step). Repairs are reported in `issues`. Paths in
/// the file are relative to it. Errors name the place as a JSON pointer.
///
/// Joints and clips are stored in the project; meshes are read again from the model's file. If that file is missing or
/// unreadable, the project opens without meshes, with an issue.
[[nodiscard]] Result<Project> readProject(const std::string& path, Issues* issues = nullptr,
                                          const ReadProjectOptions& options = {});

/// The same from bytes whose relative paths start from the folder of `path`.
[[nodiscard]] Result<Project> projectFromBytes(const std::string& bytes, const std::string& path,
                                               Issues* issues = nullptr, const ReadProjectOptions& options = {});

/// The bytes of a project to be written to `path`. The same project gives the same bytes. A model without a file is
/// embedded as .glb, and an embedded one stays embedded. Error: a number that is not finite, with its place.
[[nodiscard]] Result<std::string> projectBytes(const Project& project, const std::string& path);

/// Whether `path` is named as projects are: NAME.tendon, in any case.
[[nodiscard]] bool isProjectName(const std::string& path);

/// Writes into `stage`, over no file of the project's model.
[[nodiscard]] Result<void> writeProject(const Project& project, const std::string& path, FileStage& stage);

/// The same with a stage of its own, which is committed.
[[nodiscard]] Result<void> writeProject(const Project& project, const std::string& path);

} // namespace tendon
