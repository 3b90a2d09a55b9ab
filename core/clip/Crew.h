#pragma once

#include "core/base/Parallel.h"
#include "core/clip/CandidateFinder.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tendon {

/// The threads that work on a task, each with a finder of its own.
class Crew
{
public:
    Crew(const ClipTask& task, const AnswerSpace& space) : m_task(&task)
    {
        const int wanted = threadCount(task.threads, task.frameCount / 16);
        for (int i = 0; i < wanted; ++i) m_finders.push_back(std::make_unique<CandidateFinder>(task, space));
    }

    /// Calls work(finder, i) for i = 0 ... count - 1, in any order; returns when all are done. The calls write to
    /// places of their own. Once the task is cancelled the rest is left out.
    template <class Work>
    void run(int count, const Work& work)
    {
        inParallel(static_cast<int>(m_finders.size()), count, m_task->cancelled,
                   [&](int thread, int i) { work(*m_finders[static_cast<std::size_t>(thread)], i); });
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
