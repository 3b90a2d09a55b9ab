#pragma once

#include "core/base/Result.h"
#include "core/io/model/ModelFolder.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tendon {

struct ChildLimits
{
    double maxSeconds = 10;            ///< wall time
    double maxCpuSeconds = 0;          ///< processor time, independent of a busy machine; 0 = no limit
    std::int64_t maxResidentBytes = 0; ///< 0 = no limit
    std::size_t maxOutputBytes = 0;
    const std::atomic<bool>* cancelled = nullptr;
};

enum class ChildEnd {
    Exited,
    Killed /* by a signal of its own */,
    TimedOut,
    TookTooMuchMemory,
    WroteTooMuch,
    Cancelled
};

struct ChildRun
{
    ChildEnd end = ChildEnd::Exited;
    int code = 0; ///< exit code, or the signal
    std::vector<std::uint8_t> output;
    std::string messages; ///< the last 64 KiB of its standard error
    std::int64_t peakResidentBytes = 0;
    double seconds = 0;
};

/// The descriptors that a child has besides its three streams. It gets no others.
inline constexpr int kChildInput = 3;
inline constexpr int kChildRequests = 4; ///< where requestFile() asks

struct ChildFiles
{
    int input = -1;     ///< becomes kChildInput; the caller's; -1 = none
    OpenCompanion open; ///< answers what the child asks for; without it the child has no kChildRequests
};

/// A file in memory that holds `bytes`, standing at its beginning.
[[nodiscard]] Result<Descriptor> memoryFile(std::span<const std::uint8_t> bytes);

/// Runs a program to its end and collects its output. Its standard input is empty. A child that exceeds a limit is
/// killed together with everything it started. Uses POSIX (Linux only) instead of QProcess, because it is called from
/// worker threads without an event loop and must report the child's own use of memory. Error: the program could not be
/// started.
[[nodiscard]] Result<ChildRun> runChild(const std::vector<std::string>& command, const ChildFiles& files,
                                        const ChildLimits& limits);

} // namespace tendon
