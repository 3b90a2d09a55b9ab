#pragma once

#include "app/widgets/graph/GraphEdits.h"
#include "app/widgets/graph/GraphState.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QHBoxLayout;

namespace tendon::editor {

class CommandTable;
class ElidedLabel;
class NumberEdit;
class NumberField;

/// The row over the graph: what it shows, frame and value of the selected keys, and buttons of the graph's commands.
class GraphBar : public QWidget
{
    Q_OBJECT
public:
    /// `titleWidth`: up to the first field [px].
    GraphBar(GraphState& state, CommandTable& commands, int titleWidth, QWidget* parent = nullptr);

private:
    void refresh();
    void addButtons(QHBoxLayout& row, CommandTable& commands);
    void follow(NumberField& field, bool isFrame); ///< its drags and what is typed
    void enter(bool isFrame, const NumberEdit& edit);
    void drag(bool isFrame, double change);
    void paintEvent(QPaintEvent*) override;

    GraphState& m_state;
    ElidedLabel* m_title;
    NumberField *m_frame, *m_value;
    QLabel* m_unit;
    std::vector<QWidget*> m_fields;  ///< and their labels
    std::vector<QWidget*> m_filters; ///< their buttons
    // The drag of a field
    GraphKeys m_dragged;
    std::optional<KeyMove> m_move;
    double m_dragFrom = 0;
};

} // namespace tendon::editor
