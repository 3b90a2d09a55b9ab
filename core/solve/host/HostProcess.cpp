#include "core/solve/host/HostProcess.h"

#include "core/base/Spawn.h"
#include "core/solve/host/Futex.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace tendon::host {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds kCancelLag(2); ///< how late the plugin hears that a solve is cancelled, at most
constexpr double kCancelPatience = 1;              ///< [s] how long a cancelled solve may go on
constexpr const char* kOutputVariable = "TENDON_PLUGIN_OUTPUT";

std::string numberText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

/// Starts the host with the arena and nothing else open.
Result<pid_t> startHost(const HostCommand& command, int arena)
{
    // What a plugin prints is no output of ours; its author may look at it among the messages.
    const int output = std::getenv(kOutputVariable) == nullptr ? -1 : STDERR_FILENO;
    const PassedDescriptor passed[] = {
        {-1, STDIN_FILENO}, {output, STDOUT_FILENO}, {output, STDERR_FILENO}, {arena, kArenaDescriptor}};
    return spawn({command.program, command.plugin, std::to_string(::getpid())}, passed);
}

} // namespace

std::shared_ptr<HostProcess> HostProcess::start(HostCommand command)
{
    std::shared_ptr<HostProcess> made(new HostProcess(std::move(command)));
    made->begin();
    return made;
}

HostProcess::~HostProcess()
{
    kill();
    if (m_keeper.joinable()) m_keeper.join();
}

void HostProcess::begin()
{
    auto arena = Arena::create();
    if (!arena) return blame(arena.error().message);
    m_arena = std::move(*arena);
    m_headBlock = m_arena->allocate(sizeof(HostHead));
    m_head = new (m_headBlock.data()) HostHead;
    m_head->build = kBuild;
    // The other process is to end with this one, but its kernel watches the thread that started it.
    try {
        m_keeper = std::thread([this, descriptor = m_arena->descriptor()] { keep(descriptor); });
    } catch (const std::system_error& error) {
        return blame(std::string("its host process could not be started: ") + error.what());
    }
    Pace pace;
    const bool isLoaded = waitFor(m_head->reply, 1, pace, "while it was loaded", nullptr, nullptr);
    m_arena->closeDescriptor();
    if (!isLoaded) return;
    char message[sizeof m_head->message];
    std::memcpy(message, m_head->message, sizeof message);
    message[sizeof message - 1] = 0;
    if (message[0] != 0) {
        std::replace(std::begin(message), std::end(message), '\n', ' ');
        blame(message);
    }
    m_isConfined = m_head->isConfined != 0;
    m_theirBase = m_head->base;
}

void HostProcess::keep(int descriptor)
{
    const auto started = startHost(m_command, descriptor);
    const pid_t process = started ? *started : 0;
    {
        const std::lock_guard lock(m_mutex);
        m_process = process;
        if (m_process > 0 && m_isAtFault) ::kill(m_process, SIGKILL); // it took too long to be started
    }
    if (!started) {
        blame("its host process " + m_command.program + " " + started.error().message);
    } else {
        int status = 0;
        siginfo_t ended{};
        // The number stays taken until it is asked for below, so that kill() never meets another process.
        while (::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {}
        const std::lock_guard lock(m_mutex);
        ::kill(-process, SIGKILL); // what it may have left behind
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
        m_process = 0;
        m_status = status;
    }
    const std::lock_guard lock(m_mutex);
    m_doing = callsInProgress();
    m_hasEnded = true;
    for (HostCall* call : m_calls) raise(call->reply, kNoReply);
    raise(m_head->reply, kNoReply);
}

/// "while it solved", or of several threads "while it solved or in its constructor": it was one of them.
std::string HostProcess::callsInProgress() const
{
    std::set<std::string> all;
    for (const HostCall* call : m_calls)
        if (call->request.value != call->reply.value) all.insert(doing(call->kind));
    std::string text;
    for (auto each = all.rbegin(); each != all.rend(); ++each) text += (text.empty() ? "" : " or ") + *each;
    return text;
}

void HostProcess::kill()
{
    const std::lock_guard lock(m_mutex);
    if (m_process == 0) return;
    ::kill(-m_process, SIGKILL);
    ::kill(m_process, SIGKILL);
}

std::optional<Error> HostProcess::fault() const
{
    if (!m_isAtFault) return std::nullopt;
    const std::lock_guard lock(m_mutex);
    return m_fault;
}

/// The first fault counts: what follows comes of it.
void HostProcess::blame(const std::string& fault, ErrorCode code)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_fault) m_fault = Error{code, fault, "solver plugin " + m_command.alias + " (" + m_command.plugin + ")"};
        m_isAtFault = true;
    }
    kill();
}

void HostProcess::accuse(const std::string& what)
{
    blame(what + ", and is disabled; choose another solver, or mend the plugin", ErrorCode::InvalidArgument);
}

void HostProcess::blameEnd(std::string_view doing)
{
    int status = 0;
    std::string during;
    {
        const std::lock_guard lock(m_mutex);
        status = m_status;
        during = m_doing.empty() ? std::string(doing) : m_doing;
    }
    std::string end = "ended its process with exit code " + std::to_string(WEXITSTATUS(status));
    if (WIFSIGNALED(status)) {
        const char* name = ::sigabbrev_np(WTERMSIG(status));
        end = "crashed (" +
              (name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(WTERMSIG(status))) + ")";
    }
    blame(end + " " + during + " and is disabled; choose another solver, or mend the plugin");
}

bool HostProcess::waitFor(Signal& reply, std::uint32_t request, Pace& pace, std::string_view doing,
                          const std::atomic<bool>* cancelled, std::atomic<bool>* cancelledThere)
{
    const Clock::time_point begin = Clock::now();
    pace.watchWhile(reply, request - 1);
    std::optional<Clock::time_point> since; // it was cancelled
    for (;;) {
        const std::uint32_t seen = reply.value.load(std::memory_order_acquire);
        if (seen == request) {
            pace.note(Clock::now() - begin);
            return true;
        }
        if (m_hasEnded) {
            blameEnd(doing);
            return false;
        }
        const Clock::time_point now = Clock::now();
        if (cancelled != nullptr && *cancelled && !since) {
            since = now;
            *cancelledThere = true;
        }
        const double cancelPatience = std::min(kCancelPatience, m_command.patience);
        if (since && now - *since > Seconds(cancelPatience)) {
            blame("did not stop within " + numberText(cancelPatience) + " s after it was cancelled " +
                  std::string(doing) + " and is disabled; choose another solver, or mend the plugin");
            return false;
        }
        const Seconds left = Seconds(m_command.patience) - (now - begin);
        if (left.count() <= 0) {
            blame("did not respond within " + numberText(m_command.patience) + " s " + std::string(doing) +
                  " and is disabled; choose another solver, mend the plugin, or set TENDON_PLUGIN_PATIENCE to more "
                  "seconds");
            return false;
        }
        auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(left);
        if (cancelled != nullptr) most = std::min<std::chrono::nanoseconds>(most, kCancelLag);
        sleepWhile(reply, seen, most);
    }
}

bool HostProcess::open(HostCall& call)
{
    const std::lock_guard opening(m_opening);
    {
        const std::lock_guard lock(m_mutex);
        m_calls.insert(&call);
    }
    if (m_isAtFault) return false;
    m_head->call = static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(&call) - m_arena->base());
    raise(m_head->request, ++m_opened);
    Pace pace;
    return waitFor(m_head->reply, m_opened + 1, pace, "while a solver was created", nullptr, nullptr);
}

void HostProcess::close(HostCall& call)
{
    const std::lock_guard lock(m_mutex);
    m_calls.erase(&call);
}

bool HostProcess::perform(HostCall& call, CallKind kind, std::uint32_t request, Pace& pace,
                          const std::atomic<bool>* cancelled)
{
    if (m_isAtFault) return false;
    call.kind = kind;
    call.cancelled = cancelled != nullptr && *cancelled;
    raise(call.request, request);
    return waitFor(call.reply, request, pace, doing(kind), cancelled, &call.cancelled);
}

} // namespace tendon::host
