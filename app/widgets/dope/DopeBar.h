#pragma once

#include "app/widgets/graph/GraphState.h"

#include <QWidget>

class QCheckBox;
class QHBoxLayout;
class QLabel;

namespace tendon::editor {

class CommandTable;
class DopeSheet;

/// The row over the dope sheet: a filter of its rows, fields and buttons for the selected keys, and what it shows.
class DopeBar : public QWidget
{
    Q_OBJECT
public:
    DopeBar(GraphState& state, CommandTable& commands, DopeSheet& sheet, QWidget* parent = nullptr);

private:
    void addFilter(QHBoxLayout& row);
    void addFields(QHBoxLayout& row);
    void addButtons(QHBoxLayout& row, CommandTable& commands);
    void addSwitches(QHBoxLayout& row, CommandTable& commands);
    void fit(); ///< to the size of the interface
    void refresh();
    void paintEvent(QPaintEvent*) override;

    GraphState& m_state;
    DopeSheet& m_sheet;
    QLabel* m_count;
    QWidget* m_filter = nullptr;
    std::vector<QWidget*> m_fields;
    QCheckBox* m_snap = nullptr;
    QWidget* m_paste = nullptr;
    std::vector<QWidget*> m_words;           ///< that a field's tip says, too
    std::vector<QWidget*> m_needKeys;        ///< buttons that work on selected keys
    std::vector<QWidget*> m_inMenus;         ///< what the menus offer, too
    std::uint64_t m_countedFor = UINT64_MAX; ///< selection
};

} // namespace tendon::editor
