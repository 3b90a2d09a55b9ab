#pragma once

#include "app/editor/Editor.h"

#include <QWidget>

#include <map>

class QLabel;
class QLineEdit;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace tendon::editor {

/// The left dock: a tree of joints, handles with their state, and meshes. It shares the selection with the view;
/// dragging a joint onto another links it.
class Outliner : public QWidget
{
    Q_OBJECT
public:
    explicit Outliner(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] QTreeWidget* tree() const { return m_tree; }

signals:
    void rigWanted(); ///< the row that stands for handles which are not there yet was clicked

private:
    void rebuild();
    void refreshMarks(); ///< badges and colours
    void fitIndentation();
    void showSelection();
    void applySelection();
    void filter(const QString& text);
    void link(QTreeWidgetItem* dragged, QTreeWidgetItem* onto);
    void openMenu(const QPoint& at);
    /// A click on the eye or the lock of a row; false: it was elsewhere.
    bool toggleMark(const QPoint& at);
    [[nodiscard]] QTreeWidgetItem* itemOf(SelectionItem item) const;
    bool eventFilter(QObject* watched, QEvent* event) override;

    Editor& m_editor;
    QLineEdit* m_search;
    QToolButton* m_onlyHandles;
    QTreeWidget* m_tree;
    std::map<ObjectId, QTreeWidgetItem*> m_items;
    QTreeWidgetItem* m_rigRow = nullptr; ///< that offers to make handles; null: there are some
    bool m_isBusy = false;               ///< the selection is being synchronised: ignore own signals
};

} // namespace tendon::editor
