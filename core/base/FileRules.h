#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tendon {

/// The kernel's rules about files (landlock), as a second lock behind a filter of system calls: from now on this
/// thread, and what it starts, can open, create, change or run no file, but for the rights in `kept`
/// (LANDLOCK_ACCESS_FS_...). Newer kernels also refuse TCP ports, abstract sockets and signals to other processes.
/// Cannot be undone. False where the kernel has no such rules.
inline bool refuseFiles(std::uint64_t kept = 0)
{
    // How many rights each version of the interface knows. The header may be older than the kernel.
    constexpr std::array<int, 6> kFileRightsByVersion = {0, 13, 14, 15, 15, 16};
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return false;
    struct
    {
        std::uint64_t files, network, scopes;
    } rules{};
    const std::size_t known = std::min<std::size_t>(static_cast<std::size_t>(version), kFileRightsByVersion.size() - 1);
    rules.files = ((std::uint64_t{1} << kFileRightsByVersion[known]) - 1) & ~kept;
    rules.network = version >= 4 ? 3 : 0;
    rules.scopes = version >= 6 ? 3 : 0;
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const long set = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return false;
    const bool isDone = ::syscall(SYS_landlock_restrict_self, set, 0) == 0;
    ::close(static_cast<int>(set));
    return isDone;
}

} // namespace tendon
