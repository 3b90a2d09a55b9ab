#include "app/cli/RunCommand.h"

#include "app/cli/Progress.h"
#include "app/cli/Solvers.h"
#include "core/base/Counted.h"
#include "core/document/Document.h"
#include "core/document/Operation.h"
#include "core/document/Script.h"
#include "core/io/base/Files.h"
#include "core/io/project/ProjectFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace tendon::cli {
namespace {

struct RunArguments
{
    std::string script;
    std::string project;
    std::string output;
    std::string pending = "fail";
};

OnPending onPending(const RunArguments& arguments)
{
    if (arguments.pending == "key") return OnPending::Key;
    return arguments.pending == "discard" ? OnPending::Discard : OnPending::Fail;
}

Result<Project> startingProject(const Cli& cli, const RunArguments& arguments)
{
    if (arguments.project.empty()) return Project{};
    Issues issues;
    auto project = readProject(arguments.project, &issues);
    printIssues(cli, issues);
    return project;
}

void report(const Cli& cli, const Script& script, const Document& document, const RunArguments& arguments)
{
    const Scene& scene = document.scene();
    if (cli.json) {
        printJson(
            {{"operations", static_cast<qint64>(script.entries.size())},
             {"joints", static_cast<qint64>(scene.joints->size())},
             {"handles", static_cast<qint64>(scene.handles->size())},
             {"clips", static_cast<qint64>(scene.clips.size())},
             {"file", arguments.output.empty() ? QJsonValue() : QJsonValue(QString::fromStdString(arguments.output))}});
        return;
    }
    print("carried out " + counted(script.entries.size(), "operation", "operations") + ": " +
          counted(scene.joints->size(), "joint", "joints") + ", " +
          counted(scene.handles->size(), "handle", "handles") + ", " + counted(scene.clips.size(), "clip", "clips") +
          (arguments.output.empty() ? "" : "; saved " + arguments.output) + "\n");
}

Exit runRun(const Cli& cli, const RunArguments& arguments)
{
    const auto text = readFile(arguments.script);
    if (!text) return fail(text.error());
    const auto script = parseScript(*text);
    if (!script) return fail(script.error().within(arguments.script));
    if (script->entries.empty())
        return fail(Error{ErrorCode::InvalidArgument, "has no operation, so nothing was written", arguments.script});
    auto project = startingProject(cli, arguments);
    if (!project) return fail(project.error());

    Document document = openDocument(*std::move(project), arguments.project, solvers(cli));
    Result<void> done;
    {
        Progress progress(cli, "Running " + arguments.script);
        RunOptions options;
        options.file = arguments.script;
        options.saveTo = arguments.output;
        options.onPending = onPending(arguments);
        options.progress = [&](int n, int count) { progress.set(count == 0 ? 1 : static_cast<double>(n) / count); };
        done = runScript(document, *script, options);
    }
    if (!done) return fail(done.error().within(arguments.script));
    for (const Script::Entry& entry : script->entries) {
        const Operation* known = findOperation(entry.operation);
        if (known != nullptr && known->writesFile)
            noteWritten(cli, entry.operation.value(QLatin1StringView("file")).toString().toStdString());
    }
    noteWritten(cli, arguments.output);
    printIssues(cli, document.messages);
    if (!arguments.output.empty()) warnIfOpen(cli, arguments.output);
    const bool writesNothing = arguments.output.empty() &&
                               std::none_of(script->entries.begin(), script->entries.end(), [](const auto& entry) {
                                   const Operation* known = findOperation(entry.operation);
                                   return known != nullptr && known->writesFile;
                               });
    if (writesNothing && !cli.quiet) printNote("no file was written; -o P.tendon saves the project");
    report(cli, *script, document, arguments);
    return Exit::Done;
}

} // namespace

void addRunCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = addCommand(app, cli, "run", "Run a script of operations; if one fails, nothing is written",
                                   [arguments, &cli] { return runRun(cli, *arguments); });
    command
        ->add_option("SCRIPT", arguments->script, "Script: a JSON array of operations, or one operation on each line")
        ->required();
    command->add_option("-p,--project", arguments->project, "Project to start from (default: an empty project)");
    command
        ->add_option("-o,--output", arguments->output, "Project file to write (.tendon) when the script has succeeded")
        ->check(checkProjectName);
    command
        ->add_option("--pending", arguments->pending,
                     "What happens to a pose that is not keyed when a file is written or the script ends: fail writes "
                     "nothing, key keys it, discard discards it")
        ->capture_default_str()
        ->check(CLI::IsMember({"fail", "key", "discard"}));
}

} // namespace tendon::cli
