#include "app/widgets/CloseLoopDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/RigNames.h"
#include "core/scene/FrameNumber.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

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
    : QDialog(parent), m_editor(editor), m_from(new QSpinBox), m_to(new QSpinBox), m_frames(new QSpinBox),
      m_trims(new QCheckBox(tr("Leave out what is before and after"))),
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
    column->addWidget(rangeRow());
    m_trims->setObjectName(QStringLiteral("closeLoop.trim"));
    m_trims->setToolTip(fieldHelp("closeLoop", "trim"));
    column->addWidget(m_trims);
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
    checkRange();
}

/// The frames of the loop: those that are marked, else the whole clip.
QWidget* CloseLoopDialog::rangeRow()
{
    if (const Clip* clip = m_editor.document().clip()) {
        const FrameRate fps = m_editor.document().scene().fps;
        const double begin = fps.frameAt(clip->begin()), end = fps.frameAt(clip->end());
        m_first = static_cast<int>(std::ceil(begin - nearWholeFrame(begin)));
        m_last = static_cast<int>(std::floor(end + nearWholeFrame(end)));
    }
    int from = m_first, to = m_last;
    if (const auto& part = m_editor.playback().part()) {
        from = std::clamp(static_cast<int>(std::lround(part->first)), m_first, m_last);
        to = std::clamp(static_cast<int>(std::lround(part->second)), m_first, m_last);
        if (from >= to) from = m_first, to = m_last;
    }
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("Loop from frame"));
    auto* upTo = new QLabel(tr("to"));
    label->setBuddy(m_from);
    m_from->setObjectName(QStringLiteral("closeLoop.from"));
    m_from->setAccessibleName(tr("First frame of the loop"));
    m_to->setObjectName(QStringLiteral("closeLoop.to"));
    m_to->setAccessibleName(tr("Last frame of the loop"));
    for (const auto& [box, value] : {std::pair(m_from, from), std::pair(m_to, to)}) {
        box->setToolTip(fieldHelp("closeLoop", "range"));
        box->setRange(m_first, m_last);
        box->setAlignment(Qt::AlignRight);
        box->setValue(value);
        connect(box, &QSpinBox::valueChanged, this, &CloseLoopDialog::checkRange);
    }
    row->addWidget(label, 1);
    row->addWidget(m_from);
    row->addWidget(upTo);
    row->addWidget(m_to);
    return line;
}

/// A loop has a frame after its first one, and is not shorter than what turns into its beginning.
void CloseLoopDialog::checkRange()
{
    if (m_first >= m_last) return;
    m_from->setMaximum(m_to->value() - 1);
    m_to->setMinimum(m_from->value() + 1);
    m_frames->setMaximum(m_to->value() - m_from->value());
    m_trims->setEnabled(m_from->value() != m_first || m_to->value() != m_last);
}

void CloseLoopDialog::closeLoop()
{
    QJsonObject operation{{"op", "closeLoop"},
                          {"frames", m_frames->value()},
                          {"travel", m_removesTravel->isChecked() ? "remove" : "keep"}};
    if (m_from->value() != m_first || m_to->value() != m_last) {
        operation.insert("range", QJsonArray{m_from->value(), m_to->value()});
        if (m_trims->isChecked()) operation.insert("trim", true);
    }
    if (m_onlySelected->isChecked()) operation.insert("joints", selectedJointNames(m_editor));
    (void)m_editor.document().apply(operation);
    accept();
}

} // namespace tendon::editor
