#include "app/widgets/CommandSearch.h"

#include "app/editor/Theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {

CommandSearch::CommandSearch(CommandTable& commands, QWidget* home, QWidget* window)
    : QFrame(window), m_commands(commands), m_home(home)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("commandSearch"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(6), theme.px(6), theme.px(6), theme.px(6));
    m_text = new QLineEdit;
    m_text->setObjectName(QStringLiteral("commandSearch.text"));
    m_text->setPlaceholderText(tr("Search commands"));
    m_text->setAccessibleName(m_text->placeholderText());
    m_list = new QTreeWidget;
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setIconSize({theme.px(16), theme.px(16)});
    m_list->setColumnCount(3);
    m_list->header()->hide();
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch); // names are whole; the menus give way
    column->addWidget(m_text);
    column->addWidget(m_list);
    hide();
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, this, &CommandSearch::fill);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { run(*item); });
}

void CommandSearch::leave()
{
    // Before it is hidden: Qt gives the focus of what is hidden to whatever comes next, a button of the status line.
    QWidget* to = m_before != nullptr && m_before->isVisible() && m_before->isEnabled() ? m_before.data() : m_home;
    if (to != nullptr) to->setFocus(Qt::OtherFocusReason);
    hide();
}

void CommandSearch::run(const QTreeWidgetItem& item)
{
    const QString id = item.data(0, Qt::UserRole).toString();
    leave(); // before the command, which may open what takes the focus
    m_commands.run(id);
}

void CommandSearch::open()
{
    const Theme& theme = Theme::instance();
    const int width = std::min(theme.px(460), parentWidget()->width() - theme.px(40));
    setGeometry((parentWidget()->width() - width) / 2, theme.px(72), width, theme.px(320));
    m_commands.refresh();
    if (!m_text->hasFocus()) m_before = window()->focusWidget();
    m_text->clear();
    fill({});
    show();
    raise();
    m_text->setFocus(Qt::ShortcutFocusReason);
}

void CommandSearch::fill(const QString& text)
{
    struct Hit
    {
        int rank;
        const Command* command;
    };
    std::vector<Hit> hits;
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    const QString name = words.join(' ');
    for (const auto& command : m_commands.all()) {
        const QString named = command->menu.join(' ') + ' ' + command->text, whole = named + ' ' + command->tip;
        const auto hasWords = [&](const QString& in) {
            return std::all_of(words.begin(), words.end(),
                               [&](const QString& word) { return in.contains(word, Qt::CaseInsensitive); });
        };
        if (!hasWords(whole)) continue;
        const auto isNamed = [&name](const QString& in) {
            return in.compare(name, Qt::CaseInsensitive) == 0 ||
                   in.compare(name + QStringLiteral("…"), Qt::CaseInsensitive) == 0;
        };
        hits.push_back({isNamed(command->text)                                ? 0
                        : isNamed(named)                                      ? 1
                        : command->text.startsWith(name, Qt::CaseInsensitive) ? 2
                        : command->text.contains(name, Qt::CaseInsensitive)   ? 3
                        : hasWords(named)                                     ? 4
                                                                              : 5,
                        command.get()});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.rank < b.rank; });
    m_list->clear();
    const Theme& theme = Theme::instance();
    QPixmap none(m_list->iconSize()); // so that the names line up
    none.fill(Qt::transparent);
    for (const Hit& hit : hits) {
        const QAction* action = m_commands.action(hit.command->id);
        const QString menu = hit.command->menu.join(QStringLiteral(" › "));
        auto* item = new QTreeWidgetItem(
            m_list, {hit.command->text, menu, action->shortcut().toString(QKeySequence::NativeText)});
        item->setIcon(0, action->icon().isNull() ? QIcon(none) : action->icon());
        item->setData(0, Qt::UserRole, hit.command->id);
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        for (int column = 0; column < 3; ++column) {
            item->setToolTip(column, action->toolTip());
            if (!action->isEnabled() || column > 0)
                item->setForeground(column, theme.color(action->isEnabled() ? "text.hint" : "text.disabled"));
        }
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

bool CommandSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut && watched == m_text) hide();
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const int code = key->key();
    const bool isOurs = code == Qt::Key_Escape || code == Qt::Key_Return || code == Qt::Key_Enter ||
                        code == Qt::Key_Up || code == Qt::Key_Down;
    if (!isOurs) return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (code == Qt::Key_Escape) {
        leave();
    } else if (code == Qt::Key_Up || code == Qt::Key_Down) {
        const int step = code == Qt::Key_Up ? -1 : 1;
        const int row = m_list->indexOfTopLevelItem(m_list->currentItem()) + step;
        if (row >= 0 && row < m_list->topLevelItemCount()) m_list->setCurrentItem(m_list->topLevelItem(row));
    } else if (m_list->currentItem() != nullptr) {
        run(*m_list->currentItem());
    }
    return true;
}

} // namespace tendon::editor
