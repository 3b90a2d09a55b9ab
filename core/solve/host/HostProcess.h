#pragma once

#include "core/base/Result.h"
#include "core/solve/host/Arena.h"
#include "core/solve/host/Futex.h"
#include "core/solve/host/HostCall.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

namespace tendon::host {

struct HostCommand
{
    std::string program; ///< path of tendon-plugin-host
    std::string plugin;  ///< path of the library
    std::string alias;   ///< of its solver, for messages
    double patience = 0; ///< [s] for each call, and for loading
};

/// The process in which one foreign plugin runs, as Tendon sees it. It serves all solvers of the plugin, each in a
/// thread of its own. A plugin that crashes, hangs, ends its process or answers untruly is at fault from then on: the
/// process is killed, and every call fails. [any thread]
class HostProcess
{
public:
    /// Starts the process and waits until it has loaded the plugin, or is at fault.
    [[nodiscard]] static std::shared_ptr<HostProcess> start(HostCommand command);
    /// Kills the process.
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// What the plugin has done wrong; names it. Nothing as long as it works. InvalidArgument: it was accused.
    [[nodiscard]] std::optional<Error> fault() const;
    [[nodiscard]] bool isAtFault() const { return m_isAtFault; }
    /// False: the kernel allows no filter of system calls, so the plugin can do what this process can.
    [[nodiscard]] bool isConfined() const { return m_isConfined; }
    /// Puts the plugin at fault for what it has answered: `what` is the rest of the sentence "solver plugin X ...".
    void accuse(const std::string& what);

    [[nodiscard]] Arena& arena() { return *m_arena; }
    /// Where the plugin's process has the byte `offset` of the arena. Not to be followed here.
    template <class T>
    [[nodiscard]] T* theirs(std::size_t offset) const
    {
        return reinterpret_cast<T*>(m_theirBase + offset);
    }

    /// Gives a call a thread in the plugin's process. False when the plugin is at fault.
    [[nodiscard]] bool open(HostCall& call);
    /// Ends what open() began. Nothing is performed on the call.
    void close(HostCall& call);

    /// Performs a call and waits for its end, at the pace of the caller's thread. `request` counts the calls, from 1.
    /// While it waits it hands on `cancelled`, which may be null. False when the plugin is at fault, be it since this
    /// call.
    [[nodiscard]] bool perform(HostCall& call, CallKind kind, std::uint32_t request, Pace& pace,
                               const std::atomic<bool>* cancelled = nullptr);

private:
    explicit HostProcess(HostCommand command) : m_command(std::move(command)) {}

    void begin();
    void keep(int descriptor);
    [[nodiscard]] bool waitFor(Signal& reply, std::uint32_t request, Pace& pace, std::string_view doing,
                               const std::atomic<bool>* cancelled, std::atomic<bool>* cancelledThere);
    [[nodiscard]] std::string callsInProgress() const;
    void blame(const std::string& fault, ErrorCode code = ErrorCode::Unsupported);
    void blameEnd(std::string_view doing);
    void kill();

    const HostCommand m_command;
    std::unique_ptr<Arena> m_arena;
    Arena::Block m_headBlock;
    HostHead* m_head = nullptr;
    std::byte* m_theirBase = nullptr;

    std::thread m_keeper; ///< starts the process and lives until it has ended
    mutable std::mutex m_mutex;
    std::set<HostCall*> m_calls;
    std::optional<Error> m_fault;
    int m_process = 0;   ///< 0 = not started, or ended
    int m_status = 0;    ///< as waitpid() gives it
    std::string m_doing; ///< what the plugin did when its process ended
    bool m_isConfined = true;
    std::atomic<bool> m_isAtFault = false, m_hasEnded = false;
    std::mutex m_opening; ///< one solver is opened at a time
    std::uint32_t m_opened = 0;
};

} // namespace tendon::host
