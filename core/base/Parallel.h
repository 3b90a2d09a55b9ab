#pragma once

#include "core/base/Helpers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace tendon {

/// How many threads to use: as many as asked for (0 = all cores), but not more than there are pieces of work.
[[nodiscard]] inline int threadCount(int wanted, int pieces)
{
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return std::clamp(wanted > 0 ? wanted : cores, 1, std::max(1, pieces));
}

/// Calls work(thread, i) for i = 0 ... count - 1, in any order, in `threads` threads, of which the caller is number 0;
/// returns when all are done. The calls write to places of their own. Once `cancelled` is true (it may be null) the
/// rest is left out. An exception ends all and is thrown on.
template <class Work>
void inParallel(int threads, int count, const std::atomic<bool>* cancelled, const Work& work)
{
    std::atomic<int> next = 0;
    std::exception_ptr failure;
    std::atomic<bool> hasFailed = false;
    const auto isCancelled = [&] { return cancelled != nullptr && cancelled->load(std::memory_order_relaxed); };
    const auto loop = [&](int thread) {
        try {
            for (int i = next++; i < count && !isCancelled() && !hasFailed; i = next++) work(thread, i);
        } catch (...) {
            if (!hasFailed.exchange(true)) failure = std::current_exception();
        }
    };
    {
        const auto help = [&](std::size_t i) { loop(static_cast<int>(i) + 1); };
        const auto helpers = startHelpers(static_cast<std::size_t>(std::max(1, std::min(threads, count)) - 1), help);
        loop(0);
    } // all have joined
    if (failure) std::rethrow_exception(failure);
}

} // namespace tendon
