#include "core/io/import/WorkerArguments.h"

#include "core/io/import/ImportWorker.h"

#include <cstdlib>
#include <cstring>

namespace tendon {
namespace {

constexpr int kCount = 6; ///< program, marker, source, memory, seconds, path
constexpr const char* kFile = "file";
constexpr const char* kFileEmbedding = "file+embed";
constexpr const char* kDescriptor = "descriptor";

} // namespace

std::vector<std::string> workerCommand(const std::string& program, const WorkerArguments& arguments)
{
    const char* source = arguments.isFromDescriptor     ? kDescriptor
                         : arguments.wantsSelfContained ? kFileEmbedding
                                                        : kFile;
    return {program,
            kImportWorkerArgument,
            source,
            std::to_string(arguments.maxMemoryBytes),
            std::to_string(static_cast<int>(arguments.maxSeconds)),
            arguments.path};
}

std::optional<WorkerArguments> parseWorkerArguments(int argc, char** argv)
{
    if (argc != kCount || std::strcmp(argv[1], kImportWorkerArgument) != 0) return std::nullopt;
    WorkerArguments arguments;
    arguments.isFromDescriptor = std::strcmp(argv[2], kDescriptor) == 0;
    arguments.wantsSelfContained = std::strcmp(argv[2], kFileEmbedding) == 0;
    arguments.maxMemoryBytes = std::strtoll(argv[3], nullptr, 10);
    arguments.maxSeconds = std::strtod(argv[4], nullptr);
    arguments.path = argv[5];
    if (arguments.maxMemoryBytes <= 0 || arguments.maxSeconds <= 0) return std::nullopt;
    return arguments;
}

} // namespace tendon
