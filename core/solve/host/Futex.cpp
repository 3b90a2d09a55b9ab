#include "core/solve/host/Futex.h"

#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tendon::host {

void sleepWhile(Signal& signal, std::uint32_t value, std::chrono::nanoseconds most)
{
    constexpr long kPerSecond = 1'000'000'000;
    timespec time{};
    time.tv_sec = most.count() / kPerSecond;
    time.tv_nsec = most.count() % kPerSecond;
    ::syscall(SYS_futex, &signal, FUTEX_WAIT, value, &time, nullptr, 0);
}

void wake(Signal& signal) { ::syscall(SYS_futex, &signal, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

} // namespace tendon::host
