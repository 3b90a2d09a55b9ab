#pragma once

#include <tendon/sdk/Plugin.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

/// What lies in the memory that Tendon shares with the process of a plugin. Both programs are of one build, so structs
/// cross as they are. Pointers and spans in them hold addresses of the plugin's process: Tendon computes them and never
/// follows them. What the plugin's process has written is read once and then checked.
namespace tendon::host {

inline constexpr int kArenaDescriptor = 3; ///< of the shared memory, in the plugin's process

/// A counter that one side raises to give the other something to do.
struct Signal
{
    std::atomic<std::uint32_t> value = 0;
    std::atomic<std::uint32_t> sleepers = 0; ///< who would have to be woken
};
static_assert(decltype(Signal::value)::is_always_lock_free);

/// In place of a reply, once the plugin's process has ended.
inline constexpr std::uint32_t kNoReply = ~std::uint32_t{0};

enum class CallKind : std::int32_t { Create, SetParameter, Prepare, Solve, Destroy };

/// For messages: what a plugin did when its process ended.
constexpr const char* doing(CallKind kind)
{
    switch (kind) {
    case CallKind::Create: return "in its constructor";
    case CallKind::SetParameter: return "while a parameter was set";
    case CallKind::Prepare: return "while it prepared";
    case CallKind::Solve: return "while it solved";
    case CallKind::Destroy: return "in its destructor";
    }
    return "while it worked";
}

/// One solver of the plugin: its calls, one at a time. A thread of the plugin's process serves it.
struct HostCall
{
    Signal request; ///< raised by Tendon
    Signal reply;   ///< set to the request when that is done

    CallKind kind = CallKind::Create;
    std::int32_t answer = 0; ///< Create, SetParameter: 1 = yes; Prepare, Solve: an sdk::Status

    // SetParameter
    char id[256] = {};
    std::uint32_t idLength = 0;
    double value = 0;

    // Prepare
    sdk::Model model;
    std::int32_t maxGoals = 0;

    // Solve
    sdk::Problem problem;
    sdk::Objectives objectives;
    sdk::Curve curve;
    sdk::Stop stop;
    sdk::Control control;
    static constexpr std::size_t kMaxExtensions = 4;
    sdk::Extension extensions[kMaxExtensions];
    std::atomic<bool> cancelled = false;
    sdk::Solution solution;
};

/// The beginning of the shared memory.
struct HostHead
{
    std::uint64_t build = 0;     ///< kBuild of the program that made it
    std::byte* base = nullptr;   ///< where the plugin's process has mapped the memory
    Signal request;              ///< raised by Tendon for each new solver
    Signal reply;                ///< 1 = the plugin is loaded, or `message` says why not; then as HostCall::reply
    std::uint64_t call = 0;      ///< offset of the new solver's HostCall
    std::int32_t isConfined = 0; ///< 1 = by a filter of system calls; written before the plugin is loaded
    char message[1024] = {};     ///< ends in 0; empty = loaded
};

/// Differs where the two programs are not of one build.
inline constexpr std::uint64_t kBuild = sdk::layoutHash() ^ (sizeof(HostCall) << 16) ^ sizeof(HostHead);

} // namespace tendon::host
