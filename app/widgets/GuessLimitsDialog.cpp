#include "app/widgets/GuessLimitsDialog.h"

#include "app/editor/Editor.h"
#include "app/editor/Theme.h"
#include "app/widgets/RigNames.h"
#include "core/document/LimitGuess.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

/// A tree asks for the height that a text has on one line: this one gives the height in its column.
class WrappedText : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (index.column() == 0) return QStyledItemDelegate::sizeHint(option, index); // names stay on one line
        QStyleOptionViewItem inColumn = option;
        inColumn.rect = {0, 0, qobject_cast<const QTreeView*>(parent())->columnWidth(index.column()), 1};
        return QStyledItemDelegate::sizeHint(inColumn, index) + QSize(0, Theme::instance().px(12));
    }
};

} // namespace

GuessLimitsDialog::GuessLimitsDialog(Editor& editor, std::vector<JointId> joints, QWidget* parent)
    : QDialog(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    const Scene& scene = editor.document().scene();
    if (joints.empty())
        for (const Joint& joint : *scene.joints) joints.push_back(joint.id);
    setObjectName(QStringLiteral("guessLimits"));
    setWindowTitle(tr("Guess limits"));
    setMinimumWidth(theme.px(560));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(8));

    m_list = new QTreeWidget;
    m_list->setObjectName(QStringLiteral("guessLimits.list"));
    m_list->setAccessibleName(tr("Guessed limits"));
    m_list->setHeaderLabels({tr("Joint"), tr("Limits and why")});
    m_list->setRootIsDecorated(false);
    m_list->setWordWrap(true);
    m_list->setItemDelegate(new WrappedText(m_list));
    connect(m_list->header(), &QHeaderView::sectionResized, m_list, [this] { m_list->doItemsLayout(); });
    m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    for (const LimitGuess& guess : guessLimits(scene, joints)) {
        const QString reason = QString::fromStdString(guess.reason);
        auto* row = new QTreeWidgetItem(m_list, {nameIn(editor.document(), guess.joint.id.value), reason});
        if (guess.isFound)
            row->setCheckState(0, Qt::Checked);
        else
            row->setDisabled(true);
    }
    m_list->setMinimumHeight(theme.px(240));
    auto* hint = new QLabel(tr("Joints that have limits keep them. A joint that is greyed stays as it is."));
    hint->setProperty("role", "hint");
    hint->setWordWrap(true);
    column->addWidget(m_list);
    column->addWidget(hint);

    auto* buttons = new QDialogButtonBox;
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    m_set = buttons->addButton(tr("Set limits"), QDialogButtonBox::AcceptRole);
    m_set->setObjectName(QStringLiteral("guessLimits.set"));
    m_set->setToolTip(tr("Set the checked limits as one undo step"));
    m_set->setProperty("main", true);
    m_set->setDefault(true);
    column->addWidget(buttons);
    connect(m_list, &QTreeWidget::itemChanged, this, &GuessLimitsDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &GuessLimitsDialog::setLimits);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    refresh();
}

void GuessLimitsDialog::refresh()
{
    bool isAny = false;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        isAny |= m_list->topLevelItem(i)->checkState(0) == Qt::Checked;
    m_set->setEnabled(isAny);
}

void GuessLimitsDialog::setLimits()
{
    QJsonArray names;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (m_list->topLevelItem(i)->checkState(0) == Qt::Checked) names.append(m_list->topLevelItem(i)->text(0));
    if (m_editor.document().apply({{"op", "guessLimits"}, {"joints", names}})) accept();
}

} // namespace tendon::editor
