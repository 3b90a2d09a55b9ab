#include "app/widgets/HandlePanel.h"

#include "app/editor/JsonValues.h"
#include "app/editor/Theme.h"
#include "app/editor/TrueLengths.h"
#include "app/widgets/DriverWord.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/FollowCommands.h"
#include "app/widgets/Icons.h"
#include "app/widgets/NameRows.h"
#include "app/widgets/OperationFields.h"
#include "app/widgets/Texts.h"
#include "core/document/FollowSpaces.h"
#include "core/document/MakeOperation.h"
#include "core/math/Degrees.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"
#include "core/scene/RestPose.h"
#include "core/solve/ConstraintInfo.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QStyle>
#include <QVBoxLayout>

#include <utility>

namespace tendon::editor {
namespace {

constexpr const char* kNone = "";           // no pole, or no followed joint
constexpr const char* kPoint = "\x01point"; // a pole at a point in the world; no joint can have this name
constexpr const char* kBone = "auto";       // an axis that aims: as the bone of the end runs
constexpr const char* kOther = "\x01other"; // one that is none of the named
struct NamedAxis
{
    const char* name;
    Vector3 axis;
};
const NamedAxis kAxes[] = {{"+X", Vector3::UnitX()},  {"-X", -Vector3::UnitX()}, {"+Y", Vector3::UnitY()},
                           {"-Y", -Vector3::UnitY()}, {"+Z", Vector3::UnitZ()},  {"-Z", -Vector3::UnitZ()}};
constexpr int kJointRole = Qt::UserRole, kPictureRole = Qt::UserRole + 1;

QString aimChoice(const Scene& scene, const Handle& handle)
{
    constexpr double kSame = 1e-9;
    if (!handle.aimAxis) return kNone;
    if ((*handle.aimAxis - boneDirection(scene, *scene.find(handle.end))).norm() < kSame) return kBone;
    for (const NamedAxis& each : kAxes)
        if ((*handle.aimAxis - each.axis).norm() < kSame) return QLatin1StringView(each.name);
    return kOther;
}

} // namespace

HandlePanel::HandlePanel(Editor& editor, QWidget* parent) : Section(tr("Handle"), parent), m_editor(editor)
{
    EditorDocument& document = editor.document();
    m_badge = new QLabel;
    m_badge->setObjectName(QStringLiteral("handle.badge"));
    headerEnd()->addWidget(m_badge);
    m_empty = new QLabel(tr("No handle moves this joint. Create › IK handle adds one."));
    m_empty->setProperty("role", "hint");
    m_empty->setWordWrap(true);
    body()->addWidget(m_empty);
    m_fields = new QWidget;
    body()->addWidget(m_fields);
    auto* column = new QVBoxLayout(m_fields);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::instance().px(4));

    m_chain = new ElidedLabel;
    m_chain->setProperty("role", "hint");
    column->addWidget(m_chain);
    m_joints = new QListWidget;
    m_joints->setObjectName(QStringLiteral("handle.joints"));
    m_joints->setAccessibleName(tr("Joints of the chain"));
    m_joints->setToolTip(tr("Choose one of the handle's joints to see its settings"));
    m_joints->setUniformItemSizes(true);
    m_joints->setItemDelegate(new NameRows(m_joints));
    m_joints->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_joints, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) emit walked(JointId{item->data(kJointRole).toULongLong()});
    });
    column->addWidget(m_joints);
    m_solver = choiceField(document, [this](const QString& alias) { return with("solver", alias); });
    m_solver->setObjectName(QStringLiteral("handle.solver"));
    addRow(column, tr("Solver"), {m_solver}, fieldHelp("setHandle", "solver"));
    addNumber(tr("Orientation"), "orientationWeight", {.decimals = 2, .step = 0.01, .minimum = 0}, 1,
              [](const Handle& h) { return h.orientationWeight; });
    addNumber(tr("Priority"), "priority", {.decimals = 0, .step = 0.05, .minimum = 1, .maximum = 1000}, 1,
              [](const Handle& h) { return h.priority; });

    QList<QWidget*> offset;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        m_offset[axis] = numberField(
            document,
            {.decimals = 1, .unit = QStringLiteral("cm"), .step = 0.1, .axis = QChar('X' + static_cast<int>(axis))},
            [this, axis](const NumberEdit& edit) {
                return forHandles([&](const Handle& of) {
                    Vector3 to = of.offset;
                    double& along = to[static_cast<Eigen::Index>(axis)];
                    const double shown = kCm * metresPerUnitOf(m_editor.document().scene(),
                                                               of.end)[static_cast<Eigen::Index>(axis)];
                    along = edit.of(along * shown) / shown;
                    return QJsonObject{{"offset", toJson(to)}};
                });
            });
        m_offset[axis]->setObjectName(QStringLiteral("handle.offset.%1").arg(kAxisNames[axis]));
        m_values.add(m_offset[axis], [this, axis](const Handle& h) {
            const auto i = static_cast<Eigen::Index>(axis);
            return h.offset[i] * kCm * metresPerUnitOf(m_editor.document().scene(), h.end)[i];
        });
        offset << m_offset[axis];
    }
    addRow(column, tr("Effector"), offset, fieldHelp("setHandle", "offset"));
    m_settings.add(Setting::Effector, tr("Effector"), offset);

    m_aim = choiceField(document, [this](const QString& value) {
        QJsonValue axis = value == kNone ? QJsonValue() : QJsonValue(value);
        for (const NamedAxis& each : kAxes)
            if (value == QLatin1StringView(each.name)) axis = toJson(each.axis);
        return with("aimAxis", axis);
    });
    m_aim->setObjectName(QStringLiteral("handle.aimAxis"));
    m_aim->addItem(tr("Meet the goal"), kNone);
    m_aim->addItem(tr("Aim along the bone"), kBone);
    for (const NamedAxis& each : kAxes)
        m_aim->addItem(tr("Aim with %1").arg(QLatin1StringView(each.name)), QLatin1StringView(each.name));
    m_aim->addItem(tr("Aim with another axis"), kOther);
    m_aim->setItemData(m_aim->count() - 1, 0, Qt::UserRole - 1); // shown, not chosen
    m_aimLabel = addRow(column, tr("End"), {m_aim}, fieldHelp("setHandle", "aimAxis"));
    greyIfUnused("aimAxis", tr("End"), m_aim);
    m_pole = choiceField(document, [this](const QString& value) {
        if (value == kNone) return with("pole", QJsonValue::Null);
        if (value != kPoint) return with("poleTarget", value);
        return forHandles([](const Handle& h) {
            QJsonObject fields{{"poleTarget", QJsonValue::Null}};
            if (!h.hasPole) fields.insert("pole", "auto");
            return fields;
        });
    });
    m_pole->setObjectName(QStringLiteral("handle.pole"));
    m_poleLabel = addRow(column, tr("Pole"), {m_pole}, fieldHelp("setHandle", "pole"));
    greyIfUnused("pole", tr("Pole"), m_pole);
    m_poleFollow = addFollow(tr("Pole follows"), Property::Pole);
    m_follow = addFollow(tr("Follows"), Property::GoalPosition);
    m_startUp = addUp(tr("Start faces"), "startUp");
    m_endUp = addUp(tr("End faces"), "endUp");
    addNumber(tr("Soft"), "soft", {.decimals = 2, .step = 0.005, .minimum = 0, .maximum = 0.5, .showsFill = true}, 1,
              [](const Handle& h) { return h.soft; });
    addNumber(tr("Stretch"), "stretch", {.decimals = 2, .step = 0.01, .minimum = 1}, 1,
              [](const Handle& h) { return h.stretch; });
    addNumber(tr("Squash"), "squash",
              {.decimals = 2, .step = 0.01, .minimum = kMinSquash, .maximum = 1, .showsFill = true}, 1,
              [](const Handle& h) { return h.squash; });

    m_unreachable = choiceField(document, [this](const QString& value) { return with("unreachable", value); });
    m_unreachable->setObjectName(QStringLiteral("handle.unreachable"));
    m_unreachable->addItem(tr("Stretch toward the goal"), QStringLiteral("stretch"));
    m_unreachable->addItem(tr("Hold the pose"), QStringLiteral("hold"));
    m_ofSolves << addRow(column, tr("Unreachable"), {m_unreachable}, fieldHelp("setHandle", "unreachable"))
               << m_unreachable;
    greyIfUnused("unreachable", tr("Unreachable"), m_unreachable);

    auto* flags = new QHBoxLayout;
    m_pinned = checkField(document, [this](bool on) { return with("pinned", on); });
    m_pinned->setText(tr("Pinned"));
    m_pinned->setToolTip(fieldHelp("setHandle", "pinned"));
    m_pinned->setObjectName(QStringLiteral("handle.pinned"));
    m_sticky = checkField(document, [this](bool on) { return with("stick", on); });
    m_sticky->setText(tr("Sticky"));
    m_sticky->setToolTip(fieldHelp("setHandle", "stick"));
    m_sticky->setObjectName(QStringLiteral("handle.stick"));
    flags->addSpacing(Theme::instance().px(80));
    flags->addWidget(m_pinned);
    flags->addWidget(m_sticky);
    flags->addStretch(1);
    column->addLayout(flags);
    addNumber(tr("Tolerance"), "tolerance", {.decimals = 3, .unit = "mm", .step = 0.001, .minimum = 1e-6}, 1000,
              [](const Handle& h) { return h.positionTolerance; });
    addNumber(tr("Angle tol."), "rotationTolerance",
              {.decimals = 3, .unit = QStringLiteral("°"), .step = 0.001, .minimum = 1e-6}, 1,
              [](const Handle& h) { return h.rotationTolerance * kDegrees; });
    addNumber(tr("Iteration cap"), "maxIterations", {.decimals = 0, .step = 0.2, .minimum = 0, .maximum = 100000}, 1,
              [](const Handle& h) { return h.maxIterations; });
    column->addWidget(m_settings.hint());

    m_values.add(m_solver, [](const Handle& h) { return QString::fromStdString(h.solver); });
    m_values.add(m_pole, [this](const Handle& h) {
        return h.hasPole && !h.poleTarget.isValid() ? QString(kPoint)
                                                    : jointChoice(h.hasPole ? h.poleTarget : JointId{});
    });
    m_values.add(m_follow.choice, [this](const Handle& h) { return followed(h, Property::GoalPosition); });
    m_values.add(m_poleFollow.choice, [this](const Handle& h) { return followed(h, Property::Pole); });
    m_values.add(m_startUp.choice, [this](const Handle& h) { return jointChoice(h.startUp); });
    m_values.add(m_endUp.choice, [this](const Handle& h) { return jointChoice(h.endUp); });
    m_values.add(m_aim, [this](const Handle& h) { return aimChoice(m_editor.document().scene(), h); });
    m_values.add(m_unreachable, [](const Handle& h) {
        return h.unreachable == Unreachable::Hold ? QStringLiteral("hold") : QStringLiteral("stretch");
    });
    m_values.add(m_pinned, [](const Handle& h) { return h.isPinned; });
    m_values.add(m_sticky, [](const Handle& h) { return h.isSticky; });
}

HandlePanel::Follow HandlePanel::addFollow(const QString& label, Property place)
{
    EditorDocument& document = m_editor.document();
    const QString field = place == Property::Pole ? QStringLiteral("poleFollow") : QStringLiteral("follow");
    Follow row;
    row.choice = choiceField(document, [this, place](const QString& name) { return follow(place, name); });
    row.choice->setObjectName(QStringLiteral("handle.") + field);
    row.key = new KeyDiamond;
    row.key->setObjectName(QStringLiteral("handle.%1.key").arg(field));
    row.key->setAccessibleName(tr("Key of %1").arg(label));
    connect(row.key, &QAbstractButton::clicked, this,
            [this, place] { (void)m_editor.document().apply(keyOrUnkey(place)); });
    for (QWidget* part : std::initializer_list<QWidget*>{row.choice, row.key}) {
        part->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(part, &QWidget::customContextMenuRequested, this,
                [this, part, place](const QPoint& at) { showFollowMenu(place, part->mapToGlobal(at)); });
    }
    row.label = addRow(qobject_cast<QVBoxLayout*>(m_fields->layout()), label, {row.choice, row.key},
                       fieldHelp("setHandle", qPrintable(field)));
    return row;
}

QString HandlePanel::followed(const Handle& handle, Property place) const
{
    const EditorDocument& document = m_editor.document();
    const Scene& scene = document.scene();
    const ObjectId space = spaceOfValue(scene, document.clip(), handle, place, scene.fps.timeOf(m_editor.shownFrame()));
    return space == 0 ? QString(kNone) : QString::fromStdString(nameOf(scene, space));
}

/// Where the clip keys what is followed, and with Auto Key, from this frame on; else at all frames.
QJsonObject HandlePanel::follow(Property place, const QString& name) const
{
    const EditorDocument& document = m_editor.document();
    const bool isPole = place == Property::Pole;
    const QJsonValue space = name == kNone ? QJsonValue(QJsonValue::Null) : QJsonValue(name);
    std::vector<QJsonObject> operations;
    for (const Handle* handle : editedHandles(m_editor, m_target)) {
        const QString title = QString::fromStdString(handle->name);
        const bool isKeyed = document.edit().isAutoKeyOn ||
                             (document.clip() != nullptr &&
                              document.clip()->find({handle->id.value, spaceOf(place)}) != nullptr);
        if (isKeyed)
            operations.push_back(followFromHere(title, place, space));
        else
            operations.push_back({{"op", "setHandle"},
                                  {"name", title},
                                  {isPole ? QStringLiteral("poleFollow") : QStringLiteral("follow"), space}});
    }
    return ops::group(operations);
}

QJsonObject HandlePanel::keyOrUnkey(Property place) const
{
    const bool isPole = place == Property::Pole;
    const bool isHere = keyedState(m_editor, m_target.handle.value, {spaceOf(place)}) == Keyed::Here;
    std::vector<QJsonObject> operations;
    for (const Handle* handle : editedHandles(m_editor, m_target)) {
        const QString title = QString::fromStdString(handle->name), space = followed(*handle, place);
        if (!isHere)
            operations.push_back(
                followFromHere(title, place, space == kNone ? QJsonValue(QJsonValue::Null) : QJsonValue(space)));
        else if (keyedState(m_editor, handle->id.value, {spaceOf(place)}) == Keyed::Here)
            operations.push_back(
                {{"op", "deleteKey"},
                 {"target", title},
                 {"channels", QJsonArray{isPole ? QStringLiteral("pole.space") : QStringLiteral("space")}},
                 {"layer", "keys"},
                 {"frame", m_editor.shownFrame()}});
    }
    return ops::group(operations);
}

QJsonObject HandlePanel::changeFromHere(Property place, const QJsonValue& space) const
{
    std::vector<QJsonObject> operations;
    for (const Handle* handle : editedHandles(m_editor, m_target))
        operations.push_back(followFromHere(QString::fromStdString(handle->name), place, space));
    return ops::group(operations);
}

void HandlePanel::showFollowMenu(Property place, const QPoint& globalPosition)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("handle.followMenu"));
    const auto apply = [this](const QJsonObject& operation) { (void)m_editor.document().apply(operation); };
    const bool isHere = keyedState(m_editor, m_target.handle.value, {spaceOf(place)}) == Keyed::Here;
    menu->addAction(isHere ? tr("Delete key") : tr("Key"), this, [=, this] { apply(keyOrUnkey(place)); });
    menu->addAction(tr("Let go from here"), this, [=, this] { apply(changeFromHere(place, QJsonValue::Null)); });
    QMenu* others = menu->addMenu(tr("Follow from here"));
    const QComboBox& choice = *(place == Property::Pole ? m_poleFollow : m_follow).choice;
    const Handle* shown = handle();
    for (int i = 1; shown != nullptr && i < choice.count(); ++i) // the first is the world
        if (const QString name = choice.itemData(i).toString(); name.toStdString() != shown->name)
            others->addAction(choice.itemIcon(i), choice.itemText(i), this,
                              [=, this] { apply(changeFromHere(place, name)); });
    menu->popup(globalPosition);
}

void HandlePanel::showFollow(const Follow& row, Property place)
{
    const Keyed keyed = keyedState(m_editor, m_target.handle.value, {spaceOf(place)});
    row.key->setKeyed(keyed);
    row.key->setToolTip(keyed == Keyed::Here
                            ? tr("Delete the key of this frame; what moves stays in place")
                            : tr("Key what it follows from this frame on; it stays in place. Right-click to "
                                 "follow another object, or to let go, from here"));
    const Handle* shown = handle();
    for (int i = 0; shown != nullptr && i < row.choice->count(); ++i) { // a goal cannot follow itself
        const bool isItself = row.choice->itemData(i).toString().toStdString() == shown->name;
        row.choice->setItemData(i, isItself ? QVariant(0) : QVariant(), Qt::UserRole - 1);
    }
}

/// A joint that an end of a chain along a curve faces; shown for handles that follow one.
HandlePanel::Up HandlePanel::addUp(const QString& label, const char* field)
{
    QComboBox* choice = choiceField(m_editor.document(), [this, field](const QString& value) {
        return with(field, value == kNone ? QJsonValue() : QJsonValue(value));
    });
    choice->setObjectName(QStringLiteral("handle.%1").arg(field));
    return {addRow(qobject_cast<QVBoxLayout*>(m_fields->layout()), label, {choice}, fieldHelp("setHandle", field)),
            choice};
}

NumberField* HandlePanel::addNumber(const QString& label, const char* field, NumberField::Format format, double factor,
                                    std::function<double(const Handle&)> value)
{
    const bool isWhole = format.decimals == 0;
    const auto present = [value = std::move(value), factor](const Handle& h) { return value(h) * factor; };
    const auto make = [this, field, factor, isWhole, present](const NumberEdit& edit) {
        return forHandles([&](const Handle& h) {
            const double v = edit.of(present(h));
            return QJsonObject{{field, isWhole ? QJsonValue(qRound(v)) : QJsonValue(v / factor)}};
        });
    };
    NumberField* number = numberField(m_editor.document(), std::move(format), make);
    number->setObjectName(QStringLiteral("handle.%1").arg(field));
    m_values.add(number, present);
    QLabel* title = addRow(qobject_cast<QVBoxLayout*>(m_fields->layout()), label, {number},
                           fieldHelp("setHandle", field));
    greyIfUnused(field, label, number);
    const SettingRule* rule = findRule("setHandle", field);
    const auto hasEffect = [rule](const SolverInfo& info) { return isUsed(rule->setting, info); };
    const std::span<const SolverInfo> constraints = constraintInfos();
    if (rule != nullptr && std::none_of(constraints.begin(), constraints.end(), hasEffect))
        m_ofSolves << title << number;
    return number;
}

void HandlePanel::greyIfUnused(const char* field, const QString& title, QWidget* widget)
{
    if (const SettingRule* rule = findRule("setHandle", field)) m_settings.add(rule->setting, title, {widget});
}

void HandlePanel::showBadge(const HandleView* view)
{
    const Handle* shown = handle();
    const double share = view == nullptr ? 0 : view->target.blend;
    const bool isOn = share > 0;
    const QString word = view == nullptr || shown == nullptr ? QString() : driverWord(*shown, isOn);
    const QString text = word.isEmpty() || !isOn || share >= 1 ? word
                                                               : tr("%1 %2 %").arg(word).arg(qRound(share * 100));
    if (text == m_badge->text()) return;
    m_badge->setText(text);
    m_badge->setVisible(!text.isEmpty());
    m_badge->setProperty("role", isOn ? "ik" : "fk");
    m_badge->style()->unpolish(m_badge);
    m_badge->style()->polish(m_badge);
    const Theme& theme = Theme::instance();
    m_badge->setFixedWidth(QFontMetrics(theme.font(10, 600)).horizontalAdvance(text) + theme.px(10));
    m_badge->setFixedHeight(theme.px(16));
    m_badge->setAlignment(Qt::AlignCenter);
}

void HandlePanel::showIfSolverIsLoaded(const Handle& shown)
{
    const QString help = fieldHelp("setHandle", "solver"), solver = QString::fromStdString(shown.solver);
    const SolverInfo* info = m_editor.document().solvers().find(shown.solver);
    const bool isLoaded = info != nullptr;
    if (!isLoaded && m_solver->placeholderText() == solver)
        m_solver->setPlaceholderText(tr("%1 (not loaded)").arg(solver));
    m_solver->setToolTip(isLoaded
                             ? help + QStringLiteral("\n") + aboutSolver(*info)
                             : tr("%1\nNo plugin here has the solver “%2”, so the chain keeps its FK pose. Put the "
                                  "plugin back, or choose another solver. The Log says what was not loaded")
                                   .arg(help, solver));
}

QJsonObject HandlePanel::forHandles(const std::function<QJsonObject(const Handle&)>& fields) const
{
    return forEditedHandles(m_editor, m_target, fields);
}

QJsonObject HandlePanel::with(const char* field, const QJsonValue& value) const
{
    return forHandles([&](const Handle&) { return QJsonObject{{field, value}}; });
}

QString HandlePanel::jointChoice(JointId joint) const
{
    return joint.isValid() ? QString::fromStdString(nameOf(m_editor.document().scene(), joint.value)) : QString(kNone);
}

const Handle* HandlePanel::handle() const { return m_editor.document().scene().find(m_target.handle); }

/// The world, the joints, and the handles whose goals can be followed.
void HandlePanel::fillFollowed(QComboBox& choice) const
{
    const Scene& scene = m_editor.document().scene();
    choice.clear();
    choice.addItem(icon(QStringLiteral("space-world"), "text.secondary"), tr("World"), kNone);
    for (const Joint& joint : *scene.joints)
        choice.addItem(QString::fromStdString(joint.name), QString::fromStdString(joint.name));
    for (const Handle& handle : *scene.handles)
        choice.addItem(icon(QStringLiteral("ik-handle"), "text.secondary"), QString::fromStdString(handle.name),
                       QString::fromStdString(handle.name));
}

void HandlePanel::fillChoices()
{
    const Scene& scene = m_editor.document().scene();
    if (m_hasChoices && scene.joints.isSame(m_listed) && scene.handles.isSame(m_listedHandles)) return;
    m_hasChoices = true;
    m_listed = scene.joints;
    m_listedHandles = scene.handles;
    m_solver->clear();
    for (const SolverInfo& info : m_editor.document().solvers().solvers()) {
        m_solver->addItem(icon(solverIcon(info.alias)), QString::fromStdString(info.name),
                          QString::fromStdString(info.alias));
        m_solver->setItemData(m_solver->count() - 1, aboutSolver(info), Qt::ToolTipRole);
    }
    for (const SolverInfo& info : constraintInfos()) {
        m_solver->addItem(icon(solverIcon(info.alias)), QString::fromStdString(info.name),
                          QString::fromStdString(info.alias));
        m_solver->setItemData(m_solver->count() - 1, aboutSolver(info), Qt::ToolTipRole);
    }
    m_pole->clear();
    m_pole->addItem(tr("None"), kNone);
    m_pole->addItem(tr("Point"), kPoint);
    for (QComboBox* follows : {m_follow.choice, m_poleFollow.choice}) fillFollowed(*follows);
    for (QComboBox* up : {m_startUp.choice, m_endUp.choice}) {
        up->clear();
        up->addItem(tr("None"), kNone);
        for (const Joint& joint : *scene.joints)
            up->addItem(QString::fromStdString(joint.name), QString::fromStdString(joint.name));
    }
    for (const Joint& joint : *scene.joints) {
        m_pole->addItem(QString::fromStdString(joint.name), QString::fromStdString(joint.name));
    }
}

void HandlePanel::fillChain(const Handle& handle)
{
    const Scene& scene = m_editor.document().scene();
    const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
    const int count = static_cast<int>(joints.size());
    m_chain->setText((count == 1 ? tr("%1 to %2, 1 joint") : tr("%1 to %2, %n joints", nullptr, count))
                         .arg(QString::fromStdString(nameOf(scene, handle.start.value)),
                              QString::fromStdString(nameOf(scene, handle.end.value))));
    const QSignalBlocker blocker(m_joints);
    while (m_joints->count() > count) delete m_joints->takeItem(m_joints->count() - 1);
    while (m_joints->count() < count) m_joints->addItem(QString());
    int current = -1;
    for (int i = 0; i < count; ++i) {
        const Joint& joint = *scene.find(joints[static_cast<std::size_t>(i)]);
        QListWidgetItem* item = m_joints->item(i);
        if (const QString text = QString::fromStdString(joint.name); item->text() != text) item->setText(text);
        item->setData(kJointRole, QVariant::fromValue<qulonglong>(joint.id.value));
        const QString picture = joint.isTerminator       ? QStringLiteral("terminator")
                                : joint.id == handle.end ? QStringLiteral("effector")
                                : joint.parent.isValid() ? QStringLiteral("joint")
                                                         : QStringLiteral("root");
        if (item->data(kPictureRole).toString() != picture) {
            item->setData(kPictureRole, picture);
            item->setIcon(icon(picture, "text.secondary"));
        }
        if (joint.id == m_target.joint) current = i;
    }
    // The joint whose parameters are shown is the current one; it looks selected only where the user has chosen it.
    const bool isChosen = !m_target.isHandle() || m_target.isJointChosen;
    m_joints->setCurrentRow(current, isChosen ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::Clear);
    constexpr int kMaxRows = 5; // further ones scroll
    m_joints->ensurePolished(); // a list that was never shown does not know the height of its rows
    const int frame = 2 * m_joints->frameWidth();
    m_joints->setFixedHeight(std::min(count, kMaxRows) * std::max(1, m_joints->sizeHintForRow(0)) + frame);
}

void HandlePanel::show(const InspectorTarget& target)
{
    m_target = target;
    m_fields->setVisible(handle() != nullptr);
    m_empty->setVisible(handle() == nullptr && target.item.isValid());
    refresh();
}

void HandlePanel::refresh()
{
    const Handle* h = handle();
    if (h == nullptr) {
        setHint({});
        showBadge(nullptr);
        return;
    }
    fillChoices();
    setHint(m_target.isHandle() ? QString() : QString::fromStdString(h->name));
    fillChain(*h);
    m_values.show(editedHandles(m_editor, m_target));
    for (const Up& up : {m_startUp, m_endUp}) {
        up.label->setVisible(h->hasCurve());
        up.choice->setVisible(h->hasCurve());
    }
    const std::vector<const Handle*> edited = editedHandles(m_editor, m_target);
    const bool isOneJoint = std::all_of(edited.begin(), edited.end(),
                                        [](const Handle* e) { return e->start == e->end; });
    for (const SolverInfo& info : constraintInfos()) // shown, and not to be chosen for a chain
        m_solver->setItemData(m_solver->findData(QString::fromStdString(info.alias)),
                              isOneJoint ? QVariant() : QVariant(0), Qt::UserRole - 1);
    for (QWidget* each : std::as_const(m_ofSolves)) each->setVisible(!isConstraint(*h));
    const bool mayAim = !isConstraint(*h) || constraintOf(*h) == Constraint::Aim;
    m_aimLabel->setVisible(mayAim);
    m_aim->setVisible(mayAim);
    const SolverInfo* solver = m_editor.document().solvers().find(h->solver);
    const bool mayHavePole = h->hasPole || solver == nullptr || isUsed(Setting::Pole, *solver);
    m_poleLabel->setVisible(mayHavePole); // a single chain has none, and nothing about poles is shown
    m_pole->setVisible(mayHavePole);
    const bool hasOwnPole = h->hasPole && !h->poleTarget.isValid();
    m_poleFollow.label->setVisible(hasOwnPole);
    m_poleFollow.choice->setVisible(hasOwnPole);
    m_poleFollow.key->setVisible(hasOwnPole);
    showFollow(m_follow, Property::GoalPosition);
    showFollow(m_poleFollow, Property::Pole);
    showIfSolverIsLoaded(*h);
    m_settings.show(*h, m_editor.document().solvers());
    const FramePtr frame = m_editor.frame();
    const HandleView* view = frame == nullptr ? nullptr : frame->find(m_target.handle);
    showBadge(view);
}

} // namespace tendon::editor
