#include "app/cli/BakeCommand.h"

#include "app/cli/BakeReport.h"
#include "app/cli/Progress.h"
#include "app/cli/Solvers.h"
#include "core/io/base/Files.h"
#include "core/io/export/AnimationExport.h"
#include "core/io/project/ProjectFile.h"
#include "core/solve/Baker.h"

#include <CLI/CLI.hpp>
#include <QFileInfo>
#include <QJsonDocument>

#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

namespace tendon::cli {

namespace {

struct BakeArguments
{
    std::string project, output, clip, clips, range, report, preset;
    double fps = 0; ///< 0 = the project's
    bool only = false;
};

struct FrameRange
{
    double from = 0, to = 0;
};

std::optional<FrameRange> parseRange(const std::string& text)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos) return std::nullopt;
    FrameRange range;
    const auto read = [](std::string_view part, double& value) {
        const auto end = std::from_chars(part.data(), part.data() + part.size(), value);
        return end.ec == std::errc() && end.ptr == part.data() + part.size() && std::abs(value) <= 1e9;
    };
    const std::string_view all(text);
    if (!read(all.substr(0, colon), range.from) || !read(all.substr(colon + 1), range.to) || range.to < range.from)
        return std::nullopt;
    return range;
}

/// A project without a clip is written in the pose it stands in, as a clip of one key.
constexpr const char* kPoseClip = "pose";

Result<std::vector<ClipId>> chooseClips(Project& project, const BakeArguments& arguments)
{
    Scene& scene = project.scene;
    if (!arguments.clip.empty()) {
        if (const Clip* clip = scene.clipNamed(arguments.clip)) return std::vector{clip->id};
        std::string known;
        for (const auto& clip : scene.clips) known += (known.empty() ? "" : ", ") + clip->name;
        return Error{ErrorCode::NotFound,
                     "there is no clip '" + arguments.clip + "'; the project has " + (known.empty() ? "none" : known),
                     arguments.project};
    }
    if (scene.clips.empty()) {
        Clip pose;
        pose.id = {scene.takeId()};
        pose.name = kPoseClip;
        scene.clips.push_back(Shared<Clip>(pose));
    }
    std::vector<ClipId> chosen;
    if (arguments.clips == "all")
        for (const auto& clip : scene.clips) chosen.push_back(clip->id);
    else if (const Clip* current = scene.find(project.state.currentClip))
        chosen.push_back(current->id);
    else
        chosen.push_back(scene.clips.front()->id);
    return chosen;
}

Result<std::vector<BakedClip>> bakeAll(const Cli& cli, const Scene& scene, const std::vector<ClipId>& chosen,
                                       const BakeArguments& arguments, const std::optional<FrameRange>& range)
{
    std::vector<BakedClip> baked;
    Progress progress(cli, "Baking");
    for (const ClipId id : chosen) {
        const Clip& clip = *scene.find(id);
        BakeOptions options{.clip = id,
                            .fps = arguments.fps > 0 ? FrameRate::fromValue(arguments.fps) : scene.fps,
                            .from = range ? scene.fps.timeOf(range->from) : clip.begin(),
                            .to = range ? scene.fps.timeOf(range->to) : clip.end(),
                            .progress = [&](double done) {
                                progress.set((static_cast<double>(baked.size()) + done) /
                                             static_cast<double>(chosen.size()));
                            }};
        auto result = bake(scene, solvers(cli), options);
        if (!result) return result.error().within(arguments.project);
        baked.push_back(std::move(*result));
    }
    return baked;
}

void printSummary(const std::string& output, const std::vector<BakedClip>& clips, const ExportReport& report)
{
    for (const BakedClip& clip : clips) {
        char line[160];
        std::snprintf(line, sizeof line, "%lld frames at %g fps, %zu joints\n",
                      static_cast<long long>(frameCount(clip)), clip.fps.perSecond(), clip.joints.size());
        print("clip " + clip.name + ": " + line);
    }
    char line[200];
    std::snprintf(line, sizeof line, "%lld bytes; read back: joints within %.2g m, ",
                  static_cast<long long>(report.bytes), report.readBack.jointError);
    char vertices[60] = "no vertices to compare\n";
    if (report.readBack.vertices > 0)
        std::snprintf(vertices, sizeof vertices, "vertices within %.2g m\n", report.readBack.vertexError);
    print(output + ": " + line + vertices);
}

ExportOptions exportOptions(const BakeArguments& arguments)
{
    const ExportPreset* preset = findExportPreset(arguments.preset);
    return {.onlyTheseClips = arguments.only, .preset = preset == nullptr ? kNoPreset : *preset};
}

Exit runBake(const Cli& cli, const BakeArguments& arguments)
{
    std::optional<FrameRange> range;
    if (!arguments.range.empty() && !(range = parseRange(arguments.range)))
        return wrongUsage("bake: --range " + arguments.range + ": must be FROM:TO in frames, such as 1:48");
    const QFileInfo reportFile(QString::fromStdString(arguments.report)),
        outputFile(QString::fromStdString(arguments.output));
    if (!arguments.report.empty() && reportFile.absoluteFilePath() == outputFile.absoluteFilePath())
        return wrongUsage("bake: --report and --output name the same file");

    Issues issues;
    auto project = readProject(arguments.project, &issues);
    if (!project) return fail(project.error());
    printIssues(cli, issues);
    if (const auto checked = checkExport(project->scene, arguments.output); !checked) return fail(checked.error());
    if (!arguments.report.empty() && !QFileInfo(reportFile.absolutePath()).isDir())
        return fail(
            {ErrorCode::NotFound, "there is no such folder; make it first", reportFile.absolutePath().toStdString()});
    const auto chosen = chooseClips(*project, arguments);
    if (!chosen) return fail(chosen.error());
    const auto baked = bakeAll(cli, project->scene, *chosen, arguments, range);
    if (!baked) return fail(baked.error());
    const auto exported = exportAnimation(project->scene, *baked, arguments.output, exportOptions(arguments));
    if (!exported) return fail(exported.error());

    const GoalSummary goals = summariseGoals(project->scene, *baked);
    const QJsonObject report = bakeReport(arguments.output, *baked, goals, *exported);
    if (!arguments.report.empty()) {
        const auto written = writeFile(arguments.report, QJsonDocument(report).toJson().toStdString());
        if (!written) return fail(written.error());
    }
    if (cli.json)
        printJson(report);
    else if (!cli.quiet)
        printSummary(arguments.output, *baked, *exported);
    printIssues(cli, exported->issues);
    printIssues(cli, missedGoalIssues(goals));
    const Issues differences = readBackIssues(arguments.output, exported->readBack);
    printIssues(cli, differences);
    if (!differences.empty()) return Exit::ReadBackDiffers;
    return goals.missed.empty() ? Exit::Done : Exit::DoneWithFindings;
}

} // namespace

void addBakeCommand(CLI::App& app, Cli& cli)
{
    const auto arguments = std::make_shared<BakeArguments>();
    CLI::App* command = addCommand(app, cli, "bake", "Solve every frame and export the animation with the model",
                                   [&cli, arguments] { return runBake(cli, *arguments); });
    command->add_option("PROJECT", arguments->project, "Project file (.tendon)")->required();
    command->add_option("-o,--output", arguments->output, "File to write: .glb, .gltf, .fbx, .bvh, .json or .csv")
        ->required();
    CLI::Option* clip = command->add_option("--clip", arguments->clip, "Clip to bake (default: the current clip)");
    command->add_option("--clips", arguments->clips, "all: bake every clip of the project")
        ->check(CLI::IsMember({"all"}))
        ->excludes(clip);
    command->add_option("--fps", arguments->fps, "Frames per second to write (default: the project's rate)")
        ->check(CLI::Range(0.001, 10000.0));
    command->add_option(
        "--range", arguments->range,
        "First and last frame, FROM:TO, at the project's rate (default: from the clip's first key to its last)");
    std::vector<std::string> presets;
    for (const ExportPreset& preset : exportPresets()) presets.emplace_back(preset.name);
    command
        ->add_option("--preset", arguments->preset,
                     "Program to export for: sets the unit, the root and the number of influences")
        ->check(CLI::IsMember(presets));
    command->add_flag("--only", arguments->only, "Leave out the source's other animations");
    command->add_option("--report", arguments->report, "File for the report, as JSON");
}

} // namespace tendon::cli
