#pragma once

#include "core/base/Result.h"
#include "core/io/project/ProjectFile.h"
#include "core/solve/SolverRegistry.h"

#include <span>
#include <string_view>

namespace tendon {

/// One of the projects that come with Tendon.
struct Sample
{
    std::string_view name;        ///< "lamp": for the command line
    std::string_view title;       ///< "Table lamp"
    std::string_view description; ///< what it is and what to try with it, one or two sentences
};

/// All samples, simplest first; the mannequin, with which the program begins, is at the end.
[[nodiscard]] std::span<const Sample> listSamples();

/// Makes a sample anew. The same project at every call, whatever the machine: nothing is read but what is built in. The
/// mannequin's meshes are imported from its project, by the import worker, as they are from any project.
/// Errors: no sample of that name; a solver that the sample's handles use is not in `registry`; the import fails.
[[nodiscard]] Result<Project> makeSample(std::string_view name, const SolverRegistry& registry);

} // namespace tendon
