#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/scene/Scene.h"

#include <string>

namespace tendon {

/// What of the editing's state a project remembers beside its scene.
struct ProjectState
{
    ClipId currentClip; ///< none = no clip yet
    std::int32_t frame = 1;
    bool operator==(const ProjectState&) const = default;
};

struct Project
{
    Scene scene;
    ProjectState state;
};

struct ReadProjectOptions
{
    /// False: the model's file is not opened; scene.model knows where it stands, but has no meshes. Enough for posing,
    /// and for saving again.
    bool loadsMeshes = true;
};

/// Reads a .tendon file of this version or an older one (upgraded step by step). `issues` gets what was mended. Paths
/// in the file are relative to it. Errors name the place as a JSON pointer.
///
/// Joints and clips stand in the project; the meshes come from the model's file, which is read again. A model's file
/// that is missing or unreadable is an issue, not an error: the project opens without meshes, and what needs the file
/// says so.
[[nodiscard]] Result<Project> readProject(const std::string& path, Issues* issues = nullptr,
                                          const ReadProjectOptions& options = {});

/// The same from bytes that stand, or will, at `path`.
[[nodiscard]] Result<Project> projectFromBytes(const std::string& bytes, const std::string& path,
                                               Issues* issues = nullptr, const ReadProjectOptions& options = {});

/// The bytes of a project that will stand at `path`. The same project gives the same bytes. A model made here, without
/// a file, is embedded as .glb; so is one whose source is. Error: a number that is not finite, with its place.
[[nodiscard]] Result<std::string> projectBytes(const Project& project, const std::string& path);

/// Writes atomically: on failure an existing file is untouched.
[[nodiscard]] Result<void> writeProject(const Project& project, const std::string& path);

} // namespace tendon
