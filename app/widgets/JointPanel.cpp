#include "app/widgets/JointPanel.h"

#include "app/editor/Theme.h"
#include "app/editor/TrueLengths.h"
#include "app/widgets/AxisTable.h"
#include "app/widgets/BallFields.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/GuessLimitsDialog.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/SegmentFields.h"
#include "core/document/LimitGuess.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr std::array kRotationOrders{"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}; // as RotationOrder lists them

} // namespace
JointPanel::JointPanel(Editor& editor, QWidget* parent) : Section(tr("Joint"), parent), m_editor(editor)
{
    EditorDocument& document = editor.document();
    const Theme& theme = Theme::instance();
    const auto arrow = [&](int direction, const QString& glyph, const QString& tip) {
        auto* button = new QToolButton;
        button->setText(glyph);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, direction] { walk(direction); });
        headerEnd()->addWidget(button);
    };
    arrow(-1, QStringLiteral("‹"), tr("Select the parent joint"));
    m_name = new ElidedLabel;
    headerEnd()->addWidget(m_name);
    arrow(1, QStringLiteral("›"), tr("Go to the next joint down the chain"));

    m_content = new QWidget;
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    body()->addWidget(m_content);
    m_relation = new ElidedLabel;
    m_relation->setProperty("role", "hint");
    column->addWidget(m_relation);

    m_terminator = checkField(document, [this](bool on) {
        return forJoints([&](const Joint&) { return QJsonObject{{"op", "setTerminator"}, {"on", on}}; });
    });
    m_terminator->setText(tr("Terminator"));
    m_terminator->setObjectName(QStringLiteral("joint.terminator"));
    m_terminator->setToolTip(fieldHelp("setTerminator", "joint"));
    column->addWidget(m_terminator);
    m_order = choiceField(document, [this](const QString& order) {
        return forJoints([&](const Joint&) { return QJsonObject{{"op", "setRotationOrder"}, {"order", order}}; });
    });
    m_order->setObjectName(QStringLiteral("joint.rotationOrder"));
    for (const char* order : kRotationOrders) m_order->addItem(QString(order).toUpper(), order);
    addRow(column, tr("Order"), {m_order}, fieldHelp("setRotationOrder", "order"));
    column->addWidget(m_sliding = new AxisTable(editor, m_target, AxisTable::Kind::Sliding, m_settings));
    column->addWidget(m_turning = new AxisTable(editor, m_target, AxisTable::Kind::Rotational, m_settings));
    column->addWidget(m_ball = new BallFields(editor, m_target));
    m_guess = new QPushButton(tr("No limits. Guess limits…"));
    m_guess->setObjectName(QStringLiteral("joint.guessLimits"));
    m_guess->setFlat(true);
    m_guess->setToolTip(tr("Guess limits for this joint, from clips or from what it is"));
    connect(m_guess, &QPushButton::clicked, this, [this] {
        auto* dialog = new GuessLimitsDialog(m_editor, {m_target.joint}, window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    column->addWidget(m_guess);

    m_precedence = numberField(
        document, {.decimals = 0, .step = 0.05, .minimum = -1e6, .maximum = 1e6}, [this](const NumberEdit& edit) {
            return forJoints([&](const Joint& j) {
                return QJsonObject{{"op", "setPrecedence"}, {"value", qRound(edit.of(j.precedence))}};
            });
        });
    m_precedence->setObjectName(QStringLiteral("joint.precedence"));
    addRow(column, tr("Precedence"), {m_precedence}, fieldHelp("setPrecedence", "value"));
    m_stiffness = numberField(document, {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true},
                              [this](const NumberEdit& edit) {
                                  return forJoints([&](const Joint& j) {
                                      return QJsonObject{{"op", "setStiffness"}, {"value", edit.of(j.stiffness)}};
                                  });
                              });
    m_stiffness->setObjectName(QStringLiteral("joint.stiffness"));
    addRow(column, tr("Stiffness"), {m_stiffness}, fieldHelp("setStiffness", "value"));
    QList<QWidget*> preferred;
    for (int axis = 0; axis < 3; ++axis) {
        m_preferred[static_cast<std::size_t>(axis)] = numberField(
            document, {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5, .axis = QChar('X' + axis)},
            [this, axis](const NumberEdit& edit) {
                return forJoints([&](const Joint& j) {
                    QJsonArray value;
                    for (int i = 0; i < 3; ++i) value.append(j.preferredAngle[i] * kDegrees);
                    value[axis] = edit.of(value[axis].toDouble());
                    return QJsonObject{{"op", "setPreferredAngle"}, {"value", value}};
                });
            });
        m_preferred[static_cast<std::size_t>(axis)]->setObjectName(
            QStringLiteral("joint.preferred.%1").arg(kAxisNames[axis]));
        preferred << m_preferred[static_cast<std::size_t>(axis)];
    }
    addRow(column, tr("Preferred"), preferred, fieldHelp("setPreferredAngle", "value"));
    m_settings.add(Setting::Precedence, tr("Precedence"), {m_precedence});
    m_settings.add(Setting::Stiffness, tr("Stiffness"), {m_stiffness});
    m_settings.add(Setting::PreferredAngle, tr("Preferred"), preferred);
    addRates(column, true);
    addRates(column, false);
    column->addWidget(m_settings.hint());
    m_values.add(m_terminator, [](const Joint& joint) { return joint.isTerminator; });
    m_values.add(m_order, [](const Joint& joint) {
        return QString(kRotationOrders[static_cast<std::size_t>(joint.rotationOrder)]);
    });
    m_values.add(m_precedence, [](const Joint& joint) { return double(joint.precedence); });
    m_values.add(m_stiffness, [](const Joint& joint) { return joint.stiffness; });
    for (std::size_t axis = 0; axis < 3; ++axis)
        m_values.add(m_preferred[axis], [axis](const Joint& joint) {
            return joint.preferredAngle[static_cast<Eigen::Index>(axis)] * kDegrees;
        });
    column->addWidget(m_segment = new SegmentFields(editor, m_target));
    orderTabs();
}

/// How fast the joint may turn or slide, or how much its speed may change.
NumberField* JointPanel::rateField(bool turns, bool isSpeed)
{
    const double shown = turns ? kDegrees : kCm, perShown = turns ? 1 : kCm; // operations use degrees and metres
    const auto metresOf = [=, this](const Joint& joint) {
        return turns ? 1 : evenly(metresPerUnitAbove(m_editor.document().scene(), joint));
    };
    const auto value = [=](const Joint& joint) {
        const RateLimits& rates = turns ? joint.turningRates : joint.slidingRates;
        return (isSpeed ? rates.speed : rates.acceleration) * shown * metresOf(joint);
    };
    const QString unit = (turns ? QStringLiteral("°") : QStringLiteral(" cm")) +
                         (isSpeed ? QStringLiteral("/s") : QStringLiteral("/s²"));
    const char* name = isSpeed ? "speed" : "acceleration";
    NumberField* field = numberField(
        m_editor.document(), {.decimals = 1, .unit = unit, .step = isSpeed ? 1.0 : 5.0, .minimum = 0, .maximum = 1e9},
        [=, this](const NumberEdit& edit) {
            return forJoints([&](const Joint& joint) {
                return QJsonObject{{"op", "setSpeedLimit"},
                                   {"of", turns ? "rotation" : "sliding"},
                                   {name, edit.of(value(joint)) / perShown / metresOf(joint)}};
            });
        });
    field->setObjectName(QStringLiteral("joint.%1.%2").arg(turns ? "turning" : "sliding", name));
    field->setAccessibleName(turns ? (isSpeed ? tr("Rotation speed limit") : tr("Rotation acceleration limit"))
                                   : (isSpeed ? tr("Slide speed limit") : tr("Slide acceleration limit")));
    m_values.add(field, value);
    return field;
}

void JointPanel::addRates(QVBoxLayout* column, bool turns)
{
    Rates& rates = turns ? m_turningRates : m_slidingRates;
    rates = {rateField(turns, true), rateField(turns, false)};
    addRow(column, turns ? tr("Rotation speed") : tr("Slide speed"), {rates.speed, rates.acceleration});
}

/// Greys those of a motion that the joint does not have.
void JointPanel::showRates(const Joint& joint)
{
    const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
    const bool slides = std::any_of(joint.sliding.begin(), joint.sliding.end(), isActive);
    const bool turns = joint.ball || std::any_of(joint.turning.begin(), joint.turning.end(), isActive);
    const auto show = [](const Rates& rates, bool applies, const QString& reason) {
        for (const auto& [field, name] : {std::pair{rates.speed, "speed"}, {rates.acceleration, "acceleration"}}) {
            const QString help = fieldHelp("setSpeedLimit", name);
            field->setEnabled(applies);
            field->setToolTip(applies ? help : help + QLatin1Char('\n') + reason);
        }
    };
    show(m_turningRates, turns, tr("Turn on Active for a rotation axis: without one the joint does not rotate."));
    show(m_slidingRates, slides, tr("Turn on Active for a sliding axis: without one the joint does not slide."));
}

const Joint* JointPanel::joint() const { return m_editor.document().scene().find(m_target.joint); }

QJsonObject JointPanel::forJoints(const std::function<QJsonObject(const Joint&)>& make) const
{
    return forEditedJoints(m_editor, m_target, make);
}

void JointPanel::walk(int direction)
{
    const Joint* j = joint();
    if (j == nullptr) return;
    const Scene& scene = m_editor.document().scene();
    if (direction < 0) {
        if (j->parent.isValid()) emit walked(j->parent);
        return;
    }
    // Go down the handle's chain, or to the first child if there is no handle.
    if (const Handle* handle = scene.find(m_target.handle)) {
        const auto joints = chain(scene, handle->start, handle->end);
        for (std::size_t i = 0; i + 1 < joints.size(); ++i)
            if (joints[i] == j->id) {
                emit walked(joints[i + 1]);
                return;
            }
    }
    for (const Joint& child : *scene.joints)
        if (child.parent == j->id) {
            emit walked(child.id);
            return;
        }
}

void JointPanel::show(const InspectorTarget& target)
{
    m_target = target;
    m_content->setVisible(joint() != nullptr);
    refresh();
}

void JointPanel::refresh()
{
    const Joint* j = joint();
    if (j == nullptr) {
        m_name->clear();
        return;
    }
    const Scene& scene = m_editor.document().scene();
    m_name->setText(QString::fromStdString(j->name));
    m_relation->setText(
        j->parent.isValid()
            ? tr("Relative to its parent %1").arg(QString::fromStdString(nameOf(scene, j->parent.value)))
            : tr("Root: relative to the world"));
    const std::vector<const Joint*> joints = editedJoints(m_editor, m_target);
    m_values.show(joints);
    const SolverRegistry& registry = m_editor.document().solvers();
    const std::vector<const SolverInfo*> solvers = solversOf(scene, j->id, registry);
    m_settings.show(solvers, registry);
    /// Why a joint that moves in this way is not solved; empty = it is.
    const auto refusal = [&](const char* kind, const QString& text) {
        const auto lacking = std::find_if(solvers.begin(), solvers.end(),
                                          [&](const auto* s) { return !s->moves(kind); });
        return lacking == solvers.end() ? QString() : text.arg(QString::fromStdString((*lacking)->name));
    };
    const QString rigid = refusal("prismatic", tr("%1 cannot slide joints"));
    m_sliding->show(joints, rigid);
    m_sliding->setHeadingTip(rigid.isEmpty() ? QString()
                                             : tr("Choose another solver for the handle to slide this joint"));
    m_turning->show(joints, j->ball ? tr("ball joint: limited by swing and twist") : QString());
    m_ball->show(joints, refusal("ball", tr("%1 cannot move ball joints")));
    m_guess->setVisible(j->parent.isValid() && !hasLimits(*j));
    showRates(*j);
    m_segment->show(joints);
}

} // namespace tendon::editor
