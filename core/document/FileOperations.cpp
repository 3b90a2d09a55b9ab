#include "core/document/ClipTransfer.h"
#include "core/document/ExportJob.h"
#include "core/document/Families.h"
#include "core/document/KeyShaping.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/document/SourceFile.h"
#include "core/io/base/FileStage.h"
#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/FrameNumber.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace tendon {
namespace {

using Type = Field::Type;
namespace fs = std::filesystem;

Result<void> importOperation(Draft& draft, const Arguments& arguments)
{
    if (draft.scene.model != nullptr)
        return Error{ErrorCode::InvalidArgument,
                     "the project holds a model already; begin a new project for another one, or import "
                     "its motion onto this one",
                     ""};
    auto model = importFile(draft, arguments);
    if (!model) return model.error();
    draft.text = "Import " + fs::path(arguments.text("file")).filename().string();
    for (Issue& issue : model->issues) draft.messages.push_back(std::move(issue));
    const std::size_t clips = draft.scene.clips.size();
    const bool hadKeys = std::any_of(draft.scene.clips.begin(), draft.scene.clips.end(),
                                     [](const auto& clip) { return clip->hasKeys(); });
    mergeModel(draft, std::move(model->scene));
    if (draft.scene.clips.size() == clips) return {};
    selectClip(draft, draft.scene.clips[clips]->id);
    if (!hadKeys) draft.edit.frame = draft.scene.firstFrame; // the range is the model's now: it opens at its beginning
    return {};
}

bool hasKeysBetweenFrames(const Draft& draft, ClipId id)
{
    const auto& channels = draft.scene.find(id)->channels;
    return std::any_of(channels.begin(), channels.end(), [&](const auto& entry) {
        const std::vector<Key> keys = entry.second->toVector();
        return std::any_of(keys.begin(), keys.end(),
                           [&](const Key& key) { return !wholeFrame(draft.scene.fps.frameAt(key.time)); });
    });
}

/// Resamples the keys of a clip on the frames of the project.
void keepToFrames(Draft& draft, ClipId id)
{
    Clip& clip = *editableClip(draft.scene, id);
    for (const auto& [channel, keys] : Clip(clip).channels)
        clip.channels.insert_or_assign(
            channel, KeyList(onWholeFrames(keys->toVector(), *keys, channel.property, draft.scene.fps), *keys));
}

Result<void> importClipOperation(Draft& draft, const Arguments& arguments)
{
    auto model = importFile(draft, arguments);
    if (!model) return model.error();
    const Scene& source = model->scene;
    const std::string file = fs::path(arguments.text("file")).filename().string();
    const auto clip = clipOfFile(source, arguments);
    if (!clip) return clip.error();
    std::map<std::string, std::string> names;
    const QJsonObject map = arguments.object("map");
    for (auto entry = map.begin(); entry != map.end(); ++entry) {
        if (!entry.value().isString())
            return Error{ErrorCode::InvalidArgument,
                         "must be the name of a joint of the project, but is " + describe(entry.value()),
                         "map: " + entry.key().toStdString()};
        names[entry.key().toStdString()] = entry.value().toString().toStdString();
    }
    const std::string retarget = arguments.text("retarget", arguments.has("map") ? "rest" : "auto");
    const TransferMode mode = retarget == "rest"   ? TransferMode::ByRest
                              : retarget == "none" ? TransferMode::Whole
                                                   : TransferMode::Auto;
    const auto name = newClipName(draft.scene, arguments,
                                  (*clip)->name.empty() ? fs::path(file).stem().string() : (*clip)->name);
    if (!name) return name.error();
    draft.text = "Import clip " + *name;
    if (const auto taken = transferClip(
            draft, source, **clip,
            {.name = *name, .names = names, .mode = mode, .isUnitGuessed = model->isUnitGuessed});
        !taken)
        return taken;
    const bool isOnFrames = arguments.text("keys", "motion") == "project";
    if (isOnFrames) keepToFrames(draft, draft.edit.currentClip);
    if (!isOnFrames && source.fps != draft.scene.fps && hasKeysBetweenFrames(draft, draft.edit.currentClip))
        draft.say(Severity::Info,
                  "some of its keys stand between the frames of the project; for keys at these alone import it with "
                  "keys: project, or resample them (snapKeys)",
                  *name);
    return {};
}

/// Where a relative path stands, once and for all.
std::string absolutePath(const std::string& path)
{
    std::error_code code;
    const fs::path whole = fs::absolute(path, code);
    return code ? path : whole.lexically_normal().string();
}

/// Where the version before the last one, the one before that, ... of a project are kept: 1, 2, ...
std::string backupPath(const fs::path& project, int number)
{
    fs::path name = project.stem();
    name += "~" + std::to_string(number);
    name += project.extension();
    return (project.parent_path() / name).string();
}

/// Stages what is in the project's file as its latest backup, and each former backup as the next older one.
Result<void> stageBackups(const std::string& path, int count, FileStage& stage)
{
    std::error_code code;
    for (int number = count; number >= 1; --number) {
        const std::string from = number == 1 ? path : backupPath(path, number - 1);
        if (!fs::is_regular_file(from, code)) continue;
        const auto copy = [&](const std::string& staged) -> Result<void> {
            if (fs::copy_file(from, staged, code)) return {};
            return Error{ErrorCode::Io, "cannot be copied (" + code.message() + ")", from};
        };
        stage.forget(backupPath(path, number)); // an earlier save of this script
        if (const auto staged = stage.write(backupPath(path, number), copy); !staged) return staged;
    }
    return {};
}

Result<void> saveOperation(Document& document, const Arguments& arguments, FileStage& stage)
{
    const std::string path = arguments.has("file") ? absolutePath(arguments.text("file")) : document.path;
    if (path.empty())
        return Error{ErrorCode::InvalidArgument, "is missing; the project has not been saved before", "file"};
    if (arguments.has("file") && !isProjectName(path))
        return Error{ErrorCode::InvalidArgument,
                     "the name of a project ends in .tendon, unlike " + inQuotes(arguments.text("file")), "file"};
    if (document.services.cancelled != nullptr && *document.services.cancelled)
        return Error{ErrorCode::Cancelled, "was cancelled", path};
    if (const auto kept = stageBackups(path, document.services.backups, stage); !kept)
        document.messages.push_back({Severity::Warning,
                                     "the former version could not be kept as a backup: " + kept.error().message,
                                     kept.error().where});
    stage.forget(path); // saved twice, it is what it is at the end
    if (const auto staged = writeProject(projectOf(document), path, stage); !staged) return staged;
    if (!document.edit.pending.empty())
        document.messages.push_back(
            {Severity::Warning,
             "the pose is not keyed, so it was not saved: " + channelNames(document.scene(), document.edit.pending) +
                 "; key it, or turn on Auto Key before posing",
             "frame " + std::to_string(document.edit.frame), document.edit.pending.begin()->first.target});
    document.path = path;
    document.history.markSaved();
    return {};
}

Result<ExportRequest> exportRequest(const Arguments& arguments)
{
    if (arguments.has("clip") && arguments.has("clips"))
        return Error{ErrorCode::InvalidArgument, "use either clip or clips, not both", ""};
    ExportRequest request;
    request.clip = arguments.text("clip");
    request.isAllClips = arguments.has("clips");
    if (arguments.has("fps")) request.fps = arguments.number("fps");
    request.keepsAllKeys = arguments.boolean("allKeys");
    if (arguments.has("range")) {
        const std::vector<double> range = arguments.numbers("range");
        if (range.size() != 2) return Error{ErrorCode::InvalidArgument, "must be two frames [from, to]", "range"};
        request.range = {range[0], range[1]};
    }
    request.options.onlyTheseClips = arguments.boolean("only");
    request.travel = travelIn(arguments, "root", "rootBone");
    if (const ExportPreset* preset = findExportPreset(arguments.text("preset"))) request.options.preset = *preset;
    return request;
}

Result<void> exportOperation(Document& document, const Arguments& arguments, FileStage& stage)
{
    const std::string path = absolutePath(arguments.text("file"));
    const Services& services = document.services;
    auto request = exportRequest(arguments);
    if (!request) return request.error();
    auto job = ExportJob::create(document.scene(), document.edit.currentClip, path, std::move(*request));
    if (!job) return job.error();
    if (const auto baked = job->bakeClips(*document.solvers, services.bake, services.progress, services.cancelled);
        !baked)
        return baked;
    const auto outcome = job->write(stage);
    if (!outcome) return outcome.error();
    document.messages.insert(document.messages.end(), outcome->issues.begin(), outcome->issues.end());
    if (services.exported) services.exported(*outcome);
    return {};
}

constexpr Field kImport[] = {
    {"file", Type::String, kRequired, "Model file: glTF, VRM, FBX, Collada, BVH, URDF, MD5, B3D, DirectX .x or SMD"},
    {"unit", Type::NumberOrText, kOptional,
     "Unit of the file, overriding what the file says: m, dm, cm, mm, km, in, ft, yd, or metres per unit"},
    {"upAxis", Type::Choice, kOptional, "Up axis of the file, overriding what the file says", "x|y|z"},
};
constexpr Field kImportClip[] = {
    {"file", Type::String, kRequired, "Model file with animations"},
    {"clip", Type::String, kOptional, "Animation to import. Left out: the first one"},
    {"as", Type::String, kOptional, "Name of the new clip. Left out: the animation's name"},
    {"map", Type::Object, kOptional,
     "{joint in the file: joint in the project}. Joints that are not listed are matched by name"},
    {"unit", Type::NumberOrText, kOptional, "As in import"},
    {"upAxis", Type::Choice, kOptional, "As in import", "x|y|z"},
    {"retarget", Type::Choice, kOptional,
     "none: copies local transforms, for the same skeleton. rest: copies rotations relative to the rest pose and "
     "scales the motion of roots by height, for another skeleton; the default with a map. auto: none if the rest poses "
     "agree, otherwise rest, with a message; the default without a map",
     "auto|none|rest"},
    {"keys", Type::Choice, kOptional,
     "motion (the default): keys stand where the file has them, between the project's frames, too. project: they are "
     "resampled on the project's frames",
     "motion|project"},
};
constexpr Field kSave[] = {{"file", Type::String, kOptional,
                            "Project file (.tendon). Left out: the file it was last saved to or opened from"}};
constexpr Field kExport[] = {
    {"file", Type::String, kRequired, "File to write; its suffix chooses the format, as for `tendon bake`"},
    {"clip", Type::String, kOptional, "Clip to export. Left out: the current clip"},
    {"clips", Type::Choice, kOptional, "Exports all clips", "all"},
    {"fps", Type::Number, kOptional,
     "Frames per second to write, one key a frame. Left out: the project's rate, and also the clip's keys between "
     "frames"},
    {"allKeys", Type::Bool, kOptional, "With fps, also writes the clip's keys between frames"},
    {"range", Type::Numbers, kOptional,
     "First and last frame, [from, to]. Left out: from the clip's first key to its last"},
    {"only", Type::Bool, kOptional, "Leaves out the model's other animations"},
    {"preset", Type::Choice, kOptional, "Program to export for: sets the unit, the root and the number of influences",
     kExportPresetNames},
    {"root", Type::Choice, kOptional,
     "Moves the travel in the file, as rootMotion does in a clip. Left out: it stays where the clip has it",
     kTravelChoices},
    {"rootBone", Type::String, kOptional, "As in retarget"},
    {"turns", Type::Bool, kOptional, "Turning goes with the travel. Left out: true for bone, else false"},
};

constexpr Operation kFileOperations[] = {
    {"import", kImport, true, "Imports a model into the project: joints, meshes, materials and animations.",
     importOperation, nullptr, kTakesTime},
    {"importClip", kImportClip, true, "Imports an animation from another file as a new clip on the project's joints.",
     importClipOperation, nullptr, kTakesTime},
    {"save", kSave, false, "Saves the project. Pending values are not saved.", nullptr, saveOperation, kTakesTime,
     nullptr, !kOnlyLastMatters, kWritesFile},
    {"export", kExport, false, "Solves every frame and writes the animation with the model, then reads the file back.",
     nullptr, exportOperation, kTakesTime, nullptr, !kOnlyLastMatters, kWritesFile},
};

} // namespace

std::span<const Operation> fileOperations() { return kFileOperations; }

} // namespace tendon
