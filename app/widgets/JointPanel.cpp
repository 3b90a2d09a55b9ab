#include "app/widgets/JointPanel.h"

#include "app/editor/Theme.h"
#include "app/widgets/Icons.h"
#include "app/widgets/OperationFields.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

/// Damping and spring have one field each for all axes: it shows the first active axis.
const AxisFreedom& representative(const Joint& joint)
{
    for (const AxisFreedom& axis : joint.turning)
        if (axis.active) return axis;
    for (const AxisFreedom& axis : joint.sliding)
        if (axis.active) return axis;
    return joint.turning[0];
}

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
    m_name = new QLabel;
    headerEnd()->addWidget(m_name);
    arrow(1, QStringLiteral("›"), tr("Go to the next joint down the chain"));

    m_content = new QWidget;
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    body()->addWidget(m_content);
    m_relation = new QLabel;
    m_relation->setProperty("role", "hint");
    column->addWidget(m_relation);

    m_terminator = checkField(document, [this](bool on) {
        return forJoints([&](const Joint&) { return QJsonObject{{"op", "setTerminator"}, {"on", on}}; });
    });
    m_terminator->setText(tr("Terminator"));
    m_terminator->setObjectName(QStringLiteral("joint.terminator"));
    m_terminator->setToolTip(fieldHelp("setTerminator", "joint"));
    column->addWidget(m_terminator);
    addTable(tr("Sliding"), true, m_sliding);
    addTable(tr("Rotational"), false, m_turning);

    const auto forActiveAxes = [this](const char* field, double value) {
        return forJoints([&](const Joint& j) {
            int axis = 0;
            bool slides = false;
            for (int i = 2; i >= 0; --i)
                if (j.sliding[static_cast<std::size_t>(i)].active) axis = i, slides = true;
            for (int i = 2; i >= 0; --i)
                if (j.turning[static_cast<std::size_t>(i)].active) axis = i, slides = false;
            return QJsonObject{
                {"op", slides ? "setSlidingAxis" : "setRotationAxis"}, {"axis", kAxisNames[axis]}, {field, value}};
        });
    };
    m_damping = numberField(document, {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true},
                            [forActiveAxes](double v) { return forActiveAxes("damping", v); });
    m_spring = numberField(document, {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true},
                           [forActiveAxes](double v) { return forActiveAxes("springTension", v); });
    m_stiffness = numberField(
        document, {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true}, [this](double v) {
            return forJoints([&](const Joint&) { return QJsonObject{{"op", "setStiffness"}, {"value", v}}; });
        });
    m_stiffness->setObjectName(QStringLiteral("joint.stiffness"));
    addRow(column, tr("Damping"), {m_damping},
           tr("%1. Shows the value of the first free axis").arg(fieldHelp("setRotationAxis", "damping")));
    addRow(column, tr("Spring"), {m_spring},
           tr("%1. Shows the value of the first free axis").arg(fieldHelp("setRotationAxis", "springTension")));
    addRow(column, tr("Stiffness"), {m_stiffness}, fieldHelp("setStiffness", "value"));
    QList<QWidget*> preferred;
    for (int axis = 0; axis < 3; ++axis) {
        m_preferred[static_cast<std::size_t>(axis)] = numberField(
            document, {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5, .axis = QChar('X' + axis)},
            [this, axis](double v) {
                return forJoints([&](const Joint& j) {
                    QJsonArray value;
                    for (int i = 0; i < 3; ++i) value.append(i == axis ? v : j.preferredAngle[i] * kDegrees);
                    return QJsonObject{{"op", "setPreferredAngle"}, {"value", value}};
                });
            });
        preferred << m_preferred[static_cast<std::size_t>(axis)];
    }
    addRow(column, tr("Preferred"), preferred, fieldHelp("setPreferredAngle", "value"));
    m_damping->setObjectName(QStringLiteral("joint.damping"));
    m_spring->setObjectName(QStringLiteral("joint.springTension"));
    m_settings.add(Setting::Damping, tr("Damping"), {m_damping});
    m_settings.add(Setting::SpringTension, tr("Spring"), {m_spring});
    m_settings.add(Setting::Stiffness, tr("Stiffness"), {m_stiffness});
    m_settings.add(Setting::PreferredAngle, tr("Preferred"), preferred);
    for (const std::array<AxisRow, 3>* rows : {&m_sliding, &m_turning})
        for (const AxisRow& row : *rows) m_settings.add(Setting::Ease, tr("Ease"), {row.ease});
    column->addWidget(m_settings.hint());
    m_shape = new QLabel;
    m_shape->setProperty("role", "hint");
    m_shape->setWordWrap(true);
    column->addWidget(m_shape);
}

void JointPanel::addTable(const QString& title, bool slides, std::array<AxisRow, 3>& rows)
{
    const Theme& theme = Theme::instance();
    auto* column = qobject_cast<QVBoxLayout*>(m_content->layout());
    auto* heading = new QLabel(title);
    heading->setProperty("role", "title");
    auto* row = new QHBoxLayout;
    row->addWidget(heading);
    row->addStretch(1);
    auto* allOff = new QLabel(tr("all axes off"));
    allOff->setProperty("role", "hint");
    row->addWidget(allOff);
    allOff->setObjectName(slides ? QStringLiteral("joint.slide.off") : QStringLiteral("joint.turn.off"));
    (slides ? m_slidingOff : m_turningOff) = allOff;
    column->addLayout(row);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme.px(6));
    grid->setVerticalSpacing(theme.px(2));
    const QString heads[] = {QString(), tr("Active"), tr("Limited"), tr("From"), tr("To"), tr("Ease")};
    for (int i = 1; i < 6; ++i) {
        auto* head = new QLabel(heads[i]);
        head->setProperty("role", "hint");
        head->setFont(theme.font(11));
        grid->addWidget(head, 0, i);
    }
    grid->setColumnStretch(3, 3);
    grid->setColumnStretch(4, 3);
    grid->setColumnStretch(5, 2);
    for (int axis = 0; axis < 3; ++axis) rows[static_cast<std::size_t>(axis)] = addAxis(grid, axis + 1, axis, slides);
    column->addLayout(grid);
}

JointPanel::AxisRow JointPanel::addAxis(QGridLayout* grid, int row, int axis, bool slides)
{
    EditorDocument& document = m_editor.document();
    const Theme& theme = Theme::instance();
    const char* op = slides ? "setSlidingAxis" : "setRotationAxis";
    const QString prefix = QStringLiteral("joint.%1.%2.").arg(slides ? "slide" : "turn", kAxisNames[axis]);
    const double factor = slides ? kCm : 1; // operations use metres and degrees
    const auto with = [this, op, axis](const char* field, const QJsonValue& value) {
        return forJoints([&](const Joint&) {
            return QJsonObject{{"op", op}, {"axis", kAxisNames[axis]}, {field, value}};
        });
    };
    const auto preview = [this, axis, slides, factor](std::optional<double> v) {
        if (!v) {
            m_editor.clearPreview();
            return;
        }
        const auto a = static_cast<std::size_t>(axis);
        const Property property = slides ? std::array{Property::Tx, Property::Ty, Property::Tz}[a]
                                         : std::array{Property::Rx, Property::Ry, Property::Rz}[a];
        m_editor.previewJoint(m_target.joint, property, slides ? *v / factor : *v / kDegrees);
    };
    const auto letter = new QLabel(QString(QChar('X' + axis)));
    letter->setFont(theme.font(10, 600));
    letter->setStyleSheet(QStringLiteral("color: %1; font-weight: 600;")
                              .arg(theme.color(QStringLiteral("axis.%1").arg(kAxisNames[axis])).name()));
    grid->addWidget(letter, row, 0);

    AxisRow fields{};
    fields.active = checkField(document, [with](bool on) { return with("active", on); });
    fields.limited = checkField(document, [with](bool on) { return with("limited", on); });
    const NumberField::Format range{
        .decimals = 1, .unit = slides ? QStringLiteral("cm") : QStringLiteral("°"), .step = slides ? 0.1 : 0.5};
    fields.from = numberField(
        document, range, [with, factor](double v) { return with("from", v / factor); }, preview);
    fields.to = numberField(
        document, range, [with, factor](double v) { return with("to", v / factor); }, preview);
    fields.ease = numberField(document, {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true},
                              [with](double v) { return with("ease", v); });
    const char* names[] = {"active", "limited", "from", "to", "ease"};
    const QString heads[] = {tr("Active"), tr("Limited"), tr("From"), tr("To"), tr("Ease")};
    QWidget* widgets[] = {fields.active, fields.limited, fields.from, fields.to, fields.ease};
    for (int i = 0; i < 5; ++i) {
        widgets[i]->setObjectName(prefix + names[i]);
        widgets[i]->setAccessibleName(
            QStringLiteral("%1 %2 %3")
                .arg(slides ? tr("Sliding") : tr("Rotational"), QString(QChar('X' + axis)), heads[i]));
        widgets[i]->setToolTip(
            fieldHelp(op, names[i]) +
            (i == 2 || i == 3 ? tr("\nCtrl-drag to preview: the joint moves there until you release") : QString()));
        grid->addWidget(widgets[i], row, i + 1);
    }
    return fields;
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
    showCheck(m_terminator, j->isTerminator);
    const auto fill = [](const std::array<AxisRow, 3>& rows, const std::array<AxisFreedom, 3>& axes, double factor) {
        for (std::size_t i = 0; i < 3; ++i) {
            showCheck(rows[i].active, axes[i].active);
            showCheck(rows[i].limited, axes[i].limited);
            rows[i].from->setValue(axes[i].from * factor);
            rows[i].to->setValue(axes[i].to * factor);
            rows[i].ease->setValue(axes[i].ease);
            const bool isInForce = axes[i].active && axes[i].limited;
            rows[i].from->setInForce(isInForce);
            rows[i].to->setInForce(isInForce);
            rows[i].ease->setInForce(isInForce);
        }
    };
    fill(m_sliding, j->sliding, kCm);
    fill(m_turning, j->turning, kDegrees);
    const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
    m_turningOff->setText(j->ball ? tr("ball joint: limited by swing and twist") : tr("all axes off"));
    m_turningOff->setVisible(j->ball || std::none_of(j->turning.begin(), j->turning.end(), isActive));
    const SolverRegistry& registry = m_editor.document().solvers();
    const std::vector<const SolverInfo*> solvers = solversOf(scene, j->id, registry);
    m_settings.show(solvers, registry);
    const auto rigid = std::find_if(solvers.begin(), solvers.end(), [](const auto* s) { return !s->slides(); });
    const bool slides = rigid == solvers.end();
    for (std::size_t i = 0; i < 3; ++i) { // an axis that is on can always be turned off
        m_sliding[i].active->setEnabled(slides || j->sliding[i].active);
        for (QWidget* field : {static_cast<QWidget*>(m_sliding[i].limited), static_cast<QWidget*>(m_sliding[i].from),
                               static_cast<QWidget*>(m_sliding[i].to)})
            field->setEnabled(slides);
    }
    m_slidingOff->setText(slides ? tr("all axes off")
                                 : tr("%1 cannot slide joints").arg(QString::fromStdString((*rigid)->name)));
    m_slidingOff->setToolTip(slides ? QString() : tr("Choose another solver for the handle to slide this joint"));
    m_slidingOff->setVisible(!slides || std::none_of(j->sliding.begin(), j->sliding.end(), isActive));
    for (const AxisRow& row : m_turning) { // a ball joint keeps its axes' values, and none of them has an effect
        for (QWidget* field : {static_cast<QWidget*>(row.active), static_cast<QWidget*>(row.limited),
                               static_cast<QWidget*>(row.from), static_cast<QWidget*>(row.to)})
            field->setEnabled(!j->ball);
        if (j->ball) row.ease->setEnabled(false);
    }
    m_damping->setValue(representative(*j).damping);
    m_spring->setValue(representative(*j).springTension);
    m_stiffness->setValue(j->stiffness);
    for (int i = 0; i < 3; ++i) m_preferred[static_cast<std::size_t>(i)]->setValue(j->preferredAngle[i] * kDegrees);
    const double length = j->rest.translation.norm();
    m_shape->setText(tr("Bone length %1 cm").arg(length * kCm, 0, 'f', 1) +
                     (j->segment.shape == Segment::Shape::None ? QString()
                                                               : tr(" · volume %1 L, mass %2 kg")
                                                                     .arg(j->segment.volume() * 1000, 0, 'f', 2)
                                                                     .arg(j->segment.mass, 0, 'f', 2)));
}

} // namespace tendon::editor
