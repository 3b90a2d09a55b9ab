#pragma once

#include "app/widgets/CommandTable.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;
class QKeySequenceEdit;

namespace tendon::editor {

class MainWindow;

/// All commands with their keys: choose a preset, then give commands other keys. A key that another command has is said
/// before it is taken away from it.
class ShortcutEditor : public QWidget
{
    Q_OBJECT
public:
    explicit ShortcutEditor(MainWindow& window, QWidget* parent = nullptr);

private:
    void fill(); ///< with the keys of the present preset
    void filter(const QString& text);
    void showChosen();
    void showConflicts();
    void assign();
    void reset();
    void askToResetAll();
    [[nodiscard]] int ownCount() const; ///< commands with keys of the user's own
    [[nodiscard]] const Command* chosen() const;

    MainWindow& m_window;
    QLineEdit* m_filter;
    QTreeWidget* m_list; ///< one row a command: name, keys, menu
    QKeySequenceEdit* m_keys;
    QPushButton *m_assign, *m_reset, *m_resetAll;
    QLabel* m_conflict;
};

} // namespace tendon::editor
