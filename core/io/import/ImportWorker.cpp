#include "core/io/ImportWorker.h"

#include "core/io/assimp/AssimpDrawnParts.h"
#include "core/io/gltf/reader/Reader.h"
#include "core/io/import/Intermediate.h"
#include "core/io/import/ModelFolder.h"
#include "core/io/import/ModelFormat.h"
#include "core/io/import/WorkerArguments.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENDON_SANITIZED 1
#else
#define TENDON_SANITIZED 0
#endif

namespace tendon {
namespace {

void limit(int resource, std::int64_t value)
{
    const rlimit both{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Before anything foreign is looked at. Sanitizers reserve terabytes of addresses: there only the parent's watch on
/// resident memory holds.
void limitThisProcess(const WorkerArguments& arguments)
{
    limit(RLIMIT_CORE, 0);
    if (!TENDON_SANITIZED) ::prctl(PR_SET_DUMPABLE, 0); // no dump through a system's own crash handler either
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, static_cast<std::int64_t>(arguments.maxSeconds) + 1);
    limit(RLIMIT_FSIZE, 0); // writes no files
    if (!TENDON_SANITIZED) limit(RLIMIT_AS, arguments.maxMemoryBytes);
}

/// Told to the parent, which quotes the last one when this process dies.
void sayProgress(std::string_view what)
{
    std::fprintf(stderr, "%s%.*s\n", kProgressPrefix, static_cast<int>(what.size()), what.data());
}

Result<ModelFolder> openInput(const WorkerArguments& arguments)
{
    if (!arguments.isFromDescriptor) return ModelFolder::open(arguments.path);
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> buffer(1 << 20);
    for (ssize_t count = 0; (count = ::read(kWorkerInputDescriptor, buffer.data(), buffer.size())) > 0;)
        bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + count);
    return ModelFolder::fromBytes(arguments.path, std::move(bytes));
}

Result<gltf::DrawnParts> drawnParts(std::span<const std::uint8_t> glb)
{
    auto parts = assimp::readDrawnParts(glb, "glb");
    if (!parts) return parts.error();
    return gltf::DrawnParts{std::move(parts->meshes), std::move(parts->materials), std::move(parts->textures)};
}

ImportOutcome readModelFile(const WorkerArguments& arguments)
{
    auto folder = openInput(arguments);
    if (!folder) return folder.error();
    const ModelFormat format = recogniseFormat(folder->fileName(), folder->bytes());
    if (format != ModelFormat::Gltf) return unreadable(format, folder->bytes());
    auto model = gltf::readModel(*folder, {arguments.wantsSelfContained, sayProgress, drawnParts});
    if (!model) return model.error();
    if (model->issues.size() > limits::kIssues) {
        const std::size_t more = model->issues.size() - limits::kIssues;
        model->issues.resize(limits::kIssues);
        model->issues.push_back({Severity::Warning, "and " + std::to_string(more) + " more findings", ""});
    }
    return std::move(*model);
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

} // namespace

int runImportWorker(int argc, char** argv)
{
    const auto arguments = parseWorkerArguments(argc, argv);
    if (!arguments) {
        std::fputs("this is for Tendon's own use\n", stderr);
        return 2;
    }
    limitThisProcess(*arguments);
    const auto tooLarge = [] {
        return Error{ErrorCode::LimitExceeded,
                     "it needs more memory to read than it may take; the file is damaged or far too large", ""};
    };
    ImportOutcome outcome;
    try {
        outcome = readModelFile(*arguments);
        return writeAll(writeIntermediate(outcome)) ? 0 : 1;
    } catch (const std::bad_alloc&) {
        outcome = tooLarge(); // what was read is freed by this
    } catch (const std::length_error&) {
        outcome = tooLarge();
    }
    return writeAll(writeIntermediate(outcome)) ? 0 : 1;
}

} // namespace tendon
