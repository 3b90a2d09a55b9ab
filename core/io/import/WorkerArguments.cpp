#include "core/io/import/WorkerArguments.h"

#include "core/io/import/ImportWorker.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tendon {
namespace {

constexpr int kCount = 6; ///< program, marker, task, memory, seconds, file name
constexpr std::array<std::string_view, 3> kTasks = {"read", "read+embed", "pictures"}; ///< by WorkerTask

} // namespace

std::vector<std::string> workerCommand(const std::string& program, const WorkerArguments& arguments)
{
    return {program,
            kImportWorkerArgument,
            std::string(kTasks[static_cast<std::size_t>(arguments.task)]),
            std::to_string(arguments.maxMemoryBytes),
            std::to_string(static_cast<int>(arguments.maxSeconds)),
            arguments.fileName};
}

std::optional<WorkerArguments> parseWorkerArguments(int argc, char** argv)
{
    if (argc != kCount || std::strcmp(argv[1], kImportWorkerArgument) != 0) return std::nullopt;
    WorkerArguments arguments;
    const auto task = std::find(kTasks.begin(), kTasks.end(), std::string_view(argv[2]));
    if (task == kTasks.end()) return std::nullopt;
    arguments.task = static_cast<WorkerTask>(task - kTasks.begin());
    arguments.maxMemoryBytes = std::strtoll(argv[3], nullptr, 10);
    arguments.maxSeconds = std::strtod(argv[4], nullptr);
    arguments.fileName = argv[5];
    if (arguments.maxMemoryBytes <= 0 || arguments.maxSeconds <= 0) return std::nullopt;
    return arguments;
}

} // namespace tendon
