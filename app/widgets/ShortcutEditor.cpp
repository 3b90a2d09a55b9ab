#include "app/widgets/ShortcutEditor.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/MainWindow.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr int kIdRole = Qt::UserRole;

QString readable(const QString& keys)
{
    QStringList shown;
    for (const QString& key : keys.split(QStringLiteral("; "), Qt::SkipEmptyParts))
        shown << QKeySequence(key, QKeySequence::PortableText).toString(QKeySequence::NativeText);
    return shown.join(QStringLiteral(", "));
}

} // namespace

ShortcutEditor::ShortcutEditor(MainWindow& window, QWidget* parent) : QWidget(parent), m_window(window)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(4), theme.px(10), theme.px(4), 0);
    column->setSpacing(theme.px(8));

    auto* top = new QHBoxLayout;
    auto* preset = new ChoiceBox;
    preset->setObjectName(QStringLiteral("shortcuts.preset"));
    preset->setAccessibleName(tr("Keys like"));
    preset->setToolTip(tr("Choose the program whose keys and mouse buttons you know"));
    for (const char* name : kKeyPresetNames) preset->addItem(QLatin1String(name));
    preset->setCurrentIndex(static_cast<int>(window.commands().preset()));
    connect(preset, &QComboBox::activated, this, [this](int index) {
        m_window.setKeyPreset(static_cast<KeyPreset>(index));
        fill();
    });
    m_filter = new QLineEdit;
    m_filter->setObjectName(QStringLiteral("shortcuts.filter"));
    m_filter->setPlaceholderText(tr("Find by name or key"));
    m_filter->setAccessibleName(m_filter->placeholderText());
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    top->addWidget(new QLabel(tr("Keys like")));
    top->addWidget(preset);
    top->addWidget(m_filter, 1);
    column->addLayout(top);

    m_list = new QTreeWidget;
    m_list->setObjectName(QStringLiteral("shortcuts.list"));
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setHeaderLabels({tr("Command"), tr("Keys"), tr("Menu")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setMinimumHeight(theme.px(140));
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showChosen);
    connect(m_list, &QTreeWidget::itemActivated, this, [this] { m_keys->setFocus(); });
    column->addWidget(m_list, 1);

    auto* row = new QHBoxLayout;
    m_keys = new QKeySequenceEdit;
    m_keys->setObjectName(QStringLiteral("shortcuts.keys"));
    m_keys->setAccessibleName(tr("New keys"));
    if (auto* inside = m_keys->findChild<QLineEdit*>()) inside->setAccessibleName(m_keys->accessibleName());
    m_keys->setToolTip(tr("Press the new keys for the chosen command"));
    m_assign = new QPushButton(tr("Assign"));
    m_assign->setObjectName(QStringLiteral("shortcuts.assign"));
    m_assign->setToolTip(tr("Give the command these keys; another command that has them loses them"));
    m_reset = new QPushButton(tr("Reset"));
    m_reset->setObjectName(QStringLiteral("shortcuts.reset"));
    m_reset->setToolTip(tr("Give the command the keys of the preset again"));
    m_resetAll = new QPushButton(tr("Reset all"));
    m_resetAll->setObjectName(QStringLiteral("shortcuts.resetAll"));
    m_resetAll->setToolTip(tr("Give all commands the keys of the preset again; asks first"));
    row->addWidget(m_keys, 1);
    row->addWidget(m_assign);
    row->addWidget(m_reset);
    row->addWidget(m_resetAll);
    column->addLayout(row);
    m_conflict = new QLabel;
    m_conflict->setObjectName(QStringLiteral("shortcuts.conflict"));
    m_conflict->setProperty("role", "hint");
    m_conflict->setWordWrap(true);
    column->addWidget(m_conflict);

    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::showConflicts);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutEditor::assign);
    connect(m_reset, &QPushButton::clicked, this, &ShortcutEditor::reset);
    connect(m_resetAll, &QPushButton::clicked, this, &ShortcutEditor::askToResetAll);
    fill();
}

const Command* ShortcutEditor::chosen() const
{
    const QTreeWidgetItem* row = m_list->currentItem();
    if (row == nullptr) return nullptr;
    const auto& all = m_window.commands().all();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const auto& command) { return command->id == row->data(0, kIdRole).toString(); });
    return found == all.end() ? nullptr : found->get();
}

void ShortcutEditor::fill()
{
    const QString before = chosen() == nullptr ? QString() : chosen()->id;
    CommandTable& commands = m_window.commands();
    m_list->clear();
    for (const auto& command : commands.all()) {
        auto* row = new QTreeWidgetItem(
            m_list, {command->text, readable(commands.keysOf(*command)), command->menu.join(QStringLiteral(" › "))});
        row->setData(0, kIdRole, command->id);
        row->setToolTip(0, command->tip);
        if (commands.hasOwnKeys(command->id)) {
            QFont font = row->font(1);
            font.setWeight(QFont::DemiBold);
            row->setFont(1, font);
            row->setToolTip(1, tr("Your own keys"));
        }
        if (command->id == before) m_list->setCurrentItem(row);
    }
    filter(m_filter->text());
    showChosen();
}

void ShortcutEditor::filter(const QString& text)
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = m_list->topLevelItem(i);
        const bool isFound = row->text(0).contains(text, Qt::CaseInsensitive) ||
                             row->text(1).contains(text, Qt::CaseInsensitive);
        row->setHidden(!isFound);
    }
}

void ShortcutEditor::showChosen()
{
    const Command* command = chosen();
    for (QWidget* each : std::initializer_list<QWidget*>{m_keys, m_assign}) each->setEnabled(command != nullptr);
    m_resetAll->setEnabled(ownCount() > 0);
    m_reset->setEnabled(command != nullptr && m_window.commands().hasOwnKeys(command->id));
    const QSignalBlocker blocker(m_keys);
    m_keys->setKeySequence(command == nullptr
                               ? QKeySequence()
                               : QKeySequence(m_window.commands().keysOf(*command).section(QStringLiteral("; "), 0, 0),
                                              QKeySequence::PortableText));
    showConflicts();
}

void ShortcutEditor::showConflicts()
{
    const Command* command = chosen();
    const QString keys = m_keys->keySequence().toString(QKeySequence::PortableText);
    const QStringList users = command == nullptr || keys.isEmpty() ? QStringList()
                                                                   : m_window.commands().usersOf(keys, command->id);
    m_conflict->setText(command == nullptr ? tr("Choose a command to change its keys.")
                        : users.isEmpty()  ? tr("No other command has these keys.")
                                           : tr("%1 also runs %2, which will lose it.")
                                                .arg(m_keys->keySequence().toString(QKeySequence::NativeText),
                                                     users.join(QStringLiteral(", "))));
}

void ShortcutEditor::assign()
{
    const Command* command = chosen();
    if (command == nullptr) return;
    CommandTable& commands = m_window.commands();
    const QString keys = m_keys->keySequence().toString(QKeySequence::PortableText);
    if (!keys.isEmpty())
        for (const auto& other : commands.all()) { // the key runs one command only
            if (other->id == command->id) continue;
            QStringList left = commands.keysOf(*other).split(QStringLiteral("; "), Qt::SkipEmptyParts);
            const auto isIt = [&](const QString& key) {
                return QKeySequence(key, QKeySequence::PortableText) == m_keys->keySequence();
            };
            if (std::none_of(left.begin(), left.end(), isIt)) continue;
            left.erase(std::remove_if(left.begin(), left.end(), isIt), left.end());
            commands.setOwnKeys(other->id, left.join(QStringLiteral("; ")));
        }
    commands.setOwnKeys(command->id, keys);
    m_list->setFocus(); // else the focus goes on to the button that takes all keys back
    fill();
}

int ShortcutEditor::ownCount() const
{
    const auto& all = m_window.commands().all();
    return static_cast<int>(std::count_if(
        all.begin(), all.end(), [this](const auto& command) { return m_window.commands().hasOwnKeys(command->id); }));
}

/// It cannot be undone, so it is asked about.
void ShortcutEditor::askToResetAll()
{
    auto* box = new QMessageBox(this);
    box->setObjectName(QStringLiteral("shortcuts.askReset"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("Reset all keys"));
    const int count = ownCount();
    box->setText(count == 1 ? tr("1 command has keys of your own.")
                            : tr("%n commands have keys of your own.", nullptr, count));
    box->setInformativeText(tr("They get the keys of the preset again. This cannot be undone."));
    auto* reset = box->addButton(tr("Reset all"), QMessageBox::DestructiveRole);
    auto* cancel = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    connect(box, &QMessageBox::finished, this, [this, box, reset] {
        if (box->clickedButton() != reset) return;
        m_window.commands().resetOwnKeys();
        fill();
    });
    box->open();
}

void ShortcutEditor::reset()
{
    if (const Command* command = chosen()) m_window.commands().setOwnKeys(command->id, std::nullopt);
    fill();
}

} // namespace tendon::editor
