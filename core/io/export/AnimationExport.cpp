#include "core/io/export/AnimationExport.h"

#include "core/io/base/FileSet.h"
#include "core/io/base/Files.h"
#include "core/io/export/bvh/BvhWriter.h"
#include "core/io/export/fbx/FbxWriter.h"
#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/GltfPatcher.h"
#include "core/io/export/gltf/GltfWriter.h"
#include "core/io/export/gltf/SourceFiles.h"
#include "core/io/export/gltf/SourceNodes.h"
#include "core/io/export/prepare/Influences.h"
#include "core/io/export/prepare/MeshPlaces.h"
#include "core/io/export/prepare/RestScales.h"
#include "core/io/export/tables/PoseTables.h"
#include "core/io/formats/FileFormats.h"
#include "core/io/readback/ImportCheck.h"
#include "core/io/readback/PoseTableCheck.h"
#include "core/io/readback/ReadBackCheck.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>
#include <map>

namespace tendon {

namespace {

struct Destination
{
    std::string path, folder, fileName, suffix;
};

Destination destinationOf(const std::string& path)
{
    const QFileInfo info(QString::fromStdString(path));
    return {path, info.absolutePath().toStdString(), info.fileName().toStdString(),
            info.suffix().toLower().toStdString()};
}

bool isSameFile(const std::string& a, const std::string& b)
{
    const QString first = QFileInfo(QString::fromStdString(a)).canonicalFilePath();
    return !first.isEmpty() && first == QFileInfo(QString::fromStdString(b)).canonicalFilePath();
}

/// The source's bytes and folder, when there is a glTF source. Error: it is gone, or no longer what was imported.
Result<gltf::PatchSource> readSource(const ModelSource& source)
{
    if (source.embedded) return gltf::PatchSource{std::string(source.embedded->begin(), source.embedded->end()), {}};
    auto bytes = readFile(source.path);
    if (!bytes)
        return Error{bytes.error().code, bytes.error().message + "; the export needs the model that was imported",
                     source.path};
    if (!source.sha256.empty() && sha256(*bytes) != source.sha256)
        return Error{ErrorCode::InvalidArgument,
                     "has changed since it was imported; import it again or put the old file back", source.path};
    return gltf::PatchSource{std::move(*bytes),
                             QFileInfo(QString::fromStdString(source.path)).absolutePath().toStdString()};
}

bool isGltfFormat(const std::string& format)
{
    return format == "glb" || format == "gltf" || format == "vrm" || format == "vrma";
}

Affine sceneFromSource(const ModelAsset& model)
{
    return Affine(Eigen::Matrix3d(gltf::upright(model.upAxis) * model.metresPerUnit));
}

std::map<JointId, std::size_t> sourceNodesOf(const Scene& scene)
{
    std::map<JointId, std::size_t> nodes;
    std::map<std::int32_t, JointId> known;
    for (const Joint& joint : *scene.joints)
        if (joint.sourceNode >= 0 && known.try_emplace(joint.sourceNode, joint.id).second)
            nodes[joint.id] = static_cast<std::size_t>(joint.sourceNode);
    return nodes;
}

/// Names of the files beside an earlier export at `path`: those are ours to replace.
std::vector<std::string> filesOfEarlierExport(const std::string& path)
{
    const auto bytes = readFile(path);
    if (!bytes) return {};
    const auto file = gltf::parseGltf(*bytes);
    if (!file) return {};
    const auto names = gltf::SourceFiles({}).namesIn(file->json);
    return {names.begin(), names.end()};
}

Result<ExportReport> exportPatched(const Scene& scene, const std::vector<BakedClip>& clips, const Destination& to,
                                   const ExportOptions& options)
{
    const ModelSource& origin = scene.model->source;
    const auto source = readSource(origin);
    if (!source) return source.error();
    const gltf::PatchTarget target{to.fileName, to.suffix != "gltf", isSameFile(source->folder, to.folder)};
    auto patched = gltf::patchGltf(*source, scene, clips, target, options.onlyTheseClips);
    if (!patched) return patched.error().within(origin.path);

    const auto mayReplace = target.isBinary ? std::vector<std::string>() : filesOfEarlierExport(to.path);
    const auto bytes = writeFiles(to.folder, patched->files, mayReplace);
    if (!bytes) return bytes.error();
    ExportReport report{.bytes = *bytes, .readBack = {}, .issues = std::move(patched->issues)};
    auto readBack = checkGltf(to.path, {scene, clips, sourceNodesOf(scene), sceneFromSource(*scene.model)},
                              report.issues);
    if (!readBack) return readBack.error();
    report.readBack = std::move(*readBack);
    return report;
}

/// The same motion as what plays files can show it.
Rescaled playable(const Scene& scene, const std::vector<BakedClip>& clips, std::size_t influences, Issues& issues)
{
    Rescaled whole = withoutRestScales(withCappedInfluences(scene, influences, issues), clips);
    return withoutEndScales(withMeshesAtRest(std::move(whole.scene)), std::move(whole.clips));
}

Result<ExportReport> exportWritten(const Scene& whole, const std::vector<BakedClip>& baked, const Destination& to,
                                   const ExportPreset& preset)
{
    Issues capped;
    const auto [scene, clips] = playable(whole, baked, static_cast<std::size_t>(preset.influences), capped);
    auto written = writeGltf(scene, clips, {.maxInfluences = preset.influences});
    if (!written) return written.error();
    written->issues.insert(written->issues.begin(), capped.begin(), capped.end());
    std::vector<OutputFile> files{{to.fileName, std::move(written->glb)}};
    if (to.suffix == "gltf") {
        auto split = gltf::splitGlb(files[0].bytes, to.fileName);
        if (!split) return split.error();
        files = std::move(*split);
    }
    const auto bytes = writeFiles(to.folder, files,
                                  to.suffix == "gltf" ? filesOfEarlierExport(to.path) : std::vector<std::string>());
    if (!bytes) return bytes.error();
    ExportReport report{.bytes = *bytes, .readBack = {}, .issues = std::move(written->issues)};
    auto readBack = checkGltf(to.path, {scene, clips, written->nodeOf}, report.issues);
    if (!readBack) return readBack.error();
    report.readBack = std::move(*readBack);
    return report;
}

Result<ExportReport> exportFbx(const Scene& whole, const std::vector<BakedClip>& baked, const Destination& to,
                               const ExportPreset& preset)
{
    Issues capped;
    // The format has no limit: only a program may.
    const auto cap = preset.name.empty() ? std::numeric_limits<std::size_t>::max()
                                         : static_cast<std::size_t>(preset.influences);
    const auto [scene, clips] = playable(whole, baked, cap, capped);
    auto written = writeFbx(scene, clips, {.metresPerUnit = preset.metresPerUnit, .hasArmature = preset.hasArmature});
    if (!written) return written.error();
    written->issues.insert(written->issues.begin(), capped.begin(), capped.end());
    const auto bytes = writeFiles(to.folder, {{to.fileName, std::move(written->bytes)}}, {});
    if (!bytes) return bytes.error();
    auto readBack = checkByImport(to.path, scene, clips, written->nameOf);
    if (!readBack) return readBack.error();
    return ExportReport{.bytes = *bytes, .readBack = std::move(*readBack), .issues = std::move(written->issues)};
}

Result<ExportReport> exportBvh(const Scene& scene, const std::vector<BakedClip>& clips, const Destination& to,
                               const ExportPreset& preset)
{
    if (clips.size() != 1)
        return Error{ErrorCode::InvalidArgument,
                     "BVH holds one clip; choose one and write the others to files of their own", to.path};
    const BvhOptions options{.metresPerUnit = preset.metresPerUnit};
    Issues issues;
    BakedClip frames = wholeFrames(clips[0], issues);
    auto written = writeBvh(scene, frames, options);
    if (!written) return written.error();
    written->issues.insert(written->issues.begin(), issues.begin(), issues.end());
    frames.name = "Motion"; // as readers call the only clip of a BVH
    const auto bytes = writeFiles(to.folder, {{to.fileName, {written->text.begin(), written->text.end()}}}, {});
    if (!bytes) return bytes.error();
    Scene joints = scene; // what is drawn is not in the file
    joints.model.reset();
    ImportOptions import;
    import.metresPerUnit = options.metresPerUnit;
    import.upAxis = 1;
    auto readBack = checkByImport(to.path, joints, {frames}, written->nameOf, import, TurnsFrom::Rest);
    if (!readBack) return readBack.error();
    return ExportReport{.bytes = *bytes, .readBack = std::move(*readBack), .issues = std::move(written->issues)};
}

Result<ExportReport> exportTable(const Scene& scene, const std::vector<BakedClip>& clips, const Destination& to)
{
    const auto text = to.suffix == "csv" ? poseTableCsv(scene, clips) : poseTableJson(scene, clips);
    if (!text) return text.error();
    if (const auto written = writeFile(to.path, *text); !written) return written.error();
    auto readBack = checkPoseTable(to.path, scene, clips);
    if (!readBack) return readBack.error();
    return ExportReport{
        .bytes = static_cast<std::int64_t>(text->size()), .readBack = std::move(*readBack), .issues = {}};
}

/// True when the export patches the source: it is glTF and the joints are its nodes.
bool patchesSource(const Scene& scene)
{
    return scene.model && isGltfFormat(scene.model->source.format) &&
           std::any_of(scene.joints->begin(), scene.joints->end(),
                       [](const Joint& joint) { return joint.sourceNode >= 0; });
}

} // namespace

Result<void> checkExport(const Scene& scene, const std::string& path)
{
    const Destination to = destinationOf(path);
    if (const FileFormat* format = findFileFormat(to.suffix); format == nullptr || !format->isWritten)
        return Error{ErrorCode::InvalidArgument,
                     "is no format that can be written; end the name in .glb, .gltf, .fbx, .bvh, .json or .csv", path};
    if (!QFileInfo(QString::fromStdString(to.folder)).isDir())
        return Error{ErrorCode::NotFound, "there is no such folder; make it first", to.folder};
    if (scene.model && !scene.model->source.embedded && isSameFile(scene.model->source.path, path))
        return Error{ErrorCode::InvalidArgument,
                     "is the model that the project was made from and stays as it is; choose another name", path};
    return {};
}

Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips, const std::string& path,
                                     const ExportOptions& options)
{
    if (const auto checked = checkExport(scene, path); !checked) return checked.error();
    const Destination to = destinationOf(path);
    if (to.suffix == "json" || to.suffix == "csv") return exportTable(scene, clips, to);
    if (to.suffix == "bvh") return exportBvh(scene, clips, to, options.preset);
    if (to.suffix == "fbx") return exportFbx(scene, clips, to, options.preset);
    return patchesSource(scene) ? exportPatched(scene, clips, to, options)
                                : exportWritten(scene, clips, to, options.preset);
}

} // namespace tendon
