#pragma once

#include "core/clip/CandidateFinder.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace tendon {

/// The threads that work on a task, each with a finder of its own.
class Crew
{
public:
    Crew(const ClipTask& task, const AnswerSpace& space) : m_task(&task)
    {
        const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        const int wanted = std::clamp(task.threads > 0 ? task.threads : cores, 1, std::max(1, task.frameCount / 16));
        for (int i = 0; i < wanted; ++i) m_finders.push_back(std::make_unique<CandidateFinder>(task, space));
    }

    /// Calls work(finder, i) for i = 0 ... count - 1, in any order; returns when all are done. The calls write to
    /// places of their own. Once the task is cancelled the rest is left out.
    template <class Work>
    void run(int count, const Work& work)
    {
        std::atomic<int> next = 0;
        std::exception_ptr failure;
        std::atomic<bool> hasFailed = false;
        const auto loop = [&](CandidateFinder& finder) {
            try {
                for (int i = next++; i < count && !isCancelled() && !hasFailed; i = next++) work(finder, i);
            } catch (...) {
                if (!hasFailed.exchange(true)) failure = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 1; i < std::min(m_finders.size(), static_cast<std::size_t>(std::max(count, 1))); ++i)
                threads.emplace_back(loop, std::ref(*m_finders[i]));
            loop(*m_finders.front());
        }
        if (failure) std::rethrow_exception(failure);
    }

    /// As run(), for frames 0 ... count - 1, several at once.
    template <class Work>
    void runFrames(int count, const Work& work)
    {
        constexpr int kAtOnce = 16;
        run((count + kAtOnce - 1) / kAtOnce, [&](CandidateFinder& finder, int chunk) {
            for (int t = chunk * kAtOnce; t < std::min(count, (chunk + 1) * kAtOnce); ++t) work(finder, t);
        });
    }

    [[nodiscard]] CandidateFinder& own() { return *m_finders.front(); } ///< the calling thread's
    [[nodiscard]] bool isCancelled() const
    {
        return m_task->cancelled != nullptr && m_task->cancelled->load(std::memory_order_relaxed);
    }

private:
    const ClipTask* m_task;
    std::vector<std::unique_ptr<CandidateFinder>> m_finders;
};

} // namespace tendon
