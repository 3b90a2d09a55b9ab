#pragma once

#include "app/editor/FrameEvaluator.h"
#include "app/editor/Job.h"
#include "app/editor/RangeFrame.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace tendon::editor {

/// Whether the frames of two sources are the same, but for pending values.
[[nodiscard]] bool hasSameMotion(const FrameRequest& a, const FrameRequest& b);

/// Solves frames of one source one after the other in another thread, the nearest to a focus first. GUI thread.
class RangePass
{
public:
    static constexpr int kHang = 4000;                         ///< [ms]
    using Solved = std::vector<std::pair<int, RangeFramePtr>>; ///< frames with their numbers

    /// Starts at once. `evaluator` is the pass's until it ends. `arrived` is called when take() has something, at most
    /// some thirty times a second; `ended` when all are solved or it was cancelled, with the last of them in take();
    /// `stalled` when no frame has come for kHang.
    RangePass(FrameRequest source, std::set<int> frames, bool keepsPose, std::shared_ptr<FrameEvaluator> evaluator,
              std::function<void()> arrived, std::function<void()> ended, std::function<void()> stalled = {});
    ~RangePass(); ///< cancels, and waits at most Job::kLeave; after letGo() only once isOver()

    [[nodiscard]] Solved take();
    void setFocus(int frame);
    void cancel() { m_job->cancel(); }
    [[nodiscard]] bool isCancelled() const { return m_job->isCancelled(); }
    bool waitFor(int milliseconds) { return m_job->waitFor(milliseconds); }
    /// Its solver does not return: neither function is called any more, but `late` is if it returns after all.
    void letGo(std::function<void()> late);
    [[nodiscard]] bool isOver() const { return m_job->isOver(); }

private:
    [[nodiscard]] bool hasNews() const; ///< take() has something
    struct Mail;
    std::shared_ptr<Mail> m_mail; ///< with the thread, which keeps it alive
    std::unique_ptr<Job> m_job;
    QTimer m_watch;
};

} // namespace tendon::editor
