#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QWidget>

#include <vector>

class QLabel;
class QHBoxLayout;

namespace tendon::editor {

class CommandTable;
class ElidedLabel;
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
    void paintEvent(QPaintEvent*) override;

    GraphState& m_state;
    ElidedLabel* m_title;
    NumberField *m_frame, *m_value;
    QLabel* m_unit;
    std::vector<QWidget*> m_fields;  ///< and their labels
    std::vector<QWidget*> m_filters; ///< their buttons
};

} // namespace tendon::editor
