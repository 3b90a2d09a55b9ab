#include "app/widgets/AxisTable.h"

#include "app/editor/Theme.h"
#include "app/editor/TrueLengths.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Section.h"
#include "core/math/Degrees.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {
namespace {

constexpr std::array kTurns{Property::Rx, Property::Ry, Property::Rz};
constexpr std::array kSlides{Property::Tx, Property::Ty, Property::Tz};

/// Where a spring that is turned on pulls the joint: to its rest pose. [rad] or [m]
double restOf(const Joint& joint, std::size_t axis, bool slides)
{
    return slides ? joint.rest.translation[static_cast<Eigen::Index>(axis)] : 0;
}

} // namespace

AxisTable::AxisTable(Editor& editor, const InspectorTarget& target, Kind kind, SettingFields& settings)
    : m_editor(editor), m_target(target), m_kind(kind)
{
    const Theme& theme = Theme::instance();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    auto* heading = new QLabel(slides() ? tr("Sliding") : tr("Rotational"));
    heading->setProperty("role", "title");
    m_note = new ElidedLabel;
    m_note->setProperty("role", "hint");
    m_note->setObjectName(slides() ? QStringLiteral("joint.slide.off") : QStringLiteral("joint.turn.off"));
    auto* line = new QHBoxLayout;
    line->addWidget(heading);
    line->addStretch(1);
    line->addWidget(m_note);
    column->addLayout(line);

    m_fields = new QWidget;
    column->addWidget(m_fields);
    column = new QVBoxLayout(m_fields);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme.px(4));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme.px(6));
    grid->setVerticalSpacing(theme.px(2));
    grid->setColumnStretch(3, 3);
    grid->setColumnStretch(4, 3);
    grid->setColumnStretch(5, 2);
    const QString heads[] = {QString(), tr("Active"), tr("Limited"), tr("From"), tr("To"), tr("Ease")};
    for (int i = 1; i < 6; ++i) {
        auto* head = new QLabel(heads[i]);
        head->setProperty("role", "hint");
        head->setFont(theme.font(11));
        grid->addWidget(head, 0, i);
    }
    column->addLayout(grid);

    const double factor = slides() ? kCm : 1; // operations use metres and degrees
    const double shown = slides() ? kCm : kDegrees;
    const NumberField::Format range{
        .decimals = 1, .unit = slides() ? QStringLiteral("cm") : QStringLiteral("°"), .step = slides() ? 0.1 : 0.5};
    const NumberField::Format share{.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true};
    QList<QWidget*> damping, springs, springBack, tension;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const QChar letter = QChar('X' + static_cast<int>(axis));
        const auto withLetter = [&](NumberField::Format format) {
            format.axis = letter;
            return format;
        };
        const auto same = [](const Joint&, bool on) { return QJsonValue(on); };
        const auto present = [this, axis, shown](double AxisFreedom::*value) -> Present {
            return [this, axis, value, shown](const Joint& joint) {
                return axesOf(joint)[axis].*value * shown * metresOf(joint, axis);
            };
        };
        const auto shareOf = [this, axis](double AxisFreedom::*value) -> Present {
            return [this, axis, value](const Joint& joint) { return axesOf(joint)[axis].*value; };
        };
        const Present spring = [this, axis, shown](const Joint& joint) {
            return axesOf(joint)[axis].springBack.value_or(restOf(joint, axis, slides())) * shown *
                   metresOf(joint, axis);
        };
        Row& row = m_rows[axis];
        row.active = check(axis, "active", heads[1], same);
        row.limited = check(axis, "limited", heads[2], same);
        row.from = number(axis, "from", heads[3], range, factor, present(&AxisFreedom::from), true);
        row.to = number(axis, "to", heads[4], range, factor, present(&AxisFreedom::to), true);
        row.ease = number(axis, "ease", heads[5], share, 1, shareOf(&AxisFreedom::ease), false);
        row.damping = number(axis, "damping", tr("Damping"), withLetter(share), 1, shareOf(&AxisFreedom::damping),
                             false);
        row.springs = check(axis, "springBack", tr("Spring back"), [this, axis](const Joint& joint, bool on) {
            return on ? QJsonValue(restOf(joint, axis, slides())) : QJsonValue();
        });
        row.springs->setObjectName(row.springs->objectName() + QStringLiteral(".on"));
        row.springBack = number(axis, "springBack", tr("Spring back to"), withLetter(range), factor, spring, true);
        row.springTension = number(axis, "springTension", tr("Tension"), withLetter(share), 1,
                                   shareOf(&AxisFreedom::springTension), false);

        auto* name = new QLabel(QString(letter));
        name->setFont(theme.font(10, 600));
        name->setStyleSheet(QStringLiteral("color: %1; font-weight: 600;")
                                .arg(theme.color(QStringLiteral("axis.%1").arg(kAxisNames[axis])).name()));
        grid->addWidget(name, static_cast<int>(axis) + 1, 0);
        addFlags(row, axis);
        int at = 1;
        for (QWidget* field : std::initializer_list<QWidget*>{row.active, row.limited, row.from, row.to, row.ease})
            grid->addWidget(field, static_cast<int>(axis) + 1, at++);
        damping << row.damping;
        springs << row.springs;
        springBack << row.springBack;
        tension << row.springTension;
        settings.add(Setting::Ease, tr("Ease"), {row.ease});
        settings.add(Setting::Damping, tr("Damping"), {row.damping});
        settings.add(Setting::SpringBack, tr("Spring"), {row.springs});
        settings.add(Setting::SpringBack, tr("Spring"), {row.springBack});
        settings.add(Setting::SpringTension, tr("Tension"), {row.springTension});
    }
    addRow(column, tr("Damping"), damping);
    addRow(column, tr("Spring"), springs);
    addRow(column, tr("Spring to"), springBack);
    addRow(column, tr("Tension"), tension);
}

void AxisTable::addFlags(const Row& row, std::size_t index)
{
    const auto add = [this, index](QCheckBox* box, auto isSet) {
        m_values.add(box, [this, index, isSet](const Joint& joint) { return isSet(axesOf(joint)[index]); });
    };
    add(row.active, [](const AxisFreedom& axis) { return axis.active; });
    add(row.limited, [](const AxisFreedom& axis) { return axis.limited; });
    add(row.springs, [](const AxisFreedom& axis) { return axis.springBack.has_value(); });
}

void AxisTable::dress(QWidget* field, std::size_t axis, const char* name, const QString& title, const QString& tip)
{
    field->setObjectName(
        QStringLiteral("joint.%1.%2.%3").arg(slides() ? "slide" : "turn", kAxisNames[axis], QLatin1StringView(name)));
    field->setAccessibleName(
        QStringLiteral("%1 %2 %3")
            .arg(slides() ? tr("Sliding") : tr("Rotational"), QString(QChar('X' + static_cast<int>(axis))), title));
    field->setToolTip(tip);
    m_tips[field] = tip;
}

void AxisTable::setUsable(QWidget* field, bool isUsable, const QString& reason) const
{
    field->setEnabled(isUsable);
    const QString& help = m_tips.at(field);
    const QString tip = isUsable ? help : help + '\n' + reason;
    if (field->toolTip() != tip) field->setToolTip(tip);
}

QCheckBox* AxisTable::check(std::size_t axis, const char* field, const QString& title,
                            const std::function<QJsonValue(const Joint&, bool)>& value)
{
    QCheckBox* box = checkField(m_editor.document(), [this, axis, field, value](bool on) {
        return forJoints(axis, [&](const Joint& joint) { return QJsonObject{{field, value(joint, on)}}; });
    });
    dress(box, axis, field, title, fieldHelp(slides() ? "setSlidingAxis" : "setRotationAxis", field));
    return box;
}

NumberField* AxisTable::number(std::size_t axis, const char* field, const QString& title, NumberField::Format format,
                               double factor, const Present& present, bool previews)
{
    const auto make = [this, axis, field, factor, present](const NumberEdit& edit) {
        return forJoints(axis, [&](const Joint& joint) {
            const double perUnit = factor == kCm ? factor * metresOf(joint, axis) : factor;
            return QJsonObject{{field, edit.of(present(joint)) / perUnit}};
        });
    };
    const auto preview = [this, axis, factor](std::optional<double> value) {
        if (!value) return m_editor.clearPreview();
        const Joint* joint = m_editor.document().scene().find(m_target.joint);
        if (joint == nullptr) return;
        m_editor.previewJoint(m_target.joint, slides() ? kSlides[axis] : kTurns[axis],
                              slides() ? *value / factor / metresOf(*joint, axis) : *value / kDegrees);
    };
    NumberField* number = numberField(m_editor.document(), std::move(format), make,
                                      previews ? Preview(preview) : Preview());
    m_values.add(number, present);
    const QString help = fieldHelp(slides() ? "setSlidingAxis" : "setRotationAxis", field);
    dress(number, axis, field, title,
          previews ? help + tr("\nCtrl-drag to preview: the joint moves there until you release") : help);
    return number;
}

double AxisTable::metresOf(const Joint& joint, std::size_t axis) const
{
    return slides() ? metresPerUnitAbove(m_editor.document().scene(), joint)[static_cast<Eigen::Index>(axis)] : 1;
}

QJsonObject AxisTable::forJoints(std::size_t axis, const MakeFields& fields) const
{
    const Joint* shown = m_editor.document().scene().find(m_target.joint);
    return forEditedJoints(m_editor, m_target, [&](const Joint& joint) {
        if (!slides() && joint.ball && (shown == nullptr || !shown->ball)) return QJsonObject();
        QJsonObject operation = fields(joint);
        operation.insert(QStringLiteral("op"), slides() ? "setSlidingAxis" : "setRotationAxis");
        operation.insert(QStringLiteral("axis"), kAxisNames[axis]);
        return operation;
    });
}

const std::array<AxisFreedom, 3>& AxisTable::axesOf(const Joint& joint) const
{
    return slides() ? joint.sliding : joint.turning;
}

void AxisTable::setHeadingTip(const QString& tip) { m_note->setToolTip(tip); }

void AxisTable::show(const std::vector<const Joint*>& joints, const QString& reason)
{
    const Joint& joint = *joints.front();
    std::vector<const Joint*> reached = joints; // by an edit
    if (!slides() && !joint.ball) std::erase_if(reached, [](const Joint* other) { return other->ball.has_value(); });
    m_values.show(reached);
    bool isAnyActive = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const AxisFreedom& axis = axesOf(joint)[i];
        const Row& row = m_rows[i];
        isAnyActive = isAnyActive || axis.active;
        const bool isLimited = axis.active && axis.limited;
        for (NumberField* field : {row.from, row.to, row.ease}) field->setInForce(isLimited);
        row.damping->setInForce(axis.active);
        for (NumberField* field : {row.springBack, row.springTension})
            field->setInForce(axis.active && axis.springBack.has_value());

        const bool isBall = !slides() && joint.ball.has_value();
        setUsable(row.active, reason.isEmpty() || (axis.active && !isBall), reason);
        for (QWidget* field : std::initializer_list<QWidget*>{row.limited, row.from, row.to})
            setUsable(field, reason.isEmpty(), reason);
        if (reason.isEmpty()) continue; // the settings say which of the others count
        for (QWidget* field :
             std::initializer_list<QWidget*>{row.ease, row.damping, row.springs, row.springBack, row.springTension})
            if (field->isEnabled()) setUsable(field, false, reason);
    }
    m_fields->setVisible(slides() || !joint.ball);
    m_note->setText(reason.isEmpty() ? tr("all axes off") : reason);
    m_note->setVisible(!reason.isEmpty() || !isAnyActive);
}

} // namespace tendon::editor
