#include "app/editor/RangePass.h"

#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <utility>

namespace tendon::editor {
namespace {

constexpr auto kPost = std::chrono::milliseconds(30); // between deliveries: each draws something

/// The nearest of `frames` to `focus`. Precondition: there is one.
std::set<int>::const_iterator nearest(const std::set<int>& frames, int focus)
{
    const auto after = frames.lower_bound(focus);
    if (after == frames.begin()) return after;
    const auto before = std::prev(after);
    return after == frames.end() || focus - *before < *after - focus ? before : after;
}

} // namespace

bool hasSameMotion(const FrameRequest& a, const FrameRequest& b)
{
    const Scene &x = *a.scene, &y = *b.scene;
    const Clip *clipX = x.find(a.clip), *clipY = y.find(b.clip);
    const bool isSameClip = clipX == clipY || (clipX != nullptr && clipY != nullptr && *clipX == *clipY);
    const auto solutionOf = [](const FrameRequest& r) {
        return r.settled == nullptr ? nullptr : r.settled->solution();
    };
    const ClipSolutionPtr s = solutionOf(a), t = solutionOf(b);
    return a.clip == b.clip && x.fps == y.fps && x.joints == y.joints && x.handles == y.handles &&
           x.statics == y.statics && isSameClip && (s == t || (s != nullptr && t != nullptr && *s == *t));
}

struct RangePass::Mail
{
    std::mutex mutex;
    QObject* receiver = nullptr; ///< lives in the GUI's thread; null: nobody listens any more
    std::function<void()> arrived;
    Solved done;
    bool isPosted = false;
    std::atomic<int> focus = 1;

    static void send(const std::shared_ptr<Mail>& self, int frame, RangeFramePtr kept, bool isNow)
    {
        const std::lock_guard lock(self->mutex);
        self->done.emplace_back(frame, std::move(kept));
        if (!isNow || self->isPosted || self->receiver == nullptr) return;
        self->isPosted = true;
        QMetaObject::invokeMethod(
            self->receiver,
            [self] {
                if (self->receiver != nullptr) self->arrived();
            },
            Qt::QueuedConnection);
    }

    static void solve(const std::shared_ptr<Mail>& self, FrameEvaluator& evaluator, FrameRequest source,
                      std::set<int> left, bool keepsPose, const std::atomic<bool>& cancelled)
    {
        const int playhead = source.frame;
        const PendingValues pending = source.pending; // hold at the playhead alone
        auto posted = std::chrono::steady_clock::now();
        while (!left.empty() && !cancelled) {
            const auto next = nearest(left, self->focus);
            source.frame = *next;
            source.pending = source.frame == playhead ? pending : PendingValues{};
            const FramePtr frame = evaluator.evaluate(source, &cancelled);
            if (cancelled) return;
            const auto now = std::chrono::steady_clock::now();
            const bool isNow = now - posted > kPost;
            if (isNow) posted = now;
            send(self, source.frame, rangeFrameOf(*frame, keepsPose), isNow);
            left.erase(next);
        }
    }
};

RangePass::RangePass(FrameRequest source, std::set<int> frames, bool keepsPose,
                     std::shared_ptr<FrameEvaluator> evaluator, std::function<void()> arrived,
                     std::function<void()> ended, std::function<void()> stalled)
    : m_mail(std::make_shared<Mail>())
{
    m_mail->arrived = std::move(arrived);
    m_mail->focus = source.frame;
    m_job = std::make_unique<Job>(
        [mail = m_mail, evaluator = std::move(evaluator), source = std::move(source), frames = std::move(frames),
         keepsPose](Job::Control& control) {
            Mail::solve(mail, *evaluator, source, frames, keepsPose, control.cancelled);
        },
        std::move(ended));
    m_watch.setInterval(kHang);
    QObject::connect(&m_watch, &QTimer::timeout, &m_watch, [this, stalled = std::move(stalled)] {
        if (hasNews()) // it was this thread that was held up
            m_mail->arrived();
        else if (stalled)
            stalled();
    });
    m_watch.start();
    const std::lock_guard lock(m_mail->mutex);
    m_mail->receiver = m_job.get();
}

RangePass::~RangePass()
{
    {
        const std::lock_guard lock(m_mail->mutex);
        m_mail->receiver = nullptr;
    }
    if (m_job->isRunning()) return;
    m_job->letGo();
    m_job.release()->deleteLater(); // it may be what calls this
}

RangePass::Solved RangePass::take()
{
    const std::lock_guard lock(m_mail->mutex);
    if (!m_mail->done.empty() && m_watch.isActive()) m_watch.start();
    m_mail->isPosted = false;
    return std::exchange(m_mail->done, {});
}

void RangePass::setFocus(int frame) { m_mail->focus = frame; }

bool RangePass::hasNews() const
{
    const std::lock_guard lock(m_mail->mutex);
    return !m_mail->done.empty();
}

void RangePass::letGo(std::function<void()> late)
{
    {
        const std::lock_guard lock(m_mail->mutex);
        m_mail->receiver = nullptr;
    }
    m_watch.stop();
    m_job->letGo(std::move(late));
}

} // namespace tendon::editor
