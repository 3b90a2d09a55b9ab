/// bench_document [--plugins FOLDER] [--plot FILE] [--alone FOLDER] P.tendon...
///
/// The current clip of each project, each frame solved for itself beside the clip solved as a whole: the largest turn
/// of a joint from frame to frame. --plot draws both over time. --alone writes NAME.json for each project: a script
/// that turns it into the first of both (joints keyed at every frame, no handles), to be looked at.
#include "core/io/project/ProjectFile.h"
#include "core/math/Degrees.h"
#include "core/solve/ClipSettler.h"
#include "core/solve/Evaluator.h"
#include "tests/bench/StepPlot.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tendon;
using namespace tendon::bench;

namespace {

using Poses = std::vector<LocalPose>; ///< (frames)

std::vector<double> stepsOf(const Poses& poses)
{
    std::vector<double> steps;
    for (std::size_t t = 1; t < poses.size(); ++t) {
        double largest = 0;
        for (std::size_t j = 0; j < poses[t].joints.size(); ++j)
            largest = std::max(largest, poses[t - 1].joints[j].rotation.angularDistance(poses[t].joints[j].rotation));
        steps.push_back(largest * kDegrees);
    }
    return steps;
}

/// The poses of a clip's frames, by its solution if there is one, and how many goals were missed.
struct Frames
{
    Poses poses;
    std::size_t missed = 0;
};

Frames framesOf(const Scene& scene, const Clip& clip, Evaluator& evaluator, ClipSolutionPtr solution)
{
    Frames frames;
    SolvedFrame frame;
    evaluator.follow(std::move(solution));
    const double last = scene.fps.frameAt(clip.end());
    for (double at = scene.fps.frameAt(clip.begin()); at < last + 0.5; ++at) {
        evaluator.evaluate(scene, &clip, {}, scene.fps.timeOf(at), frame);
        frames.poses.push_back(frame.local);
        for (const HandleResult& handle : frame.handles) frames.missed += sdk::isSuccess(handle.status) ? 0 : 1;
    }
    return frames;
}

/// Operations that key every joint at every frame and remove the handles.
QByteArray scriptOf(const Scene& scene, const Clip& clip, const CompiledRig& rig, const Poses& poses)
{
    QJsonArray script;
    const auto add = [&](const char* operation, QJsonObject fields) {
        fields.insert(QStringLiteral("op"), QLatin1String(operation));
        script.append(fields);
    };
    for (const Handle& handle : *scene.handles) add("removeHandle", {{"name", QString::fromStdString(handle.name)}});
    const double first = scene.fps.frameAt(clip.begin());
    for (std::size_t t = 0; t < poses.size(); ++t) {
        add("setFrame", {{"value", first + static_cast<double>(t)}});
        for (const Joint& joint : *scene.joints) {
            const auto& local = poses[t].joints[static_cast<std::size_t>(rig.index(joint.id))];
            const QString name = QString::fromStdString(joint.name);
            const auto& q = local.rotation;
            const auto& p = local.translation;
            add("setPose", {{"joint", name},
                            {"rotation", QJsonArray{q.x(), q.y(), q.z(), q.w()}},
                            {"translation", QJsonArray{p.x(), p.y(), p.z()}}});
            add("key", {{"target", name}, {"channels", QJsonArray{"angles", "translation"}}});
        }
    }
    return QJsonDocument(script).toJson(QJsonDocument::Compact);
}

struct Options
{
    QString plot, alone;
    std::vector<std::string> plugins;
    QStringList projects;
};

bool parse(const QStringList& arguments, Options& options)
{
    for (int i = 1; i < arguments.size(); ++i) {
        const QString& word = arguments[i];
        if (!word.startsWith(QStringLiteral("--"))) {
            options.projects << word;
            continue;
        }
        if (++i == arguments.size()) return false;
        if (word == QStringLiteral("--plot"))
            options.plot = arguments[i];
        else if (word == QStringLiteral("--alone"))
            options.alone = arguments[i];
        else if (word == QStringLiteral("--plugins"))
            options.plugins.push_back(arguments[i].toStdString());
        else
            return false;
    }
    return !options.projects.isEmpty();
}

bool write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

Result<StepRow> run(const SolverRegistry& registry, const QString& path, const Options& options)
{
    const auto project = readProject(path.toStdString(), nullptr, {.loadsMeshes = false});
    if (!project) return project.error();
    const Scene& scene = project->scene;
    const Clip* clip = scene.find(project->state.currentClip);
    if (clip == nullptr) return Error{ErrorCode::NotFound, "has no clip", path.toStdString()};
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    const auto evaluator = Evaluator::create(*rig, registry);
    if (!evaluator) return evaluator.error();
    ClipSettler settler(registry);
    const auto settled = settler.settle(scene, *clip);
    if (!settled) return settled.error();

    const Frames alone = framesOf(scene, *clip, **evaluator, nullptr),
                 whole = framesOf(scene, *clip, **evaluator, (*settled)->solution());
    const QString name = QFileInfo(path).completeBaseName();
    StepRow row{clip->name, stepsOf(alone.poses), stepsOf(whole.poses)};
    const auto most = [](const std::vector<double>& steps) {
        return steps.empty() ? 0.0 : *std::max_element(steps.begin(), steps.end());
    };
    std::printf("%-24s %5zu frames  each for itself: %4zu goals missed, at most %6.2f degrees a frame  "
                "as a clip: %4zu, %6.2f, %zu jumps\n",
                qPrintable(name), alone.poses.size(), alone.missed, most(row.alone), whole.missed, most(row.clip),
                (*settled)->solution()->jumps.size());
    if (!options.alone.isEmpty() &&
        !write(options.alone + u'/' + name + QStringLiteral(".json"), scriptOf(scene, *clip, **rig, alone.poses)))
        return Error{ErrorCode::Io, "cannot be written to", options.alone.toStdString()};
    return row;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    Options options;
    if (!parse(QCoreApplication::arguments(), options)) {
        std::fprintf(stderr, "usage: bench_document [--plugins FOLDER] [--plot FILE] [--alone FOLDER] P.tendon...\n");
        return 2;
    }
    SolverRegistry registry;
    options.plugins.empty() ? registry.scan() : registry.scan(options.plugins);
    std::vector<StepRow> rows;
    for (const QString& path : options.projects) {
        auto row = run(registry, path, options);
        if (!row) {
            std::fprintf(stderr, "%s\n", row.error().text().c_str());
            return 1;
        }
        rows.push_back(*std::move(row));
    }
    const bool isDrawn = options.plot.isEmpty() || write(options.plot, QByteArray::fromStdString(stepPlot(rows)));
    return isDrawn ? 0 : 1;
}
