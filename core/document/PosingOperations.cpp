#include "core/document/DrivenJoints.h"
#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/document/Reparent.h"
#include "core/document/WholePose.h"
#include "core/scene/Check.h"
#include "core/solve/ChannelWrite.h"
#include "core/solve/CurveFit.h"
#include "core/solve/JointLimits.h"
#include "core/solve/RandomTurns.h"

#include <algorithm>
#include <set>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> rotateOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    const Joint& joint = *draft.scene.find(*id);
    draft.text = "Rotate " + joint.name;
    Vector3 angles = jointPose(draft, joint, draft.time()).angles;
    const int axis = *arguments.axis("axis");
    angles[axis] = radians(arguments.number("value"));
    const Property rotated[] = {offsetBy(Property::Rx, axis)};
    warnIfDriven(draft, *id, rotated, "pose");
    return poseAngles(draft, *id, angles);
}

Result<void> slideOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    const Joint& joint = *draft.scene.find(*id);
    draft.text = "Slide " + joint.name;
    Vector3 translation = jointPose(draft, joint, draft.time()).local.translation;
    const int axis = *arguments.axis("axis");
    translation[axis] = arguments.number("value");
    const Property slid[] = {offsetBy(Property::Tx, axis)};
    warnIfDriven(draft, *id, slid, "pose");
    return poseTranslation(draft, *id, translation);
}

constexpr double kMinScale = 1e-9; ///< as validate() has it: less is nothing

Result<void> setPoseOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    if (!arguments.has("translation") && !arguments.has("rotation") && !arguments.has("scale"))
        return Error{ErrorCode::InvalidArgument, "give translation, rotation or scale, or several of them", ""};
    const Joint joint = *draft.scene.find(*id);
    draft.text = "Pose " + joint.name;
    std::vector<Property> properties;
    if (arguments.has("translation")) properties.assign(kTranslations.begin(), kTranslations.end());
    if (arguments.has("rotation")) properties.push_back(Property::Rotation);
    warnIfDriven(draft, *id, properties, "pose");
    if (arguments.has("translation"))
        if (const auto posed = poseTranslation(draft, *id, arguments.vector("translation")); !posed) return posed;
    if (arguments.has("rotation"))
        if (const auto posed = poseRotation(draft, *id, arguments.rotation("rotation", joint.rotationOrder)); !posed)
            return posed;
    if (arguments.has("scale") && !(arguments.vector("scale").cwiseAbs().minCoeff() >= kMinScale))
        return Error{ErrorCode::InvalidArgument,
                     "no axis may be scaled to 0, because what is below the joint would collapse; give three factors "
                     "such as [1, 1, 1]",
                     "scale"};
    if (arguments.has("scale"))
        if (const auto posed = poseScale(draft, *id, arguments.vector("scale")); !posed) return posed;
    return {};
}

Result<void> resetPoseOperation(Draft& draft, const Arguments& arguments)
{
    const auto joints = jointsIn(draft.scene, arguments, "joints");
    if (!joints) return joints.error();
    draft.text = "Reset pose";
    for (const JointId joint : *joints)
        if (const auto posed = poseRest(draft, joint); !posed) return posed;

    const std::set<JointId> reset(joints->begin(), joints->end());
    const ObjectList<Handle> handles = *draft.scene.handles;
    for (const Handle& handle : handles) {
        if (reset.count(handle.end) == 0) continue;
        if (handle.hasCurve()) {
            std::vector<Vector3> places;
            for (const JointId joint : chain(draft.scene, handle.start, handle.end))
                places.push_back(worldInRestPose(draft.scene, joint).translation());
            if (const auto posed = poseCurve(draft, handle, fittedCurve(places, handle.curvePoints)); !posed)
                return posed;
            continue;
        }
        const Affine worldFromEnd = worldInRestPose(draft.scene, handle.end);
        const GoalPose atRest{worldFromEnd * handle.offset, rotationOf(worldFromEnd)};
        if (const auto posed = poseGoal(draft, handle, atRest); !posed) return posed;
    }
    return {};
}

/// Turns a joint from rest by a rotation vector [rad], as far as its axes and limits allow.
Result<void> poseTurned(Draft& draft, const Joint& joint, const Vector3& turn)
{
    const auto isFree = [](const AxisFreedom& axis) { return axis.active && !axis.limited; };
    if (!joint.ball && !std::all_of(joint.turning.begin(), joint.turning.end(), isFree)) {
        Vector3 angles = jointPose(draft, joint, draft.time()).angles;
        bool turns = false;
        for (int k = 0; k < 3; ++k) {
            const AxisFreedom& axis = joint.turning[static_cast<std::size_t>(k)];
            if (!axis.active) continue;
            angles[k] = axis.limited ? std::clamp(turn[k], axis.lower(), axis.upper()) : turn[k];
            turns = true;
        }
        return turns ? poseAngles(draft, joint.id, angles) : Result<void>();
    }
    const Quaternion motion = turnWithin(joint.ball.value_or(BallLimits{}), turn);
    return poseRotation(draft, joint.id, (joint.rest.rotation * motion).normalized());
}

Result<void> randomPoseOperation(Draft& draft, const Arguments& arguments)
{
    const auto joints = jointsIn(draft.scene, arguments, "joints");
    if (!joints) return joints.error();
    const double angle = radians(arguments.number("angle", 30)), distance = arguments.number("distance", 0);
    if (angle < 0 || angle > radians(180))
        return Error{ErrorCode::InvalidArgument, "must be from 0 to 180 degrees", "angle"};
    if (distance < 0) return Error{ErrorCode::InvalidArgument, "must be 0 or more", "distance"};
    draft.text = "Pose at random";
    RandomVectors random(static_cast<std::uint64_t>(arguments.integer("seed")));
    for (const JointId id : *joints) {
        const Joint joint = *draft.scene.find(id);
        if (const auto posed = poseTurned(draft, joint, random.next(angle)); !posed) return posed;
    }
    if (distance == 0) return {};

    const std::set<JointId> moved(joints->begin(), joints->end());
    const ObjectList<Handle> handles = *draft.scene.handles;
    for (const Handle& handle : handles) {
        if (moved.count(handle.end) == 0) continue;
        const auto worldFromStart = worldOf(draft, draft.scene, draft.clip(), draft.edit.pending, draft.time(),
                                            handle.start);
        if (!worldFromStart) return worldFromStart.error();
        const GoalPose inWorld{worldFromStart->translation() + random.next(distance), Quaternion::Identity()};
        const auto worldFromFollow = worldOfValues(draft, handle, Property::GoalPosition);
        if (!worldFromFollow) return worldFromFollow.error();
        const Vector3 position = goalInSpace(*worldFromFollow, inWorld).position;
        const ChannelId channel{handle.id.value, Property::GoalPosition};
        if (const auto posed = poseChannel(draft, channel, toValue(position)); !posed) return posed;
    }
    return {};
}

Result<void> discardPendingOperation(Draft& draft, const Arguments&)
{
    draft.text = "Discard pose";
    dropPending(draft);
    return {};
}

Result<void> copyPoseOperation(Draft& draft, const Arguments& arguments)
{
    const auto joints = jointsIn(draft.scene, arguments, "joints");
    if (!joints) return joints.error();
    if (joints->empty()) return Error{ErrorCode::InvalidArgument, "there is no joint to copy the pose of", ""};
    auto copied = copiedPose(draft, *joints);
    if (!copied) return copied.error();
    draft.edit.copiedPose = std::move(*copied);
    return {};
}

Result<void> pastePoseOperation(Draft& draft, const Arguments& arguments)
{
    if (draft.edit.copiedPose.joints.empty())
        return Error{ErrorCode::InvalidArgument, "there is no copied pose; copy a pose first", ""};
    const auto mirror = arguments.axis("mirror");
    draft.text = mirror ? "Paste mirrored pose" : "Paste pose";
    const CopiedPose copied = mirror ? seenInMirror(draft.scene, draft.edit.copiedPose, *mirror,
                                                    arguments.text("about", "root") == "root")
                                     : draft.edit.copiedPose;
    return putPose(draft, copied, arguments, mirror.has_value());
}

constexpr Field kRotate[] = {
    {"joint", Type::Joint, kRequired, "Joint to rotate. Everything below it follows"},
    {"axis", Type::Choice, kRequired, "The joint's own axis to rotate about", "x|y|z"},
    {"value", Type::Number, kRequired, "New angle in degrees from the rest pose, not an increment"},
};
constexpr Field kSlide[] = {
    {"joint", Type::Joint, kRequired, "Joint to slide. Everything below it follows"},
    {"axis", Type::Choice, kRequired, "Axis of the parent's space to slide along", "x|y|z"},
    {"value", Type::Number, kRequired, "New translation along the axis in metres, not an increment"},
};
constexpr Field kSetPose[] = {
    {"joint", Type::Joint, kRequired, "Joint to pose"},
    {"translation", Type::Vector, kOptional, "Translation in the parent's space, in metres"},
    {"rotation", Type::Rotation, kOptional,
     "Complete local rotation, the rest rotation included; angles are applied in the joint's rotation order"},
    {"scale", Type::Vector, kOptional, "Scale along the joint's own axes"},
};
constexpr Field kResetPose[] = {{"joints", Type::Names, kOptional,
                                 "Joints to reset, with the goals of handles that end on them. Left out: all joints"}};
constexpr Field kRandomPose[] = {
    {"seed", Type::Integer, kRequired, "Whole number that the pose follows from: the same one gives the same pose"},
    {"joints", Type::Names, kOptional,
     "Joints to pose, with the goals of handles that end on them. Left out: all joints"},
    {"angle", Type::Number, kOptional,
     "Standard deviation, in degrees, of each component of a joint's rotation vector from rest. Left out: 30"},
    {"distance", Type::Number, kOptional,
     "Standard deviation, in metres, of each coordinate of a goal from the start of its chain. Left out, or 0: goals "
     "stay"},
};
constexpr Field kCopyPose[] = {{"joints", Type::Names, kOptional,
                                "Joints to copy, with the goals of handles that end on them. Left out: all joints"}};
constexpr Field kPastePose[] = {
    {"joints", Type::Names, kOptional, "Joints to pose. Left out: all joints that were copied"},
    {"mirror", Type::Choice, kOptional,
     "Mirrors the pose across this world axis and swaps left and right, by roles or by name, whatever the joints' rest "
     "orientations",
     "x|y|z"},
    {"about", Type::Choice, kOptional,
     "Where the mirror stands. root (the default): at the hips, along their heading, so that the figure stays in its "
     "place. "
     "world: "
     "in the middle of the world",
     "root|world"},
};

constexpr Operation kPosingOperations[] = {
    {"rotate", kRotate, true, "Rotates a joint about one of its axes.", rotateOperation},
    {"slide", kSlide, true, "Slides a joint along one axis of its parent.", slideOperation},
    {"setPose", kSetPose, true, "Sets the local translation, rotation or scale of a joint.", setPoseOperation},
    {"resetPose", kResetPose, true, "Returns joints to their rest pose.", resetPoseOperation, nullptr, kTakesTime},
    {"randomPose", kRandomPose, true, "Poses joints, and moves goals, at random within limits.", randomPoseOperation,
     nullptr, kTakesTime},
    {"discardPending", {}, true, "Discards every pending value.", discardPendingOperation},
    {"copyPose", kCopyPose, false, "Copies the solved pose at the current frame.", copyPoseOperation, nullptr,
     kTakesTime},
    {"pastePose", kPastePose, true, "Applies the copied pose to joints and goals.", pastePoseOperation, nullptr,
     kTakesTime},
};

} // namespace

std::span<const Operation> posingOperations() { return kPosingOperations; }

} // namespace tendon
