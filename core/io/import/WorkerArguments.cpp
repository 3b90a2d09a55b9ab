#include "core/io/import/WorkerArguments.h"

#include "core/io/import/ImportWorker.h"

#include <cstdlib>
#include <cstring>

namespace tendon {
namespace {

constexpr int kCount = 6; ///< program, marker, way, memory, seconds, file name
constexpr const char* kPlainly = "read";
constexpr const char* kEmbedding = "read+embed";

} // namespace

std::vector<std::string> workerCommand(const std::string& program, const WorkerArguments& arguments)
{
    return {program,
            kImportWorkerArgument,
            arguments.wantsSelfContained ? kEmbedding : kPlainly,
            std::to_string(arguments.maxMemoryBytes),
            std::to_string(static_cast<int>(arguments.maxSeconds)),
            arguments.fileName};
}

std::optional<WorkerArguments> parseWorkerArguments(int argc, char** argv)
{
    if (argc != kCount || std::strcmp(argv[1], kImportWorkerArgument) != 0) return std::nullopt;
    WorkerArguments arguments;
    arguments.wantsSelfContained = std::strcmp(argv[2], kEmbedding) == 0;
    arguments.maxMemoryBytes = std::strtoll(argv[3], nullptr, 10);
    arguments.maxSeconds = std::strtod(argv[4], nullptr);
    arguments.fileName = argv[5];
    if (arguments.maxMemoryBytes <= 0 || arguments.maxSeconds <= 0) return std::nullopt;
    return arguments;
}

} // namespace tendon
