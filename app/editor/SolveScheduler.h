#pragma once

#include "app/editor/FrameEvaluator.h"

#include <QObject>

#include <memory>
#include <set>

namespace tendon::editor {

/// Evaluates frames in a thread of its own. One slot: a newer request takes the place of the one that waits, never of
/// the one that runs, so that a drag always moves and never lags behind. A request that runs is told to stop only when
/// `cancelRunning()` is called or, with another waiting, after it has run for kPatience.
///
/// A solver that does not come back even then (kHang) is left with its thread and disabled, `hung` names it, and a new
/// thread goes on with what waits. From then on handles with that solver are left out: their joints are shown as posed
/// by FK.
class SolveScheduler : public QObject
{
    Q_OBJECT
public:
    static constexpr int kPatience = 100; // [ms]
    static constexpr int kHang = 4000;    // [ms]

    /// `solvers` outlives the scheduler.
    explicit SolveScheduler(const SolverRegistry& solvers, QObject* parent = nullptr);
    ~SolveScheduler() override;

    /// Asks for a frame; returns the number that its result will carry.
    std::uint64_t request(FrameRequest request);

    [[nodiscard]] bool isBusy() const; ///< something runs or waits, or its result has not been handed out yet
    [[nodiscard]] FramePtr latest() const { return m_latest; } ///< null before the first
    [[nodiscard]] std::uint64_t startedCount() const; ///< requests that were taken up; the others were overtaken

    void cancelRunning();

    [[nodiscard]] const std::set<std::string>& disabled() const { return m_disabled; } ///< aliases of solvers that hung
    void enableAll();                                                                  ///< gives them another chance

    /// Waits until nothing runs or waits and hands out what was made: for scripts, screenshots and tests.
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
    FrameRequest m_last; ///< newest that was asked for
    std::set<std::string> m_disabled;
    int m_watchTimer = 0;
};

} // namespace tendon::editor
