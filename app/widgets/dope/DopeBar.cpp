#include "app/widgets/dope/DopeBar.h"

#include "app/editor/Theme.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/Section.h"
#include "app/widgets/ShrinkingRow.h"
#include "app/widgets/dope/DopeSheet.h"
#include "app/widgets/graph/BreakdownSlider.h"
#include "app/widgets/graph/KeyClipboard.h"
#include "app/widgets/graph/KeyField.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

#include <utility>

namespace tendon::editor {
namespace {

/// Keys, each with all its numbers.
std::size_t countOf(const GraphKeys& keys)
{
    std::size_t count = 0;
    for (auto at = keys.begin(); at != keys.end();) {
        const ChannelId channel = at->first.channel;
        const auto& first = at->second;
        std::set<std::int64_t> others; // that the first component has not
        for (++at; at != keys.end() && at->first.channel == channel; ++at)
            if (at->second != first)
                for (const std::int64_t ticks : at->second)
                    if (first.count(ticks) == 0) others.insert(ticks);
        count += first.size() + others.size();
    }
    return count;
}

} // namespace

DopeBar::DopeBar(GraphState& state, CommandTable& commands, DopeSheet& sheet, QWidget* parent)
    : QWidget(parent), m_state(state), m_sheet(sheet), m_count(new QLabel)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("dope.bar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(6), 0, theme.px(8), 0);
    row->setSpacing(theme.px(4));
    addFilter(*row);
    m_count->setObjectName(QStringLiteral("dope.count"));
    m_count->setProperty("role", "label");
    row->addWidget(m_count);
    addFields(*row);
    addButtons(*row, commands);
    auto* words = new QLabel(tr("Breakdown"));
    words->setProperty("role", "label");
    m_words.push_back(words);
    row->addSpacing(theme.px(6));
    row->addWidget(words);
    auto* breakdown = new BreakdownSlider(state);
    breakdown->setObjectName(QStringLiteral("dope.breakdown"));
    row->addWidget(breakdown);
    row->addStretch(1);
    addSwitches(*row, commands);
    row->setSizeConstraint(QLayout::SetNoConstraint); // narrower than all of it: see the steps
    setMinimumWidth(theme.px(200));
    const auto shorten = [](const std::vector<QWidget*>& widgets) {
        return [widgets](bool isShort) {
            for (QWidget* each : widgets) each->setVisible(!isShort);
        };
    };
    new ShrinkingRow(*this, [row] { return row->sizeHint().width(); },
                     {shorten({m_count}), shorten(m_inMenus), shorten(m_words), shorten({breakdown})});
    connect(&state, &GraphState::changed, this, &DopeBar::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &DopeBar::fit);
    fit();
    refresh();
}

void DopeBar::fit()
{
    const Theme& theme = Theme::instance();
    setFixedHeight(theme.size("height.panel-header") + theme.px(4));
    m_filter->setFixedWidth(DopeSheet::labelWidth() - theme.px(22));
    m_count->setFixedWidth(QFontMetrics(theme.font(12)).horizontalAdvance(tr("%n keys selected", nullptr, 88888)));
    for (QWidget* field : m_fields) field->setFixedWidth(theme.px(56));
}

void DopeBar::addFilter(QHBoxLayout& row)
{
    auto* filter = new QLineEdit;
    filter->setObjectName(QStringLiteral("dope.filter"));
    filter->setPlaceholderText(tr("Filter channels"));
    filter->setAccessibleName(filter->placeholderText());
    filter->setToolTip(tr("Show only the objects and channels whose names contain this text"));
    filter->setClearButtonEnabled(true);
    filter->addAction(icon("search", "text.hint"), QLineEdit::LeadingPosition);
    m_filter = filter;
    row.addWidget(filter);
    row.addSpacing(Theme::instance().px(10));
    connect(filter, &QLineEdit::textChanged, &m_sheet, &DopeSheet::setFilter);
}

void DopeBar::addFields(QHBoxLayout& row)
{
    const auto add = [&](const char* name, const QString& word, const QString& tip, const NumberField::Format& format,
                         KeyField::Kind kind) {
        auto* label = new QLabel(word);
        label->setProperty("role", "label");
        row.addWidget(label);
        m_words.push_back(label);
        auto* field = new NumberField(format);
        field->setObjectName(QLatin1StringView(name));
        field->setAccessibleName(tip);
        field->setToolTip(tip);
        m_fields.push_back(field);
        row.addWidget(field);
        new KeyField(*field, m_state, kind);
    };
    const NumberField::Format frames{.decimals = 0, .step = 0.2, .minimum = -1e7, .maximum = 1e7};
    add("dope.frame", tr("Frame"), tr("Frame of the first selected key; the others go with it"), frames,
        KeyField::Kind::Frame);
    add("dope.moveBy", tr("Move by"), tr("Move the selected keys by this many frames"), frames, KeyField::Kind::MoveBy);
    add("dope.stretch", tr("Stretch"), tr("Stretch the times of the selected keys by this factor; the first one stays"),
        {.decimals = 2, .step = 0.01, .minimum = 0.01, .maximum = 100}, KeyField::Kind::Stretch);
}

void DopeBar::addButtons(QHBoxLayout& row, CommandTable& commands)
{
    row.addSpacing(Theme::instance().px(6));
    const auto add = [&](const char* name, const char* picture, const QString& tip, bool needsKeys,
                         std::function<void()> run) {
        QToolButton* button = pictureButton(QLatin1StringView(picture), tip);
        button->setObjectName(QLatin1StringView(name));
        connect(button, &QToolButton::clicked, this, std::move(run));
        row.addWidget(button);
        if (needsKeys) m_needKeys.push_back(button);
        return button;
    };
    add("dope.copy", "copy", tr("Copy the selected keys (Ctrl+C)"), true,
        [this] { (void)copyKeys(m_state, m_state.selected()); });
    m_paste = add("dope.paste", "paste", tr("Paste the copied keys at the current frame (Ctrl+V)"), false,
                  [this] { pasteKeys(m_state); });
    auto* key = new QToolButton;
    key->setDefaultAction(commands.action(QStringLiteral("key.set")));
    key->setObjectName(QStringLiteral("button.dope.key"));
    key->setFocusPolicy(Qt::TabFocus);
    key->setToolButtonStyle(Qt::ToolButtonIconOnly);
    row.addWidget(key);
    add("dope.delete", "key-remove", tr("Delete the selected keys (Delete)"), true,
        [this] { m_sheet.deleteSelected(); });
}

void DopeBar::addSwitches(QHBoxLayout& row, CommandTable& commands)
{
    const auto add = [&](const char* name, const QString& text, const QString& tip) {
        auto* box = new QCheckBox(text);
        box->setObjectName(QLatin1StringView(name));
        box->setToolTip(tip);
        row.addWidget(box);
        return box;
    };
    connect(add("dope.onlySelected", tr("Selected only"), tr("Show only the rows of selected objects")),
            &QCheckBox::toggled, &m_sheet, &DopeSheet::setOnlySelected);
    m_snap = add("dope.snap", tr("Snap to frames"),
                 tr("Let dragged keys stop at whole frames; Ctrl inverts this during a drag"));
    m_inMenus.push_back(m_snap);
    connect(m_snap, &QCheckBox::clicked, this, [&commands] { commands.run(QStringLiteral("graph.snap")); });
}

void DopeBar::refresh()
{
    m_snap->setChecked(m_state.snaps());
    m_paste->setEnabled(whyNoPaste(m_state).isEmpty());
    if (std::exchange(m_countedFor, m_state.selectionRevision()) == m_state.selectionRevision()) return;
    const auto count = static_cast<int>(countOf(m_state.selected()));
    m_count->setText(count == 0   ? tr("No keys selected")
                     : count == 1 ? tr("1 key selected")
                                  : tr("%n keys selected", nullptr, count));
    for (QWidget* each : m_needKeys) each->setEnabled(count > 0);
}

void DopeBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color("surface.panel"));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color("line.hair"));
}

} // namespace tendon::editor
