#include "core/scene/Check.h"

#include "core/scene/Constraint.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/HandleEdit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace tendon {
namespace {

constexpr double kUnitTolerance = 1e-6; // of a quaternion's length: far above rounding, far below what shows

Error invalid(std::string message, std::string where = {})
{
    return {ErrorCode::InvalidArgument, std::move(message), std::move(where)};
}

bool isUnit(const Quaternion& q) { return q.coeffs().allFinite() && std::abs(q.norm() - 1) < kUnitTolerance; }
bool isShare(double value) { return value >= 0 && value <= 1; } // false for NaN

Result<void> checkAxis(const AxisFreedom& axis, const std::string& where)
{
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to))
        return invalid("from and to must be finite numbers", where);
    if (!isShare(axis.ease)) return invalid("ease must be from 0 to 1", where);
    if (!isShare(axis.damping)) return invalid("damping must be from 0 to 1", where);
    if (axis.springBack && !std::isfinite(*axis.springBack))
        return invalid("spring back must be a finite number", where);
    if (!isShare(axis.springTension)) return invalid("spring tension must be from 0 to 1", where);
    return {};
}

Result<void> checkRates(const RateLimits& rates, const std::string& where)
{
    const auto isRate = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!isRate(rates.speed)) return invalid("the speed limit must be 0 (none) or greater", where);
    if (!isRate(rates.acceleration)) return invalid("the acceleration limit must be 0 (none) or greater", where);
    return {};
}

Result<void> checkBall(const BallLimits& ball)
{
    if (ball.twistAxis < 0 || ball.twistAxis > 2) return invalid("the twist axis must be x, y or z", "ball");
    if (ball.swing)
        for (const double semiAxis : *ball.swing)
            if (!std::isfinite(semiAxis) || semiAxis < 0)
                return invalid("the four swing limits must be finite and not below 0", "ball");
    if (ball.twist && !(std::isfinite((*ball.twist)[0]) && std::isfinite((*ball.twist)[1])))
        return invalid("the twist limits must be finite", "ball");
    return {};
}

Result<void> checkSegment(const Segment& segment)
{
    if (!segment.size.allFinite() || segment.size.minCoeff() < 0)
        return invalid("sizes must be finite and not below 0", "segment");
    if (!segment.offset.allFinite()) return invalid("the offset must be finite", "segment");
    if (!isUnit(segment.rotation)) return invalid("the rotation must be a unit quaternion", "segment");
    if (!std::isfinite(segment.mass) || segment.mass < 0)
        return invalid("the mass must be finite and not below 0", "segment");
    return {};
}

/// The strongly connected components of a graph, as a number for each node (Tarjan 1972, without recursion).
std::vector<std::size_t> circles(const std::vector<std::vector<std::size_t>>& edges)
{
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    struct Visit
    {
        std::size_t node, edge;
    };
    std::vector<std::size_t> order(edges.size(), kNone), lowest(edges.size()), component(edges.size(), kNone), open;
    std::size_t visited = 0, components = 0;
    for (std::size_t root = 0; root < edges.size(); ++root) {
        std::vector<Visit> visits;
        const auto enter = [&](std::size_t node) {
            order[node] = lowest[node] = visited++;
            open.push_back(node);
            visits.push_back({node, 0});
        };
        if (order[root] == kNone) enter(root);
        while (!visits.empty()) {
            const std::size_t node = visits.back().node;
            if (visits.back().edge < edges[node].size()) {
                const std::size_t next = edges[node][visits.back().edge++];
                if (order[next] == kNone)
                    enter(next);
                else if (component[next] == kNone)
                    lowest[node] = std::min(lowest[node], order[next]);
                continue;
            }
            visits.pop_back();
            if (!visits.empty()) lowest[visits.back().node] = std::min(lowest[visits.back().node], lowest[node]);
            if (lowest[node] != order[node]) continue;
            for (std::size_t member = kNone; member != node; open.pop_back()) {
                member = open.back();
                component[member] = components;
            }
            ++components;
        }
    }
    return component;
}

/// A shortest way from one member to another along `next`, without the last; there is one.
std::vector<std::size_t> wayBetween(const std::vector<std::vector<std::size_t>>& next, std::size_t from, std::size_t to)
{
    std::vector<std::size_t> cameFrom(next.size(), next.size()), open = {from};
    cameFrom[from] = from;
    for (std::size_t i = 0; i < open.size() && cameFrom[to] == next.size(); ++i)
        for (const std::size_t other : next[open[i]]) {
            if (cameFrom[other] != next.size()) continue;
            cameFrom[other] = open[i];
            open.push_back(other);
        }
    std::vector<std::size_t> way;
    for (std::size_t at = to; at != from && cameFrom[at] != next.size();) way.push_back(at = cameFrom[at]);
    std::reverse(way.begin(), way.end());
    return way;
}

} // namespace

Error noSuchClip() { return {ErrorCode::NotFound, "there is no such clip", ""}; }

std::string inQuotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

std::string nameOf(const Scene& scene, ObjectId object)
{
    if (const Joint* joint = scene.find(JointId{object})) return joint->name;
    if (const Handle* handle = scene.find(HandleId{object})) return handle->name;
    if (const Clip* clip = scene.find(ClipId{object})) return clip->name;
    return {};
}

Result<void> checkName(std::string_view name)
{
    if (name.empty()) return invalid("a name must not be empty");
    if (name.size() > 200) return invalid("a name must not be longer than 200 bytes");
    if (name.find('/') != std::string_view::npos)
        return invalid("the name " + inQuotes(name) +
                       " holds a '/', which separates the parts of a path; leave it out");
    if (std::any_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return invalid("a name must not hold control characters");
    if (name.front() == ' ' || name.back() == ' ')
        return invalid("the name " + inQuotes(name) + " begins or ends with a space");
    return {};
}

Result<void> checkNameIsFree(const Scene& scene, std::string_view name, ObjectId self)
{
    if (const auto fits = checkName(name); !fits) return fits;
    const auto isTaken = [&](const auto& objects) {
        const auto places = objects.placesNamed(name);
        return std::any_of(places.begin(), places.end(),
                           [&](std::size_t place) { return objects[place].id.value != self; });
    };
    if (isTaken(*scene.joints))
        return invalid("there is already a joint called " + inQuotes(name) + "; choose another name");
    if (isTaken(*scene.handles))
        return invalid("there is already a handle called " + inQuotes(name) + "; choose another name");
    return {};
}

Result<void> checkJoint(const Joint& joint)
{
    if (!joint.rest.translation.allFinite()) return invalid("the rest translation must be finite", joint.name);
    if (!isUnit(joint.rest.rotation)) return invalid("the rest rotation must be a unit quaternion", joint.name);
    if (!joint.rest.scale.allFinite()) return invalid("the rest scale must be finite", joint.name);
    constexpr const char* kAxes[] = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (const auto fits = checkAxis(joint.turning[axis], std::string("rotation axis ") + kAxes[axis]); !fits)
            return fits.error().within(joint.name);
        if (const auto fits = checkAxis(joint.sliding[axis], std::string("sliding axis ") + kAxes[axis]); !fits)
            return fits.error().within(joint.name);
    }
    if (joint.ball)
        if (const auto fits = checkBall(*joint.ball); !fits) return fits.error().within(joint.name);
    if (!joint.preferredAngle.allFinite()) return invalid("the preferred angle must be finite", joint.name);
    if (!isShare(joint.stiffness)) return invalid("stiffness must be from 0 to 1", joint.name);
    if (const auto fits = checkRates(joint.turningRates, "rotation"); !fits) return fits.error().within(joint.name);
    if (const auto fits = checkRates(joint.slidingRates, "sliding"); !fits) return fits.error().within(joint.name);
    if (const auto fits = checkSegment(joint.segment); !fits) return fits.error().within(joint.name);
    return {};
}

Result<void> checkHandle(const Scene& scene, const Handle& handle)
{
    const Joint* start = scene.find(handle.start);
    const Joint* end = scene.find(handle.end);
    if (start == nullptr || end == nullptr) return invalid("its start or end joint is not there", handle.name);
    if (handle.start != handle.end && !isAncestor(scene, handle.start, handle.end))
        return invalid("the end joint " + inQuotes(end->name) + " is not below the start joint " +
                           inQuotes(start->name) + "; choose an end further down the same branch",
                       handle.name);
    if (isConstraint(handle) && handle.start != handle.end)
        return invalid("a constraint moves one joint, and this handle moves those from " + inQuotes(start->name) +
                           " to " + inQuotes(end->name) + "; add a constraint to one joint instead",
                       handle.name);
    if (constraintOf(handle) == Constraint::Aim && !handle.aimAxis)
        return invalid("an aim constraint needs an axis that points at the goal; choose one", handle.name);
    if (!handle.offset.allFinite()) return invalid("the offset must be finite", handle.name);
    if (handle.aimAxis && !(std::abs(handle.aimAxis->norm() - 1) < 1e-6))
        return invalid("the axis that it aims with must have the length 1", handle.name);
    for (const auto& [id, value] : handle.parameters)
        if (!std::isfinite(value))
            return invalid("parameter " + inQuotes(id) + " must be a finite number", handle.name);
    if (!(handle.orientationWeight >= 0) || !std::isfinite(handle.orientationWeight))
        return invalid("the orientation weight must be 0 or more", handle.name);
    if (handle.priority < 1) return invalid("priority must be 1 or more (1 solves first)", handle.name);
    if (!(handle.soft >= 0 && handle.soft <= 0.5)) return invalid("soft must be from 0 to 0.5", handle.name);
    if (!(handle.stretch >= 1) || !std::isfinite(handle.stretch))
        return invalid("stretch must be 1 or more", handle.name);
    if (!(handle.squash >= kMinSquash && handle.squash <= 1))
        return invalid("squash must be from 0.01 to 1", handle.name);
    const Objectives& wishes = handle.objectives;
    for (const double weight : {wishes.restPose, wishes.naturalPose, wishes.velocity, wishes.power})
        if (!(weight >= 0) || !std::isfinite(weight))
            return invalid("the weight of an objective must be 0 or more", handle.name);
    if (!(handle.positionTolerance > 0) || !std::isfinite(handle.positionTolerance))
        return invalid("tolerance must be above 0", handle.name);
    if (!(handle.rotationTolerance > 0) || !std::isfinite(handle.rotationTolerance))
        return invalid("the angle tolerance must be above 0", handle.name);
    if (handle.maxIterations < 0) return invalid("the iteration cap must not be below 0", handle.name);
    if (handle.hasCurve() && (handle.curvePoints < kMinCurvePoints || handle.curvePoints > kMaxCurvePoints))
        return invalid("a curve has from " + std::to_string(kMinCurvePoints) + " to " +
                           std::to_string(kMaxCurvePoints) + " points, not " + std::to_string(handle.curvePoints),
                       handle.name);
    if (handle.curvePoints < 0) return invalid("the number of points of its curve is below 0", handle.name);
    for (const ObjectId other : handle.followed())
        if (scene.find(JointId{other}) == nullptr && scene.find(HandleId{other}) == nullptr)
            return invalid("a joint or handle that it follows is not there", handle.name);
    return {};
}

Result<void> checkFollowing(const Scene& scene)
{
    // a depends on b if a joint that b moves carries a's goal, a's pole or a's chain. A cycle that contains a followed
    // joint has no order of solving: then a handle and what it follows depend on each other.
    const ObjectList<Handle>& handles = *scene.handles;
    const auto followsAny = [](const Handle& handle) { return handle.isCarried() || !handle.followed().empty(); };
    if (std::none_of(handles.begin(), handles.end(), followsAny)) return {};
    if (const auto end = checkGoalsEnd(scene); !end) return end;

    std::unordered_map<JointId, std::vector<std::size_t>> startingAt;
    for (std::size_t h = 0; h < handles.size(); ++h) startingAt[handles[h].start].push_back(h);
    const auto addStartingAbove = [&](JointId joint, std::vector<std::size_t>& found) {
        for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent))
            if (const auto here = startingAt.find(at->id); here != startingAt.end())
                found.insert(found.end(), here->second.begin(), here->second.end());
    };
    std::vector<std::vector<std::size_t>> follows(handles.size()), needs(handles.size());
    for (std::size_t a = 0; a < handles.size(); ++a) {
        for (const JointId joint : followedJoints(scene, handles[a])) addStartingAbove(joint, follows[a]);
        addStartingAbove(carrierOf(scene, handles[a]), follows[a]);
        std::sort(follows[a].begin(), follows[a].end());
        needs[a] = follows[a];
        const Joint* start = scene.find(handles[a].start);
        if (start != nullptr) addStartingAbove(start->parent, needs[a]);
    }
    const std::vector<std::size_t> circleOf = circles(needs);
    for (std::size_t a = 0; a < handles.size(); ++a)
        for (const std::size_t b : follows[a]) {
            if (circleOf[a] != circleOf[b]) continue;
            std::string through;
            for (const std::size_t h : wayBetween(needs, b, a))
                through += (through.empty() ? " (through " : ", ") + inQuotes(handles[h].name);
            return invalid("its goal or pole would follow a joint that moves with the handle itself" + through +
                               (through.empty() ? "" : ")") + "; let it follow a joint above or beside its chain",
                           handles[a].name);
        }
    return {};
}

Result<void> checkChannel(const Scene& scene, ChannelId channel)
{
    const bool isJoint = scene.find(JointId{channel.target}) != nullptr;
    const Handle* handle = isJoint ? nullptr : scene.find(HandleId{channel.target});
    if (!isJoint && handle == nullptr && scene.find(ClipId{channel.target}) != nullptr) {
        if (channel.property == Property::Weight && channel.layer == Layer::Keys) return {};
        return invalid("the clip " + inQuotes(nameOf(scene, channel.target)) +
                       " has no channel but weight, that of its corrections");
    }
    if (!isJoint && handle == nullptr)
        return Error{ErrorCode::NotFound, "there is no joint or handle for this channel", ""};
    if (static_cast<int>(channel.property) >= kPropertyCount) return invalid("there is no such channel");
    if (belongsToJoint(channel.property) != isJoint)
        return invalid(std::string(isJoint ? "the joint " : "the handle ") + inQuotes(nameOf(scene, channel.target)) +
                       " has no channel " + inQuotes(propertyName(channel.property)));
    if (channel.layer == Layer::Corrections && !isCorrectable(channel.property))
        return invalid("what a handle follows is not a number and cannot be corrected; key it in the clip's own keys",
                       std::string(propertyName(channel.property)));
    if (isCurvePoint(channel.property) && curveIndex(channel.property) >= handle->curvePoints)
        return invalid(handle->hasCurve()
                           ? "the curve of " + inQuotes(handle->name) + " has no point " +
                                 std::to_string(curveIndex(channel.property)) + "; its points are 0 to " +
                                 std::to_string(handle->curvePoints - 1)
                           : "the handle " + inQuotes(handle->name) + " has no curve; set its curve first");
    return {};
}

Result<void> checkSpace(const Scene& scene, ChannelId channel, const ChannelValue& value)
{
    const Handle* handle = isSpace(channel.property) ? scene.find(HandleId{channel.target}) : nullptr;
    if (handle == nullptr || handle->mayFollow(static_cast<ObjectId>(value[0]))) return {};
    const std::string name = nameOf(scene, static_cast<ObjectId>(value[0]));
    return invalid("the handle " + inQuotes(handle->name) + " has no space " +
                       (name.empty() ? "of that number" : inQuotes(name)) + "; key what it follows first",
                   std::string(propertyName(channel.property)));
}

namespace {

/// What holds of a base and of a correction.
Result<void> checkNumbers(Property property, const ChannelValue& value)
{
    const std::string name(propertyName(property));
    for (int i = 0; i < componentCount(property); ++i)
        if (!std::isfinite(value[static_cast<std::size_t>(i)])) return invalid("the value must be finite", name);
    if (isQuaternion(property)) {
        const double length = std::hypot(std::hypot(value[0], value[1]), std::hypot(value[2], value[3]));
        if (!(length > 1e-9) || !std::isfinite(length)) return invalid("a rotation must not be all 0", name);
    }
    return {};
}

} // namespace

Result<void> checkValue(const Scene& scene, ChannelId channel, const ChannelValue& value)
{
    if (channel.layer == Layer::Corrections) return checkNumbers(channel.property, value);
    if (scene.find(ClipId{channel.target}) != nullptr && !isShare(value[0]))
        return invalid("must be from 0 to 1", std::string(propertyName(channel.property)));
    return checkValue(channel.property, value);
}

Result<void> checkValue(Property property, const ChannelValue& value)
{
    if (const auto sound = checkNumbers(property, value); !sound) return sound;
    const std::string name(propertyName(property));
    if (property == Property::Blend && !isShare(value[0])) return invalid("must be from 0 (FK) to 1 (IK)", name);
    if (property == Property::Weight && !(value[0] >= 0)) return invalid("must be 0 or more", name);
    constexpr double kMaxId = 9007199254740991; // whole numbers up to here are exact
    if (isSpace(property) && !(value[0] >= 0 && value[0] <= kMaxId && value[0] == std::floor(value[0])))
        return invalid("must be the id of a joint or a handle, or 0", name);
    return {};
}

Result<void> checkMarkerName(std::string_view name)
{
    constexpr std::size_t kMaxBytes = 200;
    if (name.empty()) return invalid("a marker's name must not be empty", "");
    if (name.size() > kMaxBytes) return invalid("a marker's name must not be longer than 200 bytes", "");
    const bool hasControl = std::any_of(name.begin(), name.end(),
                                        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (hasControl) return invalid("a marker's name must be one line of text", "");
    return {};
}

} // namespace tendon
