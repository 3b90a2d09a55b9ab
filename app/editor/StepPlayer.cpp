#include "app/editor/StepPlayer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tendon::editor {
namespace {

constexpr int kTick = 16; // [ms]

} // namespace

StepPlayer::StepPlayer(QObject* parent) : QObject(parent), clock([this] { return m_elapsed.nsecsElapsed(); })
{
    m_elapsed.start();
    m_timer.setInterval(kTick);
    connect(&m_timer, &QTimer::timeout, this, &StepPlayer::tick);
}

double StepPlayer::secondsSince(qint64 time) const { return 1e-9 * static_cast<double>(clock() - time); }

void StepPlayer::setLast(int last)
{
    const bool wasAtEnd = m_step >= m_last;
    if (last == m_last) return;
    m_last = last;
    m_before = std::min(m_before, m_last);
    if (m_isPlaying) {
        m_step = std::min(m_step, m_last);
    } else {
        m_step = wasAtEnd ? m_last : std::min(m_step, m_last);
        m_before = m_step;
    }
    emit changed();
}

void StepPlayer::goTo(int step)
{
    stop();
    show(step);
}

void StepPlayer::show(int step)
{
    step = std::clamp(step, 0, m_last);
    if (step == m_step) return;
    m_before = std::exchange(m_step, step);
    m_easeBegin = clock();
    follow();
    emit changed();
}

void StepPlayer::play()
{
    if (m_isPlaying) return;
    if (m_step >= m_last) show(0);
    m_isPlaying = true;
    m_from = m_step;
    m_playBegin = clock();
    follow();
    emit playingChanged(true);
}

void StepPlayer::stop()
{
    if (!std::exchange(m_isPlaying, false)) return;
    follow();
    emit playingChanged(false);
}

void StepPlayer::setPace(double perSecond, int steps)
{
    m_perSecond = perSecond;
    m_steps = std::max(1, steps);
    m_from = m_step;
    m_playBegin = clock();
}

void StepPlayer::setEased(bool isEased)
{
    m_isEased = isEased;
    m_before = m_step;
    follow();
    emit changed();
}

double StepPlayer::share() const
{
    if (!m_isEased || m_before == m_step) return 1;
    const double t = secondsSince(m_easeBegin) / kEase;
    return t >= 1 ? 1 : 0.5 * (1 - std::cos(std::numbers::pi * std::max(0.0, t)));
}

void StepPlayer::tick()
{
    if (m_isPlaying) {
        const double ticks = std::floor(secondsSince(m_playBegin) * m_perSecond);
        const double wanted = m_from + ticks * m_steps;
        show(wanted >= m_last ? m_last : static_cast<int>(wanted));
        if (m_step >= m_last) stop();
    }
    if (m_isEased) emit changed();
    follow();
}

/// The timer runs only while something moves.
void StepPlayer::follow()
{
    const bool moves = m_isPlaying || !isDone();
    if (moves && !m_timer.isActive()) m_timer.start();
    if (!moves) m_timer.stop();
}

} // namespace tendon::editor
