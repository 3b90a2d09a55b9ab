#include "app/editor/HandleControls.h"
#include "app/editor/JsonValues.h"
#include "app/widgets/ConstraintCommands.h"
#include "app/widgets/GuessLimitsDialog.h"
#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"
#include "app/widgets/task/RigTask.h"
#include "app/widgets/task/Tasks.h"
#include "core/scene/Check.h"
#include "core/solve/Settings.h"

#include <QJsonArray>

#include <algorithm>

namespace tendon::editor {
namespace {

std::vector<JointId> selectedJoints(Editor& editor)
{
    std::vector<JointId> joints;
    for (const SelectionItem& item : editor.selection().items())
        if (item.kind == SelectionItem::Kind::Joint) joints.push_back(item.joint());
    return joints;
}

std::vector<HandleId> selectedHandles(Editor& editor)
{
    std::vector<HandleId> handles;
    for (const SelectionItem& item : editor.selection().items())
        if (item.handle().isValid()) handles.push_back(item.handle());
    return handles;
}

/// With two joints selected: from the upper to the lower. With one, the next click in the view picks the other end.
/// Otherwise the next two clicks pick the chain.
/// `solver`: alias, "" = the default.
void createHandle(MainWindow& window, const QString& solver)
{
    const std::vector<JointId> joints = selectedJoints(window.editor());
    if (joints.size() != 2) {
        window.pickChain(solver, joints.size() == 1 ? joints.front() : JointId{});
        return;
    }
    const bool isUpward = isAncestor(window.editor().document().scene(), joints[1], joints[0]);
    window.addHandle(solver, joints[isUpward ? 1 : 0], joints[isUpward ? 0 : 1]);
}

/// From the root of the hierarchy to the selected joint.
void createHandleFromRoot(MainWindow& window)
{
    const Scene& scene = window.editor().document().scene();
    const JointId end = selectedJoints(window.editor()).back();
    JointId start = end;
    for (const Joint* joint = scene.find(end); joint != nullptr && joint->parent.isValid();
         joint = scene.find(joint->parent))
        start = joint->parent;
    window.addHandle({}, start, end);
}

/// Why a command that sets `setting` of the active handle cannot run: none is selected, or its solver does not use it.
UserText whyUnused(Editor& editor, Setting setting)
{
    const auto handles = selectedHandles(editor);
    const Handle* handle = handles.empty() ? nullptr : editor.document().scene().find(handles.back());
    if (handle == nullptr) return Command::tr("Select a handle first");
    const SolverInfo* solver = editor.document().solvers().find(handle->solver);
    if (solver == nullptr || isUsed(setting, *solver)) return QString();
    return Command::tr("The handle's solver, %1, does not use it").arg(QString::fromStdString(solver->name));
}

void createPole(Editor& editor)
{
    EditorDocument& document = editor.document();
    const HandleId id = selectedHandles(editor).back();
    if (document.apply({{"op", "setHandle"}, {"name", nameIn(document, id.value)}, {"pole", "auto"}}))
        editor.selection().select(SelectionItem::poleOf(id));
}

/// The handle of the active control whose chain follows a curve; null = none.
const Handle* selectedCurve(Editor& editor)
{
    const Handle* handle = editor.document().scene().find(editor.selection().active().handle());
    return handle != nullptr && handle->hasCurve() ? handle : nullptr;
}

/// Where the mouse is on the curve; else behind the selected point, or in the middle of the curve. The curve keeps its
/// shape.
void addCurvePoint(Editor& editor)
{
    EditorDocument& document = editor.document();
    const HandleId id = selectedCurve(editor)->id;
    const int count = selectedCurve(editor)->curvePoints;
    const SelectionItem active = editor.selection().active();
    const auto& under = editor.selection().curvePlace();
    const FramePtr frame = editor.frame();
    int index = active.kind == SelectionItem::Kind::CurvePoint ? active.index + 1 : count / 2;
    const HandleView* shown = frame == nullptr ? nullptr : frame->find(id);
    if (under && under->handle == id && shown != nullptr && !shown->target.curve.empty())
        index = curveIndexAt(*shown, under->place);
    index = std::clamp(index, 1, count - 1); // between two points
    if (!document.apply({{"op", "addCurvePoint"}, {"handle", nameIn(document, id.value)}, {"index", index}})) return;
    editor.selection().setCurvePlace({});
    editor.selection().select(SelectionItem::curvePointOf(id, index));
}

/// From the goal of the active handle to its effector, with the tool that moves it, and back.
void switchToEffector(Editor& editor)
{
    const HandleId id = selectedHandles(editor).back();
    const SelectionItem effector = SelectionItem::effectorOf(id);
    const bool isBack = editor.selection().active() == effector;
    editor.selection().select(isBack ? SelectionItem::of(id) : effector);
    if (!isBack) editor.view().edit([](ViewState& state) { state.tool = Tool::Move; });
}

/// From the joint selected last to the others. `how`: further fields of the operation.
void copyParameters(Editor& editor, QJsonObject how)
{
    EditorDocument& document = editor.document();
    const std::vector<JointId> joints = selectedJoints(editor);
    QJsonArray to;
    for (std::size_t i = 0; i + 1 < joints.size(); ++i) to.append(nameIn(document, joints[i].value));
    how.insert("op", "copyJointParameters");
    how.insert("from", nameIn(document, joints.back().value));
    how.insert("to", to);
    (void)document.apply(how);
}

/// The pose that is shown becomes the rest pose: the joints stay where they are, and their angles read 0.
void setRestPose(Editor& editor)
{
    const FramePtr frame = editor.finishFrame();
    if (frame == nullptr || frame->rig == nullptr) return;
    std::vector<QJsonObject> operations;
    QJsonArray names;
    for (const JointId id : selectedJoints(editor)) {
        const JointIndex index = frame->rig->index(id);
        if (index < 0) continue;
        const LocalTransform& local = frame->solved.local.joints[static_cast<std::size_t>(index)];
        const QString name = nameIn(editor.document(), id.value);
        operations.push_back({{"op", "setRestPose"},
                              {"joint", name},
                              {"translation", toJson(local.translation)},
                              {"rotation", toJson(local.rotation)}});
        names.append(name);
    }
    operations.push_back({{"op", "resetPose"}, {"joints", names}});
    (void)editor.document().applyAsOne(operations);
}

void resetAngles(Editor& editor, bool turns, bool slides)
{
    std::vector<QJsonObject> operations;
    const EditorDocument& document = editor.document();
    for (const JointId id : selectedJoints(editor)) {
        const Joint* joint = document.scene().find(id);
        for (int axis = 0; joint != nullptr && axis < 3; ++axis) {
            const QString letter(QChar('x' + axis));
            if (turns)
                operations.push_back(
                    {{"op", "rotate"}, {"joint", nameIn(document, id.value)}, {"axis", letter}, {"value", 0}});
            if (slides)
                operations.push_back({{"op", "slide"},
                                      {"joint", nameIn(document, id.value)},
                                      {"axis", letter},
                                      {"value", joint->rest.translation[axis]}});
        }
    }
    (void)editor.document().applyAsOne(operations);
}

} // namespace

void addRigCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    Editor* editor = &window.editor();
    EditorDocument* document = &editor->document();
    const auto needsJoint = [editor] {
        return selectedJoints(*editor).empty() ? Command::tr("Select a joint first") : QString();
    };
    const auto needsHandle = [editor] {
        return selectedHandles(*editor).empty() ? Command::tr("Select a handle first") : QString();
    };
    const auto forJoints = [editor, document](const std::function<QJsonObject(const QString&)>& make) {
        std::vector<QJsonObject> operations;
        for (const JointId joint : selectedJoints(*editor)) operations.push_back(make(nameIn(*document, joint.value)));
        (void)document->applyAsOne(operations);
    };

    table.add({.id = "create.handle",
               .menu = {Command::tr("Create")},
               .text = Command::tr("IK handle"),
               .tip = Command::tr(
                   "Create an IK handle: click the start joint, then the end joint; or select one of them first, or "
                   "both"),
               .icon = "ik-handle",
               .keys = {"Ctrl+I", "Shift+I", ""},
               .run = [w = &window] { createHandle(*w, {}); }});
    for (const SolverInfo& info : document->solvers().solvers()) {
        const QString alias = QString::fromStdString(info.alias), solver = QString::fromStdString(info.name);
        table.add({.id = "create.handle." + alias,
                   .menu = {Command::tr("Create"), Command::tr("IK handle with")},
                   .text = solver,
                   .tip = Command::tr("Create an IK handle that uses %1: click the start joint, then the end joint; or "
                                      "select one of them first, or both")
                              .arg(solver),
                   .icon = solverIcon(info.alias),
                   .run = [w = &window, alias] { createHandle(*w, alias); }});
    }
    addConstraintCommands(window);
    table.add({.id = "create.handleFromRoot",
               .menu = {Command::tr("Create")},
               .text = Command::tr("IK handle from the root"),
               .tip = Command::tr("Create an IK handle from the root joint to the selected joint"),
               .icon = "ik-handle",
               .run = [w = &window] { createHandleFromRoot(*w); },
               .whyNot = needsJoint});
    table.add({.id = "create.pole",
               .menu = {Command::tr("Create")},
               .text = Command::tr("Pole"),
               .tip = Command::tr("Create a pole: the point that the selected handle's chain bends towards"),
               .icon = "pole",
               .run = [editor] { createPole(*editor); },
               .whyNot = [editor] { return whyUnused(*editor, Setting::Pole); }});
    table.add({.id = "create.curvePoint",
               .menu = {Command::tr("Create")},
               .text = Command::tr("Curve point"),
               .tip = Command::tr("Add a point to the curve that the selected handle's chain follows"),
               .icon = "add",
               .run = [editor] { addCurvePoint(*editor); },
               .whyNot = [editor]() -> UserText {
                   return selectedCurve(*editor) != nullptr
                              ? UserText(QString())
                              : UserText(Command::tr("Select a handle whose chain follows a curve first"));
               }});
    table.add({.id = "create.joint",
               .menu = {Command::tr("Create")},
               .text = Command::tr("Joint"),
               .tip = Command::tr("Add a child of the selected joint, or a root"),
               .icon = "joint",
               .keys = {"", "", ""},
               .run =
                   [editor, document] {
                       QJsonObject operation{{"op", "addJoint"}, {"name", freeName(document->scene(), "joint")}};
                       if (const auto joints = selectedJoints(*editor); !joints.empty()) {
                           operation.insert("parent", nameIn(*document, joints.back().value));
                           operation.insert("translation", QJsonArray{0, 0.2, 0});
                       }
                       if (document->apply(operation))
                           editor->selection().select(SelectionItem::of(document->scene().joints->back().id));
                   },
               .beginsGroup = true});
    table.add({.id = "create.dummy",
               .menu = {Command::tr("Create")},
               .text = Command::tr("Dummy parent"),
               .tip = Command::tr("Insert a parent joint at the pivot of the selected joint"),
               .icon = "root",
               .run =
                   [editor, document] {
                       const QString name = nameIn(*document, selectedJoints(*editor).back().value);
                       (void)document->apply({{"op", "insertParent"},
                                              {"joint", name},
                                              {"name", freeName(document->scene(), name + " dummy")}});
                   },
               .whyNot = needsJoint});

    table.add({.id = "rig.rigIt",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Rig it…"),
               .tip = Command::tr("Find limbs, limits and bends, with reasons, and make handles"),
               .icon = "guess-rig",
               .keys = {"Ctrl+Shift+I", "Ctrl+Shift+I", "Ctrl+Shift+I"},
               .run = [w = &window] { w->tasks().open(new RigTask(*w)); },
               .whyNot =
                   [document] {
                       return document->scene().joints->empty() ? Command::tr("The scene has no joints") : QString();
                   }});
    table.add({.id = "rig.terminator",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Terminator"),
               .tip = Command::tr("Stop solves at the selected joints: they and their ancestors stay put"),
               .icon = "terminator",
               .run =
                   [editor, document, forJoints] {
                       const bool isOn = document->scene().find(selectedJoints(*editor).back())->isTerminator;
                       forJoints([isOn](const QString& name) {
                           return QJsonObject{{"op", "setTerminator"}, {"joint", name}, {"on", !isOn}};
                       });
                   },
               .whyNot = needsJoint,
               .isOn =
                   [editor, document] {
                       const auto joints = selectedJoints(*editor);
                       const Joint* j = joints.empty() ? nullptr : document->scene().find(joints.back());
                       return j != nullptr && j->isTerminator;
                   },
               .beginsGroup = true});
    table.add({.id = "rig.pin",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Pin"),
               .tip = Command::tr("Hold the goal in place in the world while other objects are dragged"),
               .icon = "pin",
               .run =
                   [editor, document] {
                       const Handle* active = document->scene().find(selectedHandles(*editor).back());
                       std::vector<QJsonObject> operations;
                       for (const HandleId handle : selectedHandles(*editor))
                           operations.push_back({{"op", "setHandle"},
                                                 {"name", nameIn(*document, handle.value)},
                                                 {"pinned", !active->isPinned}});
                       (void)document->applyAsOne(operations);
                   },
               .whyNot = needsHandle,
               .isOn =
                   [editor, document] {
                       const auto handles = selectedHandles(*editor);
                       const Handle* h = handles.empty() ? nullptr : document->scene().find(handles.back());
                       return h != nullptr && h->isPinned;
                   }});
    table.add(
        {.id = "rig.effector",
         .menu = {Command::tr("Rig")},
         .text = Command::tr("Move the effector"),
         .tip = Command::tr("Select the effector of the selected handle and move it in the view: the point of the "
                            "end joint that is to meet the goal; again to select the goal"),
         .icon = "effector",
         .keys = {"D; Ins", "Ctrl+.", "Ins"},
         .run = [editor] { switchToEffector(*editor); },
         .whyNot = [editor] { return whyUnused(*editor, Setting::Effector); },
         .isOn = [editor] { return editor->selection().active().kind == SelectionItem::Kind::Effector; }});
    table.add({.id = "rig.switch",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("IK/FK switch"),
               .tip = Command::tr(
                   "Switch the selected handles between IK and FK at this frame without a jump, and key both sides"),
               .icon = "ik-fk",
               .run =
                   [editor, document] {
                       const Scene& scene = document->scene();
                       const Time now = scene.fps.timeOf(document->edit().frame);
                       std::vector<QJsonObject> operations;
                       for (const HandleId handle : selectedHandles(*editor)) {
                           const double blend = sampleChannel(scene, document->clip(), document->edit().pending,
                                                              {handle.value, Property::Blend}, now)[0];
                           operations.push_back({{"op", "switch"},
                                                 {"handle", nameIn(*document, handle.value)},
                                                 {"to", blend > 0 ? "fk" : "ik"}});
                       }
                       (void)document->applyAsOne(operations);
                   },
               .whyNot = needsHandle});
    table.add({.id = "rig.link",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Link to last selected"),
               .tip = Command::tr("Parent the selected joints to the last-selected joint; they stay in place"),
               .icon = "link",
               .keys = {"P", "Ctrl+P", ""},
               .run =
                   [editor, document] {
                       const auto joints = selectedJoints(*editor);
                       std::vector<QJsonObject> operations;
                       for (std::size_t i = 0; i + 1 < joints.size(); ++i)
                           operations.push_back({{"op", "link"},
                                                 {"joint", nameIn(*document, joints[i].value)},
                                                 {"parent", nameIn(*document, joints.back().value)}});
                       (void)document->applyAsOne(operations);
                   },
               .whyNot =
                   [editor] {
                       return selectedJoints(*editor).size() < 2 ? Command::tr("Select the joints, then the new parent")
                                                                 : QString();
                   },
               .beginsGroup = true});
    table.add({.id = "rig.unlink",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Unlink"),
               .tip = Command::tr("Unparent the selected joints; they stay in place"),
               .icon = "unlink",
               .keys = {"Shift+P", "Alt+P", ""},
               .run =
                   [forJoints] {
                       forJoints([](const QString& name) {
                           return QJsonObject{{"op", "link"}, {"joint", name}, {"parent", QJsonValue::Null}};
                       });
                   },
               .whyNot = needsJoint});
    const auto needsTwoJoints = [editor] {
        return selectedJoints(*editor).size() < 2
                   ? Command::tr("Select the joints to change, then the joint to copy from")
                   : QString();
    };
    table.add({.id = "rig.copyParameters",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Copy joint parameters to the others"),
               .tip = Command::tr("Copy the last-selected joint's parameters to the other selected joints"),
               .icon = "copy",
               .run = [editor] { copyParameters(*editor, {}); },
               .whyNot = needsTwoJoints,
               .beginsGroup = true});
    table.add({.id = "rig.mirrorParameters",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Mirror joint parameters to the others"),
               .tip = Command::tr("Copy the last-selected joint's parameters to the others, mirrored across X"),
               .icon = "mirror",
               .run =
                   [editor] {
                       copyParameters(*editor, {{"mirror", "x"}});
                   },
               .whyNot = needsTwoJoints});
    const auto copied = std::make_shared<JointId>();
    const auto paste = [editor, document, copied](QJsonObject how) {
        QJsonArray to;
        for (const JointId joint : selectedJoints(*editor))
            if (joint != *copied) to.append(nameIn(*document, joint.value));
        how.insert("op", "copyJointParameters");
        how.insert("from", nameIn(*document, copied->value));
        how.insert("to", to);
        (void)document->apply(how);
    };
    const auto whyNotPaste = [editor, document, copied]() -> UserText {
        if (document->scene().find(*copied) == nullptr) return Command::tr("Copy joint parameters first");
        const auto joints = selectedJoints(*editor);
        const bool isOther = std::any_of(joints.begin(), joints.end(), [&](JointId id) { return id != *copied; });
        return isOther ? UserText(QString()) : UserText(Command::tr("Select the joints to change first"));
    };
    table.add(
        {.id = "rig.copyJoint",
         .menu = {Command::tr("Rig")},
         .text = Command::tr("Copy joint parameters"),
         .tip = Command::tr("Copy the parameters of the last-selected joint: axes, limits, stiffness and the like"),
         .icon = "copy",
         .keys = {"Ctrl+Shift+C", "Ctrl+Shift+C", "Ctrl+Shift+C"},
         .run = [editor, copied] { *copied = selectedJoints(*editor).back(); },
         .whyNot = needsJoint,
         .beginsGroup = true});
    table.add({.id = "rig.pasteJoint",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Paste joint parameters"),
               .tip = Command::tr("Give the copied joint parameters to the selected joints"),
               .icon = "paste",
               .keys = {"Ctrl+Alt+Shift+V", "Ctrl+Alt+Shift+V", "Ctrl+Alt+Shift+V"},
               .run = [paste] { paste({}); },
               .whyNot = whyNotPaste});
    table.add({.id = "rig.pasteJointMirrored",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Paste joint parameters mirrored"),
               .tip = Command::tr("Give the copied joint parameters to the selected joints, mirrored across X"),
               .icon = "paste-mirror",
               .run =
                   [paste] {
                       paste({{"mirror", "x"}});
                   },
               .whyNot = whyNotPaste});
    table.add({.id = "rig.guessLimits",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Guess limits…"),
               .tip = Command::tr("Guess limits for the selected joints, or for all, from clips or from what they are"),
               .icon = "limit",
               .run =
                   [editor, &window] {
                       auto* dialog = new GuessLimitsDialog(*editor, selectedJoints(*editor), &window);
                       dialog->setAttribute(Qt::WA_DeleteOnClose);
                       dialog->open();
                   },
               .whyNot =
                   [document] {
                       return document->scene().joints->empty() ? Command::tr("The scene has no joints") : QString();
                   }});
    table.add({.id = "rig.reset",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Reset to rest pose"),
               .tip = Command::tr("Reset the selection, or the whole rig, to the rest pose"),
               .icon = "reset",
               .run =
                   [editor, document] {
                       QJsonObject operation{{"op", "resetPose"}};
                       QJsonArray names;
                       for (const SelectionItem& item : editor->selection().items()) {
                           const Handle* handle = document->scene().find(item.handle());
                           names.append(nameIn(*document, handle != nullptr ? handle->end.value : item.object));
                       }
                       if (!names.isEmpty()) operation.insert("joints", names);
                       (void)document->apply(operation);
                   },
               .beginsGroup = true});
    table.add({.id = "rig.setRest",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Set rest pose"),
               .tip = Command::tr("Make the shown pose of the selected joints their rest pose, from which angles and "
                                  "limits are measured"),
               .run = [editor] { setRestPose(*editor); },
               .whyNot = needsJoint});
    table.add({.id = "rig.resetTranslation",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Reset translation"),
               .tip = Command::tr("Reset the translation of the selected joints to the rest pose"),
               .keys = {"Alt+W", "Alt+G", ""},
               .run = [editor] { resetAngles(*editor, false, true); },
               .whyNot = needsJoint});
    table.add({.id = "rig.resetRotation",
               .menu = {Command::tr("Rig")},
               .text = Command::tr("Reset rotation"),
               .tip = Command::tr("Reset the rotation of the selected joints to the rest pose"),
               .keys = {"Alt+E", "Alt+R", ""},
               .run = [editor] { resetAngles(*editor, true, false); },
               .whyNot = needsJoint});
}

} // namespace tendon::editor
