#include "core/io/import/ImportWorker.h"

#include "core/io/import/ChildProcess.h"
#include "core/io/import/FileRequests.h"
#include "core/io/import/ModelFormat.h"
#include "core/io/import/PictureStream.h"
#include "core/io/import/Sandbox.h"
#include "core/io/import/WorkerArguments.h"
#include "core/io/model/Intermediate.h"
#include "core/io/model/ModelFolder.h"
#include "core/io/readers/assimp/AssimpDrawnParts.h"
#include "core/io/readers/assimp/AssimpModel.h"
#include "core/io/readers/gltf/Reader.h"
#include "core/io/readers/pictures/PictureDecoder.h"
#include "core/io/readers/urdf/UrdfModel.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tendon {
namespace {

void limit(int resource, std::int64_t value)
{
    const rlimit both{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Readers call themselves for each level of a hierarchy: room for chains as long as our own exports may be.
void makeRoomForDeepHierarchies()
{
    constexpr rlim_t kStack = rlim_t{96} << 20; // [bytes] below the gap that the system leaves for it
    rlimit stack = {};
    if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= kStack) return;
    stack.rlim_cur = std::min(kStack, stack.rlim_max);
    ::setrlimit(RLIMIT_STACK, &stack);
}

/// Sanitizers reserve terabytes of addresses: there only the parent's watch on
/// resident memory holds.
void limitThisProcess(const WorkerArguments& arguments)
{
    limit(RLIMIT_CORE, 0);
    makeRoomForDeepHierarchies();
    if (!kIsSanitized) ::prctl(PR_SET_DUMPABLE, 0); // no dump through a system's own crash handler either
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, static_cast<std::int64_t>(arguments.maxSeconds) + 1);
    limit(RLIMIT_FSIZE, 0); // writes no files
    if (!kIsSanitized) limit(RLIMIT_AS, arguments.maxMemoryBytes);
}

/// Tells the parent what is read next, so that it can name it if this process dies.
void reportProgress(std::string_view what)
{
    std::fprintf(stderr, "%s%.*s\n", kProgressPrefix, static_cast<int>(what.size()), what.data());
}

bool wantsSelfContained(const WorkerArguments& arguments) { return arguments.task == WorkerTask::ReadModelToEmbed; }

/// Text of other formats may be in any encoding: what is no UTF-8 is taken for Latin-1.
std::string asUtf8(const std::string& text)
{
    if (isUtf8(text)) return text;
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            utf8 += c;
        else
            utf8 += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
    }
    return utf8;
}

void mendTexts(SourceModel& model)
{
    for (SourceNode& node : model.nodes) node.name = asUtf8(node.name);
    for (SourceMesh& source : model.meshes) {
        source.mesh.name = asUtf8(source.mesh.name);
        for (MorphTarget& target : source.mesh.morphTargets) target.name = asUtf8(target.name);
    }
    for (SourceCamera& source : model.cameras) source.camera.name = asUtf8(source.camera.name);
    for (SourceLight& source : model.lights) source.light.name = asUtf8(source.light.name);
    for (Material& material : model.materials) material.name = asUtf8(material.name);
    for (Texture& texture : model.textures) texture.name = asUtf8(texture.name);
    for (SourceAnimation& animation : model.animations) animation.name = asUtf8(animation.name);
    for (Issue& issue : model.issues) issue.text = asUtf8(issue.text), issue.where = asUtf8(issue.where);
}

/// Other formats are kept as they are; what stands beside such a file is not.
void keepInside(const ModelFolder& folder, bool needsOthers, SourceModel& model)
{
    model.selfContained.assign(folder.bytes().begin(), folder.bytes().end());
    if (needsOthers)
        model.issues.push_back(
            {Severity::Warning,
             "the files that it refers to (textures, motion) are not embedded in the project; put them into the "
             "file, or import without embedding",
             ""});
}

Result<SourceModel> readRobot(const WorkerArguments& arguments, const ModelFolder& folder)
{
    reportProgress("the robot description");
    auto model = urdf::readModel(folder.bytes());
    if (!model) return Error{model.error().code, asUtf8(model.error().message), asUtf8(model.error().where)};
    mendTexts(*model);
    if (wantsSelfContained(arguments)) keepInside(folder, false, *model);
    return model;
}

Result<SourceModel> readByAssimp(ModelFormat format, const WorkerArguments& arguments, ModelFolder& folder)
{
    reportProgress("the " + std::string(suffixOf(format)) + " file");
    // Assimp chooses its reader by the suffix, which may be wrong; content decided what it is.
    const std::string stem = folder.fileName().substr(0, folder.fileName().rfind('.'));
    bool needsOthers = false;
    const auto beside = [&](std::string_view name) {
        auto bytes = folder.read(name);
        needsOthers = needsOthers || bool(bytes);
        return bytes;
    };
    auto model = assimp::readModel(
        {stem + "." + std::string(suffixOf(format)), std::string(suffixOf(format)), folder.bytes(), beside});
    if (!model) return Error{model.error().code, asUtf8(model.error().message), asUtf8(model.error().where)};
    mendTexts(*model);
    if (wantsSelfContained(arguments)) keepInside(folder, needsOthers, *model);
    return model;
}

Result<SourceModel> readWhole(ModelFormat format, const WorkerArguments& arguments, ModelFolder& folder)
{
    if (!suffixOf(format).empty()) return readByAssimp(format, arguments, folder);
    if (format == ModelFormat::Urdf) return readRobot(arguments, folder);
    return gltf::readModel(folder, {wantsSelfContained(arguments), reportProgress, assimp::readDrawnParts});
}

/// Morph curves come by node: each goes to the meshes under its node, by their index; those of targets that are not
/// there go.
void spreadMorphs(SourceModel& model)
{
    for (SourceAnimation& animation : model.animations) {
        const std::vector<MorphCurve> ofNodes = std::move(animation.morphs);
        animation.morphs.clear();
        for (const MorphCurve& curve : ofNodes)
            for (std::size_t m = 0; m < model.meshes.size(); ++m) {
                const SourceMesh& source = model.meshes[m];
                if (source.node != curve.mesh ||
                    static_cast<std::size_t>(curve.target) >= source.mesh.morphTargets.size())
                    continue;
                animation.morphs.push_back(curve);
                animation.morphs.back().mesh = static_cast<std::int32_t>(m);
            }
    }
}

/// Cameras and lights whose numbers make no sense: the model is as good without.
void leaveOutUnusable(SourceModel& model)
{
    const auto leaveOut = [&](const auto& mounted, const char* kind) {
        if (isUsable(mounted)) return false;
        model.issues.push_back(
            {Severity::Warning, "invalid angles, clipping planes or intensity; it was left out", kind + mounted.name});
        return true;
    };
    std::erase_if(model.cameras, [&](const SourceCamera& source) { return leaveOut(source.camera, "camera "); });
    std::erase_if(model.lights, [&](const SourceLight& source) { return leaveOut(source.light, "light "); });
}

ImportOutcome outcomeOf(const WorkerArguments& arguments)
{
    const Descriptor file(kChildInput);
    auto folder = ModelFolder::read(arguments.fileName, file,
                                    [](std::string_view uri) { return requestFile(kChildRequests, uri); });
    if (!folder) return folder.error();
    const ModelFormat format = recogniseFormat(folder->fileName(), folder->bytes());
    if (folder->bytes().empty()) return unreadable(format, folder->bytes());
    if (format != ModelFormat::Gltf && format != ModelFormat::Urdf && suffixOf(format).empty())
        return unreadable(format, folder->bytes());
    auto model = readWhole(format, arguments, *folder);
    if (!model) return model.error();
    spreadMorphs(*model);
    leaveOutUnusable(*model);
    if (model->issues.size() > limits::kIssues) {
        const std::size_t more = model->issues.size() - limits::kIssues;
        model->issues.resize(limits::kIssues);
        model->issues.push_back({Severity::Warning, "and " + std::to_string(more) + " more issues", ""});
    }
    return std::move(*model);
}

void warnOfNoSandbox(const Sandbox& sandbox, SourceModel& model)
{
    if (sandbox.hasSystemCallFilter || kIsSanitized) return;
    model.issues.push_back(
        {Severity::Warning,
         "this system does not allow the model reader to be confined (no seccomp): code in a broken file could "
         "read other files; open only files that you trust",
         ""});
}

bool writeAll(const std::vector<std::uint8_t>& bytes)
{
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

/// Set once there was no memory. A reader may catch that and go on without the mesh that it was reading.
std::atomic<bool> hasRunOutOfMemory = false;

void noteThatMemoryHasRunOut()
{
    hasRunOutOfMemory = true;
    throw std::bad_alloc();
}

/// The exit code. The outcome is written in any case.
int readModelFile(const WorkerArguments& arguments, const Sandbox& sandbox)
{
    const auto tooLarge = [] {
        return Error{ErrorCode::LimitExceeded,
                     "reading the file takes more memory than is allowed; it is corrupt or too large", ""};
    };
    ImportOutcome outcome;
    std::set_new_handler(noteThatMemoryHasRunOut);
    try {
        outcome = outcomeOf(arguments);
        if (hasRunOutOfMemory) outcome = tooLarge();
        if (auto* model = std::get_if<SourceModel>(&outcome)) warnOfNoSandbox(sandbox, *model);
        return writeAll(writeIntermediate(outcome)) ? 0 : 1;
    } catch (const std::bad_alloc&) {
        outcome = tooLarge(); // what was read is freed by this
    } catch (const std::length_error&) {
        outcome = tooLarge();
    }
    return writeAll(writeIntermediate(outcome)) ? 0 : 1;
}

/// The exit code. Each picture is written as soon as it is decoded, so that those before a fatal one arrive.
int decodeAllPictures()
{
    const Descriptor file(kChildInput);
    const auto input = ModelFolder::read("", file, {});
    if (!input) return 1;
    ByteReader reader(input->bytes());
    PictureFiles files;
    describe(reader, files);
    for (const PictureFile& encoded : files.files) {
        Picture picture;
        try {
            picture = decodePicture(encoded.encoded, files.maxSide);
        } catch (const std::bad_alloc&) { // too large: it stays empty
        }
        ByteWriter writer;
        describe(writer, picture);
        if (!writeAll(writer.take())) return 1;
    }
    return 0;
}

} // namespace

int runImportWorker(int argc, char** argv)
{
    const auto arguments = parseWorkerArguments(argc, argv);
    if (!arguments) {
        std::fputs("this option is for Tendon's own use\n", stderr);
        return 2;
    }
    // Before anything foreign is looked at.
    limitThisProcess(*arguments);
    const Sandbox sandbox = enterSandbox(kChildRequests);
    std::fprintf(stderr, "%s%s\n", kSandboxPrefix, sandbox.text().c_str());
    return arguments->task == WorkerTask::DecodePictures ? decodeAllPictures() : readModelFile(*arguments, sandbox);
}

} // namespace tendon
