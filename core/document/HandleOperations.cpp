#include "core/document/CurveOperations.h"
#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/HandleMotion.h"
#include "core/document/KeySelection.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/document/Reparent.h"
#include "core/document/SolverFit.h"
#include "core/scene/Check.h"
#include "core/scene/Constraint.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/ChainBend.h"
#include "core/solve/Settings.h"

#include <algorithm>
#include <array>

namespace tendon {
namespace {

using Type = Field::Type;

/// The topmost joint above `joint`.
JointId rootAbove(const Scene& scene, JointId joint)
{
    while (scene.find(joint)->parent.isValid()) joint = scene.find(joint)->parent;
    return joint;
}

/// Whether a handle with this solver has nothing to do without a curve.
bool needsCurve(const SolverInfo& solver) { return solver.has("curve") && !solver.has("position-goal"); }

/// The axis that setHandle asks for; none = the end is to meet the goal.
Result<std::optional<Vector3>> aimAxisOf(const Scene& scene, const Handle& handle, const Arguments& arguments)
{
    if (arguments.isNull("aimAxis")) return std::optional<Vector3>();
    if (arguments.isText("aimAxis")) return std::optional(boneDirection(scene, *scene.find(handle.end)));
    const Vector3 axis = arguments.vector("aimAxis");
    if (!(axis.norm() > 0) || !axis.allFinite())
        return Error{ErrorCode::InvalidArgument, "give a direction: at least one of the numbers must not be 0",
                     "aimAxis"};
    return std::optional(Vector3(axis.normalized()));
}

/// [m] How far ahead of the end of an aiming constraint its goal has to be so that the end turns there the short way:
/// from its joint, twice as far as the effector.
double nearestAim(const Draft& draft, const Handle& handle, const Affine& worldFromEnd, Time time)
{
    if (!isConstraint(handle) || !handle.aimAxis) return 0;
    const Vector3 scale = jointPose(draft, *draft.scene.find(handle.end), time).local.scale;
    const double axis = scale.cwiseProduct(*handle.aimAxis).norm();
    if (!(axis > 0)) return 0;
    return 2 * scale.cwiseProduct(handle.offset).norm() / axis * (worldFromEnd.linear() * *handle.aimAxis).norm();
}

/// Where the goal is to be so that the pose of a time stays once the handle aims, or no longer does: in front of the
/// end, or at it. [m, in the goal's space]
Result<Vector3> goalKeepingPose(Draft& draft, const Scene& scene, const Handle& handle, const Clip* clip,
                                const PendingValues& pending, Time time)
{
    const auto world = [&](JointId joint) { return worldOf(draft, scene, clip, pending, time, joint); };
    const auto worldFromEnd = world(handle.end), worldFromStart = world(handle.start);
    const auto space = worldOfSpace(draft, scene, clip, pending, time,
                                    spaceOfValue(scene, clip, handle, Property::GoalPosition, time));
    for (const auto* found : {&worldFromEnd, &worldFromStart, &space})
        if (!*found) return found->error();
    Vector3 position = *worldFromEnd * handle.offset;
    if (handle.aimAxis) { // as far off as the chain is long, or a metre
        const double length = (worldFromStart->translation() - position).norm();
        const double ahead = std::max(length > 0 ? length : 1, nearestAim(draft, handle, *worldFromEnd, time));
        position += ahead * aimedInWorld(handle, *worldFromEnd, *handle.aimAxis);
    }
    return goalInSpace(*space, {position, Quaternion::Identity()}).position;
}

/// The handle has begun to aim, or no longer does: its goal, and each key of it, goes to where the pose stays.
Result<void> moveGoalKeepingPose(Draft& draft, const Scene& before, const Handle& handle)
{
    const ChannelId goal{handle.id.value, Property::GoalPosition};
    const auto now = goalKeepingPose(draft, before, handle, before.find(draft.edit.currentClip), draft.edit.pending,
                                     draft.time());
    if (!now) return now.error();
    const bool hasKeys = std::any_of(draft.scene.clips.begin(), draft.scene.clips.end(),
                                     [&](const auto& clip) { return clip->find(goal) != nullptr; });
    if (!hasKeys) return poseChannel(draft, goal, toValue(*now));
    std::optional<Error> failed;
    moveToSpace(draft.scene, goal, [&](const Clip* clip, Time time) {
        auto place = now;
        if (clip != nullptr) place = goalKeepingPose(draft, before, handle, before.find(clip->id), {}, time);
        if (!place) failed = place.error();
        ChangeOfSpace to;
        to.newFromOld.linear().setZero(); // wherever it was; with flat tangents
        to.newFromOld.translation() = place ? *place : *now;
        return to;
    });
    if (failed) return *failed;
    if (const auto set = setStaticNow(draft, goal, toValue(*now)); !set) return set;
    draft.edit.pending.erase(goal);
    draft.say(Severity::Info,
              std::string("the keys of its goal have moved ") + (handle.aimAxis ? "in front of" : "to") +
                  " the end as it stands at each of them",
              handle.name, handle.id.value);
    return {};
}

/// What becomes of the motion that the joints of a new handle have in the current clip.
Result<void> followMotion(Draft& draft, HandleId id, bool isWanted)
{
    const Handle handle = *draft.scene.find(id);
    const Clip* clip = draft.clip();
    const bool isMoved = clip != nullptr && movesChain(draft.scene, *clip, handle.start, handle.end);
    const std::string motion = isMoved ? inQuotes(clip->name) : "";
    if (isMoved && isWanted) {
        const auto count = keyGoalsAlongMotion(draft, std::array{handle.id});
        if (!count) return count.error();
        draft.say(Severity::Info,
                  "its goal follows the motion of " + motion + ": keys at " + std::to_string(*count) +
                      (*count == 1 ? " time" : " times"),
                  handle.name, handle.id.value);
    } else if (isMoved)
        draft.say(Severity::Info,
                  "its joints have keys in " + motion +
                      ", but its goal has none and stands still; key the goal, or let it follow the motion when the "
                      "handle is added",
                  handle.name, handle.id.value);
    else if (isWanted)
        draft.say(Severity::Info, "its joints have no keys in the current clip, so its goal stands still", handle.name,
                  handle.id.value);
    return {};
}

/// What a handle needs to be the constraint that its solver names: parent and copy ask for the goal's rotation, aim for
/// an axis.
void makeConstraint(const Scene& scene, Handle& handle)
{
    const bool aims = constraintOf(handle) == Constraint::Aim;
    if (!isConstraint(handle)) return;
    handle.orientationWeight = aims ? 0 : 1;
    if (!aims)
        handle.aimAxis.reset();
    else if (!handle.aimAxis)
        handle.aimAxis = boneDirection(scene, *scene.find(handle.end));
}

/// The goal of a new handle that does not begin at its end: at what it follows, or in front of an end that aims. A
/// constraint that aims and keeps its offset aims with the axis that points there now.
Result<void> placeNewGoal(Draft& draft, HandleId id, const Affine& worldFromEnd, const Affine& worldFromFollow,
                          bool keepsOffset)
{
    Handle handle = *draft.scene.find(id);
    GoalPose goal; // in its space
    if (handle.follow == 0) {
        if (!handle.aimAxis) return {};
        const double distance = std::max(1.0, nearestAim(draft, handle, worldFromEnd, draft.time()));
        const Vector3 ahead = distance * aimedInWorld(handle, worldFromEnd, *handle.aimAxis);
        goal = {worldFromEnd * handle.offset + ahead, rotationOf(worldFromEnd)};
    } else if (keepsOffset && handle.aimAxis) {
        const Vector3 way = worldFromFollow.translation() - worldFromEnd * handle.offset;
        const Vector3 axis = isConstraint(handle) ? Vector3(worldFromEnd.linear().inverse() * way)
                                                  : Vector3(rotationOf(worldFromEnd).conjugate() * way);
        if (way.norm() > handle.positionTolerance && axis.allFinite()) handle.aimAxis = axis.normalized();
        if (const auto taken = draft.take(changeHandle(draft.scene, handle)); !taken) return taken;
    } else if (keepsOffset)
        return {};
    if (const auto set = setStaticNow(draft, {id.value, Property::GoalPosition}, toValue(goal.position)); !set)
        return set;
    return setStaticNow(draft, {id.value, Property::GoalRotation}, toValue(goal.rotation));
}

Result<void> addHandleOperation(Draft& draft, const Arguments& arguments)
{
    const auto end = jointIn(draft.scene, arguments, "end");
    if (!end) return end.error();
    const bool isSingle = constraintNamed(arguments.text("solver", "")) != Constraint::None;
    const auto start = arguments.has("start") ? jointIn(draft.scene, arguments, "start")
                       : isSingle             ? *end
                                              : rootAbove(draft.scene, *end);
    if (!start) return start.error();
    const auto follow = arguments.has("follow") ? targetOrNoneIn(draft.scene, arguments, "follow") : ObjectId{0};
    if (!follow) return follow.error();
    std::vector<const Joint*> moving;
    for (const JointId joint : chain(draft.scene, *start, *end)) moving.push_back(draft.scene.find(joint));
    const auto solver = solverNamed(draft.solvers,
                                    arguments.text("solver", std::string(usualSolver(moving, draft.solvers))));
    if (!solver) return solver.error();

    Handle handle;
    handle.name = arguments.text("name");
    handle.start = *start;
    handle.end = *end;
    handle.solver = (*solver)->alias;
    if (arguments.has("offset")) handle.offset = arguments.vector("offset");
    handle.follow = *follow;
    makeConstraint(draft.scene, handle);
    draft.text = (isSingle ? "Add constraint " : "Add handle ") + handle.name;

    const auto worldFromEnd = worldOf(draft, draft.scene, draft.clip(), draft.edit.pending, draft.time(), *end);
    if (!worldFromEnd) return worldFromEnd.error();
    const auto worldFromFollow = worldOfSpace(draft, draft.scene, draft.clip(), draft.edit.pending, draft.time(),
                                              *follow);
    if (!worldFromFollow) return worldFromFollow.error();
    if (const auto added = draft.take(addHandle(std::move(draft.scene), handle, *worldFromEnd, *worldFromFollow));
        !added)
        return added;
    const HandleId id = draft.scene.handles->back().id;
    const bool isOffsetUsual = !isSingle || constraintOf(handle) == Constraint::Parent;
    if (const auto placed = placeNewGoal(draft, id, *worldFromEnd, *worldFromFollow,
                                         arguments.boolean("keepOffset", isOffsetUsual));
        !placed)
        return placed;
    if (needsCurve(**solver))
        if (const auto laid = layCurveAlongChain(draft, id); !laid) return laid;
    if (const auto fits = draft.poses.checkHandle(draft.scene, id); !fits) return fits;
    const bool followsMotion = arguments.boolean("followMotion", false);
    return isSingle && !followsMotion ? Result<void>() : followMotion(draft, id, followsMotion);
}

/// `changes` ({name: weight, or null for 0}) over the former weights.
Result<Objectives> changedObjectives(Objectives objectives, const QJsonObject& changes)
{
    for (auto entry = changes.begin(); entry != changes.end(); ++entry) {
        double* weight = entry.key() == QLatin1String("restPose")      ? &objectives.restPose
                         : entry.key() == QLatin1String("naturalPose") ? &objectives.naturalPose
                         : entry.key() == QLatin1String("velocity")    ? &objectives.velocity
                         : entry.key() == QLatin1String("power")       ? &objectives.power
                                                                       : nullptr;
        if (weight == nullptr)
            return Error{ErrorCode::InvalidArgument,
                         "there is no objective " + inQuotes(entry.key().toStdString()) +
                             "; there are restPose, naturalPose, velocity, power",
                         "objectives"};
        const bool isWeight = entry.value().isNull() || (entry.value().isDouble() && entry.value().toDouble() >= 0);
        if (!isWeight)
            return Error{ErrorCode::InvalidArgument, "must be a number, 0 or more, but is " + describe(entry.value()),
                         "objectives: " + entry.key().toStdString()};
        *weight = entry.value().toDouble();
    }
    return objectives;
}

/// Which of the poses that meet the goal a solver takes: a parameter of those that can choose.
constexpr const char* kChoice = "choice";

Result<void> choose(Handle& handle, const QString& choice, const SolverInfo& solver, const SolverRegistry& solvers)
{
    const auto canChoose = [&choice](const SolverInfo& info) {
        const SolverParameter* parameter = info.parameter(kChoice);
        if (parameter == nullptr || choice == QLatin1StringView("default")) return parameter != nullptr;
        return std::find(parameter->values.begin(), parameter->values.end(), choice.toStdString()) !=
               parameter->values.end();
    };
    if (!canChoose(solver)) {
        std::string able;
        for (const SolverInfo& other : solvers.solvers())
            if (canChoose(other)) able += (able.empty() ? "" : " or ") + other.alias;
        const std::string what = solver.parameter(kChoice) == nullptr ? "choose among the poses that meet a goal"
                                                                      : "choose " + choice.toStdString();
        return Error{ErrorCode::Unsupported,
                     "the solver " + inQuotes(solver.alias) + " cannot " + what +
                         (able.empty() ? "" : "; set solver to " + able),
                     kChoice};
    }
    const QJsonValue value = choice == QLatin1StringView("default") ? QJsonValue(QJsonValue::Null) : QJsonValue(choice);
    auto parameters = changedParameters(handle.parameters, {{kChoice, value}}, solver);
    if (!parameters) return parameters.error();
    handle.parameters = std::move(*parameters);
    return {};
}

/// The fields that are settings, not channels.
Result<Handle> changedHandle(const Draft& draft, Handle handle, const Arguments& arguments)
{
    const auto solver = solverNamed(draft.solvers, arguments.text("solver", handle.solver));
    const bool needsSolver = arguments.has("solver") || arguments.has("parameters") ||
                             (arguments.has("pole") && !arguments.isNull("pole") && !handle.hasPole) ||
                             arguments.has("poleTarget") || arguments.has("orientationWeight") ||
                             arguments.has("curve") || arguments.has(kChoice) || arguments.has("objectives") ||
                             (arguments.has("aimAxis") && !arguments.isNull("aimAxis"));
    if (needsSolver && !solver) return solver.error();
    if (arguments.has("solver") && (*solver)->alias != handle.solver) {
        handle.solver = (*solver)->alias;
        handle.parameters.clear(); // ids mean something else to another solver
        makeConstraint(draft.scene, handle);
    }
    if (arguments.has("parameters")) {
        auto parameters = changedParameters(handle.parameters, arguments.object("parameters"), **solver);
        if (!parameters) return parameters.error();
        handle.parameters = std::move(*parameters);
    }
    if (arguments.has(kChoice))
        if (const auto chosen = choose(handle, QString::fromStdString(arguments.text(kChoice)), **solver,
                                       draft.solvers);
            !chosen)
            return chosen.error();
    if (arguments.has("offset")) handle.offset = arguments.vector("offset");
    handle.orientationWeight = arguments.number("orientationWeight", handle.orientationWeight);
    handle.priority = arguments.integer("priority", handle.priority);
    handle.soft = arguments.number("soft", handle.soft);
    handle.stretch = arguments.number("stretch", handle.stretch);
    handle.squash = arguments.number("squash", handle.squash);
    if (arguments.has("unreachable"))
        handle.unreachable = arguments.text("unreachable") == "hold" ? Unreachable::Hold : Unreachable::Stretch;
    if (arguments.has("aimAxis")) {
        const auto axis = aimAxisOf(draft.scene, handle, arguments);
        if (!axis) return axis.error();
        handle.aimAxis = *axis;
    }
    handle.isPinned = arguments.boolean("pinned", handle.isPinned);
    handle.isSticky = arguments.boolean("stick", handle.isSticky);
    if (arguments.has("objectives")) {
        const auto objectives = changedObjectives(handle.objectives, arguments.object("objectives"));
        if (!objectives) return objectives.error();
        handle.objectives = *objectives;
    }
    handle.positionTolerance = arguments.number("tolerance", handle.positionTolerance);
    if (arguments.has("rotationTolerance")) handle.rotationTolerance = radians(arguments.number("rotationTolerance"));
    handle.maxIterations = arguments.integer("maxIterations", handle.maxIterations);

    if (arguments.has("pole")) handle.hasPole = !arguments.isNull("pole");
    if (arguments.has("poleTarget")) {
        const auto target = jointOrNoneIn(draft.scene, arguments, "poleTarget");
        if (!target) return target.error();
        handle.poleTarget = *target;
        if (target->isValid()) handle.hasPole = true;
    }
    for (const auto& [field, follows] :
         {std::pair("follow", &Handle::follow), std::pair("poleFollow", &Handle::poleFollow)}) {
        if (!arguments.has(field)) continue;
        const auto follow = targetOrNoneIn(draft.scene, arguments, field);
        if (!follow) return follow.error();
        handle.*follows = *follow;
    }
    for (const auto& [field, up] : {std::pair("startUp", &Handle::startUp), std::pair("endUp", &Handle::endUp)}) {
        if (!arguments.has(field)) continue;
        const auto joint = jointOrNoneIn(draft.scene, arguments, field);
        if (!joint) return joint.error();
        handle.*up = *joint;
    }
    if (needsSolver) {
        Handle wanted = handle; // its curve changes later, with the values of its points
        if (arguments.has("curve"))
            wanted.curvePoints = static_cast<std::int32_t>(arguments.points("curve").size());
        else if (arguments.has("solver") && !(*solver)->has("curve"))
            wanted.curvePoints = 0;
        if (const auto fits = checkSolverFits(wanted, **solver); !fits) return fits.error();
    }
    return handle;
}

/// The pole that was asked for, in its space; none when none was. "auto" goes by the pose before anything is changed.
Result<std::optional<Vector3>> poleOf(Draft& draft, const Handle& before, const Arguments& arguments)
{
    if (arguments.isArray("pole")) return std::optional(arguments.vector("pole"));
    if (!arguments.isText("pole")) return std::optional<Vector3>();
    const auto part = draft.poseOf(before.end);
    if (!part) return part.error();
    const double twist = channelValue(draft, {before.id.value, Property::Twist}, draft.time())[0];
    const Vector3 inWorld = defaultPole(part->rig, part->frame.local, part->frame.model, before, twist);
    const auto worldFromSpace = worldOfValues(draft, before, Property::Pole);
    if (!worldFromSpace) return worldFromSpace.error();
    return std::optional(Vector3(worldFromSpace->inverse() * inWorld));
}

/// Gives the handle the curve that was asked for. A solver that only follows curves gets one along the chain; with one
/// that follows none the curve goes.
Result<void> changeCurve(Draft& draft, const Handle& before, const Handle& after, const Arguments& arguments)
{
    const SolverInfo* solver = draft.solvers.find(after.solver);
    const bool isDropped = arguments.has("solver") && !arguments.has("curve") && !solver->has("curve");
    const std::vector<Vector3> points = arguments.has("curve") ? arguments.points("curve") : std::vector<Vector3>();
    if (arguments.has("curve") ? !points.empty() || before.hasCurve() : isDropped && before.hasCurve()) {
        if (const auto replaced = replaceCurve(draft, after.id, points); !replaced) return replaced;
        if (points.empty()) draft.say(Severity::Info, "its curve is gone", before.name, after.id.value);
    }
    const bool isMissing = arguments.has("solver") && needsCurve(*solver) && !draft.scene.find(after.id)->hasCurve();
    return isMissing ? layCurveAlongChain(draft, after.id) : Result<void>();
}

/// Moves the pole to where it was asked to be. One that stops following a joint stays where it is.
Result<void> placePole(Draft& draft, const Handle& before, const Handle& after, const std::optional<Vector3>& place)
{
    const ChannelId pole{after.id.value, Property::Pole};
    if (place) {
        const ChannelValue value = toValue(*place);
        const bool isNew = draft.scene.statics->count(pole) == 0;
        if (isNew) // there is no former value that Auto Key could key
            if (const auto set = setStaticNow(draft, pole, value); !set) return set;
        return poseChannel(draft, pole, value);
    }
    if (before.poleTarget.isValid() && !after.poleTarget.isValid() && after.hasPole) {
        const auto world = worldOf(draft, draft.scene, draft.clip(), draft.edit.pending, draft.time(),
                                   before.poleTarget);
        const auto space = worldOfValues(draft, after, Property::Pole);
        if (!world || !space) return world ? space.error() : world.error();
        return setStaticNow(draft, pole, toValue(Vector3(space->inverse() * world->translation())));
    }
    return {};
}

Result<void> setHandleOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "name");
    if (!id) return id.error();
    if (arguments.json().size() <= 2) return Error{ErrorCode::InvalidArgument, "give at least one field to change", ""};
    const Handle before = *draft.scene.find(*id);
    draft.text = "Set handle " + before.name;

    const auto changed = changedHandle(draft, before, arguments);
    if (!changed) return changed.error();
    const auto pole = poleOf(draft, before, arguments);
    if (!pole) return pole.error();
    if (changed->solver != before.solver && !before.parameters.empty())
        draft.say(Severity::Info, "its parameters are the new solver's defaults now", before.name, id->value);
    const Scene sceneBefore = draft.scene;
    if (!(*changed == before)) {
        if (changed->follow != before.follow || changed->poleFollow != before.poleFollow)
            if (const auto kept = std::erase_if(draft.edit.pending,
                                                [&](const auto& entry) { return entry.first.target == id->value; });
                kept != 0)
                draft.say(Severity::Info, "posed values that were not keyed were dropped", before.name, id->value);
        if (const auto taken = draft.take(changeHandle(draft.scene, *changed, spacesOf(draft))); !taken) return taken;
    }
    if (const auto curved = changeCurve(draft, before, *changed, arguments); !curved) return curved;
    if (const auto placed = placePole(draft, before, *changed, *pole); !placed) return placed;
    if (changed->aimAxis.has_value() != before.aimAxis.has_value())
        if (const auto moved = moveGoalKeepingPose(draft, sceneBefore, *changed); !moved) return moved;

    const auto pose = [&](const char* field, Property property, double factor) -> Result<void> {
        if (!arguments.has(field)) return {};
        return poseChannel(draft, {id->value, property}, {arguments.number(field) * factor});
    };
    if (const auto posed = pose("weight", Property::Weight, 1); !posed) return posed;
    if (const auto posed = pose("blend", Property::Blend, 1); !posed) return posed;
    if (const auto posed = pose("twist", Property::Twist, radians(1)); !posed) return posed;
    if (const auto posed = pose("roll", Property::Roll, radians(1)); !posed) return posed;
    const bool changesSolver = changed->solver != before.solver || changed->parameters != before.parameters ||
                               arguments.has("curve") || changed->isCarried() != before.isCarried();
    return changesSolver ? draft.poses.checkHandle(draft.scene, *id) : Result<void>();
}

/// Fields that are channels are written as a goal is, so that a pole follows the mouse as a goal does.
bool setsChannelsOnly(const QJsonObject& operation)
{
    const QStringList channels = {"op", "name", "pole", "weight", "blend", "twist", "roll"};
    const QStringList fields = operation.keys();
    return !operation.value(QLatin1StringView("pole")).isString() &&
           std::all_of(fields.begin(), fields.end(), [&](const QString& field) { return channels.contains(field); });
}

Result<void> removeHandleOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "name");
    if (!id) return id.error();
    draft.text = "Remove handle " + nameOf(draft.scene, id->value);
    return draft.take(removeHandle(std::move(draft.scene), *id));
}

Result<void> setGoalOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    const char* place = arguments.has("aim") ? "aim" : "position";
    if (!arguments.has(place) && !arguments.has("rotation"))
        return Error{ErrorCode::InvalidArgument, "give position, rotation or aim", ""};
    if (draft.scene.find(*id)->hasCurve())
        return Error{ErrorCode::InvalidArgument, "it follows a curve, not a goal; move the curve's points",
                     nameOf(draft.scene, id->value)};
    if (arguments.has("aim") && (arguments.has("position") || arguments.has("rotation")))
        return Error{ErrorCode::InvalidArgument, "a handle that aims has one goal; give aim alone", "aim"};
    draft.text = "Move goal " + nameOf(draft.scene, id->value);
    if (const Handle& handle = *draft.scene.find(*id); arguments.has("aim") && !handle.aimAxis) {
        const auto solver = solverNamed(draft.solvers, handle.solver);
        if (!solver) return solver.error();
        Handle aiming = handle;
        aiming.aimAxis = boneDirection(draft.scene, *draft.scene.find(handle.end));
        if (const auto fits = checkSolverFits(aiming, **solver); !fits) return fits.error();
        const Scene before = draft.scene;
        if (const auto taken = draft.take(changeHandle(draft.scene, aiming)); !taken) return taken;
        if (const auto moved = moveGoalKeepingPose(draft, before, aiming); !moved) return moved;
    }
    if (arguments.has(place))
        if (const auto posed = poseChannel(draft, {id->value, Property::GoalPosition},
                                           toValue(arguments.vector(place)));
            !posed)
            return posed;
    if (arguments.has("rotation"))
        if (const auto posed = poseChannel(draft, {id->value, Property::GoalRotation},
                                           toValue(arguments.rotation("rotation")));
            !posed)
            return posed;
    return {};
}

/// A goal that follows something from a frame on has a later key, before it follows something else, and goes there.
void sayWhatPullsAway(Draft& draft, HandleId id, ObjectId space, double frame)
{
    const KeyList *goals = draft.clip()->find({id.value, Property::GoalPosition}),
                  *spaces = draft.clip()->find({id.value, Property::Space});
    if (goals == nullptr || spaces == nullptr) return;
    const Time at = draft.scene.fps.timeOf(frame);
    const std::size_t next = goals->countUpTo(at);
    if (next == goals->size() || next == 0 || (*goals)[next - 1].interpolation == Interpolation::Step) return;
    const std::size_t other = spaces->countUpTo(at);
    if (other < spaces->size() && (*spaces)[other].time <= (*goals)[next].time) return;
    draft.say(
        Severity::Info,
        "its key at frame " + QString::number(draft.scene.fps.frameAt((*goals)[next].time), 'g', 9).toStdString() +
            " pulls it away from " + inQuotes(nameOf(draft.scene, space)) + "; Hold in marked frames holds it there",
        nameOf(draft.scene, id.value), id.value);
}

Result<void> keySpaceOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    const auto space = targetOrNoneIn(draft.scene, arguments, "space");
    if (!space) return space.error();
    const double frame = arguments.number("frame", draft.edit.frame);
    if (const auto fits = checkFrame(frame); !fits) return fits;
    const bool isPole = arguments.text("part") == "pole";
    const std::string name = nameOf(draft.scene, id->value);
    draft.text = (isPole ? "Follow with the pole of " : "Follow with ") + name;
    if (arguments.has("to")) {
        const double to = arguments.number("to");
        if (const auto fits = checkFrame(to); !fits) return fits;
        if (isPole) return Error{ErrorCode::InvalidArgument, "holds the goal; leave it out for the pole", "to"};
        if (arguments.has("keep"))
            return Error{ErrorCode::InvalidArgument, "is for a goal that goes on following; leave it out of a hold",
                         "keep"};
        draft.text = "Hold with " + name;
        return holdInSpace(draft, *id, *space, frame, to);
    }
    const bool keepsFrames = arguments.text("keep", "keys") == "frames";
    if (const auto keyed = keySpace(draft, *id, isPole ? Property::Pole : Property::GoalPosition, *space, frame,
                                    keepsFrames);
        !keyed)
        return keyed;
    if (!isPole && *space != 0 && !keepsFrames) sayWhatPullsAway(draft, *id, *space, frame);
    return {};
}

constexpr Field kAddHandle[] = {
    {"name", Type::String, kRequired, "Name of the new handle. No other joint or handle may have it"},
    {"start", Type::Joint, kOptional,
     "Topmost joint that the handle may move. Left out: the topmost joint above the end; of a constraint, the end "
     "itself"},
    {"end", Type::Joint, kRequired, "Joint that is to meet the goal: the start joint or one below it"},
    {"solver", Type::String, kOptional,
     "Solver, by its alias in `tendon plugins`; or a constraint, which poses one joint and needs no solver: parent, "
     "aim or "
     "copy. Left out: hd where all that moves slides, else the default solver"},
    {"offset", Type::Vector, kOptional,
     "Point in the end joint's space that is to meet the goal, in metres. Left out: the joint's pivot"},
    {"follow", Type::TargetOrNull, kOptional,
     "Joint, or handle by its goal, that the goal moves with: what a constraint constrains its joint to. Left out: the "
     "world"},
    {"keepOffset", Type::Bool, kOptional,
     "True: the joint stays as it is, and the goal keeps its distance and turn to what it follows; a constraint that "
     "aims does so with the axis that points there now. False: the goal is where that is. Left out: true, but false "
     "for "
     "the constraints aim and copy"},
    {"followMotion", Type::Bool, kOptional,
     "True: where the joints have keys in the current clip, the goal gets keys with which it follows their motion, at "
     "each time at which they or joints above have a key, and between those where it would leave it. Left out: the "
     "goal "
     "stands still"},
};
constexpr Field kSetHandle[] = {
    {"name", Type::Handle, kRequired, "Handle to change"},
    {"solver", Type::String, kOptional,
     "Solver of the handle, or a constraint: parent, aim or copy. A new one starts with its default parameters"},
    {"parameters", Type::Object, kOptional,
     "{id: value} for parameters that the solver declares. Null: the parameter's default"},
    {kChoice, Type::Choice, kOptional,
     "Which of the poses that meet the goal the solver takes, where it has a parameter of this name. closest: nearest "
     "to "
     "the FK pose. outermost: joints near the end move first. leastEnergy: the least mass moves. natural: nearest to "
     "the "
     "preferred angles. default: what the solver does by itself",
     "closest|outermost|leastEnergy|natural|default"},
    {"offset", Type::Vector, kOptional,
     "Point in the end joint's space that is to meet the goal, in metres. Not every solver uses it"},
    {"weight", Type::Number, kOptional,
     "Weight of the handle against others that contradict it, 0 or more. Of a constraint, 0 to 1: how far it takes its "
     "joint "
     "from the FK pose, by the shortest way; more counts as 1. Can be keyed"},
    {"orientationWeight", Type::Number, kOptional,
     "Weight of the goal's rotation against its position. 0: the rotation is ignored. Not every solver uses it"},
    {"priority", Type::Integer, kOptional,
     "Which handles come first where not all goals can be met: those with priority 1, then 2, and so on. Goals "
     "that can be met together are met, whatever the priorities. With a solver without the feature \"priorities\", "
     "a later handle may pull an earlier one off its goal"},
    {"pole", Type::VectorOrNull, kOptional,
     "Point that the bend faces, in metres, in the world or in the space of what the pole follows. \"auto\": one that "
     "leaves the chain bent as it is. Null: no "
     "pole. Not every solver follows one. Can be keyed",
     "auto"},
    {"poleTarget", Type::JointOrNull, kOptional, "Joint that the pole is at. Null: the pole stays where it is"},
    {"follow", Type::TargetOrNull, kOptional,
     "Joint, or handle by its goal, that the goal moves with. Null: the world. The goal stays where it is when this "
     "changes. In clips that key what it follows (keySpace), the keys count"},
    {"poleFollow", Type::TargetOrNull, kOptional, "The same of the pole, where that is not at a joint"},
    {"twist", Type::Number, kOptional,
     "Rotates the bend about the line from the chain's start to the goal, in degrees; of a chain along a curve, turns "
     "its joints about the curve, more and more toward the end. Not every solver uses it. Can be keyed"},
    {"roll", Type::Number, kOptional,
     "Turns all joints of a chain along a curve about the curve, in degrees. Not every solver uses it. Can be keyed"},
    {"blend", Type::Number, kOptional, "Blends from FK (0) to IK (1). Can be keyed"},
    {"soft", Type::Number, kOptional,
     "Share of the reach, 0 to 0.5, over which the chain slows down before it is straight. Not every solver uses it"},
    {"stretch", Type::Number, kOptional,
     "How far the chain's bones may lengthen to reach the goal, as a factor of 1 or more"},
    {"squash", Type::Number, kOptional,
     "How far the chain's bones may shorten, as a factor from 0.01 to 1, when the goal comes nearer than the end is "
     "at rest: then they shorten instead of bending further. 1: they do not. Not every solver uses it"},
    {"unreachable", Type::Choice, kOptional,
     "What the handle does with a goal beyond its reach. stretch: straightens the chain toward it. hold: keeps "
     "the pose of the latest earlier frame of the clip at which the goal was in reach, else the FK pose. Not every "
     "solver uses it",
     "stretch|hold"},
    {"aimAxis", Type::VectorOrNull, kOptional,
     "Direction in the end joint's space that is to point at the goal; then the end need not be there. \"auto\": "
     "the way the end's bone runs. Null: the end meets the goal. The pose stays. Not every solver can aim",
     "auto"},
    {"pinned", Type::Bool, kOptional,
     "Holds the goal in place in the world, also while other objects are dragged, even if it follows a joint"},
    {"stick", Type::Bool, kOptional,
     "What the goal and the pole do while they have no keys. true (the default): they stay in the world. false: they "
     "go "
     "along with the joint above the chain's start. Keys, pinned and follow come first. The pose stays when this "
     "changes"},
    {"curve", Type::Points, kOptional,
     "Control points of a curve that the chain follows, two or more, in metres, in the world or in the space of the "
     "joint that the handle follows. Their keys are set with setCurvePoint and key. []: no curve. Not every solver "
     "follows one: spline does, and gets one along the chain by itself"},
    {"startUp", Type::JointOrNull, kOptional,
     "Joint that the start of a chain along a curve faces, with the side that does so in the rest pose. Null: none; "
     "the start then turns no more than the curve makes it. Not every solver uses it"},
    {"endUp", Type::JointOrNull, kOptional,
     "Joint that the last bone of a chain along a curve faces; the joints between turn smoothly. Null: none. "
     "Not every solver uses it"},
    {"objectives", Type::Object, kOptional,
     "{restPose, naturalPose, velocity, power: weight} choose among the poses that meet the goal. Each weight is 0 or "
     "more; 0 or null: off. Not every solver supports them"},
    {"tolerance", Type::Number, kOptional, "Distance, in metres, within which the goal counts as met. Above 0"},
    {"rotationTolerance", Type::Number, kOptional,
     "Angle, in degrees, within which the goal's rotation counts as met. Above 0"},
    {"maxIterations", Type::Integer, kOptional,
     "Maximum number of iterations. 0: as many as the solver may take by itself (1000). Solvers in closed form ignore "
     "it"},
};
constexpr Field kKeySpace[] = {
    {"handle", Type::Handle, kRequired, "Handle whose goal or pole is to follow something else"},
    {"space", Type::TargetOrNull, kRequired,
     "What it follows from this frame on: a joint, or a handle by its goal. Null: the world"},
    {"part", Type::Choice, kOptional, "What of the handle follows. Left out: goal", "goal|pole"},
    {"frame", Type::Number, kOptional, "Frame of the key. Left out: the current frame"},
    {"to", Type::Number, kOptional,
     "Last frame of a hold: up to it the goal keeps its place on what it follows, over keys that it has there; before, "
     "and from its next key on, it moves as it did. Left out: it goes on following"},
    {"keep", Type::Choice, kOptional,
     "What of a motion of its own stays where it was in the world, up to the next key of the space. keys (the "
     "default): "
     "its keys and their speeds; between them it goes along a little. frames: every frame up to its last key, with "
     "more "
     "keys where that takes them",
     "keys|frames"},
};
constexpr Field kRemoveHandle[] = {{"name", Type::Handle, kRequired, "Handle to remove, with its goal and keys"}};
constexpr Field kSetGoal[] = {
    {"handle", Type::Handle, kRequired, "Handle whose goal moves"},
    {"position", Type::Vector, kOptional,
     "Goal position in metres, in the world or in the space of what the goal follows at this frame"},
    {"rotation", Type::Rotation, kOptional, "Goal rotation in the same space"},
    {"aim", Type::Vector, kOptional,
     "Goal position in the same space, which the end joint is to point at. A handle that meets its goal aims from now "
     "on, with the way its bone runs; setHandle aimAxis chooses another axis, or ends it"},
};

constexpr Operation kHandleOperations[] = {
    {"addHandle", kAddHandle, true,
     "Adds an IK handle, which moves the joints from start to end so that the end meets its goal. The goal starts at "
     "the end joint. With the solver spline the joints follow a curve instead, which starts along the chain. With "
     "parent, "
     "aim or copy it is a constraint, which poses one joint, the end, by its goal.",
     addHandleOperation, nullptr, kTakesTime},
    {"setHandle", kSetHandle, true, "Changes the settings of a handle.", setHandleOperation, nullptr, kTakesTime,
     setsChannelsOnly},
    {"keySpace", kKeySpace, true,
     "Keys what the goal or the pole of a handle follows: hand to prop and back. It stays where it is at that frame, "
     "and "
     "at each of its keys up to the next key of the space; the frame before is keyed as it was. Later edits of these "
     "keys convert the keys of goal and pole, so that they stay in place.",
     keySpaceOperation, nullptr, kTakesTime},
    {"removeHandle", kRemoveHandle, true, "Removes a handle.", removeHandleOperation},
    {"setGoal", kSetGoal, true, "Moves and rotates the goal of a handle.", setGoalOperation},
};

} // namespace

std::span<const Operation> handleOperations() { return kHandleOperations; }

} // namespace tendon
