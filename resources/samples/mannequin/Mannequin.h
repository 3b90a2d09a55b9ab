#pragma once

#include "core/io/project/ProjectFile.h"

namespace tendon::mannequin {

/// The mannequin with its handles and its walk, as a project with an embedded glTF model.
[[nodiscard]] Result<Project> makeProject();

} // namespace tendon::mannequin
