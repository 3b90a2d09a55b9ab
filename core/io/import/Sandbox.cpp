#include "core/io/import/Sandbox.h"

#include "core/base/FileRules.h"

#include <cerrno>
#include <cstdint>
#include <initializer_list>

#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace tendon {
namespace {

/// Allows the system calls that reading a model needs, and no others.
bool filterSystemCalls(int socket)
{
    const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == nullptr) return false;
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    bool isWhole = true;
    const auto allow = [&](int call, std::initializer_list<scmp_arg_cmp> conditions = {}) {
        isWhole = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, static_cast<unsigned>(conditions.size()),
                                         conditions.begin()) == 0 &&
                  isWhole;
    };
    // Memory, but none that can be executed.
    for (const int call : {SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise)}) allow(call);
    for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)})
        allow(call, {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)});
    // The descriptors it has: all may be read, two written.
    for (const int call : {SCMP_SYS(read), SCMP_SYS(lseek), SCMP_SYS(close)}) allow(call);
    for (const int call : {SCMP_SYS(write), SCMP_SYS(writev)})
        for (const scmp_datum_t output : {STDOUT_FILENO, STDERR_FILENO}) allow(call, {SCMP_A0(SCMP_CMP_EQ, output)});
    for (const int call : {SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)})
        allow(call, {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(socket))});
    // Time, and what the C library uses by itself: locks, a key for the heap, memory for sorting, and abort().
    for (const int call : {SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(futex),
                           SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(sched_yield), SCMP_SYS(getpid),
                           SCMP_SYS(gettid), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
                           SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)})
        allow(call);
    allow(SCMP_SYS(tgkill), {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid()))});
    const bool isDone = isWhole && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return isDone;
}

} // namespace

std::string Sandbox::text() const
{
    std::string text = hasSystemCallFilter ? "a filter of system calls" : "no filter of system calls";
    return text + (hasFileRules ? ", landlock" : ", no landlock");
}

Sandbox enterSandbox(int socket)
{
    Sandbox sandbox;
    if (kIsSanitized) return sandbox;
    ::close_range(static_cast<unsigned>(socket) + 1, ~0U, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sandbox.hasFileRules = refuseFiles();
    sandbox.hasSystemCallFilter = filterSystemCalls(socket);
    return sandbox;
}

} // namespace tendon
