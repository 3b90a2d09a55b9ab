#pragma once

#include "app/editor/Job.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace tendon::editor {

/// One job at a time: what runs is let go when another begins, and lives on until its thread has ended. GUI thread.
class CurrentJob
{
public:
    /// While a job runs, `tell` is called at every interval [ms]: to show what the thread has made so far.
    void tellEvery(int interval, const std::function<void()>& tell);

    /// Lets go of what runs, and starts. `then` is called when the work is over; by then no job runs, so it may start
    /// another. `wasCancelled`: by cancel().
    void start(std::function<void(Job::Control&)> work, std::function<void(bool wasCancelled)> then);
    void start(std::function<void(Job::Control&)> work, std::function<void()> then);
    /// Its `then` is not called. False: none was running.
    bool letGo();
    void cancel(); ///< its `then` is called all the same

    [[nodiscard]] bool isRunning() const { return m_job != nullptr; }
    [[nodiscard]] double done() const { return m_job == nullptr ? 0 : m_job->done(); }
    /// Waits without serving events. False: it has not ended, and `then` was not called.
    bool waitFor(int milliseconds) { return m_job == nullptr || m_job->waitFor(milliseconds); }

private:
    std::unique_ptr<Job> m_job;
    std::vector<std::unique_ptr<Job>> m_left; ///< let go; destroyed when their threads have ended
    QTimer m_timer;
};

} // namespace tendon::editor
