#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace tendon::editor {

class CommandTable;

/// Says over the graph that the curves of a whole rotation are four numbers that belong together, and offers to show
/// those of joints as angles. Hidden where no such curve is shown.
class RotationHint : public QFrame
{
    Q_OBJECT
public:
    /// `view`: stands in its upper right corner.
    RotationHint(GraphState& state, CommandTable& commands, QWidget& view);

private:
    void refresh();
    void place();
    bool eventFilter(QObject* watched, QEvent* event) override;

    GraphState& m_state;
    QWidget& m_view;
    QLabel* m_text;
    QToolButton* m_convert;
};

} // namespace tendon::editor
