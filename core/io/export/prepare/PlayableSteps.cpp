#include "core/io/export/prepare/PlayableSteps.h"

#include "core/io/export/prepare/Influences.h"
#include "core/io/export/prepare/MeshPlaces.h"
#include "core/io/export/prepare/RestScales.h"

namespace tendon {
namespace {

using Rescale = Rescaled (*)(Scene, std::vector<BakedClip>);

PreparingStep rescaleStep(std::string_view name, Rescale rescale)
{
    return {name, [rescale](Prepared& prepared, const ExportPreset&) {
                Rescaled rescaled = rescale(std::move(prepared.scene), std::move(prepared.clips));
                prepared.scene = std::move(rescaled.scene);
                prepared.clips = std::move(rescaled.clips);
            }};
}

} // namespace

std::vector<PreparingStep> playableSteps(std::size_t (*maxInfluences)(const ExportPreset&))
{
    return {
        {"influences",
         [maxInfluences](Prepared& prepared, const ExportPreset& preset) {
             prepared.scene = withCappedInfluences(std::move(prepared.scene), maxInfluences(preset), prepared.issues);
         }},
        rescaleStep("rest scales", withoutRestScales),
        {"mesh places",
         [](Prepared& prepared, const ExportPreset&) { prepared.scene = withMeshesAtRest(std::move(prepared.scene)); }},
        rescaleStep("end scales", withoutEndScales)};
}

} // namespace tendon
