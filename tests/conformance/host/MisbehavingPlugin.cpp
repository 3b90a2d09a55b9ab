#include <tendon/sdk/Version.h>

#include <QObject>

#ifndef Q_MOC_RUN
#include "plugins/example/SweepSolver.h"

#include <tendon/sdk/Plugin.h>

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

#include <pthread.h>
#include <sys/mman.h>
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
    if (const char* mark = std::getenv("TENDON_TEST_MARK")) std::fclose(std::fopen(mark, "w"));
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
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
    if (what == "exec") ::execl("/bin/true", "true", nullptr);
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
        return m_inner.prepare(model, maxGoals);
    }
    sdk::Status solve(const sdk::Problem& problem, const sdk::Control& control,
                      sdk::Solution& solution) noexcept override
    {
        actAt("solve");
        std::string what;
        sdk::Status status = m_inner.solve(problem, control, solution);
        if (!isAsked("answer", what) || !sdk::isUsable(status)) return status;
        if (what == "nan") solution.q[0] = std::numeric_limits<double>::quiet_NaN();
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
