#include "app/widgets/retarget/RetargetCommands.h"

#include "app/widgets/CloseLoopDialog.h"
#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/retarget/MotionCard.h"
#include "app/widgets/retarget/RetargetBody.h"
#include "app/widgets/task/Tasks.h"

#include <tuple>

namespace tendon::editor {
namespace {

RetargetBody* openTask(MainWindow& window) { return dynamic_cast<RetargetBody*>(window.tasks().current()); }

QString characterOf(const EditorDocument& document) { return document.title().remove(QStringLiteral(".tendon")); }

/// A motion that was read: for the character, or for a window of its own.
void offerMotion(MainWindow& window, const QString& file, const std::shared_ptr<ImportedModel>& model,
                 const MotionSummary& summary)
{
    auto* card = new MotionCard(file, summary, characterOf(window.editor().document()), &window);
    QObject::connect(card, &MotionCard::retargetWanted, &window, [w = &window, file, model] {
        openRetarget(*w, {.file = file.toStdString(), .model = model, .from = {}});
    });
    QObject::connect(card, &MotionCard::openWanted, &window,
                     [w = &window, file, model] { w->files().offerModel(file, model); });
    card->show();
}

} // namespace

RetargetBody* openRetarget(MainWindow& window, RetargetSource source)
{
    auto* body = new RetargetBody(window.editor(), std::move(source), window.viewport().frameAll);
    window.tasks().open(body);
    return body;
}

void addImportMotion(MainWindow& window)
{
    CommandTable& table = window.commands();
    EditorDocument* document = &window.editor().document();
    FileActions* files = &window.files();
    const auto needsJoints = [document]() -> UserText {
        return document->scene().joints->empty() ? Command::tr("There is no character yet. Import a model first")
                                                 : QString();
    };
    table.add({.id = "file.importMotion",
               .menu = {Command::tr("File")},
               .text = Command::tr("Import Motion…"),
               .tip = Command::tr("Put a motion from a file onto this character"),
               .icon = "retarget",
               .keys = {"Ctrl+Shift+M", "Ctrl+Shift+M", "Ctrl+Shift+M"},
               .run = [files] { files->importMotion(); },
               .whyNot = needsJoints});
}

void addRetargetCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    MainWindow* w = &window;
    EditorDocument* document = &window.editor().document();
    FileActions* files = &window.files();
    QObject::connect(files, &FileActions::motionRead, &window,
                     [w](const QString& file, const std::shared_ptr<ImportedModel>& model) {
                         openRetarget(*w, {.file = file.toStdString(), .model = model, .from = {}});
                     });
    QObject::connect(files, &FileActions::motionDropped, &window,
                     [w](const QString& file, const std::shared_ptr<ImportedModel>& model,
                         const MotionSummary& summary) { offerMotion(*w, file, model, summary); });
    const auto needsClip = [document]() -> UserText {
        const Clip* clip = document->clip();
        return clip == nullptr || !clip->hasKeys() ? Command::tr("The current clip has no keys") : QString();
    };
    table.add(
        {.id = "animate.retarget",
         .menu = {Command::tr("Animate")},
         .text = Command::tr("Retarget…"),
         .tip = Command::tr("Retarget the current clip onto the character again"),
         .icon = "retarget",
         .run = [w, document] { openRetarget(*w, {.file = {}, .model = nullptr, .from = document->clip()->name}); },
         .whyNot = needsClip,
         .beginsGroup = true});
    const std::tuple<const char*, const char*, QString, QString> ways[] = {
        {"travels", "animate.travels", Command::tr("Travels"),
         Command::tr("Move the travel of the current clip back to the hips")},
        {"inPlace", "animate.inPlace", Command::tr("In Place"),
         Command::tr("Remove forward and sideways travel from the current clip; height stays")},
        {"bone", "animate.onRootBone", Command::tr("On a Root Bone"),
         Command::tr(
             "Move the travel of the current clip to a joint at the floor, for engines that want root motion")}};
    for (const auto& [mode, id, text, tip] : ways)
        table.add({.id = QLatin1StringView(id),
                   .menu = {Command::tr("Animate"), Command::tr("Root Motion")},
                   .text = text,
                   .tip = tip,
                   .icon = "root",
                   .run =
                       [document, mode = mode] {
                           (void)document->apply({{"op", "rootMotion"}, {"mode", QLatin1StringView(mode)}});
                       },
                   .whyNot = needsClip});
    table.add({.id = "animate.closeLoop",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Close Loop…"),
               .tip = Command::tr(
                   "Make the last frame of the current clip like its first, so that it repeats without a jump"),
               .icon = "loop",
               .run = [w] { (new CloseLoopDialog(w->editor(), w))->open(); },
               .whyNot = needsClip});
    table.add({.id = "animate.mirrorClip",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Mirror Clip"),
               .tip = Command::tr("Make a new clip that is the mirror image of the current one, at the figure's place"),
               .icon = "mirror",
               .run =
                   [document] {
                       (void)document->apply({{"op", "mirrorClip"}});
                   },
               .whyNot = needsClip});
    table.add({.id = "view.source",
               .menu = {Command::tr("Animate")},
               .text = Command::tr("Source instead of result"),
               .tip = Command::tr(
                   "Show the motion that is being retargeted instead of the character, or the character again"),
               .icon = "compare",
               .keys = {"\\", "\\", "\\"},
               .run =
                   [w] {
                       if (RetargetBody* task = openTask(*w)) task->showSource(!task->showsSource());
                   },
               .whyNot = [w]() -> UserText {
                   return openTask(*w) == nullptr ? Command::tr("No motion is being retargeted") : QString();
               },
               .isOn = [w] { return openTask(*w) != nullptr && openTask(*w)->showsSource(); }});
}

} // namespace tendon::editor
