#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// The command line between importModel() and its child.
struct WorkerArguments
{
    std::string fileName; ///< of the model, whose bytes are kChildInput
    bool wantsSelfContained = false;
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
