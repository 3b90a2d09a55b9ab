#include "core/solve/host/PluginHost.h"

#include "core/solve/host/Futex.h"
#include "core/solve/host/PluginSandbox.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TENDON_SANITIZED 1
#else
#define TENDON_SANITIZED 0
#endif

namespace tendon::host {
namespace {

constexpr std::chrono::seconds kLook(5);        ///< how often to see whether the other process lives
constexpr rlim_t kMaxMemory = rlim_t{12} << 30; ///< [bytes] of addresses, the shared memory among them

void limit(int resource, rlim_t most)
{
    rlimit now{};
    ::getrlimit(static_cast<__rlimit_resource>(resource), &now);
    now.rlim_cur = std::min(now.rlim_cur, most);
    ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// Maps the shared memory and closes its descriptor; null if it is not there.
HostHead* mapMemory()
{
    struct stat file = {};
    if (::fstat(kArenaDescriptor, &file) != 0 || file.st_size < static_cast<off_t>(sizeof(HostHead))) return nullptr;
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(file.st_size), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE, kArenaDescriptor, 0);
    ::close(kArenaDescriptor);
    return memory == MAP_FAILED ? nullptr : static_cast<HostHead*>(memory);
}

/// Waits until `signal` is no longer `value`.
void waitForChange(Signal& signal, std::uint32_t value, Pace& pace, pid_t parent)
{
    const auto begin = std::chrono::steady_clock::now();
    pace.watchWhile(signal, value);
    while (signal.value.load(std::memory_order_acquire) == value) {
        sleepWhile(signal, value, kLook);
        if (::getppid() != parent) ::_exit(0);
    }
    pace.note(std::chrono::steady_clock::now() - begin);
}

/// The calls of one solver, from Create to Destroy.
void serve(const sdk::SolverPlugin& plugin, HostCall& call, pid_t parent)
{
    std::unique_ptr<sdk::Solver> solver;
    Pace pace;
    for (std::uint32_t request = 0;;) {
        waitForChange(call.request, request, pace, parent);
        request = call.request.value.load(std::memory_order_acquire);
        const CallKind kind = call.kind;
        switch (kind) {
        case CallKind::Create:
            solver = plugin.create();
            call.answer = solver != nullptr ? 1 : 0;
            break;
        case CallKind::SetParameter:
            call.answer = solver->setParameter({call.id, call.idLength}, call.value) ? 1 : 0;
            break;
        case CallKind::Prepare:
            call.answer = static_cast<std::int32_t>(solver->prepare(call.model, call.maxGoals));
            break;
        case CallKind::Solve:
            call.answer = static_cast<std::int32_t>(solver->solve(call.problem, call.control, call.solution));
            break;
        case CallKind::Destroy: solver.reset(); break;
        }
        raise(call.reply, request);
        if (kind == CallKind::Destroy) return;
    }
}

} // namespace

int runPluginHost(int argc, char** argv, const LoadPlugin& load)
{
    const pid_t parent = argc == 3 ? std::atoi(argv[2]) : 0;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    HostHead* head = parent > 0 && ::getppid() == parent ? mapMemory() : nullptr;
    if (head == nullptr) {
        std::fputs("tendon-plugin-host: is started by Tendon, for solver plugins that are not its own\n", stderr);
        return 2;
    }
    limit(RLIMIT_CORE, 0);
    if (!TENDON_SANITIZED) limit(RLIMIT_AS, kMaxMemory);

    head->base = reinterpret_cast<std::byte*>(head);
    const PluginSandbox sandbox = confinePlugin();
    head->isConfined = sandbox.hasSystemCallFilter || TENDON_SANITIZED ? 1 : 0;
    const auto refuse = [head](const std::string& why) {
        std::snprintf(head->message, sizeof head->message, "%s", why.c_str());
    };
    const sdk::SolverPlugin* plugin = nullptr;
    if (head->build != kBuild) {
        refuse("its host process is of another version of Tendon; restart the program");
    } else if (const auto loaded = load(argv[1]); loaded) {
        plugin = *loaded;
    } else {
        refuse(loaded.error().message);
    }
    raise(head->reply, 1);
    Pace pace;
    for (std::uint32_t request = 0;; ++request) {
        waitForChange(head->request, request, pace, parent); // a process that was refused is killed here
        if (plugin == nullptr) continue;
        auto& call = *reinterpret_cast<HostCall*>(head->base + head->call);
        std::thread(serve, std::cref(*plugin), std::ref(call), parent).detach();
        raise(head->reply, request + 2);
    }
}

} // namespace tendon::host
