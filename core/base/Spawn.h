#pragma once

#include "core/base/Result.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char** environ;

namespace tendon {

/// A descriptor of the caller's that a new process has by the number `as`.
struct PassedDescriptor
{
    int own = -1; ///< -1 = /dev/null
    int as = 0;
};

/// Starts the program command[0], a path, with all of `command` as its arguments. It has the descriptors `passed` and
/// no others, streams included, a process group of its own, so that kill(-process) ends whatever it starts, and default
/// signals, so that a crash is one. Linux only. Error: it could not be started. [any thread; needs no event loop,
/// unlike QProcess]
[[nodiscard]] inline Result<pid_t> spawn(const std::vector<std::string>& command,
                                         std::span<const PassedDescriptor> passed)
{
    int last = STDERR_FILENO;
    for (const PassedDescriptor& each : passed) last = std::max(last, each.as);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    // Through copies above all numbers of the child, so that none is overwritten before it is passed on.
    std::vector<int> copies;
    int error = 0;
    for (int as = 0; as <= last; ++as) {
        const auto given = std::find_if(passed.begin(), passed.end(), [&](const auto& each) { return each.as == as; });
        if (given == passed.end()) {
            ::posix_spawn_file_actions_addclose(&actions, as);
        } else if (given->own < 0) {
            ::posix_spawn_file_actions_addopen(&actions, as, "/dev/null", O_RDWR, 0);
        } else {
            copies.push_back(::fcntl(given->own, F_DUPFD_CLOEXEC, last + 1));
            if (copies.back() < 0) error = errno;
            ::posix_spawn_file_actions_adddup2(&actions, copies.back(), as);
        }
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions, last + 1);
    sigset_t all, none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setsigmask(&attributes, &none);

    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t process = -1;
    if (error == 0) error = ::posix_spawn(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    for (const int copy : copies) ::close(copy);
    if (error != 0)
        return Error{ErrorCode::Internal, "could not be started: " + std::string(std::strerror(error)), command[0]};
    return process;
}

} // namespace tendon
