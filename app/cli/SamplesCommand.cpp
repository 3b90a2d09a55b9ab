#include "app/cli/SamplesCommand.h"

#include "app/cli/Solvers.h"
#include "core/base/Counted.h"
#include "resources/samples/Samples.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <memory>

namespace tendon::cli {
namespace {

struct SamplesArguments
{
    std::string name, output;
};

Exit list(const Cli& cli)
{
    QJsonArray samples;
    std::string lines;
    for (const Sample& sample : listSamples()) {
        samples.append(QJsonObject{
            {"name", text(sample.name)}, {"title", text(sample.title)}, {"description", text(sample.description)}});
        const std::size_t column = 14;
        std::string name(sample.name);
        name.resize(std::max(column, name.size() + 1), ' ');
        lines += name + std::string(sample.description) + "\n";
    }
    if (cli.json)
        printJson({{"samples", samples}});
    else
        print(lines);
    return Exit::Done;
}

Exit write(const Cli& cli, const SamplesArguments& options)
{
    const auto project = makeSample(options.name, solvers(cli));
    if (!project) return fail(project.error());
    if (const auto written = writeProject(*project, options.output); !written) return fail(written.error());
    noteWritten(cli, options.output);

    const Scene& scene = project->scene;
    const auto joints = static_cast<qint64>(scene.joints->size()), handles = static_cast<qint64>(scene.handles->size());
    const auto clips = static_cast<qint64>(scene.clips.size());
    if (cli.json)
        printJson({{"file", QString::fromStdString(options.output)},
                   {"joints", joints},
                   {"handles", handles},
                   {"clips", clips}});
    else
        print(options.output + ": " + counted(scene.joints->size(), "joint", "joints") + ", " +
              counted(scene.handles->size(), "handle", "handles") + ", " +
              counted(scene.clips.size(), "clip", "clips") + "\n");
    return Exit::Done;
}

Exit runSamples(const Cli& cli, const SamplesArguments& options)
{
    if (options.name.empty() && options.output.empty()) return list(cli);
    if (options.name.empty())
        return wrongUsage("samples", "NAME is required with -o; `tendon samples` lists the names");
    if (options.output.empty()) return wrongUsage("samples", "-o P.tendon is required with NAME");
    return write(cli, options);
}

} // namespace

void addSamplesCommand(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<SamplesArguments>();
    CLI::App* command = addCommand(app, cli, "samples", "List the projects that come with Tendon, or write one",
                                   [&cli, options] { return runSamples(cli, *options); });
    command->add_option("NAME", options->name, "Name of the sample to write");
    command->add_option("-o,--output", options->output, "Project file to write (.tendon)")->check(checkProjectName);
}

} // namespace tendon::cli
