#pragma once

#include "core/base/Result.h"

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

/// Runs a program to its end and collects its output. Its standard input is empty; descriptor 3 is a file with `input`,
/// if there is any. A child that exceeds a limit is killed together with everything it started. Uses POSIX (Linux only)
/// instead of QProcess, because it is called from worker threads without an event loop and must report the child's own
/// use of memory. Error: the program could not be started.
[[nodiscard]] Result<ChildRun> runChild(const std::vector<std::string>& command, std::span<const std::uint8_t> input,
                                        const ChildLimits& limits);

} // namespace tendon
