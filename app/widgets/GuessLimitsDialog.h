#pragma once

#include "core/base/Id.h"

#include <QDialog>

#include <vector>

class QPushButton;
class QTreeWidget;

namespace tendon::editor {

class Editor;

/// Limits that are guessed for joints, each with its reason and a check box; below them, greyed, the joints
/// that are left as they are, with the reason. "Set limits" sets those that are checked, as one step of undo.
class GuessLimitsDialog : public QDialog
{
    Q_OBJECT
public:
    /// For these joints; empty = for all.
    GuessLimitsDialog(Editor& editor, std::vector<JointId> joints, QWidget* parent);

private:
    void setLimits();
    void refresh();

    Editor& m_editor;
    QTreeWidget* m_list;
    QPushButton* m_set;
};

} // namespace tendon::editor
