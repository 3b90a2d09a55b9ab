#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/TimeAxis.h"
#include "app/widgets/graph/GraphDrag.h"

#include <QRect>

#include <optional>

class QMenu;
class QPainter;
class QWidget;

namespace tendon::editor {

/// The markers of the shown clip above the timeline's ruler, with their names. There is no lane without markers.
class MarkerLane
{
public:
    MarkerLane(Editor& editor, QWidget& widget) : m_editor(editor), m_widget(widget) {}

    [[nodiscard]] int height() const;
    /// Index of the marker whose flag or name is there.
    [[nodiscard]] std::optional<std::size_t> at(const TimeAxis& axis, QPointF place) const;
    [[nodiscard]] const Marker& marker(std::size_t index) const { return m_editor.document().clip()->markers[index]; }
    [[nodiscard]] double frameOf(std::size_t index) const;
    void paint(QPainter& painter, const TimeAxis& axis, const QRect& band) const;

    /// A click goes to its frame, a drag moves it: one undo step.
    [[nodiscard]] std::unique_ptr<GraphDrag> drag(const TimeAxis& axis, std::size_t index, QPointF from);
    void rename(std::size_t index); ///< asks for the name
    void fillMenu(QMenu& menu, std::size_t index);

private:
    [[nodiscard]] QRectF boxOf(const TimeAxis& axis, std::size_t index) const; ///< of flag and name, as far as shown

    Editor& m_editor;
    QWidget& m_widget;
};

} // namespace tendon::editor
