#include "core/io/export/gltf/GltfExporter.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/GltfPatcher.h"
#include "core/io/export/gltf/GltfWriter.h"
#include "core/io/export/gltf/SourceFiles.h"
#include "core/io/export/gltf/SourceNodes.h"
#include "core/io/export/prepare/PlayableSteps.h"
#include "core/io/formats/gltf/GltfFile.h"
#include "core/io/readback/GltfCheck.h"

#include <QFileInfo>

#include <algorithm>

namespace tendon {
namespace {

std::size_t gltfInfluences(const ExportPreset& preset) { return static_cast<std::size_t>(preset.influences); }

/// Names of the files beside an earlier export at `path`, which may be replaced. Error: there is a file that cannot be
/// read, so nobody could say which buffers are to go with it.
Result<std::vector<std::string>> filesOfEarlierExport(const std::string& path)
{
    const auto bytes = readFile(path);
    if (!bytes && bytes.error().code == ErrorCode::NotFound) return std::vector<std::string>();
    if (!bytes) return bytes.error();
    const auto file = gltf::parseGltf(*bytes);
    if (!file) return std::vector<std::string>(); // something else
    const auto names = gltf::SourceFiles({}).namesIn(file->json);
    return std::vector<std::string>(names.begin(), names.end());
}

/// An earlier export at the same path gives way: the files beside it may be replaced, and its buffers go.
Result<void> replaceEarlier(const Destination& to, WrittenExport& written)
{
    auto earlier = filesOfEarlierExport(to.finalPath);
    if (!earlier) return earlier.error();
    written.mayReplace = *std::move(earlier);
    for (const std::string& name : written.mayReplace)
        if (gltf::isBufferName(name, to.fileName) &&
            std::none_of(written.files.begin(), written.files.end(),
                         [&](const OutputFile& file) { return file.name == name; }))
            written.obsolete.push_back(name);
    return {};
}

template <bool isBinary>
Result<WrittenExport> exportNew(const Prepared& prepared, const Destination& to, const ExportOptions& options)
{
    auto gltf = writeGltf(prepared.scene, prepared.clips, {.maxInfluences = options.preset.influences});
    if (!gltf) return gltf.error();
    WrittenExport written{.files = {{to.fileName, std::move(gltf->glb)}},
                          .nodeOf = std::move(gltf->nodeOf),
                          .issues = std::move(gltf->issues)};
    if (isBinary) return written;
    auto split = gltf::splitGlb(written.files[0].bytes, to.fileName);
    if (!split) return split.error();
    written.files = std::move(*split);
    if (const auto done = replaceEarlier(to, written); !done) return done.error();
    return written;
}

Result<ReadBack> checkNew(const std::string& path, const Original& original, const WrittenExport& written,
                          const ExportOptions&, Issues& issues)
{
    return checkGltf(path, original, {.nodeOf = written.nodeOf}, issues);
}

/// The source's bytes and folder. Errors: it is gone, or is no longer what was imported.
Result<gltf::PatchSource> readSource(const ModelSource& source)
{
    if (source.embedded) return gltf::PatchSource{std::string(source.embedded->begin(), source.embedded->end()), {}};
    auto bytes = readFile(source.path);
    if (!bytes)
        return Error{bytes.error().code, bytes.error().message + "; exporting needs the original model file",
                     source.path};
    if (!source.sha256.empty() && sha256(*bytes) != source.sha256)
        return Error{ErrorCode::InvalidArgument,
                     "has changed since it was imported; import it again or restore the old file", source.path};
    return gltf::PatchSource{std::move(*bytes),
                             QFileInfo(QString::fromStdString(source.path)).absolutePath().toStdString()};
}

template <bool isBinary>
Result<WrittenExport> exportPatched(const Prepared& prepared, const Destination& to, const ExportOptions& options)
{
    const ModelSource& origin = prepared.scene.model->source;
    const auto source = readSource(origin);
    if (!source) return source.error();
    const gltf::PatchTarget target{to.fileName, isBinary};
    auto patched = gltf::patchGltf(*source, prepared.scene, prepared.clips, target, options.onlyTheseClips);
    if (!patched) return patched.error().within(origin.path);
    WrittenExport written{.files = std::move(patched->files), .issues = std::move(patched->issues)};
    if (!isBinary)
        if (const auto done = replaceEarlier(to, written); !done) return done.error();
    return written;
}

Result<ReadBack> checkPatched(const std::string& path, const Original& original, const WrittenExport&,
                              const ExportOptions&, Issues& issues)
{
    GltfJoints joints;
    std::map<std::int32_t, JointId> known; // of several joints made from one node the first
    for (const Joint& joint : *original.scene.joints)
        if (joint.sourceNode >= 0 && known.try_emplace(joint.sourceNode, joint.id).second)
            joints.nodeOf[joint.id] = static_cast<std::size_t>(joint.sourceNode);
    const ModelAsset& model = *original.scene.model;
    joints.sceneFromFile = Affine(Eigen::Matrix3d(gltf::upright(model.upAxis) * model.metresPerUnit));
    Original inSource = original;
    inSource.hasSegments = false; // the source's own meshes alone are in the file
    inSource.keepsOtherMotion = true;
    return checkGltf(path, inSource, joints, issues);
}

template <bool isBinary>
Exporter exporterOfGltf(std::string_view suffix, std::string_view title)
{
    static const Exporter kPatch{.suffix = suffix,
                                 .title = title,
                                 .content = {},
                                 .hasModel = true,
                                 .hasSeveralClips = true,
                                 .steps = {},
                                 .write = exportPatched<isBinary>,
                                 .readBack = checkPatched};
    return {.suffix = suffix,
            .title = title,
            .content = "joints, meshes, materials, morph targets, cameras, lights",
            .hasModel = true,
            .hasSeveralClips = true,
            .maxInfluences = gltfInfluences,
            .steps = playableSteps(gltfInfluences),
            .write = exportNew<isBinary>,
            .readBack = checkNew,
            .patch = &kPatch};
}

} // namespace

bool isVrm(const ModelSource& source)
{
    const auto read = readSource(source);
    const auto file = read ? gltf::parseGltf(read->bytes) : Result<gltf::GltfFile>(read.error());
    if (!file || !file->json.contains("extensions")) return false;
    const gltf::Json& extensions = file->json["extensions"];
    return extensions.contains("VRM") || extensions.contains("VRMC_vrm");
}

Exporter glbExporter() { return exporterOfGltf<true>("glb", "glTF, one file"); }
Exporter gltfExporter() { return exporterOfGltf<false>("gltf", "glTF"); }

} // namespace tendon
