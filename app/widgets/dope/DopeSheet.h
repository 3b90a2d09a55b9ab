#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"

#include <QWidget>

#include <set>

class QScrollBar;

namespace tendon::editor {

/// Keys in rows: a summary, then each object that has keys and, when expanded, its channels. A click or a box selects
/// keys; a drag moves them by whole frames. A drag, a deletion and a change of interpolation are one undo step each.
/// Keyboard: Up and Down change the row, Left and Right the key (with Shift they add to the selection, with Ctrl they
/// move it), Return expands.
class DopeSheet : public QWidget
{
    Q_OBJECT
public:
    explicit DopeSheet(Editor& editor, QWidget* parent = nullptr);

    struct KeyRef
    {
        ObjectId target;
        int frame;
        auto operator<=>(const KeyRef&) const = default;
    };
    [[nodiscard]] static int labelWidth(); ///< width of the column of names, up to the first frame
    [[nodiscard]] const std::set<KeyRef>& selected() const { return m_selected; }
    /// The position of a key in a row, for tests. Row 0 is the summary.
    [[nodiscard]] QPoint placeOf(int row, int frame) const;

    void moveSelected(int frames);
    void scaleSelected(double factor);
    void deleteSelected();
    void setInterpolation(const QString& kind);

private:
    struct Row
    {
        QString text;
        ObjectId target = 0; ///< 0 = the summary
        std::optional<Property> property;
        bool isOpen = false;
    };
    void rebuild();
    void select(const Row& row); ///< selects the row's object in the scene
    void fold(const Row& row);
    void goToRow(int index);
    void goToKey(int direction, bool isAdded); ///< in the current row
    void selectAllOf(const Row& row);
    void changeEach(const std::function<QJsonObject(const QString& target, const QJsonArray& frames)>& make);
    [[nodiscard]] TimeAxis axis() const;
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] std::set<int> framesOf(const Row& row) const;
    [[nodiscard]] std::set<KeyRef> keysAt(const QPoint& at) const;
    void paintRow(QPainter& painter, const TimeAxis& axis, int index) const;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    bool event(QEvent*) override;

    Editor& m_editor;
    std::vector<Row> m_rows;
    std::set<ObjectId> m_open;
    std::set<KeyRef> m_selected;
    int m_scroll = 0;           ///< [px]
    int m_row = 0;              ///< row that the keyboard works on
    std::optional<int> m_frame; ///< the key in it that was visited last
    std::optional<QPoint> m_press;
    std::optional<QRect> m_box;
    bool m_isMoving = false;
    int m_moveBy = 0;
};

} // namespace tendon::editor
