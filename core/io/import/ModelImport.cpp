#include "core/io/import/ModelImport.h"

#include "core/io/base/Files.h"
#include "core/io/import/ChildProcess.h"
#include "core/io/import/SceneBuilder.h"
#include "core/io/import/WorkerArguments.h"
#include "core/io/model/Intermediate.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include <unistd.h>

namespace tendon {
namespace {

namespace fs = std::filesystem;

bool isProgram(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

constexpr double kMaxWaitFactor = 4; ///< times its work: what a busy machine may keep the child from it

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
                    " s; the file is corrupt or too large",
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

/// Runs the child and takes its outcome apart.
Result<SourceModel> readInChild(const WorkerArguments& arguments, std::span<const std::uint8_t> bytes,
                                const ImportOptions& options)
{
    const auto program = importWorkerProgram();
    if (!program) return program.error();
    auto run = runChild(workerCommand(*program, arguments), bytes,
                        {.maxSeconds = kMaxWaitFactor * options.maxSeconds,
                         .maxCpuSeconds = options.maxSeconds,
                         .maxResidentBytes = options.maxMemoryBytes,
                         .maxOutputBytes = limits::kIntermediateBytes,
                         .cancelled = options.cancelled});
    if (!run) return run.error();
    if (run->end != ChildEnd::Exited) return deathOf(*run, options);
    auto outcome = readIntermediate(run->output);
    if (!outcome) return run->code == 0 ? outcome.error() : deathOf(*run, options);
    run->output = {}; // as large as the model: not both at once
    if (const Error* error = std::get_if<Error>(&*outcome)) return *error;
    SourceModel model = std::move(std::get<SourceModel>(*outcome));
    if (const auto checked = check(model); !checked) return checked.error();
    return model;
}

/// The usual unit that makes something of this many units as tall as a person, roughly: formats without a unit leave
/// no more to go by.
double guessUnit(double height)
{
    constexpr double kMinHeight = 0.4, kMaxHeight = 4; // [m] children, robots, horses
    for (const double unit : {1.0, 0.01, 0.0254, 0.001, 0.1})
        if (height * unit >= kMinHeight && height * unit <= kMaxHeight) return unit;
    return 1;
}

/// Builds once to see how tall the model is in its own units.
Result<void> settleUnit(SourceModel& source, const ModelSource& origin)
{
    Issues ignored;
    const auto scene = buildScene(source, origin, ignored);
    if (!scene) return scene.error();
    const double height = heightAtRest(*scene);
    source.metresPerUnit = guessUnit(height);
    char text[160];
    std::snprintf(text, sizeof text, "the file states no unit; %g m is assumed, which makes the model %.2f m tall",
                  source.metresPerUnit, height * source.metresPerUnit);
    source.issues.push_back({Severity::Info, text, ""});
    return {};
}

Result<ImportedModel> toImported(SourceModel source, ModelSource origin, const ImportOptions& options)
{
    if (options.metresPerUnit) {
        source.metresPerUnit = *options.metresPerUnit;
    } else if (!source.isUnitStated) {
        if (const auto settled = settleUnit(source, origin); !settled) return settled.error();
    }
    if (options.upAxis) source.upAxis = *options.upAxis;
    if (!(source.metresPerUnit > 0) || !std::isfinite(source.metresPerUnit) || source.upAxis < 0 || source.upAxis > 2)
        return Error{ErrorCode::InvalidArgument,
                     "the unit must be a positive number of metres, and the up axis x, y or z", ""};
    ImportedModel imported;
    imported.isUnitGuessed = !options.metresPerUnit && !source.isUnitStated;
    imported.format = source.format;
    imported.issues = std::move(source.issues);
    source.issues.clear();
    auto scene = buildScene(std::move(source), std::move(origin), imported.issues);
    if (!scene) return scene.error();
    imported.scene = std::move(*scene);
    imported.heightMetres = heightAtRest(imported.scene);
    return imported;
}

WorkerArguments argumentsFor(const std::string& path, const ImportOptions& options)
{
    return {path, false, options.embed, options.maxMemoryBytes, options.maxSeconds};
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

Result<ImportedModel> importModel(const std::string& path, const ImportOptions& options)
{
    auto source = readInChild(argumentsFor(path, options), {}, options);
    if (!source) return source.error().within(path);
    ModelSource origin;
    origin.format = source->format;
    std::error_code error;
    origin.path = fs::absolute(path, error).lexically_normal().string();
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
                                          const ImportOptions& options)
{
    WorkerArguments arguments = argumentsFor(name, options);
    arguments.isFromDescriptor = true;
    auto source = readInChild(arguments, bytes, options);
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
    if (!source.embedded && !source.sha256.empty() && imported->scene.model->source.sha256 != source.sha256)
        issues.push_back({Severity::Warning,
                          "the model's file has changed since the project was saved; its meshes may no longer fit the "
                          "joints. Import it again to be sure",
                          source.path});
    std::unordered_map<std::int32_t, JointId> idOfNode;
    for (const Joint& joint : joints)
        if (joint.sourceNode >= 0) idOfNode.emplace(joint.sourceNode, joint.id);
    std::unordered_map<JointId, JointId> idOf;
    for (const Joint& joint : *imported->scene.joints)
        if (const auto found = idOfNode.find(joint.sourceNode); found != idOfNode.end()) idOf[joint.id] = found->second;
    ModelAsset asset = *imported->scene.model;
    asset.source = source;
    for (Mesh& mesh : asset.meshes)
        for (JointId& joint : mesh.skin.joints) joint = idOf[joint];
    for (Mount* mount : mountsOf(asset)) mount->joint = idOf[mount->joint];
    return std::make_shared<const ModelAsset>(std::move(asset));
}

} // namespace tendon
