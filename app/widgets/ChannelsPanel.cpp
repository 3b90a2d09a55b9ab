#include "app/widgets/ChannelsPanel.h"

#include "app/editor/JointEdits.h"
#include "app/editor/JsonValues.h"
#include "app/editor/LengthUnit.h"
#include "app/editor/Theme.h"
#include "app/editor/TrueLengths.h"
#include "app/widgets/ChannelMenu.h"
#include "app/widgets/ChoiceBox.h"
#include "app/widgets/OperationFields.h"
#include "core/document/MakeOperation.h"
#include "core/math/Convert.h"
#include "core/math/Degrees.h"
#include "core/math/RotationOrder.h"
#include "core/math/RotationVector.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"

#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace tendon::editor {
namespace {

constexpr double kSameShown = 1e-6; // [cm] or [deg] what a field shows as one value
const QChar kLetters[3] = {'X', 'Y', 'Z'};

NumberField::Format lengthFormat(int axis)
{
    return {.decimals = 1, .unit = "cm", .step = 0.1, .axis = kLetters[axis]};
}
NumberField::Format angleFormat(int axis)
{
    return {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5, .axis = kLetters[axis]};
}

/// The three numbers of a goal's rotation. [degrees]
Vector3 goalNumbers(const Quaternion& rotation, RotationForm form)
{
    return kDegrees * (form == RotationForm::Vector
                           ? vectorFromRotation(rotation)
                           : anglesFromRotation(rotation, RotationOrder::XYZ, Vector3::Zero()));
}
Quaternion fromGoalNumbers(const Vector3& degrees, RotationForm form)
{
    return form == RotationForm::Vector ? rotationFromVector(degrees / kDegrees)
                                        : rotationFromAngles(degrees / kDegrees, RotationOrder::XYZ);
}

/// The rotation of a joint from rest as a vector, with as many turns as its angles. [rad]
Vector3 shownVector(const FrameResult& frame, std::size_t joint)
{
    const Quaternion& rest = frame.rig->authored[joint].rest.rotation;
    return vectorFromRotation(rest.conjugate() * frame.solved.local.joints[joint].rotation,
                              frame.solved.local.angles[joint]);
}

/// A joint's angles from rest: its own, or equivalent ones if its whole rotation was set (ball joints).
Vector3 shownAngles(const FrameResult& frame, std::size_t joint)
{
    const Joint& authored = frame.rig->authored[joint];
    const Vector3& angles = frame.solved.local.angles[joint];
    const Quaternion turned = authored.rest.rotation.conjugate() * frame.solved.local.joints[joint].rotation;
    constexpr double kSame = 1e-9; // [rad] then the angles are what it was turned by
    if (rotationFromAngles(angles, authored.rotationOrder).angularDistance(turned) < kSame) return angles;
    return anglesFromRotation(turned, authored.rotationOrder, angles);
}

void clearLayout(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->layout() != nullptr) clearLayout(item->layout());
        if (QWidget* widget = item->widget(); widget != nullptr) {
            widget->hide(); // it goes with the next turn of the event loop
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace

ChannelsPanel::ChannelsPanel(Editor& editor, QWidget* parent) : Section(tr("Channels"), parent), m_editor(editor)
{
    auto* unit = new QLabel; // narrow fields do not show theirs
    const auto showUnit = [unit] { unit->setText(QLatin1String(LengthUnits::instance().shown().name)); };
    connect(&LengthUnits::instance(), &LengthUnits::changed, unit, showUnit);
    showUnit();
    unit->setProperty("role", "hint");
    headerEnd()->addWidget(unit);
    m_forms = new ChoiceBox;
    m_forms->setObjectName(QStringLiteral("channels.rotations"));
    m_forms->setAccessibleName(tr("Rotations as"));
    m_forms->setToolTip(tr("Show rotations as Euler angles, or as rotation vectors: the axis, as long as the angle"));
    m_forms->addItem(tr("Euler"), static_cast<int>(RotationForm::Euler));
    m_forms->addItem(tr("Vector"), static_cast<int>(RotationForm::Vector));
    headerEnd()->addWidget(m_forms);
    connect(m_forms, &QComboBox::activated, this, [this](int index) {
        const auto form = static_cast<RotationForm>(m_forms->itemData(index).toInt());
        m_editor.view().edit([&](ViewState& state) { state.rotations = form; });
    });
    connect(&editor.view(), &ViewSettings::changed, this, [this] { show(m_target); });
}

QString ChannelsPanel::name() const
{
    return QString::fromStdString(nameOf(m_editor.document().scene(), m_target.item.object));
}

void ChannelsPanel::show(const InspectorTarget& target)
{
    const Handle* handle = m_editor.document().scene().find(target.handle);
    const int curvePoints = handle == nullptr ? 0 : handle->curvePoints;
    const Constraint constraint = handle == nullptr ? Constraint::None : constraintOf(*handle);
    const RotationForm form = m_editor.view().state().rotations;
    const auto shownPoint = [](const InspectorTarget& t) {
        return t.item.kind == SelectionItem::Kind::CurvePoint ? t.item.index
               : t.item.kind == SelectionItem::Kind::Pole     ? -2
                                                              : -1;
    };
    // What a constraint does is weighed by its weight; its blend is a row only where the IK/FK switch or a key uses it.
    const bool hasBlend = constraint == Constraint::None || sampled(Property::Blend, target.handle)[0] != 1 ||
                          editor::keyedState(m_editor, target.handle.value, {Property::Blend}) !=
                              NumberField::Keyed::No;
    const bool isSame = target.item.object == m_target.item.object && shownPoint(target) == shownPoint(m_target) &&
                        curvePoints == m_curvePoints && constraint == m_constraint && hasBlend == m_hasBlend &&
                        form == m_form && !m_rows.empty();
    m_target = target;
    m_curvePoints = curvePoints;
    m_constraint = constraint;
    m_hasBlend = hasBlend;
    if (isSame) return;
    m_form = form;
    m_forms->setCurrentIndex(m_forms->findData(static_cast<int>(form)));
    m_rows.clear();
    m_settings.reset();
    clearLayout(body());
    if (target.isHandle())
        addHandleRows();
    else if (target.item.isValid())
        addJointRows();
    orderTabs();
    refresh();
}

void ChannelsPanel::addNumber(NumberField* field, std::function<double(const FrameResult&)> value,
                              std::vector<Property> properties, std::function<bool()> isMixed)
{
    m_rows.push_back({field, std::move(value), std::move(properties), std::move(isMixed)});
}

std::vector<ObjectId> ChannelsPanel::editedObjects() const
{
    std::vector<ObjectId> objects;
    if (m_target.isHandle())
        for (const Handle* handle : editedHandles(m_editor, m_target)) objects.push_back(handle->id.value);
    else
        for (const Joint* joint : editedJoints(m_editor, m_target)) objects.push_back(joint->id.value);
    return objects;
}

void ChannelsPanel::addMenu(NumberField* field, std::vector<Property> properties, std::function<void()> reset, int axis)
{
    field->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(field, &QWidget::customContextMenuRequested, this,
            [this, field, properties, reset, axis](const QPoint& at) {
                const std::vector<ObjectId> objects = editedObjects();
                if (objects.empty()) return;
                auto* menu = new QMenu(this); // not the field's: that may go while the menu is open
                menu->setAttribute(Qt::WA_DeleteOnClose);
                menu->setObjectName(QStringLiteral("channelMenu"));
                const ChannelId channel{objects.front(), properties.front()};
                const bool isVector = channel.property == Property::GoalPosition ||
                                      channel.property == Property::Pole || isCurvePoint(channel.property);
                fillChannelMenu(*menu, m_editor,
                                {.field = field,
                                 .objects = objects,
                                 .properties = properties,
                                 .axis = axis,
                                 .reset = reset,
                                 .showInGraph = [this, channel, component = isVector ? axis : 0] {
                                     emit graphWanted(channel, component);
                                 }});
                menu->popup(field->mapToGlobal(at));
            });
}

std::function<double(ObjectId)> ChannelsPanel::dragFrom(NumberField* field, std::function<double(ObjectId)> present)
{
    const auto begun = std::make_shared<std::map<ObjectId, double>>();
    connect(field, &NumberField::dragBegun, this, [this, begun, present = std::move(present)] {
        begun->clear();
        for (const ObjectId object : editedObjects()) (*begun)[object] = present(object);
    });
    return [begun](ObjectId object) { return begun->count(object) != 0 ? begun->at(object) : 0; };
}

QJsonObject ChannelsPanel::turnJoint(const Joint& joint, int axis, double degrees) const
{
    const FramePtr frame = m_editor.frame();
    const JointIndex index = frame == nullptr || frame->rig == nullptr ? -1 : frame->rig->index(joint.id);
    if (index < 0)
        return {{"op", "rotate"},
                {"joint", QString::fromStdString(joint.name)},
                {"axis", kAxisNames[axis]},
                {"value", degrees}};
    const bool isVector = m_form == RotationForm::Vector;
    Vector3 numbers = isVector ? shownVector(*frame, at(index)) : shownAngles(*frame, at(index));
    numbers[axis] = degrees / kDegrees;
    return isVector ? turnOperation(*frame, joint, joint.rest.rotation * rotationFromVector(numbers))
                    : turnOperation(*frame, joint, axis, numbers);
}

void ChannelsPanel::addJointRows()
{
    EditorDocument& document = m_editor.document();
    const JointId joint = m_target.joint;
    QList<QWidget*> turns, moves;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const Property turn = std::array{Property::Rx, Property::Ry, Property::Rz}[a];
        const Property move = std::array{Property::Tx, Property::Ty, Property::Tz}[a];
        const auto rotate = [this, axis](const Joint& of, double v) { return turnJoint(of, axis, v); };
        const auto slide = [this, axis](const Joint& of, double v) {
            const FrameResult& frame = *m_editor.frame();
            return slideOperation(frame, of, axis, v / kCm / metresPerUnitAbove(frame, of.id)[axis]);
        };
        using Make = std::function<QJsonObject(const Joint&, double)>;
        using Present = std::function<double(const FrameResult&, std::size_t)>; // of a joint of the frame
        const Present turnOf = [axis, form = m_form](const FrameResult& f, std::size_t i) {
            return (form == RotationForm::Vector ? shownVector(f, i) : shownAngles(f, i))[axis] * kDegrees;
        };
        const Present placeOf = [axis](const FrameResult& f, std::size_t i) {
            return f.solved.local.joints[i].translation[axis] * kCm * metresPerUnitAbove(f, f.rig->id[i])[axis];
        };
        const auto forSelected = [this](const Make& make, const Present& present) { // typed, as in other programs
            return [this, make, present](const NumberEdit& edit) {
                const FramePtr frame = m_editor.frame();
                return forEditedJoints(m_editor, m_target, [&](const Joint& one) {
                    const JointIndex i = frame == nullptr || frame->rig == nullptr ? -1 : frame->rig->index(one.id);
                    return make(one, i < 0 ? double(edit) : edit.of(present(*frame, static_cast<std::size_t>(i))));
                });
            };
        };
        const auto isMixed = [this](const Present& present) {
            return [this, present] {
                const FrameResult& frame = *m_editor.frame();
                std::optional<double> first;
                for (const Joint* one : editedJoints(m_editor, m_target))
                    if (const JointIndex i = frame.rig->index(one->id); i >= 0) {
                        const double value = present(frame, static_cast<std::size_t>(i));
                        if (!first) first = value;
                        if (std::abs(value - *first) > kSameShown) return true;
                    }
                return false;
            };
        };
        const auto index = [](const FrameResult& frame, ObjectId object) {
            return static_cast<std::size_t>(std::max(0, frame.rig->index(JointId{object})));
        };
        // A drag turns each of them from where it was when the drag began.
        const auto draggable = [&](NumberField::Format format, const Make& make, const Present& present) {
            const auto from = std::make_shared<std::function<double(ObjectId)>>();
            const auto dragged = [this, from, make](const NumberEdit& edit) {
                const double by = double(edit) - (*from)(m_target.joint.value);
                return forEditedJoints(m_editor, m_target,
                                       [&](const Joint& one) { return make(one, (*from)(one.id.value) + by); });
            };
            NumberField* field = numberField(document, std::move(format), dragged, {}, forSelected(make, present));
            *from = dragFrom(field, [this, present, index](ObjectId object) {
                const FramePtr frame = m_editor.frame();
                return frame == nullptr || frame->rig == nullptr ? 0 : present(*frame, index(*frame, object));
            });
            return field;
        };
        NumberField* turned = draggable(angleFormat(axis), rotate, turnOf);
        NumberField* moved = draggable(lengthFormat(axis), slide, placeOf);
        turned->setObjectName(QStringLiteral("channel.r%1").arg(kAxisNames[axis]));
        moved->setObjectName(QStringLiteral("channel.t%1").arg(kAxisNames[axis]));
        addNumber(
            turned, [index, turnOf, joint](const FrameResult& f) { return turnOf(f, index(f, joint.value)); },
            {turn, Property::Rotation}, isMixed(turnOf));
        addNumber(
            moved, [index, placeOf, joint](const FrameResult& f) { return placeOf(f, index(f, joint.value)); }, {move},
            isMixed(placeOf));
        const auto applyToAll = [this](const std::function<QJsonObject(const Joint&)>& make) {
            if (const QJsonObject all = forEditedJoints(m_editor, m_target, make); !all.isEmpty())
                (void)m_editor.document().apply(all);
        };
        addMenu(
            turned, {turn}, [applyToAll, rotate] { applyToAll([&](const Joint& one) { return rotate(one, 0); }); },
            axis);
        addMenu(
            moved, {move},
            [this, applyToAll, axis] {
                applyToAll([&](const Joint& one) {
                    return slideOperation(*m_editor.frame(), one, axis, one.rest.translation[axis]);
                });
            },
            axis);
        turns << turned;
        moves << moved;
    }
    addRow(body(), tr("Rotation"), turns,
           m_form == RotationForm::Vector
               ? tr("Rotate the joint: the rotation from the rest pose as a vector, its axis as long as its angle")
               : tr("Rotate the joint: angles from the rest pose, in its rotation order"));
    addRow(body(), tr("Translation"), moves,
           tr("Move the joint: position along the axes of its parent, in true lengths"));
}

ChannelValue ChannelsPanel::sampled(Property property, HandleId of) const
{
    const EditorDocument& d = m_editor.document();
    const Handle* handle = d.scene().find(of);
    // Operations and keys have the goal of a handle that a joint carries in the world. Between keys in two spaces the
    // goal is in the space of this frame.
    const bool isSeen = handle != nullptr && (handle->isCarried() || !handle->spaces.empty());
    const HandleView* view = isSeen && m_editor.frame() != nullptr ? m_editor.frame()->find(handle->id) : nullptr;
    if (view != nullptr && (property == Property::GoalPosition || property == Property::GoalRotation)) {
        const GoalPose inSpace = goalInSpace(view->target.worldFromSpace, view->target.goal);
        return property == Property::GoalPosition ? toValue(inSpace.position) : toValue(inSpace.rotation);
    }
    if (view != nullptr && property == Property::Pole && view->target.pole)
        return toValue(Vector3(view->target.worldFromPoleSpace.inverse() * *view->target.pole));
    const auto point = static_cast<std::size_t>(isCurvePoint(property) ? curveIndex(property) : 0);
    if (view != nullptr && isCurvePoint(property) && point < view->target.curve.size())
        return toValue(Vector3(view->target.worldFromSpace.inverse() * view->target.curve[point]));
    const int frame = m_editor.shownFrame();
    const PendingValues none;
    return sampleChannel(d.scene(), d.clip(), frame == d.edit().frame ? d.edit().pending : none, {of.value, property},
                         d.scene().fps.timeOf(frame));
}

Vector3 ChannelsPanel::metresOf(Property property, HandleId of) const
{
    const FramePtr frame = m_editor.frame();
    const HandleView* view = frame == nullptr ? nullptr : frame->find(of);
    if (view == nullptr) return Vector3::Ones();
    return metresPerUnit(property == Property::Pole ? view->target.worldFromPoleSpace : view->target.worldFromSpace);
}

bool ChannelsPanel::hasHandle() const { return m_editor.document().scene().find(m_target.handle) != nullptr; }

std::vector<const Handle*> ChannelsPanel::editedGoals() const
{
    std::vector<const Handle*> handles = editedHandles(m_editor, m_target);
    std::erase_if(handles, [](const Handle* handle) { return handle->hasCurve(); });
    return handles;
}

QJsonObject ChannelsPanel::forGoals(const std::function<QJsonObject(const Handle&)>& make) const
{
    std::vector<QJsonObject> operations;
    for (const Handle* handle : editedGoals()) operations.push_back(make(*handle));
    if (operations.empty()) return {};
    return operations.size() == 1 ? operations.front() : ops::group(operations);
}

bool ChannelsPanel::areGoalsMixed(const std::function<double(HandleId)>& value) const
{
    const std::vector<const Handle*> handles = editedGoals();
    return std::any_of(handles.begin(), handles.end(), [&](const Handle* handle) {
        return std::abs(value(handle->id) - value(handles.front()->id)) > kSameShown;
    });
}

QList<QWidget*> ChannelsPanel::addPosition(Property property, const QString& objectName, const MakePosition& make,
                                           const std::function<void()>& reset)
{
    QList<QWidget*> fields;
    const bool isGoal = property == Property::GoalPosition;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<Eigen::Index>(axis);
        const auto present = [this, property, axis, a](HandleId of) {
            return sampled(property, of)[axis] * kCm * metresOf(property, of)[a];
        };
        // Read the other two numbers when the operation is made: every update of a drag starts again from the same
        // base.
        const auto moved = [this, property, make, axis, a](const Handle& handle, double v) {
            const ChannelValue p = sampled(property, handle.id);
            QJsonArray position{p[0], p[1], p[2]};
            position[static_cast<qsizetype>(axis)] = v / kCm / metresOf(property, handle.id)[a];
            return make(handle, position);
        };
        const auto from = std::make_shared<std::function<double(ObjectId)>>();
        const auto one = [this, moved, from, isGoal](const NumberEdit& edit) {
            const Handle* handle = m_editor.document().scene().find(m_target.handle);
            if (handle == nullptr) return QJsonObject();
            if (!isGoal) return moved(*handle, edit);
            const double by = double(edit) - (*from)(m_target.handle.value);
            return forGoals([&](const Handle& each) { return moved(each, (*from)(each.id.value) + by); });
        };
        const auto typed = [this, moved, present](const NumberEdit& edit) {
            return forGoals([&](const Handle& handle) { return moved(handle, edit.of(present(handle.id))); });
        };
        NumberField* field = numberField(m_editor.document(), lengthFormat(static_cast<int>(axis)), one, {},
                                         isGoal ? MakeOperation(typed) : MakeOperation());
        *from = dragFrom(field, [present](ObjectId object) { return present(HandleId{object}); });
        field->setObjectName(objectName.arg(kAxisNames[axis]));
        addNumber(
            field, [this, present](const FrameResult&) { return hasHandle() ? present(m_target.handle) : 0; },
            {property}, [this, present, isGoal] { return isGoal && areGoalsMixed(present); });
        addMenu(field, {property}, reset, static_cast<int>(axis));
        fields << field;
    }
    return fields;
}

void ChannelsPanel::resetHandle()
{
    const Scene& scene = m_editor.document().scene();
    if (const Handle* handle = scene.find(m_target.handle))
        (void)m_editor.document().apply(
            {{"op", "resetPose"}, {"joints", QJsonArray{QString::fromStdString(nameOf(scene, handle->end.value))}}});
}

void ChannelsPanel::addCurvePointRow(int index)
{
    const auto make = [index](const Handle& handle, const QJsonArray& position) {
        return QJsonObject{{"op", "setCurvePoint"},
                           {"handle", QString::fromStdString(handle.name)},
                           {"index", index},
                           {"position", position}};
    };
    addRow(body(), tr("Point %1").arg(index + 1),
           addPosition(curvePoint(index), QStringLiteral("curve.%1"), make, [this] { resetHandle(); }),
           fieldHelp("setCurvePoint", "position"));
}

void ChannelsPanel::addPoleRow()
{
    const auto move = [](const Handle& handle, const QJsonArray& position) {
        return QJsonObject{{"op", "setHandle"}, {"name", QString::fromStdString(handle.name)}, {"pole", position}};
    };
    const auto reset = [this] {
        (void)m_editor.document().apply({{"op", "setHandle"}, {"name", name()}, {"pole", "auto"}});
    };
    addRow(body(), tr("Pole"), addPosition(Property::Pole, QStringLiteral("pole.%1"), move, reset),
           fieldHelp("setHandle", "pole"));
}

void ChannelsPanel::addGoalRows()
{
    EditorDocument& document = m_editor.document();
    const auto reset = [this] { resetHandle(); };
    const auto move = [](const Handle& handle, const QJsonArray& position) {
        return QJsonObject{{"op", "setGoal"}, {"handle", QString::fromStdString(handle.name)}, {"position", position}};
    };
    addRow(body(), tr("Goal"), addPosition(Property::GoalPosition, QStringLiteral("goal.%1"), move, reset),
           fieldHelp("setGoal", "position"));

    const auto numbersOf = [this, form = m_form](HandleId of) {
        return goalNumbers(toQuaternion(sampled(Property::GoalRotation, of)), form);
    };
    QList<QWidget*> turns;
    for (int axis = 0; axis < 3; ++axis) {
        const auto present = [numbersOf, axis](HandleId of) { return numbersOf(of)[axis]; };
        const auto turn = [numbersOf, axis, form = m_form](const Handle& handle, double v) {
            Vector3 numbers = numbersOf(handle.id);
            numbers[axis] = v;
            const Quaternion rotation = fromGoalNumbers(numbers, form);
            return QJsonObject{
                {"op", "setGoal"}, {"handle", QString::fromStdString(handle.name)}, {"rotation", toJson(rotation)}};
        };
        const auto from = std::make_shared<std::function<double(ObjectId)>>();
        const auto one = [this, turn, from](const NumberEdit& edit) {
            const double by = double(edit) - (*from)(m_target.handle.value);
            return forGoals([&](const Handle& each) { return turn(each, (*from)(each.id.value) + by); });
        };
        const auto typed = [this, turn, present](const NumberEdit& edit) {
            return forGoals([&](const Handle& handle) { return turn(handle, edit.of(present(handle.id))); });
        };
        NumberField* turned = numberField(document, angleFormat(axis), one, {}, typed);
        turned->setObjectName(QStringLiteral("goal.r%1").arg(kAxisNames[axis]));
        addNumber(
            turned, [this, present](const FrameResult&) { return hasHandle() ? present(m_target.handle) : 0; },
            {Property::GoalRotation}, [this, present] { return areGoalsMixed(present); });
        *from = dragFrom(turned, [present](ObjectId object) { return present(HandleId{object}); });
        addMenu(turned, {Property::GoalRotation}, reset, axis);
        turns << turned;
    }
    addRow(body(), tr("Rotation"), turns, tr("Rotate the goal; it has an effect while Orientation is above 0"));
}

void ChannelsPanel::addHandleRows()
{
    EditorDocument& document = m_editor.document();
    const Handle* handle = document.scene().find(m_target.handle);
    const bool hasCurve = handle != nullptr && handle->hasCurve();
    if (m_target.item.kind == SelectionItem::Kind::Pole && handle != nullptr && !handle->poleTarget.isValid())
        addPoleRow();
    else if (!hasCurve)
        addGoalRows();
    if (hasCurve && m_target.item.kind == SelectionItem::Kind::CurvePoint) addCurvePointRow(m_target.item.index);

    const auto single = [&](const QString& label, const char* field, Property property, NumberField::Format format,
                            double factor, double usual) {
        const auto make = [this, field, property, factor](const NumberEdit& edit) {
            return forEditedHandles(m_editor, m_target, [&](const Handle& one) {
                return QJsonObject{{field, edit.of(sampled(property, one.id)[0] * factor)}};
            });
        };
        const auto isMixed = [this, property] {
            const std::vector<const Handle*> handles = editedHandles(m_editor, m_target);
            return std::any_of(handles.begin(), handles.end(), [&](const Handle* other) {
                return sampled(property, other->id)[0] != sampled(property)[0];
            });
        };
        NumberField* number = numberField(document, std::move(format), make);
        number->setObjectName(QStringLiteral("channel.%1").arg(field));
        addNumber(
            number,
            [this, property, factor](const FrameResult&) { return hasHandle() ? sampled(property)[0] * factor : 0; },
            {property}, isMixed);
        addMenu(number, {property}, [this, make, usual] { (void)m_editor.document().apply(make(usual)); });
        addRow(body(), label, {number}, fieldHelp("setHandle", field));
        if (const SettingRule* rule = findRule("setHandle", field)) m_settings->add(rule->setting, label, {number});
    };
    const bool isConstrained = handle != nullptr && isConstraint(*handle);
    m_settings.emplace();
    if (!isConstrained || constraintOf(*handle) == Constraint::Aim)
        single(tr("Twist"), "twist", Property::Twist, {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5},
               kDegrees, 0);
    if (hasCurve)
        single(tr("Roll"), "roll", Property::Roll, {.decimals = 1, .unit = QStringLiteral("°"), .step = 0.5}, kDegrees,
               0);
    if (m_hasBlend)
        single(tr("IK blend"), "blend", Property::Blend,
               {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 1, .showsFill = true}, 1, 1);
    NumberField::Format weight{.decimals = 2, .step = 0.01, .minimum = 0};
    if (isConstrained) weight.maximum = 1;
    weight.showsFill = isConstrained;
    single(tr("Weight"), "weight", Property::Weight, weight, 1, 1);
    body()->addWidget(m_settings->hint());
}

NumberField::Keyed ChannelsPanel::keyedState(const std::vector<Property>& properties) const
{
    return editor::keyedState(m_editor, m_target.item.object, properties);
}

void ChannelsPanel::refresh()
{
    if (const Handle* handle = m_editor.document().scene().find(m_target.handle); handle != nullptr && m_settings)
        m_settings->show(*handle, m_editor.document().solvers());
    const FramePtr frame = m_editor.frame();
    if (frame == nullptr || frame->rig == nullptr) return;
    if (m_target.item.kind == SelectionItem::Kind::Joint && frame->rig->index(m_target.joint) < 0)
        return; // a newer frame will arrive
    const Handle* driving = m_target.isHandle() ? nullptr : handleDriving(*frame, m_target.joint);
    setHint(driving == nullptr ? QString() : tr("IK: %1").arg(QString::fromStdString(driving->name)));
    for (const Row& row : m_rows) {
        row.field->setValue(row.value(*frame), row.isMixed && row.isMixed());
        row.field->setKeyed(keyedState(row.properties));
    }
}

} // namespace tendon::editor
