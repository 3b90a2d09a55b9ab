#include "app/editor/StepDisplay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::editor {
namespace {

constexpr int kEaseTick = 16; // [ms]

} // namespace

StepDisplay::StepDisplay(const Comparison& comparison, const StepPlayer& steps, QObject* parent)
    : QObject(parent), clock([this] { return m_elapsed.nsecsElapsed(); }), m_comparison(comparison), m_steps(steps)
{
    m_elapsed.start();
    m_timer.setInterval(kEaseTick);
    connect(&m_timer, &QTimer::timeout, this, &StepDisplay::tick);
    connect(&comparison, &Comparison::recorded, this, &StepDisplay::follow);
    connect(&comparison, &Comparison::choiceChanged, this, &StepDisplay::follow);
    connect(&steps, &StepPlayer::changed, this, &StepDisplay::follow);
}

void StepDisplay::setEased(bool isEased)
{
    if (m_isEased == isEased) return;
    m_isEased = isEased;
    follow();
}

const std::vector<LocalTransform>& StepDisplay::targetOf(std::size_t index) const
{
    return m_recording->solvers[index].at(m_comparison.iterationAt(m_steps.step())).local;
}

void StepDisplay::follow()
{
    const bool isOther = m_recording == nullptr || m_comparison.recording() == nullptr ||
                         m_recording->handle != m_comparison.recording()->handle;
    m_recording = m_comparison.recording();
    if (isOther) m_poses.clear();
    m_poses.resize(m_recording == nullptr ? 0 : m_recording->solvers.size());
    bool begins = false;
    for (std::size_t i = 0; i < m_poses.size(); ++i) {
        std::vector<LocalTransform>& now = m_poses[i].now;
        if (m_recording->solvers[i].steps.empty())
            now.clear();
        else if (!m_isEased || now.size() != targetOf(i).size())
            m_poses[i].from = now = targetOf(i);
        else
            begins |= now != targetOf(i);
    }
    if (begins && !m_isMoving) {
        for (Pose& pose : m_poses) pose.from = pose.now;
        m_begin = clock();
    }
    m_isMoving = begins;
    if (m_isMoving && !m_timer.isActive()) m_timer.start();
    tick();
}

void StepDisplay::tick()
{
    if (m_isMoving) {
        const double t = 1e-9 * static_cast<double>(clock() - m_begin) / kEase;
        const double share = t >= 1 ? 1 : 0.5 * (1 - std::cos(std::numbers::pi * std::max(0.0, t)));
        for (std::size_t i = 0; i < m_poses.size(); ++i)
            if (!m_poses[i].now.empty()) m_poses[i].now = posesBetween(m_poses[i].from, targetOf(i), share);
        m_isMoving = t < 1;
    }
    if (!m_isMoving) m_timer.stop();
    m_answer = m_drawn = nullptr;
    emit changed();
}

FramePtr StepDisplay::frameFor(const FramePtr& answer) const
{
    if (answer == nullptr || answer->rig == nullptr || m_poses.empty() || m_poses.front().now.empty()) return answer;
    const SolverRecording& own = m_recording->solvers.front();
    // The answer may be newer than the recording.
    if (!m_isEased && m_steps.step() >= m_steps.last()) return answer;
    if (own.answer.local.joints.size() != answer->rig->jointCount()) return answer;
    if (answer == m_answer) return m_drawn;
    m_answer = m_drawn = answer;
    const std::vector<LocalTransform>& now = m_poses.front().now;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (!(answer->solved.local.joints[static_cast<std::size_t>(own.joints[i])] == now[i])) {
            m_drawn = posedOtherwise(*answer, own.joints, now);
            break;
        }
    return m_drawn;
}

} // namespace tendon::editor
