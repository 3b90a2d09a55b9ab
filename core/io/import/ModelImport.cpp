#include "core/io/import/ModelImport.h"

#include "core/io/base/Files.h"
#include "core/io/import/ChildProcess.h"
#include "core/io/import/SceneBuilder.h"
#include "core/io/import/WorkerArguments.h"
#include "core/io/model/CompanionFiles.h"
#include "core/io/model/Intermediate.h"

#include <QLoggingCategory>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include <sys/stat.h>
#include <unistd.h>

namespace tendon {
namespace {

namespace fs = std::filesystem;

Q_LOGGING_CATEGORY(logImport, "tendon.import", QtWarningMsg)

bool isProgram(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

constexpr double kMaxWaitFactor = 20; ///< times its work: what a busy machine may keep the child from it

/// The last thing the child said it was reading.
std::string lastStep(const std::string& messages)
{
    const std::size_t at = messages.rfind(kProgressPrefix);
    if (at == std::string::npos) return "it";
    const std::size_t begin = at + std::strlen(kProgressPrefix);
    return messages.substr(begin, messages.find('\n', begin) - begin);
}

/// The line for a child that came to a bad end.
Error deathOf(const ChildRun& run, const ImportOptions& options)
{
    const std::string step = lastStep(run.messages);
    switch (run.end) {
    case ChildEnd::TimedOut:
        return {ErrorCode::LimitExceeded,
                "reading " + step + " took more than " + std::to_string(std::lround(options.maxSeconds)) +
                    " s of the processor, or " + std::to_string(std::lround(kMaxWaitFactor * options.maxSeconds)) +
                    " s in all; the file is corrupt or too large",
                ""};
    case ChildEnd::TookTooMuchMemory:
    case ChildEnd::WroteTooMuch:
        return {ErrorCode::LimitExceeded,
                "reading " + step + " took more than " + std::to_string(options.maxMemoryBytes >> 20) +
                    " MiB; the file is corrupt or too large",
                ""};
    case ChildEnd::Cancelled: return {ErrorCode::Cancelled, "the import was cancelled", ""};
    case ChildEnd::Killed:
        if (run.code == SIGXCPU || run.code == SIGKILL)
            return {ErrorCode::LimitExceeded,
                    "reading " + step + " took too long or too much memory; the file is corrupt or too large", ""};
        return {ErrorCode::InvalidArgument,
                "the reader crashed (" + std::string(::strsignal(run.code)) + ") while reading " + step +
                    "; if other programs open the file, report this",
                ""};
    default:
        return {ErrorCode::Internal, "the reader ended with code " + std::to_string(run.code) + " and no result", ""};
    }
}

/// Logs what confined the child; QT_LOGGING_RULES="tendon.import=true" shows it.
void logSandbox(const std::string& messages)
{
    const std::size_t at = messages.find(kSandboxPrefix);
    if (at == std::string::npos) return;
    const std::size_t begin = at + std::strlen(kSandboxPrefix);
    qCInfo(logImport, "the model reader is confined by %s",
           messages.substr(begin, messages.find('\n', begin) - begin).c_str());
}

/// Runs the child and takes its outcome apart.
Result<SourceModel> readInChild(const WorkerArguments& arguments, const ChildFiles& files, const ImportOptions& options)
{
    const auto program = importWorkerProgram();
    if (!program) return program.error();
    auto run = runChild(workerCommand(*program, arguments), files,
                        {.maxSeconds = kMaxWaitFactor * options.maxSeconds,
                         .maxCpuSeconds = options.maxSeconds,
                         .maxResidentBytes = options.maxMemoryBytes,
                         .maxOutputBytes = limits::kIntermediateBytes,
                         .cancelled = options.cancelled});
    if (!run) return run.error();
    logSandbox(run->messages);
    if (run->end != ChildEnd::Exited) return deathOf(*run, options);
    auto outcome = readIntermediate(run->output);
    if (!outcome) return run->code == 0 ? outcome.error() : deathOf(*run, options);
    run->output = {}; // as large as the model: not both at once
    if (const Error* error = std::get_if<Error>(&*outcome)) return *error;
    SourceModel model = std::move(std::get<SourceModel>(*outcome));
    if (const auto checked = check(model); !checked) return checked.error();
    return model;
}

/// The usual unit that makes something of this many units most nearly as tall as a person: formats without a unit leave
/// no more to go by.
double guessUnit(double height)
{
    constexpr double kPerson = 1.7; // [m]
    constexpr std::array kUnits{1.0, 0.01, 0.0254, 0.001, 0.1, 0.3048};
    if (!(height > 0)) return 1;
    const auto distance = [height](double unit) { return std::abs(std::log(height * unit / kPerson)); };
    return *std::min_element(kUnits.begin(), kUnits.end(),
                             [&](double a, double b) { return distance(a) < distance(b); });
}

/// Builds once to see how tall the model is in its own units, or how long, if it lies.
Result<void> settleUnit(SourceModel& source, const ModelSource& origin, bool isUpAxisGiven)
{
    Issues ignored;
    const auto scene = buildScene(source, origin, ignored);
    if (!scene) return scene.error();
    const Vector3 size = sizeAtRest(*scene);
    constexpr double kLying = 3; // times as long as tall: no animal is
    const Eigen::Index longest = size[2] >= size[0] ? 2 : 0;
    const bool lies = !isUpAxisGiven && size[longest] > kLying * size[1];
    source.metresPerUnit = guessUnit(lies ? size[longest] : size[1]);
    char text[256];
    std::snprintf(text, sizeof text, "the file states no unit; %g m is assumed, which makes the model %.2f m tall",
                  source.metresPerUnit, size[1] * source.metresPerUnit);
    source.issues.push_back({Severity::Info, text, ""});
    if (lies) {
        const char axis = longest == 2 ? 'z' : 'x';
        std::snprintf(text, sizeof text,
                      "the model is %.2f m long along %c and %.2f m tall: it seems to lie; if so, import it with "
                      "--up-axis %c",
                      size[longest] * source.metresPerUnit, axis, size[1] * source.metresPerUnit, axis);
        source.issues.push_back({Severity::Warning, text, ""});
    }
    return {};
}

/// BVH has no names of clips, and readers make one up: such a clip is called as its file.
void nameClips(const ModelSource& origin, SourceModel& source)
{
    if (origin.format != "bvh" || origin.path.empty()) return;
    for (SourceAnimation& animation : source.animations) animation.name = fs::path(origin.path).stem().string();
}

Result<ImportedModel> toImported(SourceModel source, ModelSource origin, const ImportOptions& options)
{
    nameClips(origin, source);
    if (options.upAxis) source.upAxis = *options.upAxis;
    if (options.metresPerUnit) {
        source.metresPerUnit = *options.metresPerUnit;
    } else if (!source.isUnitStated) {
        if (const auto settled = settleUnit(source, origin, options.upAxis.has_value()); !settled)
            return settled.error();
    }
    if (!(source.metresPerUnit >= ImportOptions::kMinMetresPerUnit) ||
        !(source.metresPerUnit <= ImportOptions::kMaxMetresPerUnit) || source.upAxis < 0 || source.upAxis > 2)
        return Error{ErrorCode::InvalidArgument, "the unit must be from 1e-9 to 1e9 metres, and the up axis x, y or z",
                     ""};
    ImportedModel imported;
    imported.isUnitGuessed = !options.metresPerUnit && !source.isUnitStated;
    imported.format = source.format;
    imported.issues = std::move(source.issues);
    source.issues.clear();
    auto scene = buildScene(std::move(source), std::move(origin), imported.issues);
    if (!scene) return scene.error();
    imported.scene = std::move(*scene);
    imported.heightMetres = sizeAtRest(imported.scene).y();
    return imported;
}

/// What carries, in another list of joints, what a joint carried.
struct Heir
{
    JointId id; ///< none = the world
    Affine heirFromJoint = Affine::Identity();
};

/// For each joint of a model the one of `known` from the same node, or from the nearest node above.
std::unordered_map<JointId, Heir> heirsOf(const ObjectList<Joint>& joints, const ObjectList<Joint>& known)
{
    std::unordered_map<std::int32_t, JointId> idOfNode;
    for (const Joint& joint : known)
        if (joint.sourceNode >= 0) idOfNode.emplace(joint.sourceNode, joint.id);
    std::unordered_map<JointId, Heir> heirs;
    for (const Joint& joint : joints) { // parents first
        if (const auto found = idOfNode.find(joint.sourceNode); found != idOfNode.end()) {
            heirs[joint.id] = {found->second};
            continue;
        }
        const Heir above = joint.parent.isValid() ? heirs[joint.parent] : Heir{};
        heirs[joint.id] = {above.id, above.heirFromJoint * joint.rest.parentFromJoint()};
    }
    return heirs;
}

void rebind(ModelAsset& asset, const std::unordered_map<JointId, Heir>& heirs)
{
    for (Mesh& mesh : asset.meshes) {
        Skin& skin = mesh.skin;
        for (std::size_t k = 0; k < skin.joints.size(); ++k) {
            const Heir& heir = heirs.at(skin.joints[k]);
            skin.joints[k] = heir.id;
            skin.jointFromMesh[k] = heir.heirFromJoint * skin.jointFromMesh[k];
        }
        if (!skin.isRigid() || skin.joints.empty() || skin.joints.front().isValid()) continue;
        skin.worldFromMesh = skin.jointFromMesh.front();
        skin.joints.clear();
        skin.jointFromMesh.clear();
    }
    for (Mount* mount : mountsOf(asset))
        if (const auto heir = heirs.find(mount->joint); heir != heirs.end()) {
            mount->joint = heir->second.id;
            if (heir->second.heirFromJoint.matrix() != Affine::MatrixType::Identity())
                mount->jointFromMount = withoutScale(heir->second.heirFromJoint * mount->jointFromMount);
        }
}

/// With the limits for a file of `bytes`: readers hold several copies of it, Assimp five of an FBX.
ImportOptions withRoomFor(std::int64_t bytes, ImportOptions options)
{
    if (!options.growsWithFile) return options;
    constexpr std::int64_t kCopies = 30, kBytesPerSecond = 8ll << 20;
    const std::int64_t half = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE) / 2;
    options.maxMemoryBytes = std::max(options.maxMemoryBytes, std::min(kCopies * bytes, half));
    options.maxSeconds = std::max(options.maxSeconds, static_cast<double>(bytes / kBytesPerSecond));
    return options;
}

WorkerArguments argumentsFor(const std::string& path, const ImportOptions& options)
{
    return {path.substr(path.rfind('/') + 1), options.embed ? WorkerTask::ReadModelToEmbed : WorkerTask::ReadModel,
            options.maxMemoryBytes, options.maxSeconds};
}

} // namespace

Result<std::string> importWorkerProgram()
{
    if (const char* chosen = std::getenv("TENDON_WORKER"); chosen != nullptr && *chosen != '\0') {
        if (isProgram(chosen)) return std::string(chosen);
        return Error{ErrorCode::NotFound, "TENDON_WORKER does not name a program", chosen};
    }
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (self.filename() == "tendon") return self.string();
    for (const fs::path& candidate :
         {self.parent_path() / "tendon", self.parent_path().parent_path() / "bin" / "tendon",
          fs::path(TENDON_INSTALLED_WORKER)})
        if (isProgram(candidate)) return candidate.string();
    return Error{
        ErrorCode::NotFound,
        "cannot find the program `tendon`, which reads model files, beside this one; set TENDON_WORKER to its path",
        self.string()};
}

Result<ImportedModel> importModel(const std::string& path, const ImportOptions& wanted)
{
    CompanionFiles companions;
    const auto file = companions.openModel(path);
    if (!file) return file.error().within(path);
    struct stat status = {};
    const ImportOptions options = withRoomFor(::fstat(file->get(), &status) == 0 ? status.st_size : 0, wanted);
    auto source = readInChild(argumentsFor(path, options),
                              {file->get(), [&](std::string_view uri) { return companions.open(uri); }}, options);
    if (!source) return source.error().within(path);
    ModelSource origin;
    origin.format = source->format;
    std::error_code error;
    origin.path = fs::absolute(path, error).lexically_normal().string();
    if (options.embed && source->selfContained.empty())
        return Error{ErrorCode::Internal, "the reader returned no model to embed", path};
    if (options.embed) {
        if (origin.format == "gltf") origin.format = "glb"; // as which it is made self-contained
        origin.embedded = std::make_shared<const std::vector<std::uint8_t>>(std::move(source->selfContained));
    }
    const auto bytes = readFile(path);
    if (!bytes) return bytes.error();
    origin.sha256 = sha256(*bytes);
    auto imported = toImported(std::move(*source), std::move(origin), options);
    if (!imported) return imported.error().within(path);
    return imported;
}

Result<ImportedModel> importEmbeddedModel(const std::string& name, const std::vector<std::uint8_t>& bytes,
                                          const ImportOptions& wanted)
{
    const ImportOptions options = withRoomFor(static_cast<std::int64_t>(bytes.size()), wanted);
    const auto file = memoryFile(bytes);
    if (!file) return file.error().within(name);
    CompanionFiles nothing;
    auto source = readInChild(argumentsFor(name, options),
                              {file->get(), [&](std::string_view uri) { return nothing.open(uri); }}, options);
    if (!source) return source.error().within(name);
    ModelSource origin;
    origin.format = source->format;
    origin.embedded = std::make_shared<const std::vector<std::uint8_t>>(bytes);
    origin.sha256 = sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    auto imported = toImported(std::move(*source), std::move(origin), options);
    if (!imported) return imported.error().within(name);
    return imported;
}

Result<std::shared_ptr<const ModelAsset>> reloadModel(const ModelAsset& model, const ObjectList<Joint>& joints,
                                                      Issues& issues)
{
    const ModelSource& source = model.source;
    ImportOptions options;
    options.metresPerUnit = model.metresPerUnit;
    options.upAxis = model.upAxis;
    auto imported = source.embedded ? importEmbeddedModel("embedded model." + source.format, *source.embedded, options)
                                    : importModel(source.path, options);
    if (!imported) return imported.error();
    ModelAsset asset = *imported->scene.model;
    asset.source = source;
    if (!source.embedded && !source.sha256.empty() && imported->scene.model->source.sha256 != source.sha256) {
        issues.push_back({Severity::Warning,
                          "the model's file has changed since the project was saved; its meshes may no longer fit the "
                          "joints. Import it again to be sure",
                          source.path});
        asset.missing = "has changed since it was imported; import it again or restore the old file";
    }
    rebind(asset, heirsOf(*imported->scene.joints, joints));
    return std::make_shared<const ModelAsset>(std::move(asset));
}

} // namespace tendon
