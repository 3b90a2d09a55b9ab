#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

enum class WorkerTask {
    ReadModel,
    ReadModelToEmbed, ///< also makes it self-contained
    DecodePictures,
};

/// The command line between importModel() or decodePictures() and the child.
struct WorkerArguments
{
    std::string fileName; ///< of the model; what is read is kChildInput
    WorkerTask task = WorkerTask::ReadModel;
    std::int64_t maxMemoryBytes = 0;
    double maxSeconds = 0;
};

// These start lines on the child's standard error.
inline constexpr const char* kProgressPrefix = "@reading "; ///< what it reads next
inline constexpr const char* kSandboxPrefix = "@sandbox ";  ///< what confines it (Sandbox::text())

/// Program, kImportWorkerArgument and the arguments.
[[nodiscard]] std::vector<std::string> workerCommand(const std::string& program, const WorkerArguments& arguments);
[[nodiscard]] std::optional<WorkerArguments> parseWorkerArguments(int argc, char** argv);

} // namespace tendon
