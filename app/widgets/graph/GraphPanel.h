#pragma once

#include "app/widgets/graph/GraphState.h"
#include "app/widgets/time/TimeView.h"

#include <QWidget>

namespace tendon::editor {

class CommandTable;
class GraphList;
class GraphView;

/// The tab Graph: the list of curves, and the curves over time.
class GraphPanel : public QWidget
{
    Q_OBJECT
public:
    GraphPanel(Editor& editor, CommandTable& commands, TimeView& time, QWidget* parent = nullptr);

    [[nodiscard]] static int labelWidth(); ///< up to the first frame, for the timeline above
    [[nodiscard]] GraphState& state() { return m_state; }
    [[nodiscard]] GraphView& view() { return *m_view; }

private:
    GraphState m_state;
    GraphList* m_list;
    GraphView* m_view;
};

} // namespace tendon::editor
