#include "app/widgets/LogPanel.h"

#include "app/editor/Theme.h"
#include "app/widgets/IssueRows.h"
#include "app/widgets/Section.h"
#include "core/document/Operation.h"
#include "core/io/export/KeptModel.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QTextBlock>
#include <QTextCursor>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

constexpr int kMaxMessages = 2000;

QVBoxLayout* columnWithButtons(QWidget* panel,
                               const QList<std::tuple<QString, QString, std::function<void()>>>& buttons)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(theme.px(6), theme.px(2), theme.px(6), theme.px(2));
    for (const auto& [picture, tip, run] : buttons) {
        auto* button = pictureButton(picture, tip);
        QObject::connect(button, &QToolButton::clicked, panel, run);
        row->addWidget(button);
    }
    row->addStretch(1);
    column->addLayout(row);
    return column;
}

} // namespace

LogPanel::LogPanel(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    m_list = new QListWidget;
    m_list->setObjectName(QStringLiteral("log"));
    m_list->setAccessibleName(tr("Messages"));
    makeIssueList(*m_list);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection); // for copying
    auto* empty = new QLabel(tr("No problems found"), m_list);
    empty->setProperty("role", "hint");
    empty->move(Theme::instance().px(10), Theme::instance().px(6));
    // Not with the panel as context: the model emits when it is destroyed, after the panel.
    const auto showEmpty = [model = m_list->model(), empty] { empty->setVisible(model->rowCount() == 0); };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_list->model(), signal, empty, showEmpty);
    connect(m_list->model(), &QAbstractItemModel::modelReset, empty, showEmpty);
    const auto copy = [this] {
        QStringList lines;
        for (int i = 0; i < m_list->count(); ++i)
            if (m_list->selectedItems().isEmpty() || m_list->item(i)->isSelected()) lines << m_list->item(i)->text();
        QApplication::clipboard()->setText(lines.join('\n'));
    };
    auto* column = columnWithButtons(this, {{"copy", tr("Copy the selected messages, or all of them"), copy},
                                            {"trash", tr("Clear"), [this] { m_list->clear(); }}});
    column->addWidget(m_list, 1);
    auto* shortcut = new QShortcut(QKeySequence::Copy, m_list, copy, Qt::WidgetShortcut);
    shortcut->setObjectName(QStringLiteral("log.copy"));
    connect(m_list, &QListWidget::itemDoubleClicked, this, [this](QListWidgetItem* item) {
        const ObjectId object = item->data(Qt::UserRole).toULongLong();
        const Scene& scene = m_editor.document().scene();
        if (scene.find(JointId{object}) != nullptr) m_editor.selection().select(SelectionItem::of(JointId{object}));
        if (scene.find(HandleId{object}) != nullptr) m_editor.selection().select(SelectionItem::of(HandleId{object}));
    });
    connect(&editor.document(), &EditorDocument::reported, this, &LogPanel::add);
}

int LogPanel::count() const { return m_list->count(); }

void LogPanel::add(const Issues& issues)
{
    const bool isAtEnd = m_list->count() == 0 || m_list->currentRow() < 0;
    for (const Issue& issue : issues) {
        auto* row = addFinding(*m_list, markOf(issue.severity),
                               QTime::currentTime().toString("HH:mm:ss  ") + textOf(issue));
        row->setData(Qt::UserRole, QVariant::fromValue<qulonglong>(issue.object));
    }
    while (m_list->count() > kMaxMessages) delete m_list->takeItem(0);
    if (isAtEnd) m_list->scrollToBottom();
}

ScriptPanel::ScriptPanel(Editor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    setObjectName(QStringLiteral("scriptPanel"));
    m_text = new QPlainTextEdit;
    m_text->setObjectName(QStringLiteral("script"));
    m_text->setAccessibleName(tr("Script"));
    m_text->setTabChangesFocus(true);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(Theme::instance().monoFont(12));
    m_text->setPlaceholderText(tr("The operations that you carry out appear here"));
    const auto save = [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Save script"), QStringLiteral("script.json"),
                                                          tr("Scripts (*.json)"));
        if (path.isEmpty()) return;
        if (const auto written = writeBeside(m_editor.document().scene(), m_editor.document().path(),
                                             path.toStdString(), text().toStdString());
            !written)
            emit m_editor.document().reported({{Severity::Error, written.error().message, written.error().where, 0}});
    };
    auto* column = columnWithButtons(this,
                                     {{"copy", tr("Copy all"), [this] { QApplication::clipboard()->setText(text()); }},
                                      {"save", tr("Save as a script for `tendon run`"), save}});
    column->addWidget(m_text, 1);
    connect(&editor.document(), &EditorDocument::replaced, this, &ScriptPanel::rebuild);
    connect(&editor.document(), &EditorDocument::recordedOperation, this,
            [this](const QJsonObject& operation, bool replacesLast) {
                const QString line = QString::fromStdString(operationToJson(operation));
                if (replacesLast) {
                    QTextCursor cursor(m_text->document()->lastBlock());
                    cursor.select(QTextCursor::LineUnderCursor);
                    cursor.insertText(line);
                } else {
                    m_text->appendPlainText(line);
                }
            });
    rebuild();
}

QString ScriptPanel::text() const { return m_text->toPlainText() + '\n'; }

void ScriptPanel::rebuild()
{
    m_text->clear();
    for (const QJsonObject& operation : m_editor.document().recorded())
        m_text->appendPlainText(QString::fromStdString(operationToJson(operation)));
}

} // namespace tendon::editor
