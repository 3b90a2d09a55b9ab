#include "app/editor/Job.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace tendon::editor {

/// What the thread and the job share; a thread that was left behind keeps it alive.
struct Job::Shared
{
    std::function<void(Control&)> work;
    Control control;
    std::mutex mutex;
    std::condition_variable changed;
    enum class Thread { Working, Ended } thread = Thread::Working;
    Job* receiver = nullptr; ///< null once the job is destroyed

    void carryOut()
    {
        work(control);
        work = nullptr; // destroys what it holds before anybody hears that it is over
        const std::lock_guard lock(mutex);
        thread = Thread::Ended;
        if (receiver != nullptr)
            QMetaObject::invokeMethod(
                receiver, [job = receiver] { job->deliver(); }, Qt::QueuedConnection);
        changed.notify_all();
    }
};

Job::Job(std::function<void(Control&)> work, std::function<void()> then, QObject* parent)
    : QObject(parent), m_shared(std::make_shared<Shared>()), m_then(std::move(then))
{
    m_shared->work = std::move(work);
    m_shared->receiver = this;
    try {
        std::thread([shared = m_shared] { shared->carryOut(); }).detach();
    } catch (const std::system_error&) { // the system gives no thread: the window waits, but the work is done
        m_shared->carryOut();
    }
}

Job::~Job()
{
    m_shared->control.cancelled = true;
    std::unique_lock lock(m_shared->mutex);
    m_shared->receiver = nullptr;
    m_shared->changed.wait_for(lock, std::chrono::milliseconds(kLeave),
                               [&] { return m_shared->thread == Shared::Thread::Ended; });
}

double Job::done() const { return m_shared->control.done; }

void Job::cancel() { m_shared->control.cancelled = true; }

bool Job::isCancelled() const { return m_shared->control.cancelled; }

bool Job::isOver() const
{
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->thread == Shared::Thread::Ended;
}

bool Job::waitFor(int milliseconds)
{
    if (!isRunning()) return true;
    {
        std::unique_lock lock(m_shared->mutex);
        if (!m_shared->changed.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                        [&] { return m_shared->thread == Shared::Thread::Ended; }))
            return false;
    }
    deliver();
    return true;
}

void Job::letGo(std::function<void()> late)
{
    cancel();
    m_state = State::LetGo;
    m_then = std::move(late);
}

void Job::deliver()
{
    if (m_state == State::Delivered) return; // waitFor() was first
    const bool isLetGo = m_state == State::LetGo;
    m_state = State::Delivered;
    const auto then = std::move(m_then);
    m_then = nullptr;
    if (!isLetGo) emit finished();
    if (then) then(); // may destroy this
}

} // namespace tendon::editor
