#include <tendon/sdk/Version.h>

#include <QObject>

#ifndef Q_MOC_RUN
#include "plugins/example/SweepSolver.h"

#include <tendon/sdk/Plugin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

Q_DECLARE_INTERFACE(tendon::sdk::SolverPlugin, TENDON_SOLVER_PLUGIN_IID)

#ifndef Q_MOC_RUN
namespace {

using namespace tendon;

/// TENDON_TEST_MISBEHAVIOUR is "ACT@PLACE".
bool isAsked(const char* place, std::string& act)
{
    const char* asked = std::getenv("TENDON_TEST_MISBEHAVIOUR");
    const char* at = asked == nullptr ? nullptr : std::strrchr(asked, '@');
    if (at == nullptr || std::strcmp(at + 1, place) != 0) return false;
    act.assign(asked, at);
    return true;
}

[[gnu::noinline]] int deeper(volatile int* above)
{
    volatile int here[4096] = {*above};
    return here[0] == 0 ? deeper(here) + here[1] : 1; // it is always 0
}

void sleepForever()
{
    ::prctl(PR_SET_NAME, "asleep"); // which others can see
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Tries what the process of a plugin may not do, and ends it with another exit code for each that works.
void breakOut()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const char* victim = std::getenv("TENDON_TEST_VICTIM");
    if (victim == nullptr) std::_Exit(70);
    const std::string other = std::string(victim) + ".new";
    if (::open(victim, O_RDONLY) < 0) std::_Exit(71); // which it may
    if (::kill(::getppid(), SIGTERM) == 0) std::_Exit(72);
    if (::kill(::getppid(), SIGKILL) == 0) std::_Exit(73);
    if (::syscall(SYS_tgkill, ::getppid(), ::getppid(), SIGKILL) == 0) std::_Exit(74);
    if (::syscall(SYS_pidfd_open, ::getppid(), 0) >= 0) std::_Exit(75);
    if (::open(victim, O_WRONLY) >= 0 || ::open(victim, O_RDWR) >= 0) std::_Exit(76);
    if (::open(victim, O_RDONLY | O_TRUNC) >= 0 || ::truncate(victim, 0) == 0) std::_Exit(77);
    if (::open(other.c_str(), O_RDONLY | O_CREAT, 0600) >= 0) std::_Exit(78);
    if (::rename(victim, other.c_str()) == 0 || ::unlink(victim) == 0) std::_Exit(79);
    if (::chmod(victim, 0) == 0 || ::link(victim, other.c_str()) == 0) std::_Exit(80);
    if (::mkdir(other.c_str(), 0700) == 0) std::_Exit(81);
    if (::socket(AF_INET, SOCK_STREAM, 0) >= 0 || ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0) std::_Exit(82);
    if (const pid_t child = ::fork(); child >= 0) std::_Exit(83);
    if (::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0) std::_Exit(84);
    ::execl("/bin/true", "true", nullptr);
#endif
}

void act(const std::string& what)
{
    static std::mutex mutex;
    static std::vector<char*> hoard;
    volatile int zero = 0;
    int* volatile nowhere = nullptr;
    if (what == "segv") *nowhere = 1;
    if (what == "read-null") zero = *nowhere;
    if (what == "abort") std::abort();
    if (what == "terminate") std::terminate();
    if (what == "throw") throw 1;
    if (what == "exit-0") std::exit(0);
    if (what == "exit-3") std::exit(3);
    if (what == "_exit-0") ::_exit(0);
    if (what == "quick-exit") std::quick_exit(0);
    if (what == "fpe") zero = 7 / zero;
    if (what == "illegal") __builtin_trap();
    if (what == "bus") {
        void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ::memfd_create("empty", 0), 0);
        *static_cast<volatile int*>(page) = 1;
    }
    if (what == "stack") zero = deeper(&zero);
    if (what == "bad-alloc") throw std::bad_alloc();
    if (what == "hoard")
        for (;;) hoard.push_back(new char[std::size_t{1} << 30]);
    if (what == "double-free") {
        void* volatile memory = std::malloc(64);
        std::free(memory);
        std::free(memory);
    }
    if (what == "bad-free") {
        void* volatile nothing = reinterpret_cast<void*>(64);
        std::free(nothing);
    }
    for (const auto& [name, signal] : {std::pair("kill", SIGKILL), std::pair("term", SIGTERM),
                                       std::pair("pipe", SIGPIPE), std::pair("stop", SIGSTOP)})
        if (what == name) {
            ::kill(::getpid(), signal); // which another thread may take
            sleepForever();
        }
    if (what == "break-out") breakOut(); // and goes on
    if (what == "spin")
        for (std::atomic<bool> isForever = true; isForever;) {}
    if (what == "sleep") sleepForever();
    if (what == "deadlock") {
        mutex.lock();
        mutex.lock();
    }
    if (what == "thread-exit") ::pthread_exit(nullptr);
    if (what == "orphan-sleep" && ::fork() == 0) sleepForever(); // and goes on
    if (what == "orphan-crash") {
        if (::fork() == 0) sleepForever();
        std::abort();
    }
    if (what == "close-all")
        for (int file = 0; file < 64; ++file) ::close(file); // and goes on
    if (what == "print") {
        for (int line = 0; line < 2000; ++line) std::printf("checks []\ndone\n{\"passed\": true}\n");
        std::fflush(stdout); // and goes on
    }
}

void actAt(const char* place)
{
    std::string what;
    if (isAsked(place, what)) act(what);
}

struct AtStart
{
    AtStart() { actAt("static"); }
} atStart;

class MisbehavingSolver final : public sdk::Solver
{
public:
    MisbehavingSolver() { actAt("create"); }
    ~MisbehavingSolver() override { actAt("destroy"); }
    bool setParameter(std::string_view id, double value) noexcept override
    {
        actAt("parameter");
        return m_inner.setParameter(id, value);
    }
    sdk::Status prepare(const sdk::Model& model, std::int32_t maxGoals) noexcept override
    {
        actAt("prepare");
        std::string what;
        const sdk::Status status = m_inner.prepare(model, maxGoals);
        return isAsked("prepared", what) ? static_cast<sdk::Status>(what == "status" ? 12345 : 202) : status;
    }
    sdk::Status solve(const sdk::Problem& problem, const sdk::Control& control,
                      sdk::Solution& solution) noexcept override
    {
        actAt("solve");
        std::string what;
        sdk::Status status = m_inner.solve(problem, control, solution);
        if (!isAsked("answer", what) || !sdk::isUsable(status)) return status;
        if (what == "nan") solution.q[0] = std::numeric_limits<double>::quiet_NaN();
        if (what == "met") {
            std::copy(problem.seed.begin(), problem.seed.end(), solution.q.begin());
            solution.q[0] += 0.3;
            for (sdk::GoalResult& goal : solution.goals) goal = {.status = sdk::Status::Converged};
            status = sdk::Status::Converged;
        }
        if (what == "goal") solution.goals[0].status = static_cast<sdk::Status>(-99);
        if (what == "infinite") solution.q[0] = std::numeric_limits<double>::infinity();
        if (what == "status") status = static_cast<sdk::Status>(12345);
        if (what == "refuse") status = sdk::Status::InvalidProblem;
        if (what == "far") std::memset(solution.q.data() + solution.q.size(), 0x55, std::size_t{1} << 25);
        if (what == "counts") {
            solution.traceRows = solution.iterations = solution.starts = std::numeric_limits<std::int32_t>::max();
            for (sdk::GoalResult& goal : solution.goals) goal.blockingDof = 1 << 30;
        }
        if (what == "spans") {
            solution.q = {reinterpret_cast<double*>(8), std::size_t{1} << 40};
            solution.goals = sdk::Rows<sdk::GoalResult>(nullptr, 1u << 30, 1u << 30);
        }
        return status;
    }

private:
    example::SweepSolver m_inner;
};

} // namespace
#endif

class MisbehavingPlugin final : public QObject, public tendon::sdk::SolverPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID TENDON_SOLVER_PLUGIN_IID FILE "misbehaving.json")
    Q_INTERFACES(tendon::sdk::SolverPlugin)

public:
    [[nodiscard]] std::uint64_t layout() const noexcept override
    {
        actAt("layout");
        return tendon::sdk::layoutHash();
    }
    [[nodiscard]] std::unique_ptr<tendon::sdk::Solver> create() const noexcept override
    {
        return std::make_unique<MisbehavingSolver>();
    }
};

#include "MisbehavingPlugin.moc"
