#pragma once

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

namespace tendon::editor {

/// One long piece of work in a thread of its own, with progress and cancel. All functions are for the thread that made
/// the job, which also gets the signals.
class Job : public QObject
{
    Q_OBJECT
public:
    /// Shared by the work and the job. Any thread.
    struct Control
    {
        std::atomic<bool> cancelled = false;
        std::atomic<double> done = 0; ///< 0 to 1; negative = not known
    };
    static constexpr int kLeave = 4000; ///< [ms] that the destructor waits for work that does not end

    /// Starts at once. `work` runs in the other thread; `then` runs in this one when the work is over.
    Job(std::function<void(Control&)> work, std::function<void()> then, QObject* parent = nullptr);
    /// Cancels and waits. Work that does not end (a solver that hangs) is left behind with its thread, which owns
    /// everything that it uses.
    ~Job() override;

    [[nodiscard]] double done() const;
    void cancel();
    [[nodiscard]] bool isCancelled() const;
    [[nodiscard]] bool isRunning() const { return m_state == State::Running; } ///< until `then` runs, or letGo()

    /// Waits without serving events. Returns true when the work is over and `then` has run.
    bool waitFor(int milliseconds);

    /// Cancels; no signal is emitted, and instead of `then`, `late` runs if the work ends after all. Destroy the job
    /// once isOver(): until then the destructor would wait.
    void letGo(std::function<void()> late = {});
    [[nodiscard]] bool isOver() const; ///< the thread has ended

signals:
    void finished();

private:
    enum class State { Running, Delivered, LetGo };
    struct Shared;
    void deliver();

    std::shared_ptr<Shared> m_shared;
    std::function<void()> m_then;
    State m_state = State::Running;
};

} // namespace tendon::editor
