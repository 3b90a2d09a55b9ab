#include "app/widgets/task/Tasks.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Outliner.h"
#include "app/widgets/Section.h"

#include <QMainWindow>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <tuple>

namespace tendon::editor {
namespace {

// [px] at 100 %: how wide a window a task needs to be as wide as in the middle column; narrower ones fold the outliner.
constexpr int kLargeWindow = 1500, kMiddleWindow = 1300;

int widthIn(int window)
{
    const Theme& theme = Theme::instance();
    return theme.px(window >= theme.px(kLargeWindow) ? 560 : window >= theme.px(kMiddleWindow) ? 520 : 460);
}

} // namespace

Tasks::Tasks(QMainWindow& window) : QObject(&window), m_window(window) {}

void Tasks::open(TaskBody* body)
{
    const bool isSmall = m_window.width() < Theme::instance().px(kLargeWindow);
    if (m_dock != nullptr)
        dropDock(); // what it hides stays hidden
    else
        hideDocks(isSmall);
    m_dock = new TaskDock(body, &m_window);
    body->setCompact(isSmall);
    connect(m_dock, &TaskDock::cancelled, this, &Tasks::leave);
    connect(m_dock, &TaskDock::helpWanted, this, &Tasks::helpWanted);
    connect(body, &TaskBody::finished, this, &Tasks::leave);
    connect(body, &TaskBody::changed, this, &Tasks::changed);
    m_dock->setMinimumWidth(Theme::instance().px(460));
    m_window.addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->show();
    m_window.resizeDocks({m_dock}, {widthIn(m_window.width())}, Qt::Horizontal);
    body->begin();
    m_dock->takeFocus();
    emit changed();
}

/// The right docks, and in a small window the left ones, too: the outliner folds.
void Tasks::hideDocks(bool isSmall)
{
    auto* outliner = m_window.findChild<QDockWidget*>(QStringLiteral("dock.outliner"));
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock);
        const bool isInTheWay = area == Qt::RightDockWidgetArea || (area == Qt::LeftDockWidgetArea && isSmall);
        if (dock->isHidden() || dock->isFloating() || !isInTheWay) continue;
        m_hidden << dock;
        m_widths << dock->width() / Theme::instance().scale();
    }
    for (const auto& dock : m_hidden) dock->hide(); // first: a low window would have to grow for rail and outliner
    if (m_hidden.contains(outliner)) addRail();
}

void Tasks::dropDock()
{
    TaskDock* dock = m_dock;
    dock->body().end();
    m_dock = nullptr;
    m_window.removeDockWidget(dock);
    dock->hide();
    dock->deleteLater(); // it may be what calls
}

void Tasks::leave()
{
    if (m_dock == nullptr) return;
    const bool hadFocus = m_dock->isAncestorOf(m_window.focusWidget());
    dropDock();
    removeRail();
    QList<QDockWidget*> docks;
    QList<int> widths;
    for (int i = 0; i < m_hidden.size(); ++i) {
        if (m_hidden[i] == nullptr) continue;
        m_hidden[i]->show();
        docks << m_hidden[i];
        widths << qRound(m_widths[i] * Theme::instance().scale());
    }
    m_hidden.clear();
    m_widths.clear();
    m_window.resizeDocks(docks, widths, Qt::Horizontal);
    if (auto* view = m_window.findChild<QWidget*>(QStringLiteral("viewport")); hadFocus && view != nullptr)
        view->setFocus(Qt::OtherFocusReason);
    emit changed();
}

/// A column of pictures in the outliner's place: any of them unfolds it, at what it shows.
void Tasks::addRail()
{
    const Theme& theme = Theme::instance();
    auto* rail = new QWidget;
    rail->setFixedWidth(theme.px(26));
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(theme.px(1), theme.px(4), theme.px(1), 0);
    column->setSpacing(theme.px(2));
    m_rail = new QDockWidget(tr("Outliner, folded"), &m_window);
    m_rail->setObjectName(QStringLiteral("dock.rail"));
    m_rail->setFeatures(QDockWidget::NoDockWidgetFeatures);
    m_rail->setTitleBarWidget(new QWidget);
    m_rail->setWidget(rail);
    const std::tuple<const char*, QString, int> parts[] = {{"chevron-right", tr("Unfold the outliner"), -1},
                                                           {"skeleton", tr("Unfold the outliner at the joints"), 0},
                                                           {"ik-handle", tr("Unfold the outliner at the handles"), 1},
                                                           {"mesh", tr("Unfold the outliner at the meshes"), 2}};
    for (const auto& [picture, tip, group] : parts) {
        auto* button = pictureButton(QLatin1StringView(picture), tip, QStringLiteral("text.secondary"));
        button->setIconSize({theme.px(16), theme.px(16)});
        button->setFixedSize(theme.px(24), theme.px(24));
        column->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, group = group] {
            auto* outliner = m_window.findChild<QDockWidget*>(QStringLiteral("dock.outliner"));
            removeRail();
            outliner->show();
            QTreeWidget* tree = outliner->findChild<Outliner*>()->tree();
            if (QTreeWidgetItem* row = tree->topLevelItem(group))
                tree->scrollToItem(row, QAbstractItemView::PositionAtTop);
        });
    }
    column->addStretch(1);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, m_rail);
    m_rail->show();
}

void Tasks::removeRail()
{
    if (m_rail == nullptr) return;
    m_window.removeDockWidget(m_rail);
    m_rail->hide();
    m_rail->deleteLater();
    m_rail = nullptr;
}

} // namespace tendon::editor
