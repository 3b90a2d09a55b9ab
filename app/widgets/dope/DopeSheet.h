#pragma once

#include "app/widgets/dope/DopePaint.h"
#include "app/widgets/dope/DopeRows.h"
#include "app/widgets/graph/GraphDrag.h"
#include "app/widgets/time/TimeView.h"

#include <QKeySequence>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <set>

class QScrollBar;

namespace tendon::editor {

/// Keys in rows: a summary, then each object that has keys and, when folded out, a row for each of its numbers. Left
/// mouse button: selects and drags keys, draws a box; the sides of the box around selected keys stretch their times; on
/// the ruler it scrubs. Middle: pans. Wheel: zooms in time about the pointer, scrolls over the names and with Shift.
/// Keyboard: Up and Down change the row, Left and Right the key (with Shift they add to the selection, with Ctrl they
/// move it), Return folds; Ctrl+C, X and V copy, cut and paste keys.
class DopeSheet : public QWidget
{
    Q_OBJECT
public:
    /// `state`: of all objects; it and `time` outlive this.
    DopeSheet(GraphState& state, TimeView& time, QWidget* parent = nullptr);

    [[nodiscard]] static int labelWidth(); ///< width of the column of names, up to the first frame
    [[nodiscard]] const DopeRows& rows() const { return m_rows; }
    [[nodiscard]] TimeAxis axis() const;
    /// The position of a key in a row, for tests. Row 0 is the summary.
    [[nodiscard]] QPoint placeOf(int row, double frame) const;
    struct KeyRef
    {
        ObjectId target;
        double frame;
        auto operator<=>(const KeyRef&) const = default;
    };
    [[nodiscard]] std::set<KeyRef> selected() const; ///< the selected keys by object and frame
    [[nodiscard]] QString dragLabel() const { return m_drag != nullptr ? m_drag->label() : QString(); }

    void setFilter(const QString& text);
    void setOnlySelected(bool isOn);
    void foldAll(bool isOut);
    void selectRow(int row); ///< all its keys
    void deleteSelected();
    void frameSelected(); ///< shows the frames of the selected keys
    /// The keys that show all frames and those of the selected keys: as in the view.
    void setFrameKeys(std::function<QList<QKeySequence>()> all, std::function<QList<QKeySequence>()> selected);
    void setNoKeysText(std::function<QString()> text) { m_noKeysText = std::move(text); } ///< shown instead of keys

signals:
    /// A right click; on a name `row` is its row, else -1. What is under it is selected by then.
    void menuRequested(QPoint globalPosition, int row);

private:
    struct Hit
    {
        int row;
        std::int64_t ticks;
    };
    struct Box
    {
        QRect rect;
        double first, last; ///< frames
    };
    void rebuild();
    void scrollTo(int y);
    [[nodiscard]] int rulerHeight() const;
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int rowAt(int y) const; ///< may be none of the rows
    [[nodiscard]] bool isRow(int row) const { return row >= 0 && row < m_rows.count(); }
    [[nodiscard]] QRect bandOf(int row) const;
    [[nodiscard]] std::optional<Hit> keyAt(QPoint at, bool isOfEitherLayer = false) const;
    [[nodiscard]] GraphKeys keysAt(const Hit& hit) const;
    [[nodiscard]] const KeyTimes::Ticks& selectedIn(int row) const;
    [[nodiscard]] std::optional<Box> scaleBox() const; ///< around the selected keys, if they are at several frames
    [[nodiscard]] int sideAt(QPoint at) const;         ///< of that box: -1 the first frame, 1 the last, 0 none
    void press(QPoint at, Qt::KeyboardModifiers modifiers);
    void pressName(QPoint at, Qt::KeyboardModifiers modifiers);
    void selectBox(bool isAdded);
    void selectObject(const DopeRow& row, Qt::KeyboardModifiers modifiers);
    void scrub(double x);
    void goToRow(int row);
    void goToKey(int direction, bool isAdded); ///< in the current row
    void nudge(double frames);
    void endDrag(bool isKept);
    [[nodiscard]] QString tipAt(QPoint at) const;
    [[nodiscard]] static bool matches(const QKeyEvent& event, const std::function<QList<QKeySequence>()>& keys);
    void paintBoxes(QPainter& painter) const;

    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void contextMenuEvent(QContextMenuEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

    GraphState& m_state;
    TimeView& m_time;
    DopeRows m_rows;
    QScrollBar* m_scroll;
    std::uint64_t m_revision = 0;  ///< of the curves that the rows are of
    Layer m_layer = Layer::Keys;   ///< that was edited then
    int m_row = 0;                 ///< row that the keyboard works on
    std::optional<double> m_frame; ///< the key in it that was visited last
    // The mouse
    std::unique_ptr<GraphDrag> m_drag;
    std::optional<QRect> m_box; ///< that is being drawn
    GraphKeys m_boxBefore;
    std::optional<QPoint> m_panFrom;
    QPoint m_mouse;
    bool m_isScrubbing = false;
    std::function<QList<QKeySequence>()> m_frameAllKeys, m_frameSelectedKeys;
    std::function<QString()> m_noKeysText = [] { return QString(); };
    // Selected times by row, of one selection
    mutable std::vector<std::optional<KeyTimes::Ticks>> m_selected;
    mutable std::uint64_t m_selectedRevision = 0;
};

} // namespace tendon::editor
