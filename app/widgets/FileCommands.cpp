#include "app/widgets/FileActions.h"
#include "app/widgets/MainWindow.h"
#include "resources/samples/Samples.h"

namespace tendon::editor {

void addFileCommands(MainWindow& window)
{
    CommandTable& table = window.commands();
    FileActions* files = &window.files();
    const auto same = [](const char* keys) { return std::array<QString, 3>{keys, keys, keys}; };
    table.add({.id = "file.new",
               .menu = "File",
               .text = "New",
               .tip = "Begins an empty project",
               .keys = same("Ctrl+N"),
               .run = [files] { files->newProject(); }});
    table.add({.id = "file.open",
               .menu = "File",
               .text = "Open…",
               .tip = "Opens a project, or imports a model",
               .icon = "open",
               .keys = same("Ctrl+O"),
               .run = [files] { files->open(); }});
    for (const Sample& sample : listSamples()) {
        const QString name = QString::fromUtf8(sample.name.data(), static_cast<qsizetype>(sample.name.size()));
        table.add(
            {.id = "sample." + name,
             .menu = "File|Samples",
             .text = QString::fromUtf8(sample.title.data(), static_cast<qsizetype>(sample.title.size())),
             .tip = QString::fromUtf8(sample.description.data(), static_cast<qsizetype>(sample.description.size())),
             .run = [files, name] { files->openSample(name); }});
    }
    table.add({.id = "file.save",
               .menu = "File",
               .text = "Save",
               .tip = "Writes the project",
               .icon = "save",
               .keys = same("Ctrl+S"),
               .run = [files] { files->save(); },
               .beginsGroup = true});
    table.add({.id = "file.saveAs",
               .menu = "File",
               .text = "Save as…",
               .tip = "Writes the project to another file",
               .keys = same("Ctrl+Shift+S"),
               .run = [files] { files->saveAs(); }});
    table.add({.id = "file.import",
               .menu = "File",
               .text = "Import model…",
               .tip = "Takes in a model: glTF, FBX, Collada, BVH, URDF and others",
               .icon = "import",
               .keys = same("Ctrl+Alt+I"),
               .run = [files] { files->import(); },
               .beginsGroup = true});
    table.add({.id = "file.export",
               .menu = "File",
               .text = "Export animation…",
               .tip = "Solves every frame, writes the animation with the model, and reads it back",
               .icon = "export",
               .keys = same("Ctrl+E"),
               .run = [files] { files->exportAnimation(); },
               .whyNot =
                   [&window] {
                       return window.editor().document().clip() == nullptr
                                  ? QString("There is no clip to export: key something first")
                                  : QString();
                   }});
    table.add({.id = "file.quit",
               .menu = "File",
               .text = "Quit",
               .tip = "Ends Tendon",
               .keys = same("Ctrl+Q"),
               .run = [&window] { window.close(); },
               .beginsGroup = true});
}

} // namespace tendon::editor
