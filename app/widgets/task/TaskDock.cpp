#include "app/widgets/task/TaskDock.h"

#include "app/editor/Theme.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/Section.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace tendon::editor {

TaskDock::TaskDock(TaskBody* body, QWidget* parent) : QDockWidget(body->title(), parent), m_body(body)
{
    setObjectName(QStringLiteral("dock.task"));
    setFeatures(NoDockWidgetFeatures);
    setTitleBarWidget(makeHead());
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_area = new QScrollArea;
    m_area->setObjectName(QStringLiteral("task.area"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setMinimumHeight(Theme::instance().px(44)); // two rows; the rest scrolls
    m_area->setWidget(m_body);
    m_area->installEventFilter(this);
    m_body->installEventFilter(this);
    m_body->setFocusPolicy(Qt::ClickFocus); // while it has no rows yet
    column->addWidget(m_area, 1);
    column->addWidget(makeFooter());
    setWidget(inside);
    connect(m_body, &TaskBody::changed, this, &TaskDock::refresh);
    refresh();
}

QWidget* TaskDock::makeHead()
{
    const Theme& theme = Theme::instance();
    auto* head = new QFrame;
    head->setObjectName(QStringLiteral("taskHead"));
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("taskLine"));
    line->setFixedHeight(theme.px(2));
    column->addWidget(line);
    auto* bar = new QFrame;
    bar->setObjectName(QStringLiteral("dockTitle"));
    bar->setFixedHeight(theme.px(32));
    column->addWidget(bar);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(theme.px(10), 0, theme.px(6), 0);
    row->setSpacing(theme.px(6));
    auto* picture = new QLabel;
    const auto draw = [picture, name = m_body->picture()] {
        picture->setPixmap(
            iconPixmap(name, QStringLiteral("text.primary"), Theme::instance().px(16), picture->devicePixelRatioF()));
    };
    connect(&theme, &Theme::changed, picture, draw);
    draw();
    row->addWidget(picture);
    row->addWidget(headingOf(m_body->title()));
    m_subject = new ElidedLabel;
    m_subject->setProperty("role", "label");
    m_subject->setObjectName(QStringLiteral("task.subject"));
    row->addWidget(m_subject, 1);
    m_note = new QLabel;
    m_note->setProperty("role", "hint");
    row->addWidget(m_note);
    auto* help = pictureButton(QStringLiteral("help"), tr("Open the manual's page about this (F1)"),
                               QStringLiteral("text.secondary"));
    auto* close = pictureButton(QStringLiteral("close"), tr("Leave the task; nothing has changed (Esc)"),
                                QStringLiteral("text.secondary"));
    for (QToolButton* button : {help, close}) {
        button->setIconSize({theme.px(14), theme.px(14)});
        button->setFixedSize(theme.px(24), theme.px(24));
        row->addWidget(button);
    }
    help->setObjectName(QStringLiteral("task.help"));
    close->setObjectName(QStringLiteral("task.close"));
    connect(help, &QToolButton::clicked, this, &TaskDock::helpWanted);
    connect(close, &QToolButton::clicked, this, &TaskDock::cancelled);
    return head;
}

QWidget* TaskDock::makeFooter()
{
    const Theme& theme = Theme::instance();
    auto* footer = new QFrame;
    footer->setObjectName(QStringLiteral("taskFooter"));
    footer->setFixedHeight(theme.px(46));
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(theme.px(12), 0, theme.px(10), 0);
    row->setSpacing(theme.px(8));
    m_outcome = new ElidedLabel;
    m_outcome->setProperty("role", "label");
    m_outcome->setObjectName(QStringLiteral("task.outcome"));
    row->addWidget(m_outcome, 1);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("task.cancel"));
    cancel->setToolTip(tr("Leave the task; nothing has changed (Esc)"));
    connect(cancel, &QPushButton::clicked, this, &TaskDock::cancelled);
    row->addWidget(cancel);
    m_main = new QPushButton(m_body->mainText());
    m_main->setObjectName(QStringLiteral("task.main"));
    m_main->setProperty("main", true);
    connect(m_main, &QPushButton::clicked, m_body, &TaskBody::run);
    row->addWidget(m_main);
    return footer;
}

void TaskDock::refresh()
{
    m_subject->setText(m_body->subject());
    m_note->setText(m_body->note());
    m_outcome->setText(m_body->outcome());
    m_main->setText(m_body->mainText());
    const QString reason = m_body->whyNot();
    m_main->setEnabled(reason.isEmpty());
    m_main->setToolTip(reason.isEmpty() ? tr("Apply as one undo step (Ctrl+Enter)") : reason);
}

void TaskDock::takeFocus()
{
    for (QWidget* row : m_body->rows())
        if (row->isVisible()) return row->setFocus(Qt::OtherFocusReason);
    m_body->setFocus(Qt::OtherFocusReason);
}

void TaskDock::walk(int by)
{
    QList<QWidget*> rows;
    int at = -1;
    for (QWidget* row : m_body->rows()) {
        if (!row->isVisible()) continue;
        if (row == focusWidget() || row->isAncestorOf(focusWidget())) at = static_cast<int>(rows.size());
        rows << row;
    }
    if (rows.isEmpty()) return;
    const int last = static_cast<int>(rows.size()) - 1;
    QWidget* next = rows[at < 0 ? 0 : std::clamp(at + by, 0, last)];
    next->setFocus(Qt::TabFocusReason);
    reveal(*next);
}

void TaskDock::reveal(QWidget& part)
{
    const auto show = [this, part = QPointer(&part)] {
        if (part != nullptr) m_area->ensureWidgetVisible(part, 0, Theme::instance().px(8));
    };
    show();
    QTimer::singleShot(0, this, show); // again, if its section has just been unfolded and has no place yet
}

bool TaskDock::takeKey(const QKeyEvent& key)
{
    const bool isWalk = key.key() == Qt::Key_Up || key.key() == Qt::Key_Down;
    if (!isWalk || m_body->rows().isEmpty()) return false;
    walk(key.key() == Qt::Key_Down ? 1 : -1);
    return true;
}

void TaskDock::keyPressEvent(QKeyEvent* event)
{
    if (!takeKey(*event)) QDockWidget::keyPressEvent(event);
}

bool TaskDock::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_area && event->type() == QEvent::KeyPress && takeKey(*static_cast<QKeyEvent*>(event))) return true;
    if (watched == m_body && event->type() == QEvent::LayoutRequest) // nothing of it is cut off, beside the scroll bar
        m_area->setMinimumWidth(m_body->minimumSizeHint().width() + m_area->verticalScrollBar()->sizeHint().width());
    return QDockWidget::eventFilter(watched, event);
}

TaskRow::TaskRow(QWidget* parent) : QFrame(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void TaskRow::setLit(bool isLit)
{
    if (m_isLit == isLit) return;
    m_isLit = isLit;
    update();
}

bool TaskRow::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ShortcutOverride: { // keys that do something here are no shortcuts
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isPlain = key->modifiers() == Qt::NoModifier;
        if (isPlain && (key->key() == Qt::Key_Space || key->key() == Qt::Key_Up || key->key() == Qt::Key_Down ||
                        key->key() == Qt::Key_Return)) {
            event->accept();
            return true;
        }
        break;
    }
    case QEvent::KeyPress: {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() != Qt::NoModifier) break;
        if (key->key() == Qt::Key_Space) emit ticked();
        if (key->key() == Qt::Key_Return) emit clicked({});
        if (key->key() == Qt::Key_Space || key->key() == Qt::Key_Return) return true;
        break;
    }
    case QEvent::Enter:
    case QEvent::FocusIn: emit pointedAt(true); break;
    case QEvent::Leave: emit pointedAt(false); break;
    case QEvent::FocusOut:
        if (!underMouse()) emit pointedAt(false);
        break;
    case QEvent::MouseButtonPress: m_isPressed = static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton; break;
    case QEvent::MouseButtonRelease:
        if (m_isPressed && rect().contains(static_cast<QMouseEvent*>(event)->position().toPoint()))
            emit clicked(static_cast<QMouseEvent*>(event)->modifiers());
        m_isPressed = false;
        break;
    default: break;
    }
    return QFrame::event(event);
}

void TaskRow::paintEvent(QPaintEvent* event)
{
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    if (m_isLit || hasFocus() || underMouse()) painter.fillRect(rect(), theme.color("surface.row-hover"));
    if (m_isLined) painter.fillRect(0, height() - 1, width(), 1, theme.color("line.soft"));
    if (m_isLit || hasFocus()) painter.fillRect(0, 0, theme.px(3), height(), theme.color("accent.fill"));
    painter.end();
    QFrame::paintEvent(event);
}

} // namespace tendon::editor
