#pragma once

#include "app/editor/FrameEvaluator.h"

#include <QObject>

#include <memory>
#include <set>

namespace tendon::editor {

/// Evaluates frames in a thread of its own. One slot: a newer request replaces the one that waits, never the one that
/// runs, so a drag keeps moving and never lags behind. A running request is cancelled only by cancelRunning() or, while
/// another waits, after kPatience.
///
/// A solver that does not return within kHang is left behind with its thread and disabled; hung() names it, and a new
/// thread goes on with the waiting request. From then on the handles of that solver show their joints as posed by FK.
/// All functions are for the GUI thread.
class SolveScheduler : public QObject
{
    Q_OBJECT
public:
    static constexpr int kPatience = 100; // [ms]
    static constexpr int kHang = 4000;    // [ms]

    /// `solvers` outlives the scheduler.
    explicit SolveScheduler(const SolverRegistry& solvers, QObject* parent = nullptr);
    ~SolveScheduler() override;

    /// Requests a frame. Returns the number that its result will carry.
    std::uint64_t request(FrameRequest request);

    [[nodiscard]] bool isBusy() const; ///< a request runs or waits, or a result is not handed out yet
    [[nodiscard]] FramePtr latest() const { return m_latest; } ///< null before the first
    [[nodiscard]] std::uint64_t startedCount() const;          ///< requests that ran; the others were replaced

    void cancelRunning();

    [[nodiscard]] const std::set<std::string>& disabled() const { return m_disabled; } ///< aliases of solvers that hung
    void enableAll(); ///< enables the disabled solvers again

    /// Waits until nothing runs or waits, and hands out the results: for scripts, screenshots and tests.
    void finish();

signals:
    void frameReady(std::shared_ptr<const tendon::editor::FrameResult> frame);
    void hung(const QString& solver); ///< its name

private:
    struct Worker;
    void startWorker();
    void handOut(FramePtr frame);
    void leaveHungWorker();
    void timerEvent(QTimerEvent* event) override;

    const SolverRegistry& m_solvers;
    std::shared_ptr<Worker> m_worker;
    FramePtr m_latest;
    std::uint64_t m_count = 0;
    FrameRequest m_last; ///< the newest request
    std::set<std::string> m_disabled;
    int m_watchTimer = 0;
};

} // namespace tendon::editor
