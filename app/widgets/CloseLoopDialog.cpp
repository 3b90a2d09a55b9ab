#include "app/widgets/CloseLoopDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/RigNames.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

QJsonArray selectedJointNames(Editor& editor)
{
    QJsonArray names;
    for (const SelectionItem& item : editor.selection().items())
        if (item.joint().isValid()) names.append(nameIn(editor.document(), item.object));
    return names;
}

} // namespace

CloseLoopDialog::CloseLoopDialog(Editor& editor, QWidget* parent)
    : QDialog(parent), m_editor(editor), m_frames(new QSpinBox),
      m_keepsTravel(new QRadioButton(tr("Keep it: each loop continues where the last one ended"))),
      m_removesTravel(new QRadioButton(tr("Remove it: the figure ends where it started"))),
      m_onlySelected(new QCheckBox(tr("Only the selected joints")))
{
    const Theme& theme = Theme::instance();
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("closeLoop"));
    setWindowTitle(tr("Close loop"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(8));
    auto* row = new QHBoxLayout;
    auto* frames = new QLabel(tr("Frames over which the end blends into the start"));
    frames->setBuddy(m_frames);
    m_frames->setObjectName(QStringLiteral("closeLoop.frames"));
    m_frames->setAccessibleName(frames->text());
    m_frames->setToolTip(fieldHelp("closeLoop", "frames"));
    constexpr int kUsual = 8, kMost = 1000;
    m_frames->setRange(1, kMost);
    m_frames->setAlignment(Qt::AlignRight);
    m_frames->setValue(kUsual);
    row->addWidget(frames, 1);
    row->addWidget(m_frames);
    column->addLayout(row);
    auto* travel = new QLabel(tr("Travel from the first frame to the last"));
    travel->setProperty("role", "label");
    column->addWidget(travel);
    m_keepsTravel->setObjectName(QStringLiteral("closeLoop.keep"));
    m_removesTravel->setObjectName(QStringLiteral("closeLoop.remove"));
    m_keepsTravel->setChecked(true);
    for (QRadioButton* choice : {m_keepsTravel, m_removesTravel}) {
        choice->setToolTip(fieldHelp("closeLoop", "travel"));
        column->addWidget(choice);
    }
    m_onlySelected->setObjectName(QStringLiteral("closeLoop.selected"));
    m_onlySelected->setToolTip(fieldHelp("closeLoop", "joints"));
    m_onlySelected->setEnabled(!selectedJointNames(editor).isEmpty());
    column->addWidget(m_onlySelected);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* close = buttons->addButton(tr("Close loop"), QDialogButtonBox::AcceptRole);
    close->setObjectName(QStringLiteral("closeLoop.run"));
    close->setProperty("main", true);
    close->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &CloseLoopDialog::closeLoop);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addSpacing(theme.px(6));
    column->addWidget(buttons);
    m_frames->setFocus();
    m_frames->selectAll();
}

void CloseLoopDialog::closeLoop()
{
    QJsonObject operation{{"op", "closeLoop"},
                          {"frames", m_frames->value()},
                          {"travel", m_removesTravel->isChecked() ? "remove" : "keep"}};
    if (m_onlySelected->isChecked()) operation.insert("joints", selectedJointNames(m_editor));
    (void)m_editor.document().apply(operation);
    accept();
}

} // namespace tendon::editor
