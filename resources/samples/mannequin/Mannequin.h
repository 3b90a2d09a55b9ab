#pragma once

#include "core/io/project/ProjectFile.h"

namespace tendon::mannequin {

/// The mannequin with its handles and its walk, as a project: the model is there as the glTF file that it carries
/// within.
[[nodiscard]] Result<Project> makeProject();

} // namespace tendon::mannequin
