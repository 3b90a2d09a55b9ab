#include "app/editor/CurrentJob.h"

#include <utility>

namespace tendon::editor {

void CurrentJob::tellEvery(int interval, const std::function<void()>& tell)
{
    m_timer.setInterval(interval);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, tell);
}

void CurrentJob::start(std::function<void(Job::Control&)> work, std::function<void(bool)> then)
{
    letGo();
    std::erase_if(m_left, [](const auto& job) { return job->isOver(); });
    m_job = std::make_unique<Job>(std::move(work), [this, then = std::move(then)] {
        const bool wasCancelled = m_job->isCancelled();
        m_timer.stop();
        m_job.release()->deleteLater(); // this runs inside it
        then(wasCancelled);
    });
    if (m_timer.interval() > 0) m_timer.start();
}

void CurrentJob::start(std::function<void(Job::Control&)> work, std::function<void()> then)
{
    start(std::move(work), [then = std::move(then)](bool) { then(); });
}

bool CurrentJob::letGo()
{
    if (m_job == nullptr) return false;
    m_timer.stop();
    m_job->letGo();
    m_left.push_back(std::move(m_job));
    return true;
}

void CurrentJob::cancel()
{
    if (m_job != nullptr) m_job->cancel();
}

} // namespace tendon::editor
