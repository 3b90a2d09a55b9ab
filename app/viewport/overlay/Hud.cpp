#include "app/viewport/overlay/Hud.h"

#include "app/editor/LengthText.h"
#include "app/editor/Theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <cmath>
#include <numbers>
#include <vector>

namespace tendon::viewport {
namespace {

constexpr int kMinAge = 100;      // [ms] between changes of the figures
constexpr int kNarrow = 400;      // [px] a view in which all figures would cover what stands in its middle
constexpr qint64 kCounted = 1000; // [ms] of pictures that count for the rate

constexpr int kRow = 18, kWidth = 138, kMargin = 10; // [px]
constexpr std::size_t kRows = 5;

/// Three digits or so, for which there is room beside the words.
QString solveTimeText(double ms) { return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 10 ? 2 : ms < 100 ? 1 : 0); }

QSizeF sizeOf(std::size_t rows)
{
    const editor::Theme& theme = editor::Theme::instance();
    return {static_cast<double>(theme.px(kWidth)), theme.px(kRow) * static_cast<double>(rows) + theme.px(10)};
}

struct Row
{
    QString name, value;
    bool isWrong = false;
};

} // namespace

void Hud::noteFrame()
{
    if (!m_clock.isValid()) m_clock.start();
    if (m_isAtRest) { // the one picture that shows the rest
        m_isAtRest = false;
        return;
    }
    m_frames.push_back(m_clock.elapsed());
    while (m_frames.size() > 1 && m_frames.back() - m_frames.front() > kCounted) m_frames.pop_front();
}

void Hud::rest()
{
    m_frames.clear();
    m_age.invalidate();
    m_isAtRest = true;
}

int Hud::framesPerSecond() const
{
    // Frames come on demand: the rate is that of the newest ones, and none where there are hardly any.
    if (m_frames.size() < 3 || m_frames.back() - m_frames.front() < 1) return 0;
    return static_cast<int>(std::lround(1000.0 * static_cast<double>(m_frames.size() - 1) /
                                        static_cast<double>(m_frames.back() - m_frames.front())));
}

void Hud::draw(const editor::FrameResult& frame, const OverlayColours& colours, double pixelRatio, bool isNarrow)
{
    const editor::Theme& theme = editor::Theme::instance();
    const int rate = framesPerSecond();
    bool isMissed = false;
    double turn = 0; // [rad] of goals that are missed
    for (const editor::HandleView& handle : frame.handles) {
        if (!handle.isMissed || !handle.target.isActive()) continue;
        isMissed = true;
        turn = std::max(turn, handle.result.rotationError);
    }
    constexpr double kNoLength = 1e-4; // [m] reads as 0: what is missed is a rotation
    const bool isTurn = frame.worstError < kNoLength && turn > 0;
    const QString worst = isTurn ? QStringLiteral("%1\u00b0").arg(turn * 180 / std::numbers::pi, 0, 'f', 1)
                                 : editor::lengthText(frame.worstError);
    std::vector<Row> rows = {{tr("worst goal"), worst, isMissed}};
    if (!isNarrow)
        // Pictures come when something changes: only while the clip plays does their rate say how fast they can come.
        rows = {frame.isPlaying ? Row{tr("fps"), rate > 0 ? QString::number(rate) : QStringLiteral("\u2013")}
                                : Row{tr("drawn in"), QStringLiteral("%1 ms").arg(1000 * m_drawSeconds, 0, 'f', 0)},
                {tr("solve time"), solveTimeText(1000 * frame.solveSeconds)},
                {tr("iterations"), QString::number(frame.iterations)},
                rows[0],
                {tr("limit hits"), QString::number(frame.limitHits)}};
    const QFont font = theme.font(12, 500);
    const QFontMetricsF metrics(font);
    const double line = theme.px(kRow), pad = theme.px(9);
    const QSizeF size = sizeOf(rows.size());
    m_picture = QImage((size * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_picture.setDevicePixelRatio(pixelRatio);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(toQColor(colours.plate));
    painter.drawRoundedRect(QRectF(QPointF(), size), theme.px(4), theme.px(4));
    painter.setFont(font);
    double digit = 0; // digits stand in cells of one width, so that numbers keep still
    for (char c = '0'; c <= '9'; ++c) digit = std::max(digit, metrics.horizontalAdvance(QLatin1Char(c)));
    double y = theme.px(5);
    for (const Row& row : rows) {
        painter.setPen(toQColor(row.isWrong ? colours.errorLine : colours.dimText));
        painter.drawText(QRectF(pad, y, size.width() - 2 * pad, line), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setPen(toQColor(row.isWrong ? colours.errorLine : colours.text));
        double x = size.width() - pad;
        for (auto c = row.value.crbegin(); c != row.value.crend(); ++c) {
            const double width = c->isDigit() ? digit : metrics.horizontalAdvance(*c);
            x -= width;
            painter.drawText(QRectF(x - 2, y, width + 4, line), Qt::AlignCenter, QString(*c));
        }
        y += line;
    }
    m_isNarrow = isNarrow;
    m_age.start();
}

bool Hud::fits(const QSizeF& size)
{
    return size.width() >= sizeOf(1).width() + 2 * editor::Theme::instance().px(kMargin);
}

QRectF Hud::area(const QSizeF& size)
{
    const editor::Theme& theme = editor::Theme::instance();
    const QSizeF own = sizeOf(size.width() < theme.px(kNarrow) ? 1 : kRows);
    return {QPointF(size.width() - own.width() - theme.px(kMargin), theme.px(kMargin)), own};
}

void Hud::paint(QPainter& painter, const editor::FrameResult& frame, const OverlayColours& colours, const QSizeF& size,
                double pixelRatio)
{
    const bool isOld = !m_age.isValid() || m_age.elapsed() >= kMinAge;
    const bool isNarrow = size.width() < editor::Theme::instance().px(kNarrow);
    if (m_picture.isNull() || m_picture.devicePixelRatio() != pixelRatio || isNarrow != m_isNarrow || isOld)
        draw(frame, colours, pixelRatio, isNarrow);
    const double margin = editor::Theme::instance().px(kMargin);
    const double x = size.width() - m_picture.deviceIndependentSize().width() - margin;
    painter.drawImage(QPointF(std::round(x * pixelRatio) / pixelRatio, margin), m_picture);
}

CubeCorner cubeCorner(const QSizeF& size, double scale)
{
    constexpr double kLeastWidth = 180, kLeastHeight = 130; // [px] of a view that is not mostly cube
    if (size.width() < kLeastWidth * scale || size.height() < kLeastHeight * scale)
        return {Vector2(-100 * scale, -100 * scale), 23 * scale};
    return {Vector2(50 * scale, size.height() - 52 * scale), 23 * scale};
}

void paintCube(QPainter& painter, const Camera& camera, const CubeCorner& corner, std::optional<CubePlace> hovered,
               const OverlayColours& colours)
{
    const editor::Theme& theme = editor::Theme::instance();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto polygon = [](const std::array<Vector2, 4>& corners) {
        QPolygonF result;
        for (const Vector2& c : corners) result << QPointF(c.x(), c.y());
        return result;
    };
    const QColor line = toQColor(colours.inside);
    for (const CubeFace& face : cubeFaces(camera, corner.centre, corner.halfSide)) {
        const QColor base = toQColor(theme.isDark() ? toRgba(theme.color(QStringLiteral("line.control")))
                                                    : toRgba(theme.color(QStringLiteral("line.hair"))));
        painter.setPen(QPen(line, 1));
        painter.setBrush(theme.isDark() ? base.lighter(static_cast<int>(80 + 50 * face.brightness))
                                        : base.lighter(static_cast<int>(92 + 24 * face.brightness)));
        painter.drawPolygon(polygon(face.corners));
        if (face.brightness < 0.3) continue; // seen too flat to be read
        QTransform toFace;
        const QPolygonF unit(QList<QPointF>{{0, 0}, {64, 0}, {64, 64}, {0, 64}});
        if (!QTransform::quadToQuad(unit, polygon(face.corners), toFace)) continue;
        painter.save();
        painter.setTransform(toFace, true);
        QPainterPath letters;
        QFont font = theme.font(15, 700);
        font.setPixelSize(15);
        const QFontMetricsF metrics(font);
        const QString name = QString::fromLatin1(face.name);
        letters.addText(QPointF(32 - metrics.horizontalAdvance(name) / 2, 32 + metrics.capHeight() / 2), font, name);
        painter.fillPath(letters, toQColor(colours.text));
        painter.restore();
    }
    if (hovered)
        for (const auto& zone : cubeZones(camera, corner.centre, corner.halfSide, *hovered)) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(toQColor(colours.accent.withAlpha(0.55)));
            painter.drawPolygon(polygon(zone));
        }
    painter.restore();
}

} // namespace tendon::viewport
