#include "app/widgets/UndoHistoryDialog.h"

#include "app/editor/EditorDocument.h"
#include "app/editor/Theme.h"
#include "app/widgets/NameRows.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace tendon::editor {

UndoHistoryDialog::UndoHistoryDialog(EditorDocument& document, QWidget* parent) : QDialog(parent), m_document(document)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("undoHistory"));
    setWindowTitle(tr("Undo history"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(10), theme.px(10), theme.px(10), theme.px(10));
    m_steps = new QListWidget;
    m_steps->setObjectName(QStringLiteral("undoHistory.steps"));
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setToolTip(tr("Choose a step to go to it; what comes after it can be redone"));
    m_steps->setUniformItemSizes(true);
    m_steps->setItemDelegate(new NameRows(m_steps));
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_steps->setMinimumHeight(theme.px(160));
    column->addWidget(m_steps);
    connect(m_steps, &QListWidget::currentRowChanged, this, &UndoHistoryDialog::goTo);
    connect(&document, &EditorDocument::recordedOperation, this, &UndoHistoryDialog::refresh);
    connect(&document, &EditorDocument::editChanged, this, &UndoHistoryDialog::refresh);
    connect(&document, &EditorDocument::gestureEnded, this, &UndoHistoryDialog::refresh);
    connect(&document, &EditorDocument::replaced, this, &UndoHistoryDialog::refresh);
    resize(theme.px(320), theme.px(380));
    refresh();
}

void UndoHistoryDialog::refresh()
{
    if (m_isGoing) return;
    const QSignalBlocker blocker(m_steps);
    const std::vector<std::string> texts = m_document.history().texts();
    while (m_steps->count() > static_cast<int>(texts.size())) delete m_steps->takeItem(m_steps->count() - 1);
    while (m_steps->count() < static_cast<int>(texts.size())) m_steps->addItem(QString());
    const int now = static_cast<int>(m_document.history().undoCount());
    for (int i = 0; i < m_steps->count(); ++i) {
        const std::string& text = texts[static_cast<std::size_t>(i)];
        QListWidgetItem* item = m_steps->item(i);
        item->setText(text.empty() ? tr("Start") : QString::fromStdString(text));
        item->setToolTip(item->text()); // a long name is shown in part
        item->setForeground(
            Theme::instance().color(i > now ? QStringLiteral("text.disabled") : QStringLiteral("text.primary")));
    }
    m_steps->setCurrentRow(now);
}

void UndoHistoryDialog::goTo(int row)
{
    if (row < 0) return;
    m_isGoing = true;
    const auto now = [this] { return static_cast<int>(m_document.history().undoCount()); };
    while (now() > row && m_document.undo()) {}
    while (now() < row && m_document.redo()) {}
    m_isGoing = false;
    refresh();
}

} // namespace tendon::editor
