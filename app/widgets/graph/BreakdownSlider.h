#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QJsonObject>
#include <QSlider>

namespace tendon::editor {

/// Keys the chosen curves at the current frame with values between those of the keys before and after it: 0 % as the
/// one before, 100 % as the one after, up to 50 % beyond either. A drag is one undo step; then it stands in the middle
/// again.
class BreakdownSlider : public QSlider
{
    Q_OBJECT
public:
    explicit BreakdownSlider(GraphState& state, QWidget* parent = nullptr);

private:
    void refresh();
    void begin();
    void take(int percent);
    void finish();
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void showEvent(QShowEvent* event) override; ///< what is hidden is not kept up to date

    GraphState& m_state;
    std::vector<QJsonObject> m_operations; ///< of the drag that runs
    bool m_isDragging = false;
};

} // namespace tendon::editor
