#include "app/editor/StepPlayer.h"

#include <algorithm>
#include <cmath>
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
    m_step = wasAtEnd && !m_isPlaying ? m_last : std::min(m_step, m_last);
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
    if (std::exchange(m_step, step) != step) emit changed();
}

void StepPlayer::play()
{
    if (m_isPlaying) return;
    if (m_step >= m_last) show(0);
    m_isPlaying = true;
    m_from = m_step;
    m_playBegin = clock();
    m_timer.start();
    emit playingChanged(true);
}

void StepPlayer::stop()
{
    if (!std::exchange(m_isPlaying, false)) return;
    m_timer.stop();
    emit playingChanged(false);
}

void StepPlayer::setPace(double perSecond, int steps)
{
    m_perSecond = perSecond;
    m_steps = std::max(1, steps);
    m_from = m_step;
    m_playBegin = clock();
}

void StepPlayer::tick()
{
    if (!m_isPlaying) return;
    const double wanted = m_from + std::floor(secondsSince(m_playBegin) * m_perSecond) * m_steps;
    show(wanted >= m_last ? m_last : static_cast<int>(wanted));
    if (m_step >= m_last) stop();
}

} // namespace tendon::editor
