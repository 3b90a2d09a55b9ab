#include "app/cli/ImportCommand.h"

#include "core/base/Counted.h"
#include "core/io/export/KeptModel.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/ProjectFile.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <memory>

namespace tendon::cli {
namespace {

struct ImportArguments
{
    std::string model, output, upAxis;
    double unit = 0; ///< 0 = what the file says
    bool embed = false;
};

ImportOptions importOptions(const ImportArguments& options)
{
    ImportOptions import;
    import.embed = options.embed;
    if (options.unit != 0) import.metresPerUnit = options.unit;
    if (!options.upAxis.empty()) import.upAxis = options.upAxis[0] - 'x';
    return import;
}

Exit runImport(const Cli& cli, const ImportArguments& options)
{
    const auto model = importModel(options.model, importOptions(options));
    if (!model) return fail(model.error());
    Project project;
    project.scene = model->scene;
    project.state.frame = model->scene.firstFrame;
    if (!model->scene.clips.empty()) project.state.currentClip = model->scene.clips.front()->id;
    FileStage stage;
    keepModelFile(options.model, "the model that is imported", stage);
    if (const auto staged = writeProject(project, options.output, stage); !staged) return fail(staged.error());
    if (const auto written = stage.commit(); !written) return fail(written.error());
    noteWritten(cli, options.output);

    printIssues(cli, model->issues);
    warnIfOpen(cli, options.output);
    const auto joints = static_cast<qint64>(model->scene.joints->size());
    const auto clips = static_cast<qint64>(model->scene.clips.size());
    if (cli.json)
        printJson({{"file", QString::fromStdString(options.output)}, {"joints", joints}, {"clips", clips}});
    else
        print(options.output + ": " + counted(model->scene.joints->size(), "joint", "joints") + ", " +
              counted(model->scene.clips.size(), "clip", "clips") + "\n");
    return Exit::Done;
}

} // namespace

void addImportCommand(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<ImportArguments>();
    CLI::App* command = addCommand(app, cli, "import", "Make a project from a model",
                                   [&cli, options] { return runImport(cli, *options); });
    command->add_option("MODEL", options->model, "Model file: .glb, .gltf, .vrm, .fbx, .dae, .bvh, .urdf, ...")
        ->required();
    command->add_option("-o,--output", options->output, "Project file to write (.tendon)")
        ->required()
        ->check(checkProjectName);
    command->add_flag("--embed", options->embed, "Store the model inside the project instead of its path");
    command->add_option("--unit", options->unit, "Metres per unit, if the file states it wrongly or not at all")
        ->check(numberBetween(ImportOptions::kMinMetresPerUnit, ImportOptions::kMaxMetresPerUnit));
    command->add_option("--up-axis", options->upAxis, "Up axis, if the file states it wrongly")
        ->check(CLI::IsMember({"x", "y", "z"}));
}

} // namespace tendon::cli
