#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "app/widgets/PlayblastDialog.h"
#include "app/widgets/retarget/RetargetCommands.h"
#include "resources/samples/Samples.h"

namespace tendon::editor {

void addFileCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    FileActions* files = &window.files();
    const auto same = [](const char* keys) { return std::array<QString, 3>{keys, keys, keys}; };
    table.add({.id = "file.new",
               .menu = {Command::tr("File")},
               .text = Command::tr("New"),
               .tip = Command::tr("Start an empty project"),
               .keys = same("Ctrl+N"),
               .run = [files] { files->newProject(); }});
    table.add({.id = "file.open",
               .menu = {Command::tr("File")},
               .text = Command::tr("Open…"),
               .tip = Command::tr("Open a project, or import a model"),
               .icon = "open",
               .keys = same("Ctrl+O"),
               .run = [files] { files->open(); }});
    for (const Sample& sample : listSamples()) {
        const QString name = QString::fromUtf8(sample.name.data(), static_cast<qsizetype>(sample.name.size()));
        table.add(
            {.id = "sample." + name,
             .menu = {Command::tr("File"), Command::tr("Samples")},
             .text = QString::fromUtf8(sample.title.data(), static_cast<qsizetype>(sample.title.size())),
             .tip = QString::fromUtf8(sample.description.data(), static_cast<qsizetype>(sample.description.size())),
             .run = [files, name] { files->openSample(name); }});
    }
    table.add({.id = "file.save",
               .menu = {Command::tr("File")},
               .text = Command::tr("Save"),
               .tip = Command::tr("Save the project"),
               .icon = "save",
               .keys = same("Ctrl+S"),
               .run = [files] { files->save(); },
               .beginsGroup = true});
    table.add({.id = "file.saveAs",
               .menu = {Command::tr("File")},
               .text = Command::tr("Save as…"),
               .tip = Command::tr("Save the project to another file"),
               .keys = same("Ctrl+Shift+S"),
               .run = [files] { files->saveAs(); }});
    table.add({.id = "file.import",
               .menu = {Command::tr("File")},
               .text = Command::tr("Import model…"),
               .tip = Command::tr("Import a model: glTF, FBX, Collada, BVH, URDF and others"),
               .icon = "import",
               .keys = same("Ctrl+Alt+I"),
               .run = [files] { files->import(); },
               .beginsGroup = true});
    addImportMotion(window);
    table.add({.id = "file.export",
               .menu = {Command::tr("File")},
               .text = Command::tr("Export animation…"),
               .tip = Command::tr(
                   "Bake every frame, write the animation with the model, and check the file by reading it back"),
               .icon = "export",
               .keys = same("Ctrl+E"),
               .run = [files] { files->exportAnimation(); },
               .whyNot =
                   [&window] {
                       return window.editor().document().clip() == nullptr
                                  ? Command::tr("There is no clip to export. Set a key first")
                                  : QString();
                   }});
    table.add(
        {.id = "file.playblast",
         .menu = {Command::tr("File")},
         .text = Command::tr("Playblast…"),
         .tip = Command::tr("Draw the clip as a film or as a sequence of pictures"),
         .icon = "camera",
         .run = [w = &window] { PlayblastDialog::ask(*w); },
         .whyNot = [w = &window] { return w->viewport().playblast ? QString() : Command::tr("There is no view"); }});
    table.add({.id = "file.quit",
               .menu = {Command::tr("File")},
               .text = Command::tr("Quit"),
               .tip = Command::tr("Quit Tendon"),
               .keys = same("Ctrl+Q"),
               .run = [&window] { window.close(); },
               .beginsGroup = true});
}

} // namespace tendon::editor
