#include "app/widgets/ConstraintCommands.h"

#include "app/widgets/Icons.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/RigNames.h"
#include "core/document/MakeOperation.h"
#include "core/scene/Constraint.h"
#include "core/solve/ConstraintInfo.h"

#include <QPointer>
#include <QSettings>

#include <algorithm>

namespace tendon::editor {
namespace {

/// What a constraint command is about, in Maya's order: what is followed is selected first, and the joint that is to
/// follow last. One joint alone is constrained to a goal of its own.
struct ConstraintParts
{
    std::vector<ObjectId> followed; ///< joints, or handles by their goals
    JointId joint;                  ///< invalid: no joint was selected last
};
ConstraintParts selectedParts(Editor& editor)
{
    ConstraintParts parts;
    parts.joint = editor.selection().active().joint();
    for (const SelectionItem& item : editor.selection().items())
        if (item.object != parts.joint.value &&
            std::find(parts.followed.begin(), parts.followed.end(), item.object) == parts.followed.end())
            parts.followed.push_back(item.object);
    return parts;
}

constexpr const char* kKeepsOffset = "create/constraintKeepsOffset";
constexpr int kMaxPriority = 1000; // of setHandle
bool keepsOffset() { return QSettings().value(kKeepsOffset, true).toBool(); }

void createConstraint(MainWindow& window, const SolverInfo& constraint)
{
    EditorDocument& document = window.editor().document();
    const ConstraintParts parts = selectedParts(window.editor());
    const QString alias = QString::fromStdString(constraint.alias), joint = nameIn(document, parts.joint.value);
    const bool isCopy = constraintNamed(constraint.alias) == Constraint::Copy; // an offset is what a copy has not
    int lastPriority = 0;
    for (const Handle& handle : *document.scene().handles) lastPriority = std::max(lastPriority, handle.priority);
    std::vector<QJsonObject> operations;
    QString last;
    const auto add = [&](const QString& name) {
        last = freeName(document.scene(), name);
        operations.push_back({{"op", "addHandle"}, {"name", last}, {"end", joint}, {"solver", alias}});
    };
    if (parts.followed.empty()) add(joint + QLatin1Char(' ') + alias);
    for (std::size_t i = 0; i < parts.followed.size(); ++i) {
        const QString followed = nameIn(document, parts.followed[i]);
        add(joint + QLatin1Char(' ') + alias + (i == 0 ? QString() : QLatin1Char(' ') + followed));
        operations.back().insert("follow", followed);
        operations.back().insert("keepOffset", keepsOffset() && !isCopy);
        if (parts.followed.size() == 1) break;
        // Each goes on from what those before it have left: with 1, 1/2, 1/3 all have the same part. That takes an
        // order, after all that moves what they follow.
        operations.push_back({{"op", "setHandle"},
                              {"name", last},
                              {"priority", std::min(kMaxPriority, lastPriority + 1 + static_cast<int>(i))},
                              {"weight", 1.0 / static_cast<double>(i + 1)}});
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
        {Command::tr("Parent constraint"), Command::tr("Make the last-selected joint follow what was selected before "
                                                       "it; if only one joint is selected, a goal of its own")},
        {Command::tr("Aim constraint"), Command::tr("Point the last-selected joint at what was selected before it; "
                                                    "if only one joint is selected, at a goal of its own")},
        {Command::tr("Copy constraint"), Command::tr("Make the last-selected joint copy the position and rotation of "
                                                     "what was selected before it; choose the axes in the inspector")},
    };
    for (std::size_t i = 0; i < constraintInfos().size(); ++i) {
        const SolverInfo* info = &constraintInfos()[i];
        window.commands().add({.id = QStringLiteral("create.constraint.") + QString::fromStdString(info->alias),
                               .menu = {Command::tr("Create"), Command::tr("Constraint")},
                               .text = words[i].text,
                               .tip = words[i].tip,
                               .icon = solverIcon(info->alias),
                               .run = [w = &window, info] { createConstraint(*w, *info); },
                               .whyNot = [editor]() -> UserText {
                                   return selectedParts(*editor).joint.isValid()
                                              ? QString()
                                              : Command::tr("Select what to follow first, then the joint");
                               }});
    }
    window.commands().add(
        {.id = "create.constraint.keepOffset",
         .menu = {Command::tr("Create"), Command::tr("Constraint")},
         .text = Command::tr("Maintain offset"),
         .tip = Command::tr("Leave a joint as it is when a parent or aim constraint is made; off: the joint is moved "
                            "onto what it follows, or points at it along its bone"),
         .run = [] { QSettings().setValue(kKeepsOffset, !keepsOffset()); },
         .isOn = [] { return keepsOffset(); },
         .beginsGroup = true});
}

} // namespace tendon::editor
