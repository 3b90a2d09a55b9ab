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

/// Reads a .tendon file of this version or an older one (upgraded step by step). `issues` gets what was mended. Paths in
/// the file are relative to it. Errors name the place as a JSON pointer.
[[nodiscard]] Result<Project> readProject(const std::string& path, Issues* issues = nullptr);

/// The bytes of a project that will stand at `path`. The same project gives the same bytes. Error: a number that is not
/// finite, with its place.
[[nodiscard]] Result<std::string> projectBytes(const Project& project, const std::string& path);

/// Writes atomically: on failure an existing file is untouched.
[[nodiscard]] Result<void> writeProject(const Project& project, const std::string& path);

} // namespace tendon
