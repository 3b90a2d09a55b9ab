#include "core/solve/host/Futex.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <ctime>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tendon::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kMaxWatch(1000); ///< longer waits are sleeps: being woken is little beside them
constexpr std::chrono::microseconds kMargin(20);     ///< of the usual wait

constexpr int kMaxSleeps = 63; ///< after a watch that was in vain

void pause()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// One of the threads of this process that watch. They are so few that half of the cores are left to those that work.
class Watcher
{
public:
    Watcher() : m_isOne(s_count++ < most()) {}
    ~Watcher() { --s_count; }
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;

    [[nodiscard]] bool isOne() const { return m_isOne; }

private:
    static unsigned most()
    {
        static const unsigned half = std::thread::hardware_concurrency() / 2;
        return half;
    }

    static std::atomic<unsigned> s_count;
    bool m_isOne;
};

std::atomic<unsigned> Watcher::s_count{0};

} // namespace

void sleepWhile(Signal& signal, std::uint32_t value, std::chrono::nanoseconds most)
{
    constexpr long kPerSecond = 1'000'000'000;
    timespec time{};
    time.tv_sec = most.count() / kPerSecond;
    time.tv_nsec = most.count() % kPerSecond;
    // Either raise() sees that somebody sleeps, or the kernel sees the new value.
    ++signal.sleepers;
    ::syscall(SYS_futex, &signal.value, FUTEX_WAIT, value, &time, nullptr, 0);
    --signal.sleepers;
}

void raise(Signal& signal, std::uint32_t value)
{
    signal.value = value;
    if (signal.sleepers != 0) ::syscall(SYS_futex, &signal.value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Pace::watchWhile(const Signal& signal, std::uint32_t value)
{
    if (m_usual > kMaxWatch || m_sleepsLeft-- > 0) return;
    const Watcher watcher;
    if (!watcher.isOne()) return;
    const Clock::time_point end = Clock::now() + std::min<Clock::duration>(2 * m_usual + kMargin, kMaxWatch);
    do {
        for (int look = 0; look < 32; ++look) {
            if (signal.value.load(std::memory_order_acquire) != value) {
                m_sleepsLeft = m_sleepsAfter = 0;
                return;
            }
            pause();
        }
    } while (Clock::now() < end);
    // In vain: the other side may wait for this very core.
    m_sleepsLeft = m_sleepsAfter = std::min(2 * m_sleepsAfter + 1, kMaxSleeps);
}

void Pace::note(std::chrono::nanoseconds wait)
{
    m_usual += (std::min<std::chrono::nanoseconds>(wait, 4 * kMaxWatch) - m_usual) / 4;
}

} // namespace tendon::host
