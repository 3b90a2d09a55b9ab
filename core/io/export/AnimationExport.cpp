#include "core/io/export/AnimationExport.h"

#include "core/base/SmallLength.h"
#include "core/io/base/Files.h"
#include "core/io/export/KeptModel.h"
#include "core/io/export/gltf/GltfExporter.h"
#include "core/math/Degrees.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>

namespace tendon {
namespace {

constexpr const char* kVrm = "vrm"; ///< a .glb with an avatar's data, which a patched one keeps

std::string folderOf(const std::string& path)
{
    return QFileInfo(QString::fromStdString(path)).absolutePath().toStdString();
}

/// True when the joints are nodes of a glTF file, which can be patched then.
bool hasGltfSource(const Scene& scene)
{
    if (!scene.model) return false;
    const std::string& format = scene.model->source.format;
    return (format == "glb" || format == "gltf" || format == "vrm" || format == "vrma") &&
           std::any_of(scene.joints->begin(), scene.joints->end(),
                       [](const Joint& joint) { return joint.sourceNode >= 0; });
}

} // namespace

Result<const Exporter*> exporterFor(const Scene& scene, const std::string& path)
{
    const QFileInfo file(QString::fromStdString(path));
    const std::string suffix = file.suffix().toLower().toStdString();
    const Exporter* exporter = findExporter(suffix == kVrm ? "glb" : suffix);
    if (exporter == nullptr)
        return Error{ErrorCode::InvalidArgument, "cannot export to this format; use " + exportSuffixes(), path};
    if (!QFileInfo(file.absolutePath()).isDir())
        return Error{ErrorCode::NotFound, "there is no such folder; create it first",
                     file.absolutePath().toStdString()};
    if (scene.model && !scene.model->missing.empty() && !exporter->isTable) {
        const ModelSource& source = scene.model->source;
        return Error{ErrorCode::InvalidArgument, scene.model->missing,
                     source.embedded ? "the embedded model" : source.path};
    }
    if (suffix == kVrm && !(hasGltfSource(scene) && isVrm(scene.model->source)))
        return Error{ErrorCode::InvalidArgument,
                     "only a project that was made from a VRM can be exported as .vrm; use .glb", path};
    FileStage stage;
    keepModel(scene, stage);
    if (const auto free = stage.check(path); !free) return free.error();
    return exporter->patch != nullptr && hasGltfSource(scene) ? exporter->patch : exporter;
}

Result<void> checkClipCount(const Exporter& exporter, std::size_t clips, const std::string& path)
{
    if (clips == 1 || exporter.hasSeveralClips) return {};
    return Error{ErrorCode::InvalidArgument,
                 std::string(exporter.title) + " holds one clip; export each clip to a file of its own", path};
}

Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips, const std::string& path,
                                     const ExportOptions& options, FileStage& stage)
{
    const auto exporter = exporterFor(scene, path);
    if (!exporter) return exporter.error();
    return exportBy(**exporter, scene, clips, path, options, stage);
}

Result<ExportReport> exportAnimation(const Scene& scene, const std::vector<BakedClip>& clips, const std::string& path,
                                     const ExportOptions& options)
{
    FileStage stage;
    auto report = exportAnimation(scene, clips, path, options, stage);
    if (!report) return report;
    if (const auto written = stage.commit(); !written) return written.error();
    return report;
}

Result<ExportReport> exportBy(const Exporter& exporter, const Scene& scene, const std::vector<BakedClip>& clips,
                              const std::string& path, const ExportOptions& options, FileStage& stage)
{
    if (const auto fits = checkClipCount(exporter, clips.size(), path); !fits) return fits.error();
    Prepared prepared{scene, clips, {}};
    for (const PreparingStep& step : exporter.steps) step.apply(prepared, options.preset);
    const Destination to{QFileInfo(QString::fromStdString(path)).fileName().toStdString(), path};
    auto written = exporter.write(prepared, to, options);
    if (!written) return written.error();
    const std::string folder = folderOf(path);
    if (const auto free = checkFilesBeside(folder, written->files, written->mayReplace); !free) return free.error();

    ExportReport report{.bytes = 0, .readBack = {}, .issues = std::move(prepared.issues)};
    report.issues.insert(report.issues.end(), written->issues.begin(), written->issues.end());
    const Original original{.scene = scene,
                            .clips = clips,
                            .maxInfluences = exporter.maxInfluences == nullptr ? std::numeric_limits<std::size_t>::max()
                                                                               : exporter.maxInfluences(options.preset),
                            .hasModel = exporter.hasModel,
                            .hasSegments = exporter.hasModel};
    keepModel(scene, stage);
    const auto staged = stage.write(path, [&](const std::string& file) -> Result<void> {
        const auto bytes = writeFiles(folderOf(file), written->files);
        if (!bytes) return bytes.error();
        report.bytes = *bytes;
        auto readBack = exporter.readBack(file, original, *written, options, report.issues);
        if (!readBack) return readBack.error();
        report.readBack = std::move(*readBack);
        return {};
    });
    if (!staged) return staged.error();
    for (const std::string& name : written->obsolete) stage.removeAfter(folder + "/" + name);
    return report;
}

Issues readBackIssues(const std::string& file, const ReadBack& readBack)
{
    const auto number = [](double value) { return QString::number(value, 'g', 3).toStdString(); };
    Issues issues;
    const auto add = [&](const std::string& text) {
        issues.push_back({.severity = Severity::Error, .text = text, .where = file});
    };
    for (const std::string& what : readBack.missing) add("the file read back lacks " + what);
    const std::string scale = " (the skeleton's radius is " + smallLength(readBack.radius) + ")";
    if (!(readBack.jointError <= readBack.jointTolerance()))
        add("read back, a joint is " + smallLength(readBack.jointError) + " off at " + readBack.jointAt + scale);
    if (!(readBack.vertexError <= readBack.vertexTolerance()))
        add("read back, a vertex is " + smallLength(readBack.vertexError) + " off at " + readBack.vertexAt + scale);
    if (!(readBack.turnError <= ReadBack::kTurnTolerance))
        add("read back, a joint is turned " + number(readBack.turnError * kDegrees) + " degrees off at " +
            readBack.turnAt);
    return issues;
}

} // namespace tendon
