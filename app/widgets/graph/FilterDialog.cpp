#include "app/widgets/graph/FilterDialog.h"

#include "app/editor/Theme.h"
#include "app/widgets/NumberField.h"
#include "app/widgets/graph/GraphEdits.h"
#include "core/document/MakeOperation.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tendon::editor {
namespace {

/// How the errors of a curve are measured.
enum class Measure { Length, Angle, Number };

Measure measureOf(Property property)
{
    if (isAngle(property) || isQuaternion(property)) return Measure::Angle;
    return *unitOf(property).text != 0 ? Measure::Length : Measure::Number;
}

/// Without the first and the last key of each curve, which are not smoothed; as they are if there are no others.
GraphKeys innerKeys(const GraphState& state, const GraphKeys& keys)
{
    GraphKeys inner = keys;
    for (auto& [id, ticks] : inner)
        if (const GraphCurve* curve = state.find(id)) {
            ticks.erase(curve->keys->front().time.ticks);
            ticks.erase(curve->keys->back().time.ticks);
        }
    std::erase_if(inner, [](const auto& each) { return each.second.empty(); });
    return inner.empty() ? keys : inner;
}

} // namespace

FilterDialog::FilterDialog(GraphState& state, Kind kind, QWidget* parent)
    : QDialog(parent), m_state(state), m_kind(kind), m_outcome(new QLabel)
{
    const Theme& theme = Theme::instance();
    const bool isReduce = kind == Kind::Reduce;
    setObjectName(QStringLiteral("graph.filter"));
    setWindowTitle(isReduce ? tr("Reduce keys") : tr("Smooth keys"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    column->setSpacing(theme.px(8));
    auto* words = new QLabel(isReduce ? tr("Delete keys while no curve changes by more than")
                                      : tr("Move keys toward their neighbours"));
    words->setProperty("role", "hint");
    words->setWordWrap(true);
    column->addWidget(words);
    auto* grid = new QGridLayout;
    column->addLayout(grid);
    const auto add = [&](const QString& title, const QString& name, const NumberField::Format& format, double value) {
        const int row = grid->rowCount();
        auto* label = new QLabel(title);
        label->setProperty("role", "label");
        auto* field = new NumberField(format);
        field->setObjectName(QStringLiteral("graph.filter.") + name);
        field->setAccessibleName(title);
        field->setToolTip(title);
        field->setValue(value);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
        connect(field, &NumberField::entered, this, [this, field](const NumberEdit& edit) {
            field->setValue(edit);
            preview();
        });
        connect(field, &NumberField::dragged, this, &FilterDialog::preview);
        return field;
    };

    // What it works on is what was chosen when it opened: its own outcome has other keys.
    const GraphKeys keys = isReduce ? state.chosen() : innerKeys(state, state.chosen());
    std::map<Measure, GraphKeys> byMeasure;
    for (const auto& [id, ticks] : keys) {
        byMeasure[isReduce ? measureOf(id.channel.property) : Measure::Number][id] = ticks;
        m_curves.insert(id);
    }
    for (const auto& [measure, list] : byMeasure) {
        Part part{.operations = forKeys(state, list, isReduce ? "reduceKeys" : "smoothKeys", {})};
        if (!isReduce) {
            part.field = add(tr("Amount"), QStringLiteral("amount"),
                             {.decimals = 0, .unit = tr("%"), .step = 1, .minimum = 0, .maximum = 100}, 50);
            part.factor = 0.01;
        } else if (measure == Measure::Length) {
            part.field = add(tr("Positions"), QStringLiteral("length"),
                             {.decimals = 2, .unit = tr("mm"), .step = 0.1, .minimum = 0, .maximum = 1e5}, 1);
            part.factor = 0.001;
        } else if (measure == Measure::Angle) {
            part.field = add(tr("Rotations"), QStringLiteral("angle"),
                             {.decimals = 2, .unit = tr("°"), .step = 0.02, .minimum = 0, .maximum = 180}, 0.2);
        } else {
            part.field = add(tr("Other values"), QStringLiteral("number"),
                             {.decimals = 3, .step = 0.002, .minimum = 0, .maximum = 1e5}, 0.01);
        }
        m_parts.push_back(part);
    }
    if (!isReduce)
        m_passes = add(tr("Passes"), QStringLiteral("passes"),
                       {.decimals = 0, .step = 0.1, .minimum = 1, .maximum = 100}, 1);
    m_outcome->setObjectName(QStringLiteral("graph.filter.outcome"));
    m_outcome->setWordWrap(true);
    column->addWidget(m_outcome);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel | QDialogButtonBox::Ok);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_ok->setToolTip(tr("Keep the result as one undo step"));
    buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Discard the result; the keys stay as they were"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);

    m_keysBefore = keyCount();
    m_state.holdSelection(true);
    m_state.editor().document().gesture().begin();
    preview();
}

std::size_t FilterDialog::keyCount() const
{
    std::set<ChannelId> channels;
    std::size_t count = 0;
    for (const CurveId& id : m_curves)
        if (const GraphCurve* curve = m_state.find(id); curve != nullptr && channels.insert(id.channel).second)
            count += curve->summary->size();
    return count;
}

void FilterDialog::preview()
{
    std::vector<QJsonObject> operations;
    for (const Part& part : m_parts)
        for (QJsonObject operation : part.operations) {
            operation.insert(QLatin1StringView(m_kind == Kind::Reduce ? "error" : "amount"),
                             part.field->value() * part.factor);
            if (m_passes != nullptr) operation.insert(QStringLiteral("passes"), qRound(m_passes->value()));
            operations.push_back(operation);
        }
    if (operations.empty()) return;
    const auto done = m_state.editor().document().gesture().update(ops::group(operations));
    m_ok->setEnabled(static_cast<bool>(done));
    if (!done) {
        m_outcome->setText(QString::fromStdString(done.error().message));
        return;
    }
    m_outcome->setText(m_kind == Kind::Reduce ? tr("%1 of %2 keys are left").arg(keyCount()).arg(m_keysBefore)
                                              : QString());
}

void FilterDialog::done(int result)
{
    GestureWork& gesture = m_state.editor().document().gesture();
    if (result == Accepted)
        gesture.finish();
    else
        gesture.cancel();
    m_state.holdSelection(false);
    QDialog::done(result);
}

} // namespace tendon::editor
