#include "core/solve/host/PluginSandbox.h"

#include "core/base/FileRules.h"

#include <cerrno>
#include <cstdint>
#include <initializer_list>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace tendon::host {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

/// Allows the system calls that solvers, the C library and the loader of libraries need, and no others.
class Filter
{
public:
    Filter() : m_filter(seccomp_init(SCMP_ACT_ERRNO(EPERM))) {}
    ~Filter()
    {
        if (m_filter != nullptr) seccomp_release(m_filter);
    }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    /// True when the filter is in force, in every thread.
    [[nodiscard]] bool load()
    {
        if (m_filter == nullptr) return false;
        seccomp_attr_set(m_filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
        seccomp_attr_set(m_filter, SCMP_FLTATR_CTL_TSYNC, 1);
        allowMemoryAndTime();
        allowThreads();
        allowReading();
        return m_isWhole && seccomp_load(m_filter) == 0;
    }

private:
    void rule(std::uint32_t action, int call, std::initializer_list<scmp_arg_cmp> conditions = {})
    {
        m_isWhole = seccomp_rule_add_array(m_filter, action, call, static_cast<unsigned>(conditions.size()),
                                           conditions.begin()) == 0 &&
                    m_isWhole;
    }
    void allow(int call, std::initializer_list<scmp_arg_cmp> conditions) { rule(SCMP_ACT_ALLOW, call, conditions); }
    void allow(std::initializer_list<int> calls)
    {
        for (const int call : calls) rule(SCMP_ACT_ALLOW, call);
    }

    void allowMemoryAndTime()
    {
        allow({SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
               SCMP_SYS(mincore), SCMP_SYS(membarrier), SCMP_SYS(memfd_create), SCMP_SYS(get_mempolicy),
               SCMP_SYS(set_mempolicy), SCMP_SYS(mbind)});
        allow({SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
               SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrandom),
               SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getrlimit), SCMP_SYS(getcpu)});
    }

    /// Threads of this process, and signals to it.
    void allowThreads()
    {
        const auto self = static_cast<scmp_datum_t>(::getpid());
        allow({SCMP_SYS(futex),
               SCMP_SYS(set_robust_list),
               SCMP_SYS(get_robust_list),
               SCMP_SYS(rseq),
               SCMP_SYS(set_tid_address),
               SCMP_SYS(gettid),
               SCMP_SYS(getpid),
               SCMP_SYS(getppid),
               SCMP_SYS(getuid),
               SCMP_SYS(geteuid),
               SCMP_SYS(getgid),
               SCMP_SYS(getegid),
               SCMP_SYS(sched_yield),
               SCMP_SYS(sched_getaffinity),
               SCMP_SYS(sched_getparam),
               SCMP_SYS(sched_getscheduler),
               SCMP_SYS(sched_get_priority_max),
               SCMP_SYS(sched_get_priority_min),
               SCMP_SYS(arch_prctl),
               SCMP_SYS(exit),
               SCMP_SYS(exit_group),
               SCMP_SYS(restart_syscall)});
        allow(SCMP_SYS(clone), {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)});
        rule(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3)); // whose flags a filter cannot see: the C library takes clone
        for (const scmp_datum_t of : {scmp_datum_t{0}, self}) {
            allow(SCMP_SYS(sched_setaffinity), {SCMP_A0(SCMP_CMP_EQ, of)});
            allow(SCMP_SYS(prlimit64), {SCMP_A0(SCMP_CMP_EQ, of)});
        }
        allow(SCMP_SYS(prctl), {SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)});
        allow({SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigsuspend),
               SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigpending), SCMP_SYS(sigaltstack), SCMP_SYS(pause)});
        for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) allow(call, {SCMP_A0(SCMP_CMP_EQ, self)});
    }

    /// Files as they are: a library, a table of weights.
    void allowReading()
    {
        constexpr scmp_datum_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;
        allow(SCMP_SYS(open), {SCMP_A1(SCMP_CMP_MASKED_EQ, kWrites, O_RDONLY)});
        allow(SCMP_SYS(openat), {SCMP_A2(SCMP_CMP_MASKED_EQ, kWrites, O_RDONLY)});
        allow({SCMP_SYS(read),       SCMP_SYS(readv),    SCMP_SYS(pread64),     SCMP_SYS(preadv),
               SCMP_SYS(lseek),      SCMP_SYS(close),    SCMP_SYS(close_range), SCMP_SYS(stat),
               SCMP_SYS(fstat),      SCMP_SYS(lstat),    SCMP_SYS(newfstatat),  SCMP_SYS(statx),
               SCMP_SYS(statfs),     SCMP_SYS(fstatfs),  SCMP_SYS(access),      SCMP_SYS(faccessat),
               SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),  SCMP_SYS(getdents64),
               SCMP_SYS(getcwd),     SCMP_SYS(chdir),    SCMP_SYS(umask),       SCMP_SYS(dup),
               SCMP_SYS(dup2),       SCMP_SYS(dup3),     SCMP_SYS(fadvise64)});
        for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL})
            allow(SCMP_SYS(fcntl), {SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command))});
        for (const unsigned long request : {TCGETS, FIONREAD, FIOCLEX, FIONBIO})
            allow(SCMP_SYS(ioctl), {SCMP_A1(SCMP_CMP_EQ, request)});
        // What is open to be written is the output alone, and what its own threads wait on.
        allow({SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2), SCMP_SYS(poll),
               SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl),
               SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait)});
    }

    scmp_filter_ctx m_filter;
    bool m_isWhole = true;
};

} // namespace

PluginSandbox confinePlugin()
{
    PluginSandbox sandbox;
    if (kIsSanitized) return sandbox;
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    sandbox.hasFileRules = refuseFiles(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    sandbox.hasSystemCallFilter = Filter().load();
    return sandbox;
}

} // namespace tendon::host
