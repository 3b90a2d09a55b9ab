#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace tendon::editor {

/// Which step of a recorded solve is shown, and how it moves on: by hand, in slow motion, or so many steps with each
/// frame that is displayed. GUI thread.
class StepPlayer : public QObject
{
    Q_OBJECT
public:
    explicit StepPlayer(QObject* parent = nullptr);

    /// Steps go from 0, the start, to `last`. Whoever stood at the end stays at the end.
    void setLast(int last);
    [[nodiscard]] int last() const { return m_last; }

    void goTo(int step); ///< stops playing
    [[nodiscard]] int step() const { return m_step; }

    void play(); ///< from the shown step, or from the start if that is the last
    void stop();
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    /// How playing goes on: `steps` more, `perSecond` times a second.
    void setPace(double perSecond, int steps);

    /// The time [ns]; tests replace it.
    std::function<qint64()> clock;
    /// Shows what the time says. The timer calls it.
    void tick();

signals:
    void changed();
    void playingChanged(bool isPlaying);

private:
    void show(int step);
    [[nodiscard]] double secondsSince(qint64 time) const;

    QElapsedTimer m_elapsed;
    QTimer m_timer; ///< runs while it plays
    int m_last = 0, m_step = 0, m_from = 0, m_steps = 1;
    double m_perSecond = 1;
    bool m_isPlaying = false;
    qint64 m_playBegin = 0;
};

} // namespace tendon::editor
