#include "core/document/CurveOperations.h"

#include "core/base/SmallLength.h"
#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/HandleEdit.h"
#include "core/solve/CurveFit.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>

namespace tendon {
namespace {

using Type = Field::Type;

/// Where the joints that a handle moves are now [m, in the world]; empty if there are fewer than two.
Result<std::vector<Vector3>> chainPlaces(Draft& draft, HandleId id)
{
    const Handle& handle = *draft.scene.find(id);
    const auto part = draft.poseOf(handle.end);
    if (!part) return part.error();
    std::vector<Vector3> places;
    for (const JointIndex joint : movableJoints(part->rig, handle))
        places.push_back(part->frame.model.modelFromJoint[at(joint)].translation());
    if (places.size() < 2) places.clear();
    return places;
}

std::string pointName(const Draft& draft, HandleId id, int index)
{
    return "point " + std::to_string(index + 1) + " of " + nameOf(draft.scene, id.value); // people count from 1
}

bool hasCurveKeys(const Scene& scene, HandleId id)
{
    return std::any_of(scene.clips.begin(), scene.clips.end(), [id](const auto& clip) {
        return std::any_of(clip->channels.begin(), clip->channels.end(),
                           [id](const auto& entry) { return isOfCurve(entry.first, id); });
    });
}

/// The pending values of the points go on under their new numbers.
void renumberPending(Draft& draft, HandleId id, int from, int by)
{
    PendingValues renumbered;
    for (const auto& [channel, value] : draft.edit.pending) {
        if (!isOfCurve(channel, id)) {
            renumbered.emplace(channel, value);
            continue;
        }
        if (const auto index = shiftedCurvePoint(curveIndex(channel.property), from, by))
            renumbered.emplace(ChannelId{id.value, curvePoint(*index)}, value);
    }
    draft.edit.pending = std::move(renumbered);
}

Result<void> setCurvePointOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    const auto index = curvePointIn(draft.scene, *id, arguments);
    if (!index) return index.error();
    draft.text = "Move " + pointName(draft, *id, *index);
    return poseChannel(draft, {id->value, curvePoint(*index)}, toValue(arguments.vector("position")));
}

Result<void> addCurvePointOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    if (!draft.scene.find(*id)->hasCurve()) return noCurve(draft.scene, *id);
    if (!arguments.has("position") && !arguments.has("index"))
        return Error{ErrorCode::InvalidArgument, "give position, index or both", ""};
    const std::vector<Vector3> points = curvePoints(draft, *id);
    const int count = static_cast<int>(points.size());
    int index = arguments.integer("index");
    if (!arguments.has("index"))
        index = insertionIndex(points, nearestOnCurve(points, arguments.vector("position")).parameter);
    if (index < 0 || index > count)
        return Error{ErrorCode::InvalidArgument,
                     "must be from 0 to " + std::to_string(count) + ", the number of its points, but is " +
                         std::to_string(index),
                     "index"};
    // Between its neighbours, or as far behind an end as the last two points are apart.
    const auto place = [&](int i) { return points[static_cast<std::size_t>(i)]; };
    const Vector3 position = arguments.has("position") ? arguments.vector("position")
                             : index == 0              ? Vector3(2 * place(0) - place(1))
                             : index == count          ? Vector3(2 * place(count - 1) - place(count - 2))
                                                       : Vector3(0.5 * (place(index - 1) + place(index)));
    draft.text = "Add " + pointName(draft, *id, index);
    if (!arguments.has("position") && index > 0 && index < count && !hasCurveKeys(draft.scene, *id))
        return replaceCurve(draft, *id, withOnePointMore(points));
    if (const auto added = draft.take(insertCurvePoint(std::move(draft.scene), *id, index, position)); !added)
        return added;
    renumberPending(draft, *id, index, 1);
    return setStaticNow(draft, {id->value, curvePoint(index)}, toValue(position));
}

Result<void> removeCurvePointOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    const auto index = curvePointIn(draft.scene, *id, arguments);
    if (!index) return index.error();
    draft.text = "Remove " + pointName(draft, *id, *index);
    if (const auto removed = draft.take(removeCurvePoint(std::move(draft.scene), *id, *index)); !removed)
        return removed;
    renumberPending(draft, *id, *index, -1);
    return {};
}

constexpr Field kSetCurvePoint[] = {
    {"handle", Type::Handle, kRequired, "Handle whose chain follows the curve"},
    {"index", Type::Integer, kRequired, "Number of the control point, from 0 at the curve's start"},
    {"position", Type::Vector, kRequired,
     "Its position in metres, in the world or in the space of the joint that the handle follows. Can be keyed"},
};
constexpr Field kAddCurvePoint[] = {
    {"handle", Type::Handle, kRequired, "Handle whose chain follows the curve"},
    {"position", Type::Vector, kOptional,
     "Its position in metres, in the space of the other points. Left out: the curve keeps its shape, as nearly as it "
     "can, and the points share it anew; where points have keys, between its neighbours"},
    {"index", Type::Integer, kOptional,
     "Number of the new control point; those from there on move up by one, with their keys. Left out: where the curve "
     "comes nearest to the position"},
};
constexpr Field kRemoveCurvePoint[] = {
    {"handle", Type::Handle, kRequired, "Handle whose chain follows the curve"},
    {"index", Type::Integer, kRequired,
     "Number of the control point to remove, with its keys; those behind it move down by one. Two points stay"},
};

constexpr Operation kCurveOperations[] = {
    {"setCurvePoint", kSetCurvePoint, true, "Moves a control point of the curve that a handle's chain follows.",
     setCurvePointOperation},
    {"addCurvePoint", kAddCurvePoint, true, "Adds a control point to a handle's curve. It has no keys.",
     addCurvePointOperation},
    {"removeCurvePoint", kRemoveCurvePoint, true, "Removes a control point of a handle's curve.",
     removeCurvePointOperation},
};

} // namespace

std::span<const Operation> curveOperations() { return kCurveOperations; }

Error noCurve(const Scene& scene, HandleId id)
{
    return {ErrorCode::InvalidArgument,
            inQuotes(nameOf(scene, id.value)) + " has no curve; set its solver to spline or its curve first", "handle"};
}

Result<int> curvePointIn(const Scene& scene, HandleId id, const Arguments& arguments)
{
    const int count = scene.find(id)->curvePoints, index = arguments.integer("index");
    if (count == 0) return noCurve(scene, id);
    if (index >= 0 && index < count) return index;
    return Error{ErrorCode::NotFound,
                 "the curve of " + inQuotes(nameOf(scene, id.value)) + " has no point " + std::to_string(index) +
                     "; its points are 0 to " + std::to_string(count - 1),
                 "index"};
}

std::vector<Vector3> curvePoints(const Draft& draft, HandleId id)
{
    std::vector<Vector3> points;
    for (int i = 0; i < draft.scene.find(id)->curvePoints; ++i)
        points.push_back(toVector(channelValue(draft, {id.value, curvePoint(i)}, draft.time())));
    return points;
}

Result<void> replaceCurve(Draft& draft, HandleId id, std::span<const Vector3> points)
{
    const bool hadKeys = hasCurveKeys(draft.scene, id);
    std::erase_if(draft.edit.pending, [&](const auto& entry) { return isOfCurve(entry.first, id); });
    if (hadKeys)
        draft.say(Severity::Info, "the keys of its former curve are gone", nameOf(draft.scene, id.value), id.value);
    if (const auto set = draft.take(setCurve(std::move(draft.scene), id, points)); !set) return set;
    for (int i = 0; i < static_cast<int>(points.size()); ++i)
        if (const auto set = setStaticNow(draft, {id.value, curvePoint(i)},
                                          toValue(points[static_cast<std::size_t>(i)]));
            !set)
            return set;
    return {};
}

Result<void> layCurveAlongChain(Draft& draft, HandleId id)
{
    const auto places = chainPlaces(draft, id);
    if (!places) return places.error();
    if (places->empty())
        return Error{ErrorCode::Unsupported,
                     "a curve needs a chain of two joints or more; choose a start joint further up",
                     nameOf(draft.scene, id.value)};
    const auto worldFromSpace = worldOfValues(draft, *draft.scene.find(id), curvePoint(0));
    if (!worldFromSpace) return worldFromSpace.error();
    std::vector<Vector3> points = fittedCurve(*places);
    for (Vector3& point : points) point = worldFromSpace->inverse() * point;
    if (const auto set = replaceCurve(draft, id, points); !set) return set;

    const auto after = chainPlaces(draft, id);
    if (!after) return after.error();
    double moved = 0;
    for (std::size_t i = 0; i < places->size(); ++i) moved = std::max(moved, ((*after)[i] - (*places)[i]).norm());
    draft.say(Severity::Info,
              "a curve of " + std::to_string(points.size()) +
                  " points lies along its chain; that moves its joints by " + smallLength(moved) + " at most",
              nameOf(draft.scene, id.value), id.value);
    return {};
}

} // namespace tendon
