#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>

namespace tendon::editor {

/// Which step of a recorded solve is shown, and how it moves on: by hand, in slow motion, or so many steps with each
/// frame that is displayed. GUI thread.
///
/// With an eased display the shown pose moves from the step before to the new one over kEase, along (1 - cos pi t) / 2;
/// at the end it is the new step's, exactly.
class StepPlayer : public QObject
{
    Q_OBJECT
public:
    static constexpr double kEase = 1; ///< [s]

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

    void setEased(bool isEased);
    [[nodiscard]] bool isEased() const { return m_isEased; }
    [[nodiscard]] int stepBefore() const { return m_before; }  ///< the step that the pose comes from
    [[nodiscard]] double share() const;                        ///< 0 ... 1 of the way from there to step()
    [[nodiscard]] bool isDone() const { return share() >= 1; } ///< the shown pose is the step's

    /// The time [ns]; tests replace it.
    std::function<qint64()> clock;
    /// Shows what the time says. The timer calls it.
    void tick();

signals:
    void changed(); ///< the step, or the pose between two
    void playingChanged(bool isPlaying);

private:
    void show(int step);
    void follow();
    [[nodiscard]] double secondsSince(qint64 time) const;

    QElapsedTimer m_elapsed;
    QTimer m_timer;
    int m_last = 0, m_step = 0, m_before = 0, m_from = 0, m_steps = 1;
    double m_perSecond = 1;
    bool m_isPlaying = false, m_isEased = false;
    qint64 m_playBegin = 0, m_easeBegin = 0;
};

} // namespace tendon::editor
