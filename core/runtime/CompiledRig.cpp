#include "core/runtime/CompiledRig.h"

#include "core/scene/FollowSpace.h"
#include "core/scene/JointPose.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tendon {
namespace {

bool areFinite(std::initializer_list<double> numbers)
{
    for (const double number : numbers)
        if (!std::isfinite(number)) return false;
    return true;
}

bool isFinite(const AxisFreedom& axis)
{
    return areFinite({axis.from, axis.to, axis.ease, axis.damping, axis.springBack.value_or(0), axis.springTension});
}

bool isFinite(const Joint& joint)
{
    const LocalTransform& rest = joint.rest;
    if (!rest.translation.allFinite() || !rest.rotation.coeffs().allFinite() || !rest.scale.allFinite()) return false;
    if (!joint.preferredAngle.allFinite() || !std::isfinite(joint.stiffness)) return false;
    if (!areFinite({joint.turningRates.speed, joint.turningRates.acceleration, joint.slidingRates.speed,
                    joint.slidingRates.acceleration}))
        return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!isFinite(joint.turning[static_cast<std::size_t>(axis)]) ||
            !isFinite(joint.sliding[static_cast<std::size_t>(axis)]))
            return false;
    if (!joint.ball) return true;
    for (const double semiAxis : joint.ball->swing.value_or(std::array<double, 4>{}))
        if (!std::isfinite(semiAxis)) return false;
    for (const double end : joint.ball->twist.value_or(std::array<double, 2>{}))
        if (!std::isfinite(end)) return false;
    return true;
}

bool isFinite(const Handle& handle)
{
    for (const auto& [id, value] : handle.parameters)
        if (!std::isfinite(value)) return false;
    return handle.offset.allFinite() &&
           areFinite({handle.orientationWeight, handle.soft, handle.stretch, handle.squash, handle.positionTolerance,
                      handle.rotationTolerance}) &&
           areFinite({handle.objectives.restPose, handle.objectives.naturalPose, handle.objectives.velocity,
                      handle.objectives.power});
}

Error notFinite(const std::string& name)
{
    return {ErrorCode::InvalidArgument, "a number is not finite; give it a finite one", name};
}

/// Authored positions of the joints: id -> place in Scene::joints. Error: two joints of one id.
Result<std::unordered_map<JointId, std::size_t>> authoredPlaces(const ObjectList<Joint>& joints)
{
    std::unordered_map<JointId, std::size_t> places;
    places.reserve(joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (!joints[i].id.isValid() || !places.emplace(joints[i].id, i).second)
            return Error{ErrorCode::InvalidArgument, "the joint's id is missing or another joint's; give it its own",
                         joints[i].name};
    return places;
}

/// Children of each joint in the author's order, as lists linked through `next`; entry n holds the roots.
struct Children
{
    std::vector<std::size_t> first, next;
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

Result<Children> childrenOf(const ObjectList<Joint>& joints, const std::unordered_map<JointId, std::size_t>& places)
{
    const std::size_t n = joints.size();
    Children children{std::vector<std::size_t>(n + 1, Children::kNone), std::vector<std::size_t>(n, Children::kNone)};
    for (std::size_t i = n; i-- > 0;) {
        std::size_t parent = n;
        if (joints[i].parent.isValid()) {
            const auto found = places.find(joints[i].parent);
            if (found == places.end())
                return Error{ErrorCode::InvalidArgument, "its parent is not in the scene; link it to another joint",
                             joints[i].name};
            parent = found->second;
        }
        children.next[i] = children.first[parent];
        children.first[parent] = i;
    }
    return children;
}

void append(CompiledRig& rig, const Joint& joint, JointIndex parent)
{
    rig.indexOf.emplace(joint.id, static_cast<JointIndex>(rig.id.size()));
    rig.id.push_back(joint.id);
    rig.parent.push_back(parent);
    rig.rest.push_back(restPose(joint).local);
    rig.order.push_back(joint.rotationOrder);
    rig.authored.push_back(joint);
}

/// Depth first, children in the author's order, without recursion: a chain may be as long as it likes.
void orderJoints(CompiledRig& rig, const ObjectList<Joint>& joints, const Children& children)
{
    struct Visit
    {
        std::size_t joint;
        JointIndex parent;
    };
    std::vector<Visit> stack;
    const auto pushChildren = [&](std::size_t of, JointIndex parent) {
        const std::size_t begin = stack.size();
        for (std::size_t child = children.first[of]; child != Children::kNone; child = children.next[child])
            stack.push_back({child, parent});
        std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(begin), stack.end());
    };
    pushChildren(joints.size(), -1);
    while (!stack.empty()) {
        const Visit visit = stack.back();
        stack.pop_back();
        append(rig, joints[visit.joint], visit.parent);
        pushChildren(visit.joint, static_cast<JointIndex>(rig.id.size()) - 1);
    }
}

void findSubtreeEnds(CompiledRig& rig)
{
    const auto n = static_cast<JointIndex>(rig.jointCount());
    rig.subtreeEnd.resize(rig.jointCount());
    for (JointIndex i = 0; i < n; ++i) rig.subtreeEnd[static_cast<std::size_t>(i)] = i + 1;
    for (JointIndex i = n; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const JointIndex parent = rig.parent[at];
        if (parent < 0) continue;
        JointIndex& end = rig.subtreeEnd[static_cast<std::size_t>(parent)];
        end = std::max(end, rig.subtreeEnd[at]);
    }
}

Result<void> checkHandle(const CompiledRig& rig, const Handle& handle)
{
    const JointIndex start = rig.index(handle.start), end = rig.index(handle.end);
    if (start < 0 || end < 0)
        return Error{ErrorCode::InvalidArgument, "its start or end joint is not in the scene; remove the handle",
                     handle.name};
    if (!rig.isAtOrBelow(end, start))
        return Error{ErrorCode::InvalidArgument,
                     "its end joint \"" + rig.authored[static_cast<std::size_t>(end)].name +
                         "\" is not below its start joint \"" + rig.authored[static_cast<std::size_t>(start)].name +
                         "\"; pick joints of one chain",
                     handle.name};
    for (const ObjectId other : handle.followed())
        if (rig.index(JointId{other}) < 0 && !rig.handleIndex(HandleId{other}))
            return Error{ErrorCode::InvalidArgument,
                         "the joint or handle that it follows is not in the scene; let it follow none", handle.name};
    return {};
}

} // namespace

JointIndex CompiledRig::index(JointId joint) const
{
    const auto found = indexOf.find(joint);
    return found == indexOf.end() ? -1 : found->second;
}

std::optional<std::size_t> CompiledRig::handleIndex(HandleId handle) const
{
    const auto found = handleIndexOf.find(handle);
    return found == handleIndexOf.end() ? std::nullopt : std::optional(found->second);
}

Result<std::shared_ptr<const CompiledRig>> compile(const Scene& scene)
{
    const ObjectList<Joint>& joints = *scene.joints;
    const auto places = authoredPlaces(joints);
    if (!places) return places.error();
    const auto children = childrenOf(joints, *places);
    if (!children) return children.error();

    auto rig = std::make_shared<CompiledRig>();
    orderJoints(*rig, joints, *children);
    if (rig->jointCount() != joints.size()) {
        // What cannot be reached from a root hangs from itself.
        for (const Joint& joint : joints)
            if (rig->index(joint.id) < 0)
                return Error{ErrorCode::InvalidArgument, "the joint is its own ancestor; link it elsewhere",
                             joint.name};
    }
    findSubtreeEnds(*rig);

    for (const Joint& joint : joints)
        if (!isFinite(joint)) return notFinite(joint.name);
    rig->handles = scene.handles->toVector();
    for (std::size_t h = 0; h < rig->handles.size(); ++h) rig->handleIndexOf.emplace(rig->handles[h].id, h);
    for (const Handle& handle : rig->handles) {
        if (!isFinite(handle)) return notFinite(handle.name);
        if (const auto checked = checkHandle(*rig, handle); !checked) return checked.error();
    }
    if (const auto end = checkGoalsEnd(scene); !end) return end.error();
    for (const Handle& handle : rig->handles) {
        std::vector<JointIndex>& followed = rig->followed.emplace_back();
        for (const JointId joint : followedJoints(scene, handle)) followed.push_back(rig->index(joint));
    }
    return std::shared_ptr<const CompiledRig>(std::move(rig));
}

} // namespace tendon
