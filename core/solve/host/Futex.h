#pragma once

#include "core/solve/host/HostCall.h"

#include <chrono>

namespace tendon::host {

/// Sleeps while `signal` is `value`, but not longer than `most`. May return early. Works across processes.
void sleepWhile(Signal& signal, std::uint32_t value, std::chrono::nanoseconds most);

/// Sets `signal` and wakes whoever sleeps on it.
void raise(Signal& signal, std::uint32_t value);

/// Decides how long a wait is worth watching its signal. Who sleeps has to be woken, which takes some 30 us where that
/// is on a core that has gone to sleep, too: longer than most solves. So waits that have been short are watched before
/// they become sleeps. One thread's.
class Pace
{
public:
    /// Returns once `signal` is no longer `value`, or when it is time to sleep.
    void watchWhile(const Signal& signal, std::uint32_t value);
    /// Takes notice of how long a wait has lasted.
    void note(std::chrono::nanoseconds wait);

private:
    std::chrono::nanoseconds m_usual{0}; ///< about what the last waits have lasted
    int m_sleepsLeft = 0;                ///< waits before the next that is watched
    int m_sleepsAfter = 0;               ///< how many of them follow when that is in vain again
};

} // namespace tendon::host
