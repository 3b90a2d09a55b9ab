#include "app/cli/ValidateCommand.h"

#include "app/cli/Solvers.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/ProjectFile.h"
#include "core/scene/Validate.h"
#include "core/solve/Evaluator.h"
#include "core/solve/Settings.h"
#include "core/solve/StatusNames.h"

#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <memory>

namespace tendon::cli {
namespace {

Issue asIssue(const Error& error) { return {Severity::Error, error.message, error.where, 0}; }

/// Solves the frame that the project shows: some plugins fail only then.
void checkSolves(const SolverRegistry& registry, const CompiledRig& rig, const Project& project, Evaluator& evaluator,
                 Issues& issues)
{
    if (!checkPlugins(rig, registry)) return; // the evaluator has said so
    const Scene& scene = project.scene;
    SolvedFrame frame;
    evaluator.evaluate(scene, scene.find(project.state.currentClip), {}, scene.fps.timeOf(project.state.frame), frame);
    if (const auto sound = checkPlugins(rig, registry); !sound) {
        issues.push_back(asIssue(sound.error()));
        return;
    }
    for (const HandleResult& result : frame.handles) {
        if (sdk::isUsable(result.status) || result.status == sdk::Status::Unsupported)
            continue; // the latter has been said
        const Handle& handle = *scene.find(result.handle);
        issues.push_back({Severity::Error,
                          "its solve at frame " + std::to_string(project.state.frame) + " ends with " +
                              statusName(result) + "; choose another solver than " + handle.solver,
                          "handle " + handle.name, handle.id.value});
    }
}

/// What this machine's solvers say of the handles.
void checkHandles(const Cli& cli, const Project& project, Issues& issues)
{
    const Scene& scene = project.scene;
    const auto rig = compile(scene);
    if (!rig) {
        issues.push_back(asIssue(rig.error()));
        return;
    }
    for (const Handle& handle : *scene.handles) {
        const SolverInfo* solver = solvers(cli).find(handle.solver);
        if (solver == nullptr) continue; // the evaluator says so
        for (const auto& [name, value] : handle.parameters)
            if (solver->parameter(name) == nullptr)
                issues.push_back({Severity::Warning,
                                  "sets \"" + name + "\", which solver " + solver->alias +
                                      " does not have; remove it or choose another solver",
                                  "handle " + handle.name, handle.id.value});
    }
    const Issues unused = unusedSettings(scene, solvers(cli));
    issues.insert(issues.end(), unused.begin(), unused.end());
    const auto evaluator = Evaluator::create(*rig, solvers(cli), OnBadHandle::ShowFk);
    if (!evaluator) {
        issues.push_back(asIssue(evaluator.error()));
        return;
    }
    issues.insert(issues.end(), (*evaluator)->issues().begin(), (*evaluator)->issues().end());
    checkSolves(solvers(cli), **rig, project, **evaluator, issues);
}

Issues problemsOfProject(const Cli& cli, const std::string& path)
{
    Issues issues;
    const auto project = readProject(path, &issues);
    if (!project) {
        issues.push_back(asIssue(project.error()));
        return issues;
    }
    const Issues found = validate(project->scene);
    issues.insert(issues.end(), found.begin(), found.end());
    const bool isSound = std::none_of(found.begin(), found.end(),
                                      [](const Issue& i) { return i.severity == Severity::Error; });
    if (isSound) checkHandles(cli, *project, issues);
    return issues;
}

Issues problemsOfModel(const std::string& path)
{
    const auto model = importModel(path);
    if (!model) return {asIssue(model.error())};
    Issues issues = model->issues;
    const Issues found = validate(model->scene);
    issues.insert(issues.end(), found.begin(), found.end());
    return issues;
}

Exit runValidate(const Cli& cli, const std::string& file)
{
    const QFileInfo info(QString::fromStdString(file));
    if (!info.isFile() || !info.isReadable())
        return fail({ErrorCode::NotFound, info.exists() ? "is not a readable file" : "there is no such file", file});
    const Issues issues = isProjectName(file) ? problemsOfProject(cli, file) : problemsOfModel(file);

    const auto count = std::count_if(issues.begin(), issues.end(),
                                     [](const Issue& i) { return i.severity != Severity::Info; });
    if (cli.json) {
        printJson({{"file", QString::fromStdString(file)}, {"problems", issuesAsJson(issues)}});
    } else {
        for (const Issue& issue : issues) print(std::string(severityName(issue.severity)) + ": " + issue.line() + "\n");
        print(count == 0 ? file + ": no problems\n"
                         : file + ": " + std::to_string(count) + (count == 1 ? " problem\n" : " problems\n"));
    }
    return count == 0 ? Exit::Done : Exit::DoneWithFindings;
}

} // namespace

void addValidateCommand(CLI::App& app, Cli& cli)
{
    const auto file = std::make_shared<std::string>();
    CLI::App* command = addCommand(app, cli, "validate",
                                   "List the problems of a project or a model, each with its remedy",
                                   [file, &cli] { return runValidate(cli, *file); });
    command->add_option("FILE", *file, "Project file (.tendon) or model file")->required();
}

} // namespace tendon::cli
