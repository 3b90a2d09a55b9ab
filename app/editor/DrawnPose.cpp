#include "app/editor/DrawnPose.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tendon::editor {
namespace {

constexpr int kDrawTick = 16;         // [ms]
constexpr double kLongestTick = 0.06; // [s] of an ease: a window that draws slowly shows three pictures of it, too

/// Frames whose joints are the same, at the same moment.
bool isComparable(const FrameResult& a, const FrameResult& b)
{
    return a.rig != nullptr && b.rig != nullptr && a.rig->id == b.rig->id && a.frame == b.frame && !a.isPlaying &&
           !b.isPlaying;
}

/// Whether a handle asks for the same as when the drag began: its end is to stay where it is.
bool isStill(const HandleTarget& then, const HandleTarget& now)
{
    constexpr double kSame = 1e-7; // [m], [rad] rounding of goals that are kept in place in a joint that moves
    if (!now.isActive() || then.pole.has_value() != now.pole.has_value()) return false;
    if (now.pole && (*then.pole - *now.pole).norm() > kSame) return false; // the middle of its chain is swung
    return (then.goal.position - now.goal.position).norm() <= kSame &&
           then.goal.rotation.angularDistance(now.goal.rotation) <= kSame && std::abs(then.twist - now.twist) <= kSame;
}

/// (joints) 1 = a solver moves it, and it may lag behind. What holds a foot on a goal that stays may not, in any
/// picture: its chain, and all that is above it. `start`: when the drag began.
std::vector<std::uint8_t> solvedJoints(const FrameResult& frame, const FrameResult& start, const Selection& selection)
{
    const CompiledRig& rig = *frame.rig;
    std::vector<std::uint8_t> isSolved(rig.jointCount(), 0);
    for (const HandleView& view : frame.handles)
        for (JointIndex joint = view.end; joint >= std::max(view.start, 0); joint = rig.parent[at(joint)])
            isSolved[at(joint)] = 1;
    for (const SelectionItem& item : selection.items())
        for (JointIndex joint = rig.index(item.joint()); joint >= 0; joint = rig.parent[at(joint)])
            isSolved[at(joint)] = 1;
    for (const SelectionItem& item : selection.items()) // goes with the mouse
        if (const JointIndex joint = rig.index(item.joint()); joint >= 0) isSolved[at(joint)] = 0;
    for (std::size_t i = 0; i < std::min(frame.handles.size(), start.handles.size()); ++i) {
        if (!isStill(start.handles[i].target, frame.handles[i].target)) continue;
        for (JointIndex joint = frame.handles[i].end; joint >= 0; joint = rig.parent[at(joint)])
            isSolved[at(joint)] = 0;
    }
    return isSolved;
}

/// [m] What speeds of slides are measured by.
double lengthOf(const FrameResult& frame)
{
    double longest = 0;
    for (const HandleView& view : frame.handles) longest = std::max(longest, view.reach);
    return longest > 0 ? longest : 1;
}

} // namespace

DrawnPose::DrawnPose(QObject* parent) : QObject(parent), clock([this] { return m_elapsed.nsecsElapsed(); })
{
    m_elapsed.start();
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(kDrawTick);
    connect(&m_timer, &QTimer::timeout, this, &DrawnPose::tick);
}

void DrawnPose::take(const FramePtr& frame, const Selection& selection)
{
    const FramePtr before = std::exchange(m_frame, frame);
    if (frame->rig == nullptr) {
        m_slew.jump({});
        return show();
    }
    const std::vector<LocalTransform>& pose = frame->solved.local.joints;
    const bool isSame = before != nullptr && isComparable(*before, *frame);
    const bool isItsAnswer = isSame && frame->isSettling && (before->isDragged || before->revision == frame->revision);
    const bool wasMoving = !hasArrived();
    if (isSame && frame->isDragged) {
        if (m_start == nullptr || !before->isDragged || !isComparable(*m_start, *frame)) m_start = before;
        m_slew.follow(pose, solvedJoints(*frame, *m_start, selection), lengthOf(*frame));
        m_slew.advance(secondsSinceLast(wasMoving));
    } else if (isItsAnswer) {
        m_slew.ease(pose, lengthOf(*frame));
        (void)secondsSinceLast(wasMoving);
    } else {
        m_slew.jump(pose);
    }
    if (!frame->isDragged) m_start = nullptr;
    show();
}

/// Who sets off has a tick: the time in which nothing moved does not count.
double DrawnPose::secondsSinceLast(bool wasMoving)
{
    const qint64 now = clock();
    const double passed = 1e-9 * static_cast<double>(now - std::exchange(m_last, now));
    return wasMoving ? passed : 1e-3 * kDrawTick;
}

void DrawnPose::show()
{
    m_drawn = nullptr;
    if (hasArrived()) return m_timer.stop();
    std::vector<JointIndex> all(m_slew.shown().size());
    std::iota(all.begin(), all.end(), 0);
    const auto drawn = std::make_shared<FrameResult>(*posedOtherwise(*m_frame, all, m_slew.shown()));
    drawn->worstError = m_frame->worstError;
    for (std::size_t i = 0; i < drawn->handles.size(); ++i) { // what is said of the goals is said of the answer
        drawn->handles[i].result = m_frame->handles[i].result;
        drawn->handles[i].isMissed = m_frame->handles[i].isMissed;
        drawn->handles[i].isSoft = m_frame->handles[i].isSoft;
    }
    m_drawn = drawn;
    if (!m_timer.isActive()) m_timer.start();
}

FramePtr DrawnPose::frameFor(const FramePtr& frame) const
{
    return m_drawn != nullptr && frame == m_frame ? m_drawn : frame;
}

void DrawnPose::tick()
{
    if (hasArrived()) return;
    const double passed = secondsSinceLast(true);
    m_slew.advance(m_frame->isDragged ? passed : std::min(passed, kLongestTick));
    show();
    emit changed();
}

void DrawnPose::finish()
{
    if (hasArrived()) return;
    m_slew.jump(m_frame->solved.local.joints);
    show();
    emit changed();
}

} // namespace tendon::editor
