#include "app/editor/Theme.h"

#include <QFile>
#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLoggingCategory>

#include <algorithm>
#include <cmath>

static void initLook()
{
    Q_INIT_RESOURCE(look);
#ifdef TENDON_HAS_INTER
    Q_INIT_RESOURCE(fonts);
#endif
} // resources of a static library; the macro stands outside of namespaces

namespace tendon::editor {
namespace {

Q_LOGGING_CATEGORY(log, "tendon.editor")

/// #rrggbb or #rrggbbaa; QColor's own reading of eight digits begins with alpha.
QColor colorFrom(const QString& text)
{
    QColor color(text.left(7));
    if (text.size() == 9) color.setAlpha(text.mid(7, 2).toInt(nullptr, 16));
    return color;
}

QString firstInstalled(const QJsonArray& families)
{
    const QStringList installed = QFontDatabase::families();
    for (const QJsonValue& family : families)
        if (installed.contains(family.toString())) return family.toString();
    return families.isEmpty() ? QString() : families.last().toString();
}

} // namespace

Theme& Theme::instance()
{
    static Theme theme;
    return theme;
}

Theme::Theme()
{
    initLook();
    for (const char* weight : {"Regular", "SemiBold"}) {
        const QString font = QStringLiteral(":/tendon/fonts/Inter-%1.otf").arg(QLatin1String(weight));
        if (QFile::exists(font)) QFontDatabase::addApplicationFont(font);
    }
    QFile file(QStringLiteral(":/tendon/look/tokens.json"));
    if (!file.open(QIODevice::ReadOnly)) qCCritical(log) << "the look's tokens are not built in";
    const QJsonObject tokens = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject themes = tokens.value("themes").toObject();
    for (const Kind kind : {Kind::Dark, Kind::Light}) {
        const QJsonObject groups = themes.value(kind == Kind::Dark ? "dark" : "light").toObject();
        for (auto group = groups.begin(); group != groups.end(); ++group) {
            const QJsonObject colors = group.value().toObject();
            for (auto color = colors.begin(); color != colors.end(); ++color)
                m_colors[static_cast<int>(kind)].insert(group.key() + '.' + color.key(),
                                                        colorFrom(color.value().toString()));
        }
    }
    const QJsonObject sizes = tokens.value("size").toObject();
    for (auto group = sizes.begin(); group != sizes.end(); ++group) {
        if (group.value().isDouble()) m_sizes.insert(group.key(), group.value().toDouble());
        const QJsonObject entries = group.value().toObject();
        for (auto entry = entries.begin(); entry != entries.end(); ++entry)
            m_sizes.insert(group.key() + '.' + entry.key(), entry.value().toDouble());
    }
    const QJsonObject palette = tokens.value("palette").toObject();
    for (auto role = palette.begin(); role != palette.end(); ++role)
        m_paletteRoles.insert(role.key(), role.value().toString());
    const QJsonObject families = tokens.value("type").toObject().value("families").toObject();
    m_family = firstInstalled(families.value("ui").toArray());
    m_monoFamily = firstInstalled(families.value("mono").toArray());
}

void Theme::set(Kind kind, double scale)
{
    scale = std::clamp(scale, 1.0, 2.0);
    if (kind == m_kind && scale == m_scale) return;
    m_kind = kind;
    m_scale = scale;
    emit changed();
}

QColor Theme::color(const QString& token) const
{
    const auto& colors = m_colors[static_cast<int>(m_kind)];
    const auto found = colors.constFind(token);
    if (found != colors.constEnd()) return *found;
    qCWarning(log) << "there is no colour" << token;
    return Qt::magenta;
}

int Theme::px(double atHundred) const { return static_cast<int>(std::lround(atHundred * m_scale)); }

int Theme::size(const QString& token) const
{
    if (!m_sizes.contains(token)) qCWarning(log) << "there is no size" << token;
    return px(m_sizes.value(token));
}

QFont Theme::font(double pixels, int weight) const
{
    QFont font(m_family);
    font.setPixelSize(px(pixels));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

QFont Theme::monoFont(double pixels) const
{
    QFont font(m_monoFamily);
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(px(pixels));
    return font;
}

} // namespace tendon::editor
