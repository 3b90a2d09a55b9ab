#include "app/cli/BakeCommand.h"

#include "app/cli/BakeReport.h"
#include "app/cli/Progress.h"
#include "app/cli/Solvers.h"
#include "app/cli/TravelOption.h"
#include "core/document/ExportJob.h"
#include "core/io/base/Files.h"
#include "core/io/export/KeptModel.h"
#include "core/io/project/ProjectFile.h"

#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <QJsonDocument>

#include <charconv>
#include <memory>
#include <optional>

namespace tendon::cli {

namespace {

struct BakeArguments
{
    std::string project, output, clip, clips, range, report, preset, root, turns;
    double fps = 0; ///< 0 = the project's rate
    bool only = false, allKeys = false;
};

std::optional<FrameSpan> parseRange(const std::string& text)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto read = [](std::string_view part, double& value) {
        const auto end = std::from_chars(part.data(), part.data() + part.size(), value);
        return end.ec == std::errc() && end.ptr == part.data() + part.size();
    };
    FrameSpan range;
    const std::string_view all(text);
    if (!read(all.substr(0, colon), range.from) || !read(all.substr(colon + 1), range.to) || !isValid(range))
        return std::nullopt;
    return range;
}

ExportRequest exportRequest(const BakeArguments& arguments, const std::optional<FrameSpan>& range)
{
    ExportRequest request;
    request.clip = arguments.clip;
    request.isAllClips = !arguments.clips.empty();
    if (arguments.fps > 0) request.fps = arguments.fps;
    request.keepsAllKeys = arguments.allKeys;
    request.range = range;
    request.options.onlyTheseClips = arguments.only;
    if (const ExportPreset* preset = findExportPreset(arguments.preset)) request.options.preset = *preset;
    if (!arguments.root.empty()) request.travel = travelFrom(arguments.root, arguments.turns);
    return request;
}

Exit runBake(const Cli& cli, const BakeArguments& arguments)
{
    std::optional<FrameSpan> range;
    if (!arguments.range.empty() && !(range = parseRange(arguments.range)))
        return wrongUsage("bake", "--range " + arguments.range +
                                      ": must be FROM:TO in frames, such as 1:48, within 10 000 000 of 0");
    const QFileInfo reportFile(QString::fromStdString(arguments.report)),
        outputFile(QString::fromStdString(arguments.output));
    if (!arguments.report.empty() && reportFile.absoluteFilePath() == outputFile.absoluteFilePath())
        return wrongUsage("bake", "--report and --output name the same file");

    Issues issues;
    const auto project = readProject(arguments.project, &issues);
    if (!project) return fail(project.error());
    auto job = ExportJob::create(project->scene, project->state.currentClip, arguments.output,
                                 exportRequest(arguments, range));
    if (!job) return fail(job.error());
    FileStage stage;
    stage.keep(arguments.project, "the project that is baked");
    keepModel(project->scene, stage);
    if (const auto free = stage.check(arguments.output); !free) return fail(free.error());
    if (!arguments.report.empty())
        if (const auto free = stage.check(arguments.report, {".json"}); !free) return fail(free.error());
    {
        Progress progress(cli, "Baking");
        const auto baked = job->bakeClips(
            solvers(cli), bake, [&](double done) { progress.set(done); }, nullptr);
        if (!baked) return fail(baked.error().within(arguments.project));
    }
    const auto outcome = job->write(stage);
    if (!outcome) return fail(outcome.error());
    const QJsonObject report = bakeReport(arguments.output, *outcome);
    if (!arguments.report.empty()) {
        const auto staged = stage.write(
            arguments.report,
            [&](const std::string& file) { return writePlainFile(file, QJsonDocument(report).toJson().toStdString()); },
            {".json"});
        if (!staged) return fail(staged.error());
    }
    if (const auto written = stage.commit(); !written) return fail(written.error());
    noteWritten(cli, arguments.output);
    noteWritten(cli, arguments.report);

    printIssues(cli, issues); // now that there is no error, which would be the one line
    if (cli.json)
        printJson(report);
    else if (!cli.quiet)
        print(bakeSummary(arguments.output, *outcome));
    printIssues(cli, outcome->issues);
    if (!outcome->report.readBack.isWithin()) return Exit::ReadBackDiffers;
    return outcome->goals.missed.empty() ? Exit::Done : Exit::DoneWithFindings;
}

} // namespace

void addBakeCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<BakeArguments>();
    CLI::App* command = addCommand(app, cli, "bake", "Solve every frame and export the animation with the model",
                                   [&cli, arguments] { return runBake(cli, *arguments); });
    command->add_option("PROJECT", arguments->project, "Project file (.tendon)")->required();
    command->add_option("-o,--output", arguments->output, "File to write: " + exportSuffixes())->required();
    CLI::Option* clip = command->add_option("--clip", arguments->clip, "Clip to bake (default: the current clip)");
    command->add_option("--clips", arguments->clips, "all: bake every clip of the project")
        ->check(CLI::IsMember({"all"}))
        ->excludes(clip);
    CLI::Option* fps = command
                           ->add_option("--fps", arguments->fps,
                                        "Frames per second to write, one key a frame (default: the project's rate, and "
                                        "also keys between frames)")
                           ->check(numberBetween(ExportRequest::kMinFps, ExportRequest::kMaxFps));
    command->add_flag("--all-keys", arguments->allKeys, "With --fps, also write keys between frames")->needs(fps);
    command->add_option(
        "--range", arguments->range,
        "First and last frame, FROM:TO, at the project's rate (default: from the clip's first key to its last)");
    std::vector<std::string> presets;
    for (const ExportPreset& preset : exportPresets()) presets.emplace_back(preset.name);
    command
        ->add_option("--preset", arguments->preset,
                     "Program to export for: sets the unit, the root and the number of influences")
        ->check(CLI::IsMember(presets));
    CLI::Option* root =
        command
            ->add_option(
                "--root", arguments->root,
                "Moves the travel in the file: travels, in-place, bone or bone:NAME (default: as the clip has it)")
            ->check(checkTravel);
    command->add_option("--turns", arguments->turns, "Whether turning goes with the travel (default: on for a bone)")
        ->check(CLI::IsMember({"on", "off"}))
        ->needs(root);
    command->add_flag("--only", arguments->only, "Leave out the source's other animations");
    command->add_option("--report", arguments->report, "File for the report, as JSON")
        ->check([](const std::string& file) { return file.empty() ? "the name is empty" : ""; });
}

} // namespace tendon::cli
