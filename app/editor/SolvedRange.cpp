#include "app/editor/SolvedRange.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tendon::editor {

SolvedRange::SolvedRange(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_solvers(solvers), m_evaluator(std::make_shared<FrameEvaluator>(solvers))
{
    m_delay.setSingleShot(true);
    m_delay.setInterval(kPatience);
    connect(&m_delay, &QTimer::timeout, this, &SolvedRange::begin);
}

void SolvedRange::setActive(bool isActive)
{
    m_isActive = isActive;
    begin();
}

void SolvedRange::setWatched(bool isWatched)
{
    m_isWatched = isWatched;
    begin();
}

void SolvedRange::setFocus(std::optional<int> frame)
{
    m_focus = frame;
    if (m_source && m_pass != nullptr) m_pass->setFocus(frame.value_or(m_source->frame));
}

void SolvedRange::setSource(const FrameRequest& source, bool isFinal)
{
    const std::optional<FrameRequest> before = std::exchange(m_source, source);
    m_source->isPlaying = false;
    m_source->isDragged = false;
    m_source->watched = {};
    m_source->watchedSolvers.clear();
    if (!before || before->clip != source.clip) m_frames.clear();
    if (!before || !hasSameMotion(*before, source))
        age();
    else if (!before->pending.empty() && (before->frame != source.frame || source.pending.empty()))
        ageFrame(before->frame); // its unkeyed pose is gone
    setFocus(m_focus);
    setFinal(isFinal);
}

void SolvedRange::setFinal(bool isFinal)
{
    m_isFinal = isFinal;
    if (!isUsed() || isComplete()) return;
    if (m_isWatched)
        begin();
    else
        m_delay.start();
}

void SolvedRange::age()
{
    m_snappedBefore = snapping();
    for (auto& [frame, entry] : m_frames) entry.isAged = true;
    m_bends.clear();
    m_snapping.reset();
    if (m_pass != nullptr) m_pass->cancel(); // end() begins again
}

void SolvedRange::ageFrame(int frame)
{
    if (const Entry* entry = find(frame)) put(frame, entry->frame, true);
}

void SolvedRange::put(int frame, RangeFramePtr kept, bool isAged)
{
    if (isAged)
        m_bends.erase(frame);
    else
        m_bends[frame] = kept->bends;
    m_snapping.reset();
    m_frames[frame] = {std::move(kept), isAged};
}

void SolvedRange::take(const FrameResult& frame)
{
    if (!isUsed() || frame.rig == nullptr) return;
    const bool isOfNow = m_source && frame.revision == m_source->revision;
    if (!isOfNow && !frame.isDragged) return;
    const RangeFramePtr kept = rangeFrameOf(frame);
    put(frame.frame, kept, !isOfNow || !m_isFinal);
    if (isOfNow && isStill() && m_isFinal) putEverywhere(kept);
    emit changed();
}

void SolvedRange::putEverywhere(const RangeFramePtr& kept)
{
    const Scene& scene = *m_source->scene;
    for (int frame = scene.firstFrame; frame <= scene.lastFrame; ++frame) put(frame, kept, false);
}

const SolvedRange::Entry* SolvedRange::find(int frame) const
{
    const auto found = m_frames.find(frame);
    return found == m_frames.end() ? nullptr : &found->second;
}

const std::set<int>& SolvedRange::snapping() const
{
    if (m_snapping) return *m_snapping;
    m_snapping = snappingFrames(m_bends);
    for (const int frame : m_snappedBefore)
        if (const Entry* entry = find(frame); entry != nullptr && entry->isAged) m_snapping->insert(frame);
    return *m_snapping;
}

bool SolvedRange::isStill() const
{
    const Clip* clip = m_source->scene->find(m_source->clip);
    return (clip == nullptr || clip->channels.empty()) && m_source->pending.empty();
}

std::set<int> SolvedRange::missing(std::size_t most) const
{
    std::set<int> frames;
    const Scene& scene = *m_source->scene;
    for (int frame = scene.firstFrame; frame <= scene.lastFrame && frames.size() < most; ++frame)
        if (const Entry* entry = find(frame); entry == nullptr || entry->isAged) frames.insert(frame);
    return frames;
}

bool SolvedRange::isComplete() const
{
    if (!isUsed() || m_isGivenUp || !m_source) return true;
    return m_pass == nullptr && m_isFinal && missing(1).empty();
}

void SolvedRange::begin()
{
    m_left.clear();
    if (!isUsed() || m_isGivenUp || m_left.isWaiting() || !m_source || m_pass != nullptr ||
        (!m_isFinal && !m_isWatched))
        return;
    std::set<int> frames = missing(std::numeric_limits<std::size_t>::max());
    if (frames.empty()) return;
    if (isStill()) frames = {std::clamp(m_source->frame, *frames.begin(), *frames.rbegin())};
    const std::size_t bytes = frames.size() * m_source->scene->joints->size() * sizeof(RangeFrame::JointPlace);
    m_pass = std::make_unique<RangePass>(
        *m_source, std::move(frames), bytes <= kMaxBytes, m_evaluator, [this] { collect(); }, [this] { end(); },
        [this] { leavePass(); });
    setFocus(m_focus);
}

void SolvedRange::collect()
{
    RangePass::Solved done = m_pass->take();
    if (done.empty() || m_pass->isCancelled() || !m_source) return; // its frames are of the scene before an edit
    for (auto& [frame, kept] : done) {
        if (isStill() && m_isFinal) putEverywhere(kept);
        put(frame, std::move(kept), !m_isFinal);
    }
    emit changed();
}

void SolvedRange::end()
{
    collect();
    const bool wasCancelled = m_pass->isCancelled();
    m_pass.reset();
    if (wasCancelled || m_isFinal) begin(); // what an edit or another range has left
    if (m_pass == nullptr) emit changed();  // isComplete() may have become true
}

void SolvedRange::leavePass()
{
    if (m_pass != nullptr) {
        m_left.leave(std::move(m_pass), [this] { begin(); });
        m_evaluator = std::make_shared<FrameEvaluator>(m_solvers); // the thread keeps the old one
    }
    emit changed();
}

void SolvedRange::giveUp()
{
    m_isGivenUp = true;
    leavePass();
}

void SolvedRange::clear()
{
    m_isGivenUp = false;
    m_left.forget();
    m_source.reset();
    m_frames.clear();
    m_bends.clear();
    m_snapping.reset();
    if (m_pass != nullptr) m_pass->cancel();
    emit changed();
}

void SolvedRange::finish()
{
    while (!isComplete()) {
        begin();
        if (m_pass == nullptr || !m_pass->waitFor(RangePass::kHang)) return;
    }
}

} // namespace tendon::editor
