#include "app/widgets/ConstraintCommands.h"

#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"
#include "core/document/MakeOperation.h"
#include "core/solve/ConstraintInfo.h"

#include <QPointer>

#include <algorithm>

namespace tendon::editor {
namespace {

/// What a constraint command is about: the selected joints, and the joint or the handle that was selected last. One
/// joint alone is constrained to a goal of its own.
struct ConstraintParts
{
    std::vector<JointId> joints;
    ObjectId target = 0; ///< 0 = none
};
ConstraintParts selectedParts(Editor& editor)
{
    ConstraintParts parts;
    for (const SelectionItem& item : editor.selection().items()) {
        const bool isJoint = item.kind == SelectionItem::Kind::Joint;
        if (isJoint) parts.joints.push_back(item.joint());
        if (isJoint || item.handle().isValid()) parts.target = isJoint ? item.joint().value : item.handle().value;
    }
    if (parts.joints.size() == 1 && parts.joints.front().value == parts.target) parts.target = 0;
    std::erase_if(parts.joints, [&](JointId joint) { return joint.value == parts.target; });
    return parts;
}

void createConstraints(MainWindow& window, const SolverInfo& constraint)
{
    EditorDocument& document = window.editor().document();
    const ConstraintParts parts = selectedParts(window.editor());
    std::vector<QJsonObject> operations;
    QString last;
    for (const JointId joint : parts.joints) {
        const QString alias = QString::fromStdString(constraint.alias), name = nameIn(document, joint.value);
        last = freeName(document.scene(), name + QLatin1Char(' ') + alias);
        QJsonObject add{{"op", "addHandle"}, {"name", last}, {"end", name}, {"solver", alias}};
        if (parts.target != 0) add.insert("follow", nameIn(document, parts.target));
        operations.push_back(add);
    }
    const QPointer<MainWindow> w = &window;
    (void)document.work().apply(ops::group(operations), document.services(), [w, last](const Result<void>& done) {
        if (!done || w == nullptr) return;
        Editor& editor = w->editor();
        if (const Handle* made = editor.document().scene().handleNamed(last.toStdString()))
            editor.selection().select(SelectionItem::of(made->id));
    });
}

} // namespace

void addConstraintCommands(MainWindow& window)
{
    Editor* editor = &window.editor();
    struct Words
    {
        UserText text, tip;
    };
    const Words words[] = {
        // in the order of constraintInfos()
        {Command::tr("Parent constraint"),
         Command::tr("Let the selected joints go along with what was selected last, at their offset; "
                     "of one joint alone, with a goal of its own")},
        {Command::tr("Aim constraint"),
         Command::tr("Point the selected joints at what was selected last; of one joint alone, at a goal of its own")},
        {Command::tr("Copy constraint"),
         Command::tr("Let the selected joints copy position and rotation of what was selected last; "
                     "the inspector chooses the axes")},
    };
    for (std::size_t i = 0; i < constraintInfos().size(); ++i) {
        const SolverInfo* info = &constraintInfos()[i];
        window.commands().add({.id = QStringLiteral("create.constraint.") + QString::fromStdString(info->alias),
                               .menu = {Command::tr("Create"), Command::tr("Constraint")},
                               .text = words[i].text,
                               .tip = words[i].tip,
                               .icon = solverIcon(info->alias),
                               .run = [w = &window, info] { createConstraints(*w, *info); },
                               .whyNot = [editor]() -> UserText {
                                   return selectedParts(*editor).joints.empty()
                                              ? Command::tr("Select the joints, then what they are constrained to")
                                              : QString();
                               }});
    }
}

} // namespace tendon::editor
