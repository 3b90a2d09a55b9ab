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
    double maxSeconds = 10;            ///< of wall time
    double maxCpuSeconds = 0;          ///< of its own work, which a busy machine does not lengthen; 0 = not watched
    std::int64_t maxResidentBytes = 0; ///< 0 = not watched
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

/// Runs a program to its end and takes in what it writes. Its standard input is empty; descriptor 3 is a file that
/// holds `input`, if there is one. A child that exceeds a limit is killed with everything it started. POSIX rather than
/// QProcess, because this is called from worker threads that have no event loop and must report the child's own use of
/// memory. Error: the program could not be started.
[[nodiscard]] Result<ChildRun> runChild(const std::vector<std::string>& command, std::span<const std::uint8_t> input,
                                        const ChildLimits& limits);

} // namespace tendon
