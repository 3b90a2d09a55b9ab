#include "tests/gui/ClippedText.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/NumberField.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QTabBar>
#include <QToolButton>

namespace tendon::test {

using namespace editor;

namespace {

QString told(const QWidget* widget, const QString& text, int needed, int room)
{
    QString path;
    for (const QWidget* at = widget; at != nullptr && !at->isWindow(); at = at->parentWidget())
        if (!at->objectName().isEmpty()) path += at->objectName() + " < ";
    return QStringLiteral("%1 \"%2\" needs %3 and has %4 px in %5")
        .arg(QLatin1StringView(widget->metaObject()->className()), text)
        .arg(needed)
        .arg(room)
        .arg(path);
}

/// How much of a widget's width is to be seen: up to the edges of what it scrolls in.
int seenWidth(const QWidget* widget)
{
    QRect seen = widget->rect();
    for (const QWidget* at = widget; !at->isWindow(); at = at->parentWidget()) {
        if (at->parentWidget() == nullptr) break;
        const QRect above = at->parentWidget()->rect().translated(-at->mapTo(at->parentWidget(), QPoint()));
        const QPoint origin = widget->mapTo(at, QPoint());
        const int left = std::max(seen.left(), above.left() - origin.x()),
                  right = std::min(seen.right(), above.right() - origin.x());
        seen.setLeft(left);
        seen.setRight(right);
    }
    return seen.width();
}

QString clippedIn(const QLabel& label)
{
    const bool isElided = qobject_cast<const ElidedLabel*>(&label) != nullptr;
    if (label.text().isEmpty() || isElided || !label.pixmap().isNull()) return {};
    const int line = label.fontMetrics().height();
    if (label.height() + 1 < line) return told(&label, label.text(), line, label.height());
    if (label.wordWrap()) {
        const int needed = label.heightForWidth(label.width());
        return needed <= label.height() + 1 ? QString() : told(&label, label.text(), needed, label.height());
    }
    const int needed = label.sizeHint().width(), room = std::min(label.width(), seenWidth(&label));
    return needed <= room + 1 ? QString() : told(&label, label.text(), needed, room);
}

QString clippedIn(const QAbstractButton& button)
{
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    const bool isPicture = tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly;
    if (button.text().isEmpty() || isPicture) return {};
    const int needed = button.sizeHint().width(), room = std::min(button.width(), seenWidth(&button));
    return needed <= room + 2 ? QString() : told(&button, button.text(), needed, room);
}

QString clippedIn(const QComboBox& box)
{
    if (qobject_cast<const ChoiceBox*>(&box) != nullptr) return {}; // shortens its text, and says all of it in a tip
    const int needed = box.sizeHint().width();
    return needed <= box.width() + 1 ? QString() : told(&box, box.currentText(), needed, box.width());
}

QString clippedIn(const QLineEdit& line)
{
    if (line.placeholderText().isEmpty() || !line.text().isEmpty()) return {};
    const int needed = line.fontMetrics().horizontalAdvance(line.placeholderText());
    const int room = std::min(line.width(), seenWidth(&line)) - line.textMargins().left() - line.textMargins().right();
    return needed <= room ? QString() : told(&line, line.placeholderText(), needed, room);
}

/// Of a list that wraps words, a row that is too low for its text.
QString clippedIn(const QListWidget& list)
{
    for (int i = 0; list.wordWrap() && list.viewMode() == QListView::ListMode && i < list.count(); ++i) {
        const QRect row = list.visualItemRect(list.item(i));
        const int width = std::max(1, row.width() - list.iconSize().width());
        const QString text = list.item(i)->text();
        const int needed = list.fontMetrics().boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, text).height();
        if (needed > row.height()) return told(&list, text, needed, row.height());
    }
    return {};
}

QString clippedIn(const QHeaderView& header)
{
    if (header.orientation() != Qt::Horizontal || header.model() == nullptr) return {};
    for (int i = 0; i < header.count(); ++i) {
        const QString title = header.model()->headerData(i, Qt::Horizontal).toString();
        const int needed = header.fontMetrics().horizontalAdvance(title), room = header.sectionSize(i);
        if (!header.isSectionHidden(i) && needed > room) return told(&header, title, needed, room);
    }
    return {};
}

QString clippedIn(const QTabBar& tabs)
{
    for (int i = 0; i < tabs.count(); ++i) {
        const int needed = tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)), room = tabs.tabRect(i).width();
        const bool isSeen = tabs.tabRect(i).right() <= tabs.width();
        if (needed > room || !isSeen) return told(&tabs, tabs.tabText(i), needed, isSeen ? room : 0);
    }
    return {};
}

QString clippedIn(const NumberField& field)
{
    const NumberField::Shown shown = field.shown();
    const int room = shown.right - shown.left;
    const int needed = QFontMetrics(Theme::instance().font(12)).horizontalAdvance(shown.number);
    const bool isWhole = !shown.number.isEmpty() && !shown.number.endsWith(QChar(0x2026)) && needed <= room &&
                         seenWidth(&field) >= field.width();
    return isWhole ? QString() : told(&field, field.text(), needed, room);
}

} // namespace

QString clippedIn(const QWidget& window)
{
    for (const auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window || widget->objectName().startsWith("qt_")) continue;
        QString found;
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            found = clippedIn(*label);
        else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            found = qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr ? QString() : clippedIn(*button);
        else if (const auto* box = qobject_cast<const QComboBox*>(widget))
            found = clippedIn(*box);
        else if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            found = clippedIn(*tabs);
        else if (const auto* field = qobject_cast<const NumberField*>(widget))
            found = clippedIn(*field);
        else if (const auto* line = qobject_cast<const QLineEdit*>(widget))
            found = clippedIn(*line);
        else if (const auto* list = qobject_cast<const QListWidget*>(widget))
            found = clippedIn(*list);
        else if (const auto* header = qobject_cast<const QHeaderView*>(widget))
            found = clippedIn(*header);
        if (!found.isEmpty()) return found;
    }
    if (const auto* main = qobject_cast<const QMainWindow*>(&window))
        for (QAction* menu : main->menuBar()->actions())
            if (main->menuBar()->actionGeometry(menu).isEmpty()) return told(main, menu->text(), 1, 0);
    return {};
}

QString overlappingIn(const QMainWindow& window)
{
    QList<const QWidget*> parts;
    for (const auto* part : window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (part->isVisible() && !part->isWindow() && part->height() > 0 && !part->objectName().startsWith("qt_") &&
            !part->inherits("tendon::editor::CommandSearch") && !part->inherits("tendon::editor::FirstRunOverlay") &&
            !part->inherits("QFocusFrame"))
            parts << part; // those lie over the others
    const auto* bottom = window.findChild<QWidget*>(QStringLiteral("bottom"));
    QList<QList<const QWidget*>> groups = {parts, {}};
    for (const auto* part : bottom->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (part->isVisible()) groups[1] << part;
    for (const auto& group : groups)
        for (qsizetype i = 0; i < group.size(); ++i) {
            if (!group[i]->parentWidget()->rect().contains(group[i]->geometry()))
                return told(group[i], QStringLiteral("inside its parent"), group[i]->geometry().bottom(),
                            group[i]->parentWidget()->height());
            for (qsizetype k = i + 1; k < group.size(); ++k)
                if (group[i]->geometry().intersects(group[k]->geometry()) &&
                    group[i]->metaObject()->className() != QLatin1StringView("QDockWidgetGroupWindow"))
                    return told(group[i], QLatin1StringView(group[k]->metaObject()->className()), 0, 0);
        }
    return {};
}

} // namespace tendon::test
