#include "app/widgets/Inspector.h"

#include "app/editor/Theme.h"
#include "app/widgets/ChannelsPanel.h"
#include "app/widgets/ElidedLabel.h"
#include "app/widgets/HandlePanel.h"
#include "app/widgets/Icons.h"
#include "app/widgets/JointPanel.h"
#include "app/widgets/LayersPanel.h"
#include "app/widgets/SolverPanel.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace tendon::editor {

Keyed keyedState(const Editor& editor, ObjectId object, const std::vector<Property>& properties)
{
    const EditorDocument& document = editor.document();
    const Clip* clip = document.clip();
    if (clip == nullptr) return Keyed::No;
    const FrameRate fps = document.scene().fps;
    const PendingValues& pending = document.edit().pending;
    const bool isPosed = editor.shownFrame() == document.edit().frame &&
                         std::any_of(properties.begin(), properties.end(), [&](Property property) {
                             return pending.count({object, property}) != 0;
                         });
    if (isPosed) return Keyed::Posed;
    auto state = Keyed::No;
    const bool isOfClip = document.scene().find(ClipId{object}) != nullptr;
    for (const Property property : properties) {
        // A key of the layer that is edited, which a click would delete; one of the other is elsewhere.
        const Layer layer = isOfClip || !isCorrectable(property) ? Layer::Keys : document.edit().layer;
        const Layer other = layer == Layer::Keys ? Layer::Corrections : Layer::Keys;
        if (clip->find({object, property, other}) != nullptr) state = Keyed::Elsewhere;
        const KeyList* keys = clip->find({object, property, layer});
        if (keys == nullptr) continue;
        state = Keyed::Elsewhere;
        // within a thousandth of a frame, as core/document/Posing.h counts
        const std::size_t upTo = keys->countUpTo(fps.timeOf(editor.shownFrame() + 1e-3));
        if (upTo > 0 && (*keys)[upTo - 1].time >= fps.timeOf(editor.shownFrame() - 1e-3)) return Keyed::Here;
    }
    return state;
}

HandleId handleOver(const Scene& scene, JointId joint)
{
    for (const Handle& handle : *scene.handles) {
        const auto joints = chain(scene, handle.start, handle.end);
        if (std::find(joints.begin(), joints.end(), joint) != joints.end()) return handle.id;
    }
    return {};
}

namespace {

/// Adds the objects of the selected items, each once.
template <typename Id, typename Object>
void addSelected(Editor& editor, Id (SelectionItem::*idOf)() const, std::vector<const Object*>& objects)
{
    for (const SelectionItem& item : editor.selection().items()) {
        const Object* object = editor.document().scene().find((item.*idOf)());
        if (object != nullptr && std::find(objects.begin(), objects.end(), object) == objects.end())
            objects.push_back(object);
    }
}

/// What `make` makes of each object, as one step; empty = nothing.
template <typename Object>
QJsonObject forEach(const std::vector<const Object*>& objects, const std::function<QJsonObject(const Object&)>& make)
{
    std::vector<QJsonObject> operations;
    for (const Object* object : objects)
        if (const QJsonObject operation = make(*object); !operation.isEmpty()) operations.push_back(operation);
    return operations.empty() ? QJsonObject() : ops::group(operations);
}

} // namespace

std::vector<const Joint*> editedJoints(Editor& editor, const InspectorTarget& target)
{
    std::vector<const Joint*> joints;
    if (const Joint* shown = editor.document().scene().find(target.joint)) joints.push_back(shown);
    // The joint of a handle is one of its chain; what is selected are handles.
    if (!target.isHandle()) addSelected(editor, &SelectionItem::joint, joints);
    return joints;
}

std::vector<const Handle*> editedHandles(Editor& editor, const InspectorTarget& target)
{
    std::vector<const Handle*> handles;
    if (const Handle* shown = editor.document().scene().find(target.handle)) handles.push_back(shown);
    if (target.isHandle()) addSelected(editor, &SelectionItem::handle, handles);
    return handles;
}

QJsonObject forEditedJoints(Editor& editor, const InspectorTarget& target,
                            const std::function<QJsonObject(const Joint&)>& make)
{
    return forEach<Joint>(editedJoints(editor, target), [&](const Joint& joint) {
        QJsonObject operation = make(joint);
        if (!operation.isEmpty()) operation.insert(QStringLiteral("joint"), QString::fromStdString(joint.name));
        return operation;
    });
}

QJsonObject forEditedHandles(Editor& editor, const InspectorTarget& target,
                             const std::function<QJsonObject(const Handle&)>& fields)
{
    return forEach<Handle>(editedHandles(editor, target), [&](const Handle& handle) {
        QJsonObject operation = fields(handle);
        if (operation.isEmpty()) return operation;
        operation.insert(QStringLiteral("op"), QStringLiteral("setHandle"));
        operation.insert(QStringLiteral("name"), QString::fromStdString(handle.name));
        return operation;
    });
}

Inspector::Inspector(Editor& editor, QWidget* parent) : QScrollArea(parent), m_editor(editor)
{
    const Theme& theme = Theme::instance();
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* header = new QHBoxLayout;
    header->setContentsMargins(theme.px(8), theme.px(6), theme.px(8), theme.px(6));
    header->setSpacing(theme.px(6));
    m_icon = new QLabel;
    m_icon->setObjectName(QStringLiteral("inspector.icon"));
    m_title = new ElidedLabel;
    m_title->setProperty("role", "title");
    m_title->setObjectName(QStringLiteral("inspector.title"));
    m_kind = new QLabel;
    m_kind->setProperty("role", "hint");
    header->addWidget(m_icon);
    header->addWidget(m_title);
    header->addWidget(m_kind, 1);
    column->addLayout(header);
    m_empty = new QLabel(
        tr("Click a joint or a handle, in the view or in the outliner, to see its settings. A mesh has "
           "none: it follows its joints."));
    m_empty->setWordWrap(true);
    m_empty->setObjectName(QStringLiteral("inspector.empty"));
    m_empty->setProperty("role", "hint");
    m_empty->setContentsMargins(theme.px(8), 0, theme.px(8), theme.px(8));
    column->addWidget(m_empty);
    column->addWidget(m_channels = new ChannelsPanel(editor));
    column->addWidget(m_layers = new LayersPanel(editor));
    column->addWidget(m_handle = new HandlePanel(editor));
    column->addWidget(m_joint = new JointPanel(editor));
    column->addWidget(m_solver = new SolverPanel(editor));
    column->addStretch(1);
    setWidget(content);

    connect(&editor.selection(), &Selection::changed, this, [this] {
        m_walked = {};
        follow();
    });
    connect(&editor.document(), &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (changes.isRigChanged)
            follow();
        else
            refreshSoon();
    });
    connect(&editor.document(), &EditorDocument::editChanged, this, &Inspector::refreshSoon);
    connect(&editor.document(), &EditorDocument::replaced, this, &Inspector::follow);
    connect(&editor, &Editor::frameReady, this, &Inspector::refreshSoon);
    connect(&Theme::instance(), &Theme::changed, this, &Inspector::follow);
    connect(m_channels, &ChannelsPanel::graphWanted, this, &Inspector::graphWanted);
    connect(m_joint, &JointPanel::walked, this, &Inspector::walkTo);
    connect(m_handle, &HandlePanel::walked, this, &Inspector::walkTo);
    follow();
}

void Inspector::walkTo(JointId joint)
{
    if (m_target.isHandle()) {
        m_walked = joint;
        follow();
    } else {
        m_editor.selection().select(SelectionItem::of(joint));
    }
}

void Inspector::follow()
{
    const Scene& scene = m_editor.document().scene();
    InspectorTarget target;
    target.item = m_editor.selection().active();
    const Handle* handle = nullptr;
    if (target.isHandle()) {
        target.handle = target.item.handle();
        handle = scene.find(target.handle);
        target.isJointChosen = scene.find(m_walked) != nullptr;
        if (handle != nullptr) target.joint = target.isJointChosen ? m_walked : handle->start;
    } else if (target.item.isValid()) {
        target.joint = target.item.joint();
        target.handle = handleOver(scene, target.joint);
    }
    if (nameOf(scene, target.item.object).empty()) target = {};
    m_target = target;
    const bool isAny = target.item.isValid();
    m_empty->setVisible(!isAny);
    for (QWidget* panel :
         {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_kind), static_cast<QWidget*>(m_channels),
          static_cast<QWidget*>(m_handle), static_cast<QWidget*>(m_joint), static_cast<QWidget*>(m_solver)})
        panel->setVisible(isAny);
    m_title->setText(QString::fromStdString(nameOf(scene, target.item.object)));
    const std::size_t others = m_editor.selection().items().size();
    QString kind;
    if (handle != nullptr) {
        const int joints = static_cast<int>(chain(scene, handle->start, handle->end).size());
        kind = target.item.kind == SelectionItem::Kind::Pole       ? tr("pole")
               : target.item.kind == SelectionItem::Kind::Effector ? tr("effector")
               : target.item.kind == SelectionItem::Kind::CurvePoint
                   ? tr("point %1 of a curve of %2").arg(target.item.index + 1).arg(handle->curvePoints)
               : isConstraint(*handle) ? tr("constraint")
               : joints == 1           ? tr("IK handle, 1 joint")
                                       : tr("IK handle, %n joints", nullptr, joints);
    } else if (isAny) {
        kind = tr("joint");
    }
    if (others > 1) kind += tr(" · %1 selected").arg(others);
    m_kind->setText(kind);
    m_icon->setPixmap(isAny ? iconPixmap(handle != nullptr ? solverIcon(handle->solver) : QStringLiteral("joint"),
                                         "text.primary", Theme::instance().px(16), devicePixelRatioF())
                            : QPixmap());
    m_channels->show(target);
    m_handle->show(target);
    m_joint->show(target);
    m_solver->show(target);
    m_layers->refresh();
}

void Inspector::refreshSoon()
{
    if (m_isRefreshPending) return;
    m_isRefreshPending = true;
    QTimer::singleShot(0, this, [this] {
        m_isRefreshPending = false;
        refresh();
    });
}

void Inspector::refresh()
{
    if (!isVisible()) return;
    m_layers->refresh();
    if (!m_target.item.isValid()) return;
    m_channels->refresh();
    m_handle->refresh();
    m_joint->refresh();
    m_solver->refresh();
}

} // namespace tendon::editor
