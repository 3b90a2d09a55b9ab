#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"

#include <QWidget>

#include <map>

namespace tendon::editor {

/// Ruler, keys and quality of the frames seen so far. Left mouse button scrubs, on whole frames.
class TimelineView : public QWidget
{
    Q_OBJECT
public:
    explicit TimelineView(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] TimeAxis axis() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

    /// Width of the column of labels at the left, so that others can stand in line.
    [[nodiscard]] static int labelWidth();

private:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void paintRuler(QPainter& painter, const TimeAxis& axis) const;
    void paintKeys(QPainter& painter, const TimeAxis& axis) const;
    void paintQuality(QPainter& painter, const TimeAxis& axis) const;
    void noteQuality(const FrameResult& frame);

    struct Quality
    {
        double error = 0; ///< [m] 0 = every goal met
        bool isAtLimit = false;
        bool isSoft = false;
    };
    Editor& m_editor;
    std::map<int, Quality> m_quality; ///< of frames as last seen; forgotten when the scene changes
    std::shared_ptr<const Scene> m_qualityScene; ///< that m_quality is of
};

/// Draws the playhead at a frame over a whole widget.
void paintPlayhead(QPainter& painter, const TimeAxis& axis, int frame, int height, bool hasCap);

} // namespace tendon::editor
