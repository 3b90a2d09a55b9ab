#include "app/cli/PoseCommand.h"

#include "app/cli/Solvers.h"
#include "app/cli/Table.h"
#include "core/io/project/ProjectFile.h"
#include "core/math/Degrees.h"
#include "core/math/RotationVector.h"
#include "core/solve/ClipSettler.h"
#include "core/solve/Evaluator.h"
#include "core/solve/StatusNames.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <memory>
#include <optional>

namespace tendon::cli {
namespace {

struct PoseOptions
{
    std::string project;
    double frame = 0;
    std::optional<std::string> clip;
    bool showsVectors = false;
};

/// One evaluated frame with what is needed to name its parts.
struct Evaluated
{
    const Scene& scene;
    const CompiledRig& rig;
    const SolvedFrame& result;
    double frame = 0;

    [[nodiscard]] QString name(JointId id) const
    {
        const Joint* joint = scene.find(id);
        return joint ? QString::fromStdString(joint->name) : QString();
    }
    [[nodiscard]] QJsonValue nameOrNull(JointId id) const { return id.isValid() ? QJsonValue(name(id)) : QJsonValue(); }
};

QJsonArray numbers(std::initializer_list<double> values)
{
    QJsonArray array;
    for (const double value : values) array.append(value);
    return array;
}

QJsonObject toJson(const LocalTransform& t)
{
    const auto& q = t.rotation;
    return {{"translation", numbers({t.translation.x(), t.translation.y(), t.translation.z()})},
            {"rotation", numbers({q.x(), q.y(), q.z(), q.w()})},
            {"scale", numbers({t.scale.x(), t.scale.y(), t.scale.z()})}};
}

/// The rotation of a joint from its rest pose, as a vector. [degrees]
Vector3 rotationVector(const Evaluated& pose, const Joint& joint, std::size_t index)
{
    const Quaternion turned = joint.rest.rotation.conjugate() * pose.result.local.joints[index].rotation;
    return vectorFromRotation(turned, pose.result.local.angles[index]) * kDegrees;
}

QJsonObject jointToJson(const Evaluated& pose, const Joint& joint, bool showsVectors)
{
    const auto index = static_cast<std::size_t>(pose.rig.index(joint.id));
    const LocalTransform& local = pose.result.local.joints[index];
    const Vector3 angles = pose.result.local.angles[index] * kDegrees;
    const Vector3& t = local.translation;
    QJsonObject json{
        {"name", QString::fromStdString(joint.name)},
        {"parent", pose.nameOrNull(joint.parent)},
        {"local", toJson(local)},
        {"world", toJson(decompose(pose.result.model.modelFromJoint[index]))},
        {"axes",
         QJsonObject{
             {"rx", angles.x()}, {"ry", angles.y()}, {"rz", angles.z()}, {"tx", t.x()}, {"ty", t.y()}, {"tz", t.z()}}}};
    if (showsVectors) {
        const Vector3 vector = rotationVector(pose, joint, index);
        json.insert(QStringLiteral("rotationVector"), numbers({vector.x(), vector.y(), vector.z()}));
    }
    return json;
}

QString hitName(const Evaluated& pose, const HandleResult::LimitHit& hit)
{
    const std::string_view axis = propertyName(hit.axis);
    return pose.name(hit.joint) + "." + QString::fromUtf8(axis.data(), static_cast<qsizetype>(axis.size()));
}

QJsonObject handleToJson(const Evaluated& pose, const HandleResult& result)
{
    const Handle& handle = *pose.scene.find(result.handle);
    QJsonArray hits;
    for (const auto& hit : result.limitHits) hits.append(hitName(pose, hit));
    QJsonObject json{{"name", QString::fromStdString(handle.name)},
                     {"solver", QString::fromStdString(handle.solver)},
                     {"status", statusName(result)},
                     {"iterations", result.iterations},
                     {"positionError", result.positionError},
                     {"rotationError", result.rotationError * kDegrees},
                     {"shortfall", result.shortfall},
                     {"blockedBy", pose.nameOrNull(result.blockedBy)},
                     {"limitHits", hits}};
    if (result.yieldsTo.isValid())
        json.insert(QStringLiteral("yieldsTo"), QString::fromStdString(pose.scene.find(result.yieldsTo)->name));
    if (result.pullsAgainst.isValid())
        json.insert(QStringLiteral("pullsAgainst"), QString::fromStdString(pose.scene.find(result.pullsAgainst)->name));
    if (result.pull) json.insert(QStringLiteral("pull"), *result.pull);
    if (result.stretch != 1) json.insert(QStringLiteral("stretch"), result.stretch);
    if (const std::string caution = cautionOf(pose.scene, result); !caution.empty())
        json.insert(QStringLiteral("caution"), QString::fromStdString(caution));
    return json;
}

void printPoseJson(const Evaluated& pose, bool showsVectors)
{
    QJsonArray joints, handles;
    for (const JointId id : pose.rig.id) joints.append(jointToJson(pose, *pose.scene.find(id), showsVectors));
    for (const HandleResult& handle : pose.result.handles) handles.append(handleToJson(pose, handle));
    printJson(
        {{"frame", pose.frame}, {"seconds", pose.result.time.seconds()}, {"joints", joints}, {"handles", handles}});
}

void printPoseText(const Evaluated& pose, const Clip* clip, bool showsVectors)
{
    print("frame " + shown(pose.frame) + " (" + shown(pose.result.time.seconds(), 4) + " s)" +
          (clip ? " of clip " + clip->name : std::string()) + "\n\n");

    Table joints(showsVectors
                     ? std::vector<std::string>{"joint", "world x", "y", "z", "vx", "vy", "vz", "x", "y", "z"}
                     : std::vector<std::string>{"joint", "world x", "y", "z", "rx", "ry", "rz", "x", "y", "z"});
    for (std::size_t index = 0; index < pose.rig.jointCount(); ++index) {
        const Joint& joint = *pose.scene.find(pose.rig.id[index]);
        const Vector3 world = pose.result.model.modelFromJoint[index].translation();
        const Vector3 angles = showsVectors ? rotationVector(pose, joint, index)
                                            : Vector3(pose.result.local.angles[index] * kDegrees);
        const Vector3& local = pose.result.local.joints[index].translation;
        constexpr std::size_t kMaxIndent = 40; // a deep chain must not be all indentation
        std::size_t depth = 0;
        for (const Joint* at = pose.scene.find(joint.parent); at != nullptr && depth < kMaxIndent;
             at = pose.scene.find(at->parent))
            ++depth;
        joints.add({std::string(2 * depth, ' ') + joint.name, shown(world.x(), 4), shown(world.y(), 4),
                    shown(world.z(), 4), shown(angles.x(), 2), shown(angles.y(), 2), shown(angles.z(), 2),
                    shown(local.x(), 4), shown(local.y(), 4), shown(local.z(), 4)});
    }
    print(joints.text());
    print(std::string("(metres in the world; ") +
          (showsVectors ? "rotation vectors in degrees, from the rest pose" : "degrees from the rest pose") +
          "; metres in the parent's space)\n");
    if (pose.result.handles.empty()) return;

    Table handles({"handle", "solver", "status", "iterations", "off by (m)", "(deg)", "notes"});
    for (const HandleResult& result : pose.result.handles) {
        const Handle& handle = *pose.scene.find(result.handle);
        std::string notes;
        if (result.shortfall > 0) notes += "beyond reach by " + shown(result.shortfall, 4) + " m ";
        if (result.pull) notes += "pulls with " + shown(*result.pull, 4) + " ";
        if (result.blockedBy.isValid()) {
            const bool isTerminator = pose.scene.find(result.blockedBy)->isTerminator;
            notes += (isTerminator ? "held by terminator " : "blocked by ") +
                     pose.name(result.blockedBy).toStdString() + " ";
        }
        for (const auto& hit : result.limitHits) notes += hitName(pose, hit).toStdString() + " at its limit ";
        if (result.yieldsTo.isValid()) notes += "gives way to " + pose.scene.find(result.yieldsTo)->name + " ";
        if (result.pullsAgainst.isValid()) notes += "pulls against " + pose.scene.find(result.pullsAgainst)->name + " ";
        notes += cautionOf(pose.scene, result);
        handles.add({handle.name, handle.solver, statusName(result), std::to_string(result.iterations),
                     shown(result.positionError, 6), shown(result.rotationError * kDegrees, 4), notes});
    }
    print("\n" + handles.text());
}

/// The clip that was named, or the project's current one; null when there is none.
Result<const Clip*> chooseClip(const Project& project, const PoseOptions& options)
{
    if (!options.clip) return project.scene.find(project.state.currentClip);
    if (const Clip* clip = project.scene.clipNamed(*options.clip)) return clip;
    std::string names;
    for (const auto& clip : project.scene.clips) names += (names.empty() ? "" : ", ") + clip->name;
    return Error{ErrorCode::NotFound,
                 "has no clip \"" + *options.clip + "\"; it has " + (names.empty() ? "none" : names), options.project};
}

Exit reportMisses(const Evaluated& pose)
{
    Exit exit = Exit::Done;
    for (const HandleResult& result : pose.result.handles) {
        if (result.status == sdk::Status::Converged) continue;
        const Handle& handle = *pose.scene.find(result.handle);
        exit = Exit::DoneWithFindings;
        if (result.status == sdk::Status::Unsupported) {
            printNote("handle " + handle.name + " was not solved: the solver " + handle.solver +
                      " cannot take its chain or its goals (unsupported); choose another solver, or other start and "
                      "end joints");
            continue;
        }
        const bool isMet = result.positionError <= handle.positionTolerance &&
                           result.rotationError <= handle.rotationTolerance;
        if (isMet && handle.objectives.isAny()) {
            printNote("handle " + handle.name + " met its goal, but its solve ended before the objectives were at " +
                      "their best: " + statusName(result));
            continue;
        }
        const std::string reason = reasonOfMiss(pose.scene, result);
        printNote("handle " + handle.name + (handle.hasCurve() ? " leaves its curve by " : " missed its goal by ") +
                  shown(result.positionError, 6) + " m, " + shown(result.rotationError * kDegrees, 4) +
                  " degrees: " + statusName(result) + (reason.empty() ? "" : ", " + reason));
    }
    return exit;
}

Exit runPose(const Cli& cli, const PoseOptions& options)
{
    Issues issues;
    const auto project = readProject(options.project, &issues, {.loadsMeshes = false});
    if (!project) return fail(project.error());
    printIssues(cli, issues);
    const auto clip = chooseClip(*project, options);
    if (!clip) return fail(clip.error());
    const auto rig = compile(project->scene);
    if (!rig) return fail(rig.error().within(options.project));
    const auto evaluator = Evaluator::create(*rig, solvers(cli));
    if (!evaluator) return fail(evaluator.error().within(options.project));
    printIssues(cli, evaluator.value()->issues());

    if (const Clip* posed = *clip) {
        const auto settled = ClipSettler(solvers(cli)).settle(project->scene, *posed);
        if (!settled) return fail(settled.error().within(options.project));
        evaluator.value()->follow((*settled)->solution());
    }
    SolvedFrame result;
    evaluator.value()->lookAround(true);
    evaluator.value()->evaluate(project->scene, *clip, {}, project->scene.fps.timeOf(options.frame), result);
    if (const auto sound = checkPlugins(**rig, solvers(cli)); !sound)
        return fail(sound.error().within(options.project));
    const Evaluated pose{project->scene, **rig, result, options.frame};
    if (cli.json)
        printPoseJson(pose, options.showsVectors);
    else
        printPoseText(pose, *clip, options.showsVectors);
    return reportMisses(pose);
}

} // namespace

void addPoseCommand(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<PoseOptions>();
    CLI::App* command = addCommand(app, cli, "pose", "Print the solved pose of one frame",
                                   [options, &cli] { return runPose(cli, *options); });
    command->add_option("PROJECT", options->project, "Project file (.tendon)")->required();
    command->add_option("--frame", options->frame, "Frame to solve; it may have a fraction")
        ->required()
        ->check(numberBetween(-1e8, 1e8));
    command->add_option("--clip", options->clip, "Clip to evaluate (default: the current clip)");
    command->add_flag("--rotation-vectors", options->showsVectors,
                      "Print rotations from the rest pose as vectors: the axis, as long as the angle in degrees");
}

} // namespace tendon::cli
