#include "app/widgets/RecentMenu.h"

#include "app/editor/RecentFiles.h"
#include "app/editor/Theme.h"
#include "app/widgets/FileActions.h"
#include "resources/samples/Samples.h"

#include <QFileInfo>
#include <QMenu>
#include <QPainter>

namespace tendon::editor {
namespace {

QString textOf(const QString& entry)
{
    if (!RecentFiles::isSample(entry)) return QFileInfo(entry).fileName();
    for (const Sample& sample : listSamples())
        if (entry.mid(7) == QLatin1StringView(sample.name.data(), static_cast<qsizetype>(sample.name.size())))
            return QObject::tr("%1 (sample)")
                .arg(QString::fromUtf8(sample.title.data(), static_cast<qsizetype>(sample.title.size())));
    return entry;
}

/// The picture in a square of the menu's icon size; an empty frame if there is none, so that the names line up.
QIcon iconOf(const QString& entry)
{
    const Theme& theme = Theme::instance();
    const int side = theme.px(48);
    QPixmap square(side, side);
    square.fill(Qt::transparent);
    QPainter painter(&square);
    const QImage picture = RecentFiles::picture(entry);
    const QRect place(0, side / 6, side, side * 2 / 3);
    if (!picture.isNull()) painter.drawImage(place, picture);
    painter.setPen(theme.color("line.control"));
    painter.drawRect(place.adjusted(0, 0, -1, -1));
    return square;
}

void fill(QMenu& menu, FileActions& files)
{
    menu.clear();
    for (const QString& entry : RecentFiles::list()) {
        const bool isThere = RecentFiles::isThere(entry);
        QAction* action = menu.addAction(iconOf(entry),
                                         textOf(entry) + (isThere ? QString() : QObject::tr("  (missing)")), &files,
                                         [&files, entry] { files.openRecent(entry); });
        action->setObjectName(entry);
        action->setToolTip(entry);
        action->setEnabled(isThere);
    }
    if (menu.isEmpty()) {
        menu.addAction(QObject::tr("No recent files"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    menu.addAction(QObject::tr("Clear list"), [] { RecentFiles::clear(); });
}

} // namespace

void fillRecentMenu(QMenu& menu, FileActions& files)
{
    menu.setObjectName(QStringLiteral("recentMenu")); // Style gives menus of this name large icons
    menu.setToolTipsVisible(true);
    QObject::connect(&menu, &QMenu::aboutToShow, &files, [&menu, &files] { fill(menu, files); });
    fill(menu, files);
}

} // namespace tendon::editor
