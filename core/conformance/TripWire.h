#pragma once

#include <tendon/sdk/Problem.h>

#include <atomic>
#include <cstddef>
#include <span>

namespace tendon::conformance {

/// A trace that raises a flag at the very moment when the solver first writes to a chosen row: how a solve is cancelled
/// in its midst at the same point every time, with no second thread and no clock.
///
/// The chosen row begins a memory page that may not be written to. The first write faults; the handler opens the page,
/// raises the flag and lets the solver go on. One wire at a time in a process, for as long as it lives.
class TripWire
{
public:
    TripWire(std::size_t rows, std::size_t row); ///< row < rows
    ~TripWire();
    TripWire(const TripWire&) = delete;
    TripWire& operator=(const TripWire&) = delete;

    [[nodiscard]] std::span<sdk::TraceRow> rows() { return {m_rows, m_count}; }
    [[nodiscard]] const std::atomic<bool>& flag() const { return m_flag; }

private:
    static void onFault(int signal, void* info, void* context);

    std::byte* m_memory = nullptr; ///< pages before `m_guarded` are open
    std::byte* m_guarded = nullptr;
    std::size_t m_bytes = 0, m_guardedBytes = 0;
    sdk::TraceRow* m_rows = nullptr;
    std::size_t m_count = 0;
    std::atomic<bool> m_flag = false;
};

} // namespace tendon::conformance
