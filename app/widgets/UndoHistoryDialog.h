#pragma once

#include <QDialog>

class QListWidget;

namespace tendon::editor {

class EditorDocument;

/// The steps that can be undone and redone, by their names, the oldest first. Choosing one goes there.
class UndoHistoryDialog : public QDialog
{
    Q_OBJECT
public:
    UndoHistoryDialog(EditorDocument& document, QWidget* parent);

private:
    void refresh();
    void goTo(int row);

    EditorDocument& m_document;
    QListWidget* m_steps;
    bool m_isGoing = false;
};

} // namespace tendon::editor
