#include "app/widgets/graph/GraphBar.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChannelTitles.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/ShrinkingRow.h"
#include "app/widgets/graph/BreakdownSlider.h"
#include "app/widgets/graph/KeyField.h"
#include "core/scene/Check.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace tendon::editor {
namespace {

/// "Foot_R, Goal position"; "Foot_R" or "3 objects" where there are several.
QString titleOf(const GraphState& state)
{
    std::set<ObjectId> objects;
    std::set<ChannelId> channels;
    for (const GraphCurve* curve : state.shown()) {
        objects.insert(curve->id.channel.target);
        channels.insert(curve->id.channel);
    }
    if (objects.empty()) return {};
    if (objects.size() > 1)
        return QCoreApplication::translate("Graph", "%n objects", nullptr, static_cast<int>(objects.size()));
    const QString name = ownerTitle(state.editor().document().scene(), *objects.begin());
    return channels.size() > 1 ? name : name + QStringLiteral(", ") + channelTitle(*channels.begin());
}

} // namespace

GraphBar::GraphBar(GraphState& state, CommandTable& commands, int titleWidth, QWidget* parent)
    : QWidget(parent), m_state(state), m_title(new ElidedLabel), m_unit(new QLabel)
{
    const Theme& theme = Theme::instance();
    setObjectName(QStringLiteral("graph.bar"));
    setFixedHeight(theme.size("height.panel-header") + theme.px(4));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(8), 0, theme.px(8), 0);
    row->setSpacing(theme.px(4));
    m_title->setObjectName(QStringLiteral("graph.title"));
    m_title->setProperty("role", "label");
    m_title->setFixedWidth(titleWidth - theme.px(12));
    row->addWidget(m_title);
    const auto label = [&](const QString& text) {
        auto* each = new QLabel(text);
        each->setProperty("role", "label");
        row->addWidget(each);
        m_fields.push_back(each);
    };
    const auto number = [&](const char* name, const QString& tip, const NumberField::Format& format) {
        auto* field = new NumberField(format);
        field->setObjectName(QLatin1StringView(name));
        field->setAccessibleName(tip);
        field->setToolTip(tip);
        field->setFixedWidth(theme.px(62));
        row->addWidget(field);
        m_fields.push_back(field);
        return field;
    };
    label(tr("Frame"));
    m_frame = number("graph.frame", tr("Frame of the selected keys"),
                     {.decimals = 0, .step = 0.2, .minimum = -1e7, .maximum = 1e7});
    label(tr("Value"));
    m_value = number("graph.value", tr("Value of the selected keys"), {.decimals = 2, .step = 0.1});
    m_unit->setProperty("role", "label");
    m_unit->setFixedWidth(theme.px(20));
    row->addWidget(m_unit);
    m_fields.push_back(m_unit);
    new KeyField(*m_frame, state, KeyField::Kind::Frame);
    new KeyField(*m_value, state, KeyField::Kind::Value);
    row->addSpacing(theme.px(6));
    auto* words = new QLabel(tr("Breakdown"));
    words->setProperty("role", "label");
    row->addWidget(words);
    auto* breakdown = new BreakdownSlider(state);
    row->addWidget(breakdown);
    addButtons(*row, commands);
    row->addStretch(1);
    row->setSizeConstraint(QLayout::SetNoConstraint); // narrower than all of it: see the steps
    setMinimumWidth(theme.px(200));
    const auto hideTitle = [this](bool isShort) { m_title->setVisible(!isShort); };
    const auto hideFields = [this, words](bool isShort) {
        words->setVisible(!isShort);
        for (QWidget* each : m_fields)
            if (qobject_cast<NumberField*>(each) == nullptr) each->setVisible(!isShort);
    };
    const auto hideBreakdown = [breakdown](bool isShort) { breakdown->setVisible(!isShort); };
    const auto hideFilters = [this](bool isShort) { // they are in the menus, too
        for (QWidget* each : m_filters) each->setVisible(!isShort);
    };
    new ShrinkingRow(*this, [row] { return row->sizeHint().width(); },
                     {hideTitle, hideFields, hideFilters, hideBreakdown});
    connect(&state, &GraphState::changed, this, &GraphBar::refresh);
    refresh();
}

void GraphBar::addButtons(QHBoxLayout& row, CommandTable& commands)
{
    const Theme& theme = Theme::instance();
    const std::vector<std::vector<const char*>> groups = {
        {"graph.auto", "graph.smooth", "graph.linear", "graph.flat", "graph.step", "graph.broken", "graph.weighted"},
        {"graph.frameSelected", "graph.frameAll"},
        {"graph.snap", "graph.lasso", "graph.box"},
        {"graph.isolate", "graph.normalise", "graph.buffer"},
        {"graph.euler", "graph.smoothKeys", "graph.reduce"}};
    for (const auto& group : groups) {
        row.addSpacing(theme.px(6));
        for (const char* id : group) {
            auto* button = new QToolButton;
            button->setDefaultAction(commands.action(QLatin1StringView(id)));
            button->setObjectName(QStringLiteral("button.%1").arg(QLatin1StringView(id)));
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
            button->setFocusPolicy(Qt::TabFocus);
            button->setIconSize({theme.px(16), theme.px(16)});
            row.addWidget(button);
            if (&group == &groups.back()) m_filters.push_back(button);
        }
    }
}

void GraphBar::refresh()
{
    m_title->setText(titleOf(m_state));
    m_title->setToolTip(m_title->text());
    std::set<QString> units;
    for (const auto& [id, ticks] : m_state.selected())
        units.insert(QString::fromUtf8(unitOf(id.channel.property).text).trimmed());
    m_unit->setText(units.size() == 1 ? *units.begin() : QString());
    for (QWidget* each : m_fields)
        if (qobject_cast<NumberField*>(each) == nullptr) each->setEnabled(!units.empty());
}

void GraphBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color("surface.panel"));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color("line.hair"));
}

} // namespace tendon::editor
