#include "app/editor/Playback.h"

#include <algorithm>
#include <cmath>

namespace tendon::editor {

Playback::Playback(QObject* parent) : QObject(parent)
{
    m_elapsed.start();
    clock = [this] { return m_elapsed.nsecsElapsed(); };
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Playback::tick);
}

void Playback::setRange(int first, int last)
{
    if (first == m_first && last == m_last) return;
    m_first = first;
    m_last = std::max(first, last);
    if (isPlaying()) restart(std::clamp(m_frame, this->first(), this->last()));
}

void Playback::setPart(const Part& part)
{
    if (part == m_part) return;
    m_part = part;
    if (isPlaying()) restart(std::clamp(m_frame, first(), last()));
    emit partChanged();
}

void Playback::setRate(double framesPerSecond)
{
    if (framesPerSecond == m_rate || !(framesPerSecond > 0)) return;
    m_rate = framesPerSecond;
    if (isPlaying()) restart(m_frame);
}

void Playback::restart(int from)
{
    m_from = from;
    m_begin = clock();
    // Twice a frame, so that a frame is late by half of its time at most; more than 120 a second is not seen.
    m_timer.start(std::clamp(static_cast<int>(500 / m_rate), 4, 100));
}

void Playback::play(int from)
{
    if (isPlaying()) return;
    m_frame = from < first() || from >= last() ? first() : from;
    restart(m_frame);
    emit playingChanged(true);
    emit frameChanged(m_frame);
}

void Playback::stop()
{
    if (!isPlaying()) return;
    m_timer.stop();
    emit playingChanged(false);
}

void Playback::tick()
{
    if (!isPlaying()) return;
    const auto passed = static_cast<qint64>(std::floor(static_cast<double>(clock() - m_begin) * 1e-9 * m_rate));
    const qint64 count = last() - first() + 1;
    const qint64 unwrapped = m_from + passed;
    const bool isOver = !m_isLooping && unwrapped > last();
    const int frame = isOver ? last() : static_cast<int>(first() + (unwrapped - first()) % count);
    if (frame != m_frame) {
        m_frame = frame;
        emit frameChanged(frame);
    }
    if (isOver) stop();
}

} // namespace tendon::editor
