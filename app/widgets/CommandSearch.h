#pragma once

#include "app/widgets/CommandTable.h"

#include <QFrame>
#include <QPointer>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon::editor {

/// Finds any command by a part of its name and runs it with Enter.
class CommandSearch : public QFrame
{
    Q_OBJECT
public:
    /// `home` gets the focus where the control that had it before is gone. It outlives this.
    CommandSearch(CommandTable& commands, QWidget* home, QWidget* window);
    void open();

private:
    void fill(const QString& text);
    void leave(); ///< the focus goes back to where it was
    void run(const QTreeWidgetItem& item);
    bool eventFilter(QObject* watched, QEvent* event) override;

    CommandTable& m_commands;
    QWidget* m_home;
    QPointer<QWidget> m_before; ///< had the focus before this one was opened
    QLineEdit* m_text;
    QTreeWidget* m_list; ///< one row per command: name, menu, keys
};

} // namespace tendon::editor
