#pragma once

#include "app/widgets/graph/GraphState.h"
#include "app/widgets/time/TimeView.h"

#include <QWidget>

class QMenu;

namespace tendon::editor {

class CommandTable;
class DopeSheet;

/// The tab Dope sheet: its row of fields, the sheet, and its menus.
class DopePanel : public QWidget
{
    Q_OBJECT
public:
    /// `state`: of all objects.
    DopePanel(GraphState& state, CommandTable& commands, TimeView& time, QWidget* parent = nullptr);

    [[nodiscard]] DopeSheet& sheet() { return *m_sheet; }

private:
    void fillKeyMenu(QMenu& menu);
    void fillRowMenu(QMenu& menu, int row);

    GraphState& m_state;
    CommandTable& m_commands;
    DopeSheet* m_sheet;
};

} // namespace tendon::editor
