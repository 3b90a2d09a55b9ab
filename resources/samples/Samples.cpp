#include "resources/samples/Samples.h"

#include "resources/samples/mannequin/Mannequin.h"

#include <algorithm>

namespace tendon {

namespace {

constexpr std::string_view kMannequin = "mannequin";

constexpr Sample kSamples[] = {
    {kMannequin, "Mannequin",
     "A skinned figure of 52 joints, fingers and all, on six handles: hands, feet, head and hips. Clip: Walk, keyed on the "
     "handles alone."},
};

} // namespace

std::span<const Sample> listSamples() { return kSamples; }

Result<Project> makeSample(std::string_view name, const SolverRegistry&)
{
    const auto found = std::ranges::find(kSamples, name, &Sample::name);
    if (found == std::end(kSamples)) {
        std::string names;
        for (const Sample& sample : kSamples)
            names += (names.empty() ? "" : ", ") + std::string(sample.name);
        return Error{ErrorCode::NotFound, "there is no such sample; there are " + names, std::string(name)};
    }
    return mannequin::makeProject();
}

} // namespace tendon
