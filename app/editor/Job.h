#pragma once

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

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

    /// Starts at once. `work` runs in the other thread, `then` in this one when it is over.
    Job(std::function<void(Control&)> work, std::function<void()> then, QObject* parent = nullptr);
    ~Job() override; ///< cancels and waits

    [[nodiscard]] double done() const { return m_control->done; }
    void cancel() { m_control->cancelled = true; }
    [[nodiscard]] bool isCancelled() const { return m_control->cancelled; }
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

signals:
    void finished();

private:
    std::shared_ptr<Control> m_control = std::make_shared<Control>();
    std::function<void()> m_then;
    bool m_isRunning = true;
    std::jthread m_thread;
};

} // namespace tendon::editor
