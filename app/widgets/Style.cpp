#include "app/widgets/Style.h"

#include "app/editor/Theme.h"
#include "app/widgets/FocusRing.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NumberReader.h"

#include <QApplication>
#include <QFile>
#include <QMetaEnum>
#include <QPalette>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QWidget>

namespace tendon::editor {
namespace {

class Metrics : public QProxyStyle
{
public:
    Metrics() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override
    {
        switch (metric) {
        case PM_SmallIconSize:
            return Theme::instance().px(
                widget != nullptr && widget->objectName() == QLatin1StringView("recentMenu") ? 48 : 16);
        case PM_ButtonIconSize: return Theme::instance().px(16);
        case PM_ToolBarExtensionExtent: return Theme::instance().px(24);
        case PM_ToolBarIconSize: return Theme::instance().px(20);
        case PM_FocusFrameHMargin:
        case PM_FocusFrameVMargin: return 3;
        default: return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }
    QIcon standardIcon(StandardPixmap picture, const QStyleOption* option, const QWidget* widget) const override
    {
        if (picture == SP_ToolBarHorizontalExtensionButton)
            return icon(QStringLiteral("more")); // the style's own icon is black
        return QProxyStyle::standardIcon(picture, option, widget);
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override
    {
        switch (hint) {
        case SH_FocusFrame_AboveWidget: return 1;           // not clipped by the widget's parent
        case SH_DialogButtonBox_ButtonsHaveIcons: return 0; // its icons are not ours
        case SH_ToolTip_WakeUpDelay: return 500;
        case SH_EtchDisabledText: return 0;
        default: return QProxyStyle::styleHint(hint, option, widget, data);
        }
    }
};

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    const auto roles = QMetaEnum::fromType<QPalette::ColorRole>();
    for (auto entry = theme.paletteRoles().begin(); entry != theme.paletteRoles().end(); ++entry) {
        const bool isDisabled = entry.key().startsWith(QLatin1StringView("Disabled/"));
        const QString role = isDisabled ? entry.key().mid(9) : entry.key();
        bool isKnown = false;
        const int value = roles.keyToValue(role.toLatin1().constData(), &isKnown);
        if (!isKnown) continue;
        palette.setColor(isDisabled ? QPalette::Disabled : QPalette::All, static_cast<QPalette::ColorRole>(value),
                         theme.color(entry.value()));
    }
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.color(QStringLiteral("text.disabled")));
    return palette;
}

/// The style sheet with @group.name@, @u(n)@ and @icon(name,group.name)@ filled in.
QString sheetOf(const Theme& theme)
{
    QFile file(QStringLiteral(":/tendon/look/tendon.qss.in"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString source = QString::fromUtf8(file.readAll());
    static const QRegularExpression placeholder(QStringLiteral("@([^@\\n]+)@"));
    static const QRegularExpression call(QStringLiteral("^(u|icon)\\(([^)]*)\\)$"));
    QString result;
    qsizetype at = 0;
    for (auto matches = placeholder.globalMatch(source); matches.hasNext();) {
        const auto match = matches.next();
        result += source.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        const auto function = call.match(match.captured(1));
        if (!function.hasMatch()) {
            const QColor color = theme.color(match.captured(1));
            result += color.alpha() == 255 ? color.name()
                                           : QStringLiteral("rgba(%1,%2,%3,%4)")
                                                 .arg(color.red())
                                                 .arg(color.green())
                                                 .arg(color.blue())
                                                 .arg(color.alpha());
        } else if (function.captured(1) == QLatin1StringView("u")) {
            result += QString::number(theme.px(function.captured(2).toDouble())) + "px";
        } else {
            const QStringList arguments = function.captured(2).split(',');
            result += iconFile(arguments.value(0), arguments.value(1));
        }
    }
    return result + source.mid(at);
}

void applyTheme(QApplication& application)
{
    const Theme& theme = Theme::instance();
    QApplication::setPalette(paletteOf(theme));
    QApplication::setFont(theme.font());
    application.setStyleSheet(sheetOf(theme));
}

} // namespace

void installStyle(QApplication& application)
{
    QApplication::setStyle(new Metrics);
    installFocusRing(application);
    installNumberReader();
    applyTheme(application);
    QObject::connect(&Theme::instance(), &Theme::changed, &application, [&application] { applyTheme(application); });
}

} // namespace tendon::editor
