#include "app/widgets/time/MarkerLane.h"

#include "app/editor/Theme.h"
#include "app/widgets/time/TimeRuler.h"
#include "core/scene/KeyWords.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPolygonF>

#include <cmath>

namespace tendon::editor {
namespace {

struct MarkerWords
{
    Q_DECLARE_TR_FUNCTIONS(Markers)
};

QString titleOf(MarkerColor color)
{
    switch (color) {
    case MarkerColor::Blue: return MarkerWords::tr("Blue");
    case MarkerColor::Green: return MarkerWords::tr("Green");
    case MarkerColor::Yellow: return MarkerWords::tr("Yellow");
    case MarkerColor::Orange: return MarkerWords::tr("Orange");
    case MarkerColor::Red: return MarkerWords::tr("Red");
    case MarkerColor::Violet: break;
    }
    return MarkerWords::tr("Violet");
}

int flagWidth() { return Theme::instance().px(9); }

class MarkerDrag : public GraphDrag
{
public:
    MarkerDrag(Editor& editor, const TimeAxis& axis, double frame, QPointF from)
        : m_editor(editor), m_axis(axis), m_start(frame), m_frame(frame), m_from(from)
    {
    }

    void move(QPointF at, Qt::KeyboardModifiers) override
    {
        const int slack = Theme::instance().px(3);
        if (!m_isOpen && std::abs(at.x() - m_from.x()) < slack) return;
        const double frame = std::round(m_start + (at.x() - m_from.x()) / m_axis.pixelsPerFrame());
        if (frame == m_frame) return;
        if (!m_isOpen) m_editor.document().gesture().begin();
        m_isOpen = true;
        // At the frame of another marker it stays where it was.
        if (m_editor.document().gesture().update({{"op", "setMarker"}, {"frame", m_start}, {"to", frame}}))
            m_frame = frame;
    }

    void release() override
    {
        if (m_isOpen)
            m_editor.document().gesture().finish();
        else
            m_editor.goToFrame(static_cast<int>(std::lround(m_start)));
    }

    void cancel() override
    {
        if (m_isOpen) m_editor.document().gesture().cancel();
    }

    [[nodiscard]] QString label() const override { return m_isOpen ? frameText(m_frame) : QString(); }

private:
    Editor& m_editor;
    const TimeAxis m_axis;
    const double m_start;
    double m_frame;
    const QPointF m_from;
    bool m_isOpen = false;
};

} // namespace

int MarkerLane::height() const
{
    const Clip* clip = m_editor.document().clip();
    return clip == nullptr || clip->markers.empty() ? 0 : Theme::instance().px(15);
}

double MarkerLane::frameOf(std::size_t index) const
{
    return m_editor.document().scene().fps.frameAt(marker(index).time);
}

QRectF MarkerLane::boxOf(const TimeAxis& axis, std::size_t index) const
{
    const Theme& theme = Theme::instance();
    const double left = axis.x(frameOf(index));
    const std::size_t next = index + 1;
    const QFontMetrics metrics(theme.font(11));
    double right = left + flagWidth() + theme.px(4) +
                   metrics.horizontalAdvance(QString::fromStdString(marker(index).name)) + theme.px(2);
    right = std::min(right, axis.left + axis.width + theme.px(14));
    if (next < m_editor.document().clip()->markers.size()) right = std::min(right, axis.x(frameOf(next)) - theme.px(3));
    return {left, 0, std::max<double>(flagWidth(), right - left), static_cast<double>(height())};
}

std::optional<std::size_t> MarkerLane::at(const TimeAxis& axis, QPointF place) const
{
    if (height() == 0 || place.y() >= height()) return std::nullopt;
    for (std::size_t i = m_editor.document().clip()->markers.size(); i > 0; --i) {
        const double frame = frameOf(i - 1);
        if (frame < axis.first || frame > axis.last) continue;
        if (boxOf(axis, i - 1).adjusted(-Theme::instance().px(3), 0, 0, 0).contains(place)) return i - 1;
    }
    return std::nullopt;
}

void MarkerLane::paint(QPainter& painter, const TimeAxis& axis, const QRect& band) const
{
    if (height() == 0) return;
    const Theme& theme = Theme::instance();
    painter.fillRect(band, theme.color("surface.panel"));
    painter.setFont(theme.font(11));
    const auto& markers = m_editor.document().clip()->markers;
    for (std::size_t i = 0; i < markers.size(); ++i) {
        const double frame = frameOf(i);
        if (frame < axis.first || frame > axis.last) continue;
        const QRectF box = boxOf(axis, i);
        const double left = std::round(box.left()), top = theme.px(3), high = theme.px(10), wide = flagWidth();
        const QPolygonF flag({{left, top},
                              {left + wide - theme.px(3), top},
                              {left + wide, top + high / 2},
                              {left + wide - theme.px(3), top + high},
                              {left, top + high}});
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(markers[i].color));
        painter.drawPolygon(flag);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(QRectF(left, top, 1, band.height() - top), colorOf(markers[i].color));
        const QRectF text = box.adjusted(wide + theme.px(4), 0, 0, -1);
        if (text.width() < theme.px(10)) continue;
        painter.setPen(theme.color("text.primary"));
        painter.drawText(text, Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(QString::fromStdString(markers[i].name), Qt::ElideRight,
                                                          static_cast<int>(text.width())));
    }
}

std::unique_ptr<GraphDrag> MarkerLane::drag(const TimeAxis& axis, std::size_t index, QPointF from)
{
    return std::make_unique<MarkerDrag>(m_editor, axis, frameOf(index), from);
}

void MarkerLane::rename(std::size_t index)
{
    const QString former = QString::fromStdString(marker(index).name);
    const double frame = frameOf(index);
    bool isOk = false;
    const QString name = QInputDialog::getText(&m_widget, MarkerWords::tr("Rename marker"), MarkerWords::tr("Name"),
                                               QLineEdit::Normal, former, &isOk);
    if (isOk && name != former)
        (void)m_editor.document().apply({{"op", "setMarker"}, {"frame", frame}, {"name", name}});
}

void MarkerLane::fillMenu(QMenu& menu, std::size_t index)
{
    const double frame = frameOf(index);
    menu.addAction(MarkerWords::tr("Rename marker…"), &m_widget, [this, index] { rename(index); });
    QMenu* colors = menu.addMenu(MarkerWords::tr("Colour"));
    auto* group = new QActionGroup(colors);
    for (std::size_t c = 0; c < kMarkerColorWords.size(); ++c) {
        const auto color = static_cast<MarkerColor>(c);
        const int side = Theme::instance().px(12);
        QPixmap picture(side, side);
        picture.fill(colorOf(color));
        QAction* action = colors->addAction(picture, titleOf(color), &m_widget, [this, frame, color] {
            const std::string_view word = wordOf(color);
            (void)m_editor.document().apply(
                {{"op", "setMarker"},
                 {"frame", frame},
                 {"color", QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))}});
        });
        action->setCheckable(true);
        action->setChecked(color == marker(index).color);
        group->addAction(action);
    }
    menu.addAction(MarkerWords::tr("Delete marker"), &m_widget, [this, frame] {
        (void)m_editor.document().apply({{"op", "removeMarker"}, {"frame", frame}});
    });
}

} // namespace tendon::editor
