#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace tendon::editor {

/// Runs through a range of frames at true speed: which frame is shown follows from the clock alone, so frames are
/// dropped when drawing is slow and time never is.
class Playback : public QObject
{
    Q_OBJECT
public:
    explicit Playback(QObject* parent = nullptr);

    void setRange(int first, int last);
    void setRate(double framesPerSecond);
    void setLooping(bool on) { m_isLooping = on; }
    [[nodiscard]] bool isLooping() const { return m_isLooping; }
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    [[nodiscard]] int frame() const { return m_frame; }

    /// From a frame; from the first one when it is the last or outside.
    void play(int from);
    void stop();

    /// What the clock says, in nanoseconds; replaced in tests.
    std::function<qint64()> clock;
    /// Looks at the clock now. Called by the timer.
    void tick();

signals:
    void frameChanged(int frame);
    void playingChanged(bool isPlaying); ///< with false: frame() is where it stopped

private:
    void restart(int from);

    QElapsedTimer m_elapsed;
    QTimer m_timer;
    int m_first = 1, m_last = 100, m_frame = 1;
    double m_rate = 24;
    bool m_isLooping = true;
    bool m_isPlaying = false;
    qint64 m_begin = 0;
    int m_from = 1;
};

} // namespace tendon::editor
