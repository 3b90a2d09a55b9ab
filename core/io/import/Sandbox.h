#pragma once

#include <string>

namespace tendon {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

/// What confines this process from now on.
struct Sandbox
{
    bool hasSystemCallFilter = false; ///< seccomp; false: the kernel, or a container around us, does not allow it
    bool hasFileRules = false;        ///< landlock

    [[nodiscard]] std::string text() const; ///< such as "a filter of system calls, landlock"
};

/// Confines this process for good, as far as the kernel allows. It may still use memory, read the descriptors it has,
/// write to its standard output and error, and talk over `socket`. It cannot open, change or run anything, see another
/// process or reach the network: every other system call fails with EPERM. All descriptors above `socket` are closed.
/// Under sanitizers, which need more than that, nothing is confined.
[[nodiscard]] Sandbox enterSandbox(int socket);

} // namespace tendon
