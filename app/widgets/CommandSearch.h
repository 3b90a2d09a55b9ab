#pragma once

#include "app/widgets/CommandTable.h"

#include <QFrame>

class QLineEdit;
class QTreeWidget;

namespace tendon::editor {

/// Finds any command by a part of its name and runs it with Enter.
class CommandSearch : public QFrame
{
    Q_OBJECT
public:
    explicit CommandSearch(CommandTable& commands, QWidget* window);
    void open();

private:
    void fill(const QString& text);
    bool eventFilter(QObject* watched, QEvent* event) override;

    CommandTable& m_commands;
    QLineEdit* m_text;
    QTreeWidget* m_list; ///< one row per command: name, menu, keys
};

} // namespace tendon::editor
