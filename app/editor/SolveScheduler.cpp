#include "app/editor/SolveScheduler.h"

#include <QCoreApplication>
#include <QTimerEvent>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace tendon::editor {

using Clock = std::chrono::steady_clock;

/// What the worker's thread and the scheduler share; a thread that hangs keeps it alive. `mutex` guards everything but
/// the atomics and the evaluator.
struct SolveScheduler::Worker
{
    explicit Worker(const SolverRegistry& solvers) : evaluator(solvers, &solving) {}

    std::mutex mutex;
    std::condition_variable changed;
    std::optional<FrameRequest> waiting;
    enum class State { Idle, Evaluating, Ended } state = State::Idle;
    Clock::time_point since; ///< when the evaluation began
    std::uint64_t started = 0;
    std::uint64_t undelivered = 0; ///< frames evaluated, not handed out yet
    std::atomic<bool> cancelled = false;
    SolveScheduler* receiver = nullptr; ///< null once the scheduler has left the thread, which then ends

    std::atomic<ObjectId> solving = 0; ///< the handle whose group is being solved
    FrameEvaluator evaluator;          ///< the thread's own

    static void run(std::shared_ptr<Worker> self)
    {
        std::unique_lock lock(self->mutex);
        while (true) {
            self->changed.wait(lock, [&] { return self->waiting || self->receiver == nullptr; });
            if (self->receiver == nullptr) break;
            const FrameRequest request = std::move(*self->waiting);
            self->waiting.reset();
            self->state = State::Evaluating;
            self->since = Clock::now();
            ++self->started;
            self->cancelled = false;
            lock.unlock();
            FramePtr frame = self->evaluator.evaluate(request, &self->cancelled);
            lock.lock();
            self->state = State::Idle;
            if (self->receiver != nullptr) {
                ++self->undelivered;
                QMetaObject::invokeMethod(
                    self->receiver,
                    [self, frame = std::move(frame)] {
                        SolveScheduler* receiver = nullptr;
                        {
                            const std::lock_guard guard(self->mutex);
                            --self->undelivered;
                            receiver = self->receiver;
                        }
                        if (receiver != nullptr) receiver->handOut(frame);
                    },
                    Qt::QueuedConnection);
            }
            self->changed.notify_all();
        }
        self->state = State::Ended;
        self->changed.notify_all();
    }
};

SolveScheduler::SolveScheduler(const SolverRegistry& solvers, QObject* parent) : QObject(parent), m_solvers(solvers)
{
    startWorker();
}

SolveScheduler::~SolveScheduler()
{
    std::unique_lock lock(m_worker->mutex);
    m_worker->receiver = nullptr;
    m_worker->cancelled = true;
    m_worker->changed.notify_all();
    // A thread that does not end is left behind; it owns what it uses.
    m_worker->changed.wait_for(lock, std::chrono::milliseconds(kHang),
                               [&] { return m_worker->state == Worker::State::Ended; });
}

void SolveScheduler::startWorker()
{
    m_worker = std::make_shared<Worker>(m_solvers);
    m_worker->receiver = this;
    std::thread(&Worker::run, m_worker).detach();
}

std::uint64_t SolveScheduler::request(FrameRequest request)
{
    request.number = ++m_count;
    for (const Handle& handle : *request.scene->handles)
        if (m_disabled.count(handle.solver) != 0) request.pending[{handle.id.value, Property::Blend}] = {0};
    m_last = request;
    {
        const std::lock_guard lock(m_worker->mutex);
        m_worker->waiting = std::move(request);
    }
    m_worker->changed.notify_all();
    if (m_watchTimer == 0) m_watchTimer = startTimer(kPatience);
    return m_count;
}

bool SolveScheduler::isBusy() const
{
    const std::lock_guard lock(m_worker->mutex);
    return m_worker->state == Worker::State::Evaluating || m_worker->waiting || m_worker->undelivered > 0;
}

std::uint64_t SolveScheduler::startedCount() const
{
    const std::lock_guard lock(m_worker->mutex);
    return m_worker->started;
}

void SolveScheduler::cancelRunning() { m_worker->cancelled = true; }

void SolveScheduler::finish()
{
    const auto worker = m_worker;
    {
        std::unique_lock lock(worker->mutex);
        const bool isIdle = worker->changed.wait_for(lock, std::chrono::milliseconds(kHang), [&] {
            return worker->state != Worker::State::Evaluating && !worker->waiting;
        });
        if (!isIdle) {
            lock.unlock();
            leaveHungWorker();
            return;
        }
    }
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void SolveScheduler::enableAll() { m_disabled.clear(); }

void SolveScheduler::handOut(FramePtr frame)
{
    m_latest = std::move(frame);
    emit frameReady(m_latest);
}

void SolveScheduler::leaveHungWorker()
{
    {
        const std::lock_guard lock(m_worker->mutex);
        m_worker->receiver = nullptr;
    }
    const Handle* handle = m_last.scene->find(HandleId{m_worker->solving});
    startWorker();
    QStringList names;
    const auto disable = [&](const std::string& alias) {
        if (!m_disabled.insert(alias).second) return;
        const SolverInfo* info = m_solvers.find(alias);
        names << QString::fromStdString(info != nullptr ? info->name : alias);
    };
    if (handle != nullptr)
        disable(handle->solver);
    else // it hung while it was prepared, or its handle is gone: it may be any of them
        for (const Handle& any : *m_last.scene->handles) disable(any.solver);
    emit hung(names.join(QStringLiteral(", ")));
    request(m_last);
}

void SolveScheduler::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_watchTimer) return;
    const auto isHung = [this] {
        const std::lock_guard lock(m_worker->mutex);
        if (m_worker->state != Worker::State::Evaluating) {
            if (!m_worker->waiting) {
                killTimer(m_watchTimer);
                m_watchTimer = 0;
            }
            return false;
        }
        const auto age = Clock::now() - m_worker->since;
        if (age > std::chrono::milliseconds(m_worker->waiting ? kPatience : kHang)) m_worker->cancelled = true;
        return age > std::chrono::milliseconds(kHang);
    };
    if (isHung()) leaveHungWorker();
}

} // namespace tendon::editor
