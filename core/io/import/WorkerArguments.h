#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// The command line between importModel() and its child.
struct WorkerArguments
{
    std::string path; ///< of the model; only its name if the bytes come by descriptor
    bool isFromDescriptor = false;
    bool wantsSelfContained = false;
    std::int64_t maxMemoryBytes = 0;
    double maxSeconds = 0;
};

inline constexpr int kWorkerInputDescriptor = 3;
inline constexpr const char* kProgressPrefix = "@reading "; ///< starts a line on the child's standard error

/// Program, kImportWorkerArgument and the arguments.
[[nodiscard]] std::vector<std::string> workerCommand(const std::string& program, const WorkerArguments& arguments);
[[nodiscard]] std::optional<WorkerArguments> parseWorkerArguments(int argc, char** argv);

} // namespace tendon
