#pragma once

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

namespace tendon::editor {

/// One long piece of work in a thread of its own, with progress and cancel. The owner's thread gets the signals.
class Job : public QObject
{
    Q_OBJECT
public:
    /// Shared by the work and whoever watches it.
    struct Control
    {
        std::atomic<bool> cancelled = false;
        std::atomic<double> done = 0; ///< 0 ... 1; negative = it can't be told
    };
    static constexpr int kLeave = 4000; ///< [ms] that the destructor waits for work that does not end

    /// Starts at once. `work` runs in the other thread, `then` in this one when it is over.
    Job(std::function<void(Control&)> work, std::function<void()> then, QObject* parent = nullptr);
    /// Cancels and waits. Work that does not end (a solver that hangs) is left behind with its thread: it holds what it
    /// uses.
    ~Job() override;

    [[nodiscard]] double done() const;
    void cancel();
    [[nodiscard]] bool isCancelled() const;
    [[nodiscard]] bool isRunning() const { return m_isRunning; } ///< until `then` has run or been let go

    /// Waits without serving events. True = it is over and `then` has run.
    bool waitFor(int milliseconds);

    /// Cancels; `then` will not run, nor a signal come. What is left may be destroyed once isOver().
    void letGo();
    [[nodiscard]] bool isOver() const; ///< the thread has ended

signals:
    void finished();

private:
    struct Shared;
    void deliver();

    std::shared_ptr<Shared> m_shared;
    std::function<void()> m_then;
    bool m_isRunning = true;
};

} // namespace tendon::editor
