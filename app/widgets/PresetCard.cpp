#include "app/widgets/PresetCard.h"

#include "app/editor/Theme.h"

#include <QPainter>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr int kGap = 4; ///< at least, between words and keys

QString firstKey(const CommandTable& commands, const char* id, KeyPreset preset)
{
    for (const auto& command : commands.all())
        if (command->id == QLatin1StringView(id)) {
            const QString keys = command->keys[static_cast<std::size_t>(preset)].section(QStringLiteral("; "), 0, 0);
            return QKeySequence(keys, QKeySequence::PortableText).toString(QKeySequence::NativeText);
        }
    return {};
}

} // namespace

PresetCard::PresetCard(const CommandTable& commands, KeyPreset preset, QWidget* parent)
    : ChoiceCard(QString::fromLatin1(kKeyPresetNames[static_cast<std::size_t>(preset)]), {}, parent)
{
    const auto keys = [&](std::initializer_list<const char*> ids) {
        QStringList result;
        for (const char* id : ids)
            if (const QString key = firstKey(commands, id, preset); !key.isEmpty()) result << key;
        return result;
    };
    const QString orbit[] = {tr("Alt LMB"), tr("MMB"), tr("Alt MMB")}; // by preset
    // Where the tools have no keys, their gestures do, which need no button of the mouse.
    QStringList tools = keys({"view.select", "view.move", "view.rotate", "view.scale"});
    if (tools.isEmpty()) tools = keys({"transform.move", "transform.rotate", "transform.scale"});
    m_rows = {{tr("Tools"), {tools.join(' ')}},
              {tr("Orbit"), {orbit[static_cast<std::size_t>(preset)]}},
              {tr("Set key"), keys({"key.set"})},
              {tr("Key by key"), keys({"time.previousKey", "time.nextKey"})},
              {tr("Frames"), keys({"time.previousFrame", "time.nextFrame"})}};
    QString spoken = text();
    for (const auto& [what, shown] : m_rows) spoken += QStringLiteral(", %1 %2").arg(what, shown.join(' '));
    setAccessibleName(spoken);
}

QSize PresetCard::sizeHint() const
{
    const Theme& theme = Theme::instance();
    const QFontMetrics words(theme.font(12)), plates(theme.font(11));
    int wide = ChoiceCard::sizeHint().width();
    for (const auto& [what, keys] : m_rows) {
        int row = words.horizontalAdvance(what) + theme.px(20 + kGap);
        for (const QString& key : keys) row += plates.horizontalAdvance(key) + theme.px(8 + 4);
        if (keys.isEmpty()) row += plates.horizontalAdvance(tr("none"));
        wide = std::max(wide, row);
    }
    return {wide, headHeight() + theme.px(8 + 22 * static_cast<int>(m_rows.size()))};
}

void PresetCard::paintEvent(QPaintEvent* event)
{
    ChoiceCard::paintEvent(event);
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double pad = theme.px(10);
    const QFont words = theme.font(12), plates = theme.font(11);
    double y = headHeight() + theme.px(2);
    for (const auto& [what, keys] : m_rows) {
        painter.setFont(plates);
        double right = width() - pad;
        if (keys.isEmpty()) {
            painter.setPen(theme.color("text.hint"));
            painter.drawText(QRectF(pad, y, width() - 2 * pad, theme.px(20)), Qt::AlignVCenter | Qt::AlignRight,
                             tr("none"));
            right -= painter.fontMetrics().horizontalAdvance(tr("none"));
        }
        for (auto key = keys.crbegin(); key != keys.crend(); ++key) {
            const double wide = painter.fontMetrics().horizontalAdvance(*key) + theme.px(8);
            const QRectF plate(right - wide + 0.5, y + theme.px(2) + 0.5, wide, theme.px(16));
            painter.setPen(QPen(theme.color("line.control"), 1));
            painter.setBrush(theme.color("surface.well"));
            painter.drawRoundedRect(plate, theme.size("radius.badge"), theme.size("radius.badge"));
            painter.setPen(theme.color("text.primary"));
            painter.drawText(plate, Qt::AlignCenter, *key);
            right -= wide + theme.px(4);
        }
        // The words have what the keys leave them.
        const double room = right - theme.px(kGap) - pad;
        painter.setFont(words);
        painter.setPen(theme.color("text.secondary"));
        painter.drawText(QRectF(pad, y, room + 1, theme.px(20)), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, static_cast<int>(room) + 1));
        y += theme.px(22);
    }
}

} // namespace tendon::editor
