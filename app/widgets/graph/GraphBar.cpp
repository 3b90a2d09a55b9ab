#include "app/widgets/graph/GraphBar.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChannelTitles.h"
#include "app/widgets/CommandTable.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/ShrinkingRow.h"
#include "app/widgets/graph/BreakdownSlider.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Check.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <cmath>

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
        return QCoreApplication::translate("Graph", "%n object(s)", nullptr, static_cast<int>(objects.size()));
    const QString name = QString::fromStdString(nameOf(state.editor().document().scene(), *objects.begin()));
    return channels.size() > 1 ? name : name + QStringLiteral(", ") + channelTitle(channels.begin()->property);
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
    follow(*m_frame, true);
    follow(*m_value, false);
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
    std::set<std::int64_t> frames;
    std::set<double> values;
    std::set<QString> units;
    double firstValue = 0;
    bool hasNumbers = false;           // that can be edited one by one
    constexpr std::size_t kEnough = 2; // to know that they differ
    for (const auto& [id, ticks] : m_state.selected()) {
        const GraphCurve* curve = m_state.find(id);
        if (curve == nullptr) continue;
        const CurveUnit unit = unitOf(curve->property());
        units.insert(QString::fromUtf8(unit.text).trimmed());
        hasNumbers = hasNumbers || !isQuaternion(curve->property());
        for (const std::int64_t each : ticks) {
            const auto key = curve->summary->find(each);
            if (!key) continue;
            if (values.empty()) firstValue = curve->summary->value(*key, id.component) * unit.factor;
            frames.insert(each);
            values.insert(curve->summary->value(*key, id.component) * unit.factor);
            if (frames.size() >= kEnough && values.size() >= kEnough) break;
        }
    }
    for (QWidget* each : m_fields) each->setEnabled(!frames.empty());
    m_value->setEnabled(hasNumbers);
    m_frame->setValue(frames.empty() ? 0 : m_state.fps().frameAt(Time{*frames.begin()}), frames.size() > 1);
    m_value->setValue(firstValue, values.size() > 1);
    m_unit->setText(units.size() == 1 ? *units.begin() : QString());
}

void GraphBar::follow(NumberField& field, bool isFrame)
{
    connect(&field, &NumberField::dragBegun, this, [this, &field](bool) {
        m_dragged = m_state.selected();
        m_move.emplace(m_state, m_dragged);
        m_dragFrom = field.value();
        m_state.editor().document().gesture().begin();
        m_state.holdSelection(true);
    });
    connect(&field, &NumberField::dragged, this, [this, isFrame](double value) { drag(isFrame, value - m_dragFrom); });
    connect(&field, &NumberField::dragEnded, this, [this](bool isKept) {
        GestureWork& gesture = m_state.editor().document().gesture();
        if (isKept)
            gesture.finish();
        else
            gesture.cancel();
        if (!isKept) m_state.select(m_dragged);
        m_move.reset();
        m_state.holdSelection(false);
    });
    connect(&field, &NumberField::entered, this, [this, isFrame](const NumberEdit& edit) { enter(isFrame, edit); });
}

void GraphBar::drag(bool isFrame, double change)
{
    if (!m_move) return;
    const double frames = isFrame ? std::round(change) : 0;
    // Normalised, all move by what the field's curve moves by.
    double shown = isFrame ? 0 : change;
    if (const GraphCurve* curve = m_dragged.empty() ? nullptr : m_state.find(m_dragged.begin()->first))
        shown /= unitOf(curve->property()).factor / (m_state.shownValue(*curve, 1) - m_state.shownValue(*curve, 0));
    const auto operations = m_move->operations(frames, shown);
    if (m_state.editor().document().gesture().update(ops::group(operations)))
        m_state.select(movedKeys(m_state, m_dragged, frames));
}

void GraphBar::enter(bool isFrame, const NumberEdit& edit)
{
    const GraphKeys keys = m_state.selected();
    EditorDocument& document = m_state.editor().document();
    if (keys.empty()) return;
    if (!isFrame) {
        (void)document.applyAsOne(setValues(m_state, keys, [&edit](double shown) { return edit.of(shown); }));
        return;
    }
    // The first of them goes there, and the others with it.
    std::int64_t first = *keys.begin()->second.begin();
    for (const auto& [id, ticks] : keys) first = std::min(first, *ticks.begin());
    const double now = m_state.fps().frameAt(Time{first}), frames = std::round(edit.of(now)) - now;
    if (frames == 0) return;
    m_state.holdSelection(true);
    if (document.applyAsOne(KeyMove(m_state, keys).operations(frames, 0)))
        m_state.select(movedKeys(m_state, keys, frames));
    m_state.holdSelection(false);
}

void GraphBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color("surface.panel"));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color("line.hair"));
}

} // namespace tendon::editor
