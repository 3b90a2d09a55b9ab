#pragma once

#include <tendon/sdk/Control.h>

#include <atomic>
#include <cstddef>

namespace tendon::conformance {

/// A trace that raises a flag at the moment when the solver first writes to a chosen row: it cancels a solve midway, at
/// the same point every time, without a second thread or a clock.
///
/// Each row has a memory page of its own (the stride of the rows is the page size), and the chosen row's page may not
/// be written to. The first write faults; the handler opens the page, raises the flag and lets the solver go on. One
/// wire at a time in a process. A callback in sdk::Control would be simpler, but could not cross to another process.
class TripWire
{
public:
    TripWire(std::size_t rows, std::size_t row); ///< row < rows
    ~TripWire();
    TripWire(const TripWire&) = delete;
    TripWire& operator=(const TripWire&) = delete;

    [[nodiscard]] sdk::Rows<sdk::TraceRow> rows()
    {
        return {reinterpret_cast<sdk::TraceRow*>(m_memory), m_count, m_page};
    }
    [[nodiscard]] const std::atomic<bool>& flag() const { return m_flag; }

private:
    static void onFault(int signal, void* info, void* context);

    std::size_t m_page = 0; ///< [bytes]
    std::size_t m_count = 0;
    std::byte* m_memory = nullptr;
    std::byte* m_guarded = nullptr; ///< the chosen row
    std::atomic<bool> m_flag = false;
};

} // namespace tendon::conformance
