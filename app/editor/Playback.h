#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <utility>

namespace tendon::editor {

/// Plays a range of frames at true speed. The clock alone decides which frame is shown, so slow drawing drops frames
/// and never slows time. GUI thread.
class Playback : public QObject
{
    Q_OBJECT
public:
    explicit Playback(QObject* parent = nullptr);

    void setRange(int first, int last);
    /// The frames that are marked on the timeline: they are played in place of the range. None = the range.
    using Part = std::optional<std::pair<int, int>>;
    void setPart(const Part& part);
    [[nodiscard]] const Part& part() const { return m_part; }
    void setRate(double framesPerSecond);
    void setLooping(bool on) { m_isLooping = on; }
    [[nodiscard]] bool isLooping() const { return m_isLooping; }
    [[nodiscard]] bool isPlaying() const { return m_timer.isActive(); }
    [[nodiscard]] int frame() const { return m_frame; }

    /// Plays from a frame, or from the first one if `from` is the last or outside what is played.
    void play(int from);
    void stop();

    /// The time [ns]; tests replace it.
    std::function<qint64()> clock;
    /// Shows the frame of the time now. The timer calls it.
    void tick();

signals:
    void frameChanged(int frame);
    void playingChanged(bool isPlaying); ///< if false, frame() is where it stopped
    void partChanged();

private:
    void restart(int from);
    [[nodiscard]] int first() const { return m_part ? m_part->first : m_first; }
    [[nodiscard]] int last() const { return m_part ? m_part->second : m_last; }

    QElapsedTimer m_elapsed;
    QTimer m_timer;
    int m_first = 1, m_last = 100, m_frame = 1;
    Part m_part;
    double m_rate = 24;
    bool m_isLooping = true;
    qint64 m_begin = 0;
    int m_from = 1;
};

} // namespace tendon::editor
