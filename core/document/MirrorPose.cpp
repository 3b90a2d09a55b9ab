#include "core/document/MirrorPose.h"

#include "core/document/AxisKeys.h"
#include "core/document/Sides.h"
#include "core/math/Convert.h"
#include "core/retarget/RoledFigure.h"
#include "core/roles/RoleNames.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/JointMirror.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// S R S for the reflection S across `axis`: the rotation that the mirror shows. Linear in the quaternion.
Quaternion mirrored(const Quaternion& q, int axis)
{
    Vector3 v = -q.vec();
    v[axis] = -v[axis];
    return Quaternion(q.w(), v.x(), v.y(), v.z());
}

/// A joint that nothing carries and that is not what carries the figure, as a prop: it has its place in the world.
bool standsInWorld(const Scene& scene, const Joint& joint, const Mirror& mirror)
{
    if (joint.parent.isValid() || joint.id == mirror.root) return false;
    return !mirror.root.isValid() || !isAncestor(scene, joint.id, mirror.root);
}

/// How the local pose of one joint becomes that of its counterpart: linear in the numbers of both, so that it maps keys
/// and their slopes alike.
class JointMirrorMap
{
public:
    /// `isInWorld`: it stands by itself (standsInWorld), and goes to where the mirror shows it.
    JointMirrorMap(const Scene& scene, const Joint& from, const Joint& to, const Mirror& mirror, bool isInWorld = false)
        : m_from(from), m_to(to), m_axis(mirror.axis), m_restFrom(from.rest.translation), m_restTo(to.rest.translation)
    {
        const Quaternion worldFromSource = rotationOf(worldInRestPose(scene, from.id));
        const Quaternion worldFromTarget = rotationOf(worldInRestPose(scene, to.id));
        m_sourceParent = rotationOf(worldInRestPose(scene, from.parent));
        m_targetParent = rotationOf(worldInRestPose(scene, to.parent));
        // The turn from rest, in world axes as the rest pose has them; mirrored; and back into the other joint's own
        // axes. With the parents mirrored in the same way, this mirrors the joint's pose in the world.
        m_before = worldFromSource * from.rest.rotation.conjugate();
        m_after = worldFromSource.conjugate();
        m_targetBefore = to.rest.rotation * worldFromTarget.conjugate();
        m_targetAfter = worldFromTarget;
        if (from.id != mirror.root && !isInWorld) return;
        if (isInWorld) m_restFrom = m_restTo = Vector3::Zero();
        // The figure's root: as it is from where the figure heads, and back to there.
        m_hasHeading = true;
        const Affine parent = worldInRestPose(scene, from.parent);
        m_parentFromHeading = parent.inverse() * mirror.worldFromHeading * parent;
        m_headingTurn = rotationOf(m_parentFromHeading);
    }

    [[nodiscard]] Quaternion rotation(const Quaternion& local) const
    {
        const Quaternion seen = m_hasHeading ? m_headingTurn.conjugate() * local : local;
        const Quaternion result = m_targetBefore * mirrored(m_before * seen * m_after, m_axis) * m_targetAfter;
        return m_hasHeading ? m_headingTurn * result : result;
    }

    /// Of a place, or (`isSlope`) of how it changes.
    [[nodiscard]] Vector3 translation(const Vector3& local, bool isSlope) const
    {
        const Vector3 seen = !m_hasHeading ? local
                             : isSlope     ? Vector3(m_parentFromHeading.linear().inverse() * local)
                                           : Vector3(m_parentFromHeading.inverse() * local);
        const Vector3 move = isSlope ? seen : Vector3(seen - m_restFrom);
        const Vector3 image = m_targetParent.conjugate() * (reflection(m_axis) * (m_sourceParent * move));
        const Vector3 result = isSlope ? image : Vector3(m_restTo + image);
        return !m_hasHeading ? result
               : isSlope     ? Vector3(m_parentFromHeading.linear() * result)
                             : Vector3(m_parentFromHeading * result);
    }

    /// Scale is along the joint's own axes: of use only where these are images of each other.
    [[nodiscard]] Vector3 scale(const Scene& scene, const Vector3& local) const
    {
        Vector3 result = m_to.rest.scale;
        if (const auto axes = nearestAxisMap(mirroredTurns(scene, m_from, m_to, m_axis)))
            for (int i = 0; i < 3; ++i)
                if (m_from.rest.scale[i] != 0) {
                    const int target = axes->target[static_cast<std::size_t>(i)];
                    result[target] = m_to.rest.scale[target] * (local[i] / m_from.rest.scale[i]);
                }
        return result;
    }

    [[nodiscard]] LocalTransform local(const Scene& scene, const LocalTransform& pose) const
    {
        return {translation(pose.translation, false), rotation(pose.rotation).normalized(), scale(scene, pose.scale)};
    }

private:
    const Joint& m_from;
    const Joint& m_to;
    int m_axis;
    Vector3 m_restFrom, m_restTo; ///< what the mirror turns into each other
    Quaternion m_sourceParent, m_targetParent, m_before, m_after, m_targetBefore, m_targetAfter;
    bool m_hasHeading = false;
    Affine m_parentFromHeading = Affine::Identity();
    Quaternion m_headingTurn = Quaternion::Identity();
};

/// The handle that runs between the counterparts of a handle's joints.
const Handle* counterpartOf(const Scene& scene, const Counterparts& sides, const Handle& handle)
{
    const JointId start = sides.of(handle.start);
    const JointId end = sides.of(handle.end);
    if (start == handle.start && end == handle.end) return &handle;
    for (const Handle& candidate : *scene.handles)
        if (candidate.start == start && candidate.end == end) return &candidate;
    return nullptr;
}

/// A handle's goal has no rest pose; it is seen as it stands without keys.
Affine spaceAtRest(const Scene& scene, ObjectId space)
{
    return scene.find(HandleId{space}) == nullptr ? worldInRestPose(scene, JointId{space})
                                                  : spaceInStaticPose(scene, space);
}

/// The same for a mirrored clip: seen from the joint that stands in the world and carries it, if there is one.
Affine spaceInMirror(const Scene& scene, ObjectId space, const Mirror& mirror)
{
    const Affine world = spaceAtRest(scene, space);
    const Joint* top = scene.find(JointId{space});
    while (top != nullptr && top->parent.isValid()) top = scene.find(top->parent);
    if (top == nullptr || !standsInWorld(scene, *top, mirror)) return world;
    return Affine(Eigen::Translation3d(-top->rest.translation)) * world;
}

/// What the counterpart of a handle follows where the handle follows `space`.
ObjectId mirroredSpace(const Scene& scene, const Counterparts& sides, ObjectId space)
{
    if (const Handle* handle = scene.find(HandleId{space})) {
        const Handle* other = counterpartOf(scene, sides, *handle);
        return other == nullptr ? space : other->id.value;
    }
    const JointId other = space == 0 ? JointId{} : sides.of(JointId{space});
    return other.isValid() ? other.value : space;
}

/// Goals, poles and points of curves in the mirror. Values in the space of a joint are seen from that joint at rest.
class GoalMirrorMap
{
public:
    /// `spaceFrom` and `spaceTo`: what the goals of the two follow.
    GoalMirrorMap(const Scene& scene, const Handle& from, ObjectId spaceFrom, const Handle& to, ObjectId spaceTo,
                  const Mirror& mirror)
        : m_axis(mirror.axis), m_heading(mirror.worldFromHeading),
          m_endFrom(rotationOf(worldInRestPose(scene, from.end))), m_endTo(rotationOf(worldInRestPose(scene, to.end)))
    {
        if (spaceFrom == 0 || spaceTo == 0) return;
        m_spaceFrom = spaceInMirror(scene, spaceFrom, mirror), m_spaceTo = spaceInMirror(scene, spaceTo, mirror);
        m_heading = Affine::Identity();
    }

    [[nodiscard]] Vector3 place(const Vector3& value, bool isSlope) const
    {
        Affine map = m_spaceTo.inverse() * m_heading;
        map = map * Affine(reflection(m_axis)) * (m_heading.inverse() * m_spaceFrom);
        return isSlope ? Vector3(map.linear() * value) : Vector3(map * value);
    }

    /// The goal's rotation stands for the end joint's: carried over as its turn from rest.
    [[nodiscard]] Quaternion rotation(const Quaternion& value) const
    {
        const Quaternion heading = rotationOf(m_heading);
        const Quaternion turn = heading.conjugate() * rotationOf(m_spaceFrom) * value * m_endFrom.conjugate();
        return rotationOf(m_spaceTo).conjugate() * heading * mirrored(turn, m_axis) * m_endTo;
    }

private:
    int m_axis;
    Affine m_heading, m_spaceFrom = Affine::Identity(), m_spaceTo = Affine::Identity();
    Quaternion m_endFrom, m_endTo;
};

/// Keys for the counterpart of one joint.
class ClipMirror
{
public:
    ClipMirror(const Scene& scene, const Clip& clip, const Mirror& mirror)
        : m_scene(scene), m_sides(scene), m_clip(clip), m_mirror(mirror), m_result(clip)
    {
        m_result.channels.clear();
    }

    Clip make()
    {
        for (const Joint& joint : *m_scene.joints)
            if (const Joint* to = m_scene.find(m_sides.of(joint.id))) mirrorJoint(joint, *to);
        for (const Handle& handle : *m_scene.handles)
            if (const Handle* to = counterpartOf(m_scene, m_sides, handle)) mirrorHandle(handle, *to);
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool isKeyed(ObjectId object, std::span<const Property> properties) const
    {
        return std::any_of(properties.begin(), properties.end(), [&](Property p) {
            return m_clip.find({object, p}) != nullptr;
        });
    }

    [[nodiscard]] std::pair<Time, Time> range() const
    {
        return {m_scene.fps.timeOf(m_scene.firstFrame), m_scene.fps.timeOf(m_scene.lastFrame)};
    }

    /// Some goal or pole goes along with a joint, or with one below it.
    [[nodiscard]] bool isFollowed(JointId joint) const
    {
        return std::any_of(m_scene.handles->begin(), m_scene.handles->end(), [&](const Handle& handle) {
            const std::vector<JointId> followed = followedJoints(m_scene, handle);
            return std::any_of(followed.begin(), followed.end(),
                               [&](JointId each) { return each == joint || isAncestor(m_scene, joint, each); });
        });
    }

    /// A single key where the other side moves and this one does not.
    void hold(ChannelId channel, const ChannelValue& value)
    {
        m_result.channels[channel] = Shared(KeyList({{.time = m_clip.begin(), .value = value}}));
    }

    void mirrorJoint(const Joint& from, const Joint& to)
    {
        constexpr std::array kTurns{Property::Rotation, Property::Rx, Property::Ry, Property::Rz};
        const bool isInWorld = standsInWorld(m_scene, from, m_mirror) && standsInWorld(m_scene, to, m_mirror);
        const JointMirrorMap map(m_scene, from, to, m_mirror, isInWorld);
        const JointPose still = staticPose(m_scene, from);
        if (isKeyed(from.id.value, kTurns)) {
            const KeyList turns = turnsOf(m_clip, from, range());
            std::vector<Key> keys = turns.toVector();
            for (Key& key : keys)
                for (ChannelValue* number : {&key.value, &key.in, &key.out})
                    *number = toValue(map.rotation(toQuaternion(*number)));
            m_result.channels[{to.id.value, Property::Rotation}] = Shared(KeyList(std::move(keys), turns));
        } else if (isKeyed(to.id.value, kTurns) || (isInWorld && isFollowed(from.id))) {
            hold({to.id.value, Property::Rotation}, toValue(map.rotation(still.local.rotation).normalized()));
        }
        mirrorTranslation(from, to, map, still, isInWorld && (isFollowed(from.id) || isKeyed(from.id.value, kTurns)));
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (const KeyList* keys = m_clip.find({from.id.value, kScalings[axis]}))
                if (const auto axes = nearestAxisMap(mirroredTurns(m_scene, from, to, m_mirror.axis)))
                    m_result.channels[{to.id.value, kScalings[static_cast<std::size_t>(axes->target[axis])]}] = Shared(
                        *keys);
    }

    void mirrorTranslation(const Joint& from, const Joint& to, const JointMirrorMap& map, const JointPose& still,
                           bool isPlaced)
    {
        const AxisKeys moves(m_clip, from.id, kTranslations, still.local.translation);
        if (moves.isEmpty()) {
            const Vector3 place = map.translation(still.local.translation, false);
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (isPlaced || isKeyed(to.id.value, kTranslations))
                    hold({to.id.value, kTranslations[axis]}, {place[static_cast<Eigen::Index>(axis)]});
            return;
        }
        Eigen::Matrix3d linear;
        for (int axis = 0; axis < 3; ++axis) linear.col(axis) = map.translation(Vector3::Unit(axis), true);
        auto mapped = moves.mapped(linear, map.translation(Vector3::Zero(), false), range());
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_result.channels[{to.id.value, kTranslations[axis]}] = Shared(std::move(mapped[axis]));
    }

    void mirrorHandle(const Handle& from, const Handle& to)
    {
        const auto first = m_clip.channels.lower_bound({from.id.value, Property::GoalPosition});
        for (auto at = first; at != m_clip.channels.end() && at->first.target == from.id.value; ++at) {
            const Property property = at->first.property;
            if (isCurvePoint(property) && from.curvePoints != to.curvePoints) continue;
            std::vector<Key> keys = at->second->toVector();
            for (Key& key : keys) mirrorKey(from, to, property, key);
            m_result.channels[{to.id.value, property}] = Shared(KeyList(std::move(keys), *at->second));
        }
    }

    void mirrorKey(const Handle& from, const Handle& to, Property property, Key& key) const
    {
        if (property == Property::Twist || property == Property::Roll)
            for (ChannelValue* value : {&key.value, &key.in, &key.out}) (*value)[0] = -(*value)[0];
        if (isSpace(property))
            key.value = {static_cast<double>(mirroredSpace(m_scene, m_sides, static_cast<ObjectId>(key.value[0])))};
        if (!isPlace(property)) return;
        const KeyList* spaces = m_clip.find({from.id.value, spaceOf(property)});
        const auto own = [&](const Handle& of) { return property == Property::Pole ? of.poleFollow : of.follow; };
        const ObjectId space = spaces == nullptr ? own(from) : spaceAt(*spaces, key.time);
        const ObjectId other = spaces == nullptr ? own(to) : mirroredSpace(m_scene, m_sides, space);
        const GoalMirrorMap map(m_scene, from, space, to, other, m_mirror);
        const auto mirrored = [&](const ChannelValue& value, bool isSlope) {
            return isQuaternion(property) ? toValue(map.rotation(toQuaternion(value)))
                                          : toValue(map.place(toVector(value), isSlope));
        };
        key.value = mirrored(key.value, false);
        key.in = mirrored(key.in, true);
        key.out = mirrored(key.out, true);
    }

    const Scene& m_scene;
    Counterparts m_sides;
    const Clip& m_clip;
    const Mirror& m_mirror;
    Clip m_result;
};

} // namespace

Affine headingOf(const Scene& scene, JointId joint, const Affine& world, int axis)
{
    if (axis == 1) return Affine::Identity(); // a mirror that lies on the floor
    const Affine rest = worldInRestPose(scene, joint);
    const Vector3 before = axis == 0 ? Vector3::UnitZ() : Vector3::UnitX();
    const Vector3 ahead = rotationOf(world) * rotationOf(rest).conjugate() * before;
    const double turn = std::hypot(ahead.x(), ahead.z()) < 0.1
                            ? 0
                            : std::atan2(before.z() * ahead.x() - before.x() * ahead.z(),
                                         before.x() * ahead.x() + before.z() * ahead.z());
    const Vector3 centre(rest.translation().x(), 0, rest.translation().z());
    const Vector3 place(world.translation().x(), 0, world.translation().z());
    return Affine(Eigen::Translation3d(place)) * Affine(Eigen::AngleAxisd(turn, Vector3::UnitY())) *
           Affine(Eigen::Translation3d(-centre));
}

JointId rootOfFigure(const Scene& scene, const RoleMap& roles, const std::function<bool(JointId)>& moves)
{
    JointId hips = jointOf(roles, "hips");
    for (const auto& [role, joints] : roles) // of a figure without them, what carries both of its sides
        if (scene.find(hips) == nullptr && role.starts_with("left") && !joints.empty() &&
            jointOf(roles, "right" + role.substr(4)).isValid())
            hips = joints.front();
    if (scene.find(hips) == nullptr) return {};
    JointId root = hips;
    for (const auto& [role, joints] : roles)
        for (const JointId joint : joints)
            while (role != "root" && root.isValid() && joint != root && !isAncestor(scene, root, joint))
                root = scene.find(root)->parent;
    if (!root.isValid()) root = hips;
    for (const Joint* above = scene.find(root); above != nullptr; above = scene.find(above->parent))
        if (moves(above->id)) root = above->id;
    return root;
}

int sideAxis(const Scene& scene, const RoleMap& roles)
{
    const auto rig = compile(scene);
    const auto axes = rig ? trunkAxes({*rig, roles}, worldAtRest(**rig)) : std::nullopt;
    if (!axes) return 0;
    const Vector3 left = *axes * Vector3::UnitX();
    return std::abs(left.z()) > std::abs(left.x()) ? 2 : 0;
}

CopiedPose mirroredPose(const Scene& scene, const CopiedPose& pose, const Mirror& mirror)
{
    CopiedPose result;
    const Counterparts sides(scene);
    for (const auto& [id, local] : pose.joints) {
        const Joint* from = scene.find(id);
        const Joint* to = from == nullptr ? nullptr : scene.find(sides.of(id));
        if (to != nullptr) result.joints[to->id] = JointMirrorMap(scene, *from, *to, mirror).local(scene, local);
    }
    // Goals of a pose are in the world, whatever they follow.
    for (const auto& [id, goal] : pose.goals) {
        const Handle* from = scene.find(id);
        const Handle* to = from == nullptr ? nullptr : counterpartOf(scene, sides, *from);
        if (to == nullptr) continue;
        const GoalMirrorMap map(scene, *from, 0, *to, 0, mirror);
        result.goals[to->id] = {map.place(goal.position, false), map.rotation(goal.rotation).normalized()};
    }
    for (const auto& [id, points] : pose.curves) {
        const Handle* from = scene.find(id);
        const Handle* to = from == nullptr ? nullptr : counterpartOf(scene, sides, *from);
        if (to == nullptr) continue;
        const GoalMirrorMap map(scene, *from, 0, *to, 0, mirror);
        for (const Vector3& point : points) result.curves[to->id].push_back(map.place(point, false));
    }
    result.root = pose.root;
    result.worldFromRoot = pose.worldFromRoot;
    return result;
}

CopiedPose movedPose(const Scene& scene, const CopiedPose& pose, const Affine& move)
{
    CopiedPose result = pose;
    const Joint* root = scene.find(pose.root);
    if (root == nullptr) return result;
    if (const auto local = result.joints.find(pose.root); local != result.joints.end()) {
        const Affine parent = worldInRestPose(scene, root->parent);
        const LocalTransform moved = decompose(parent.inverse() * move * parent * local->second.parentFromJoint());
        local->second.translation = moved.translation;
        local->second.rotation = moved.rotation;
    }
    for (auto& [id, goal] : result.goals)
        goal = {move * goal.position, (rotationOf(move) * goal.rotation).normalized()};
    for (auto& [id, points] : result.curves)
        for (Vector3& point : points) point = move * point;
    result.worldFromRoot = decompose(move * pose.worldFromRoot.parentFromJoint());
    return result;
}

std::optional<std::pair<JointId, LocalTransform>> mirroredJoint(const Scene& scene, JointId joint,
                                                                const LocalTransform& local, const Mirror& mirror)
{
    const Joint* from = scene.find(joint);
    const Joint* to = from == nullptr ? nullptr : scene.find(Counterparts(scene).of(joint));
    if (to == nullptr) return std::nullopt;
    const bool isInWorld = standsInWorld(scene, *from, mirror) && standsInWorld(scene, *to, mirror);
    return std::pair(to->id, JointMirrorMap(scene, *from, *to, mirror, isInWorld).local(scene, local));
}

Clip mirroredClip(const Scene& scene, const Clip& clip, const Mirror& mirror)
{
    return ClipMirror(scene, clip, mirror).make();
}

} // namespace tendon
