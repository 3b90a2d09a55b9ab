#include "app/widgets/CommandSearch.h"

#include "app/editor/Theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {

CommandSearch::CommandSearch(CommandTable& commands, QWidget* window) : QFrame(window), m_commands(commands)
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
    m_list = new QListWidget;
    m_list->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_text);
    column->addWidget(m_list);
    hide();
    m_text->installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, this, &CommandSearch::fill);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        hide();
        m_commands.run(item->data(Qt::UserRole).toString());
    });
}

void CommandSearch::open()
{
    const Theme& theme = Theme::instance();
    const int width = std::min(theme.px(460), parentWidget()->width() - theme.px(40));
    setGeometry((parentWidget()->width() - width) / 2, theme.px(72), width, theme.px(320));
    m_commands.refresh();
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
    for (const auto& command : m_commands.all()) {
        const QString whole = command->menu + ' ' + command->text + ' ' + command->tip;
        if (!std::all_of(words.begin(), words.end(), [&](const QString& word) { return whole.contains(word, Qt::CaseInsensitive); })) continue;
        hits.push_back({command->text.startsWith(text, Qt::CaseInsensitive) ? 0 : command->text.contains(text, Qt::CaseInsensitive) ? 1 : 2, command.get()});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.rank < b.rank; });
    m_list->clear();
    for (const Hit& hit : hits) {
        const QAction* action = m_commands.action(hit.command->id);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const QString menu = QString(hit.command->menu).replace('|', QStringLiteral(" › "));
        auto* item = new QListWidgetItem(action->icon(), hit.command->text + (menu.isEmpty() ? QString() : "   " + menu) + (keys.isEmpty() ? QString() : "   " + keys));
        item->setData(Qt::UserRole, hit.command->id);
        item->setToolTip(action->toolTip());
        if (!action->isEnabled()) item->setForeground(Theme::instance().color("text.disabled"));
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

bool CommandSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut && watched == m_text) hide();
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const int code = key->key();
    const bool isOurs = code == Qt::Key_Escape || code == Qt::Key_Return || code == Qt::Key_Enter || code == Qt::Key_Up || code == Qt::Key_Down;
    if (!isOurs) return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (code == Qt::Key_Escape) {
        hide();
    } else if (code == Qt::Key_Up || code == Qt::Key_Down) {
        const int step = code == Qt::Key_Up ? -1 : 1;
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
    } else if (m_list->currentItem() != nullptr) {
        const QString id = m_list->currentItem()->data(Qt::UserRole).toString();
        hide();
        m_commands.run(id);
    }
    return true;
}

} // namespace tendon::editor
