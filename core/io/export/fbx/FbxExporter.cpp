#include "core/io/export/fbx/FbxExporter.h"

#include "core/io/export/fbx/FbxWriter.h"
#include "core/io/export/prepare/LengthUnit.h"
#include "core/io/export/prepare/PlayableSteps.h"
#include "core/io/readback/ImportCheck.h"

#include <limits>

namespace tendon {
namespace {

/// The format has no limit; programs have.
std::size_t fbxInfluences(const ExportPreset& preset)
{
    return preset.name.empty() ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(preset.influences);
}

Result<WrittenExport> exportFbx(const Prepared& prepared, const Destination& to, const ExportOptions& options)
{
    const ExportPreset& preset = options.preset;
    auto fbx = writeFbx(prepared.scene, prepared.clips,
                        {.metresPerUnit = preset.metresPerUnit, .hasArmature = preset.hasArmature});
    if (!fbx) return fbx.error();
    return WrittenExport{.files = {{to.fileName, std::move(fbx->bytes)}},
                         .nameOf = std::move(fbx->nameOf),
                         .issues = std::move(fbx->issues)};
}

Result<ReadBack> checkFbx(const std::string& path, const Original& original, const WrittenExport& written,
                          const ExportOptions&, Issues&)
{
    return checkByImport(path, original, written.nameOf);
}

} // namespace

Exporter fbxExporter()
{
    std::vector<PreparingStep> steps = playableSteps(fbxInfluences);
    steps.push_back(lengthUnitStep());
    return {.suffix = "fbx",
            .title = "FBX",
            .content = "joints, meshes, materials, morph targets, cameras, lights",
            .hasModel = true,
            .hasSeveralClips = true,
            .hasUnit = true,
            .maxInfluences = fbxInfluences,
            .steps = std::move(steps),
            .write = exportFbx,
            .readBack = checkFbx};
}

} // namespace tendon
