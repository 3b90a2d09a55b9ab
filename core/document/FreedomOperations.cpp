#include "core/document/Families.h"
#include "core/document/LimitGuess.h"
#include "core/document/Lookup.h"
#include "core/scene/Check.h"
#include "core/scene/JointEdit.h"

#include <algorithm>

namespace tendon {
namespace {

using Type = Field::Type;

/// Reads the fields that turning and sliding axes share. `unit` takes a number of the script to radians or metres.
template <typename Unit>
AxisFreedom changedAxis(AxisFreedom axis, const Arguments& arguments, Unit unit)
{
    axis.active = arguments.boolean("active", axis.active);
    axis.limited = arguments.boolean("limited", axis.limited);
    if (arguments.has("from")) axis.from = unit(arguments.number("from"));
    if (arguments.has("to")) axis.to = unit(arguments.number("to"));
    axis.ease = arguments.number("ease", axis.ease);
    axis.damping = arguments.number("damping", axis.damping);
    if (arguments.isNull("springBack"))
        axis.springBack.reset();
    else if (arguments.has("springBack"))
        axis.springBack = unit(arguments.number("springBack"));
    axis.springTension = arguments.number("springTension", axis.springTension);
    return axis;
}

Result<void> setAxis(Draft& draft, const Arguments& arguments, bool isTurning)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    const bool changesNothing = std::none_of(
        arguments.operation().fields.begin() + 2, arguments.operation().fields.end(),
        [&](const Field& f) { return arguments.has(std::string(f.name).c_str()); });
    if (changesNothing) return Error{ErrorCode::InvalidArgument, "give at least one field to change", ""};
    Joint joint = *draft.scene.find(*id);
    const auto axis = static_cast<std::size_t>(*arguments.axis("axis"));
    if (isTurning) {
        joint.turning[axis] = changedAxis(joint.turning[axis], arguments, radians);
        if (joint.ball) {
            joint.ball.reset();
            draft.say(Severity::Info, "it is no longer a ball joint; its axes count again", joint.name, joint.id.value);
        }
    } else {
        joint.sliding[axis] = changedAxis(joint.sliding[axis], arguments, [](double metres) { return metres; });
    }
    draft.text = std::string(isTurning ? "Set rotation axis of " : "Set sliding axis of ") + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setRotationAxis(Draft& draft, const Arguments& arguments) { return setAxis(draft, arguments, true); }
Result<void> setSlidingAxis(Draft& draft, const Arguments& arguments) { return setAxis(draft, arguments, false); }

RotationOrder orderNamed(std::string_view name)
{
    constexpr std::pair<std::string_view, RotationOrder> kOrders[] = {
        {"xyz", RotationOrder::XYZ}, {"yzx", RotationOrder::YZX}, {"zxy", RotationOrder::ZXY},
        {"xzy", RotationOrder::XZY}, {"yxz", RotationOrder::YXZ}, {"zyx", RotationOrder::ZYX}};
    for (const auto& [known, order] : kOrders)
        if (known == name) return order;
    return RotationOrder::XYZ; // not reached: the table lists the same names
}

Result<void> setRotationOrder(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    joint.rotationOrder = orderNamed(arguments.text("order"));
    draft.text = "Set rotation order of " + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setBallJoint(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    draft.text = "Set ball joint of " + joint.name;
    if (!arguments.boolean("on", true)) {
        if (arguments.has("axis") || arguments.has("swing") || arguments.has("twist"))
            return Error{ErrorCode::InvalidArgument, "with on: false no other field is given", ""};
        joint.ball.reset();
        return draft.take(changeJoint(std::move(draft.scene), joint));
    }
    BallLimits ball = joint.ball.value_or(BallLimits{});
    if (const auto axis = arguments.axis("axis")) ball.twistAxis = *axis;
    if (arguments.has("swing")) {
        const std::vector<double> swing = arguments.numbers("swing");
        if (!swing.empty() && swing.size() != 4)
            return Error{ErrorCode::InvalidArgument, "must be four angles [+a, -a, +b, -b], or [] for none", "swing"};
        ball.swing.reset();
        if (swing.size() == 4)
            ball.swing = {{radians(swing[0]), radians(swing[1]), radians(swing[2]), radians(swing[3])}};
        if (ball.swing)
            for (const double semiAxis : *ball.swing)
                if (semiAxis < 0 || semiAxis > radians(180))
                    return Error{ErrorCode::InvalidArgument,
                                 "each angle must be from 0 to 180 degrees (the second of a pair is not negated)",
                                 "swing"};
    }
    if (arguments.has("twist")) {
        const std::vector<double> twist = arguments.numbers("twist");
        if (!twist.empty() && twist.size() != 2)
            return Error{ErrorCode::InvalidArgument, "must be two angles [from, to], or [] for none", "twist"};
        ball.twist.reset();
        if (twist.size() == 2) ball.twist = {{radians(twist[0]), radians(twist[1])}};
    }
    joint.ball = ball;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> guessLimitsOperation(Draft& draft, const Arguments& arguments)
{
    const auto joints = jointsIn(draft.scene, arguments, "joints");
    if (!joints) return joints.error();
    draft.text = "Guess limits";
    const std::vector<LimitGuess> guesses = guessLimits(draft.scene, *joints);
    for (const LimitGuess& guess : guesses) {
        draft.say(Severity::Info, guess.reason, guess.joint.name, guess.joint.id.value);
        if (!guess.isFound || !arguments.boolean("accept", true)) continue;
        if (const auto changed = draft.take(changeJoint(std::move(draft.scene), guess.joint)); !changed) return changed;
    }
    return {};
}

Result<void> setPreferredAngle(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    const std::vector<double> angles = arguments.numbers("value");
    if (angles.size() == 3) {
        joint.preferredAngle = Vector3(radians(angles[0]), radians(angles[1]), radians(angles[2]));
    } else if (angles.size() == 1) {
        // One number is enough where only one axis turns.
        const auto isActive = [](const AxisFreedom& axis) { return axis.active; };
        const auto only = std::find_if(joint.turning.begin(), joint.turning.end(), isActive);
        if (joint.ball || std::count_if(joint.turning.begin(), joint.turning.end(), isActive) != 1)
            return Error{ErrorCode::InvalidArgument,
                         "must be three angles [x, y, z], because the joint does not turn about just one axis",
                         "value"};
        joint.preferredAngle.setZero();
        joint.preferredAngle[only - joint.turning.begin()] = radians(angles[0]);
    } else {
        return Error{ErrorCode::InvalidArgument,
                     "must be three angles [x, y, z], or one for a joint that turns about one axis", "value"};
    }
    draft.text = "Set preferred angle of " + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setStiffness(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    joint.stiffness = arguments.number("value");
    draft.text = "Set stiffness of " + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setSpeedLimit(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    if (!arguments.has("speed") && !arguments.has("acceleration"))
        return Error{ErrorCode::InvalidArgument, "give a speed, an acceleration or both", ""};
    Joint joint = *draft.scene.find(*id);
    const bool isTurning = arguments.text("of") == "rotation";
    RateLimits& rates = isTurning ? joint.turningRates : joint.slidingRates;
    const auto set = [&](const char* field, double& value) -> Result<void> {
        if (!arguments.has(field)) return {};
        const double given = arguments.number(field);
        if (!(given >= 0)) return Error{ErrorCode::InvalidArgument, "must be 0 (no limit) or greater", field};
        value = isTurning ? radians(given) : given;
        return {};
    };
    if (const auto fits = set("speed", rates.speed); !fits) return fits.error();
    if (const auto fits = set("acceleration", rates.acceleration); !fits) return fits.error();
    draft.text = std::string(isTurning ? "Set speed limit of " : "Set sliding speed limit of ") + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setPrecedence(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    joint.precedence = arguments.integer("value");
    draft.text = "Set precedence of " + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> setTerminator(Draft& draft, const Arguments& arguments)
{
    const auto id = jointIn(draft.scene, arguments, "joint");
    if (!id) return id.error();
    Joint joint = *draft.scene.find(*id);
    joint.isTerminator = arguments.boolean("on");
    draft.text = (joint.isTerminator ? "Make terminator of " : "Unmake terminator of ") + joint.name;
    return draft.take(changeJoint(std::move(draft.scene), joint));
}

Result<void> copyJointParametersOperation(Draft& draft, const Arguments& arguments)
{
    const auto from = jointIn(draft.scene, arguments, "from");
    if (!from) return from.error();
    const auto to = jointsIn(draft.scene, arguments, "to");
    if (!to) return to.error();
    if (to->empty()) return Error{ErrorCode::InvalidArgument, "must name at least one joint", "to"};
    draft.text = "Copy joint parameters of " + nameOf(draft.scene, from->value);
    for (const JointId target : *to)
        if (const auto copied = draft.take(
                copyJointParameters(std::move(draft.scene), *from, target, arguments.axis("mirror")));
            !copied)
            return copied;
    return {};
}

/// Fields that are dragged. The others may make the joint one of another kind, for which solvers are prepared.
bool setsNumbersOnly(const QJsonObject& operation)
{
    const QStringList numbers = {"op",    "joint", "axis",    "from",       "to",           "swing",
                                 "twist", "ease",  "damping", "springBack", "springTension"};
    const QStringList fields = operation.keys();
    return std::all_of(fields.begin(), fields.end(), [&](const QString& field) { return numbers.contains(field); });
}

constexpr Field kRotationAxis[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"axis", Type::Choice, kRequired, "The joint's own axis to rotate about", "x|y|z"},
    {"active", Type::Bool, kOptional, "Lets solvers rotate the joint about this axis"},
    {"limited", Type::Bool, kOptional, "Applies the limits From and To"},
    {"from", Type::Number, kOptional, "First limit in degrees from the rest pose. It may be greater than To"},
    {"to", Type::Number, kOptional, "Second limit in degrees from the rest pose"},
    {"ease", Type::Number, kOptional,
     "Resists on the last half of the way to a limit, 0 to 1. Not every solver uses it"},
    {"damping", Type::Number, kOptional, "Resists over the whole range, 0 to 1. Not every solver uses it"},
    {"springBack", Type::NumberOrNull, kOptional,
     "Angle in degrees that the joint springs back to. Null: no spring. Not every solver uses it"},
    {"springTension", Type::Number, kOptional,
     "Strength of the spring, 0 to 1. At 0.5 it pulls as hard as the joint itself resists. Not every solver uses it"},
};
constexpr Field kSlidingAxis[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"axis", Type::Choice, kRequired, "Axis of the parent's space to slide along", "x|y|z"},
    {"active", Type::Bool, kOptional, "Lets solvers slide the joint along this axis"},
    {"limited", Type::Bool, kOptional, "Applies the limits From and To"},
    {"from", Type::Number, kOptional,
     "First limit of the joint's translation along the axis, in metres. It may be greater than To"},
    {"to", Type::Number, kOptional, "Second limit of the joint's translation along the axis, in metres"},
    {"ease", Type::Number, kOptional,
     "Resists on the last half of the way to a limit, 0 to 1. Not every solver uses it"},
    {"damping", Type::Number, kOptional, "Resists over the whole range, 0 to 1. Not every solver uses it"},
    {"springBack", Type::NumberOrNull, kOptional,
     "Translation in metres that the joint springs back to. Null: no spring. Not every solver uses it"},
    {"springTension", Type::Number, kOptional,
     "Strength of the spring, 0 to 1. At 0.5 it pulls as hard as the joint itself resists. Not every solver uses it"},
};
constexpr Field kRotationOrder[] = {
    {"joint", Type::Joint, kRequired, "Joint to change. Its angles keep their numbers"},
    {"order", Type::Choice, kRequired, "Order in which the angles are applied, the first letter first",
     "xyz|yzx|zxy|xzy|yxz|zyx"},
};
constexpr Field kBallJoint[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"axis", Type::Choice, kOptional, "Twist axis; X unless set before", "x|y|z"},
    {"swing", Type::Numbers, kOptional,
     "Semi-axes of the swing ellipse in degrees, [+a, -a, +b, -b], each 0 to 180, about the two axes that follow the "
     "twist axis. []: no limit"},
    {"twist", Type::Numbers, kOptional, "Twist limits in degrees, [from, to]. []: no limit"},
    {"on", Type::Bool, kOptional, "False: the joint rotates about its single axes again"},
};
constexpr Field kGuessLimits[] = {
    {"joints", Type::Names, kOptional, "Joints to guess limits for, unless they have some. Left out: all joints"},
    {"accept", Type::Bool, kOptional, "Sets the limits. false: only tells what they would be, and why. Left out: true"},
};
constexpr Field kPreferredAngle[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"value", Type::NumberOrNumbers, kRequired,
     "Preferred angles in degrees from the rest pose, [x, y, z]; one number is enough if only one axis rotates. Not "
     "every solver uses them"},
};
constexpr Field kStiffness[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"value", Type::Number, kRequired,
     "Resistance to rotation and sliding, 0 (moves freely) to 1 (moves only when it must). Not every solver "
     "uses it"},
};
constexpr Field kSpeedLimit[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"of", Type::Choice, kRequired, "The motion that is limited", "rotation|sliding"},
    {"speed", Type::Number, kOptional,
     "Most speed in degrees, or metres, per second. 0: no limit. Each axis has it for itself; of a ball joint, its "
     "rotation as a whole. The solution of a clip keeps to it where goals leave room"},
    {"acceleration", Type::Number, kOptional,
     "Most change of speed in degrees, or metres, per second squared, faster or slower. 0: no limit. The solution of a "
     "clip keeps to it where goals leave room"},
};
constexpr Field kPrecedence[] = {
    {"joint", Type::Joint, kRequired, "Joint to change"},
    {"value", Type::Integer, kRequired,
     "Joints with a higher value move first; only the order counts. Not every solver uses it"},
};
constexpr Field kTerminator[] = {
    {"joint", Type::Joint, kRequired,
     "Makes interactive IK and solvers stop here: this joint and its ancestors stay put"},
    {"on", Type::Bool, kRequired, "True: the joint is a terminator"},
};
constexpr Field kCopyParameters[] = {
    {"from", Type::Joint, kRequired,
     "Joint to copy from: axes, limits, rotation order, ball limits, preferred angle, stiffness and speed limits"},
    {"to", Type::Names, kRequired, "Joints to copy to"},
    {"mirror", Type::Choice, kOptional,
     "Mirrors the parameters across this world axis, whatever the joints' rest orientations", "x|y|z"},
};

constexpr Operation kFreedomOperations[] = {
    {"setRotationAxis", kRotationAxis, true, "Sets how a joint may rotate about one of its axes.", setRotationAxis,
     nullptr, kTakesTime, setsNumbersOnly},
    {"setSlidingAxis", kSlidingAxis, true, "Sets how a joint may slide along one axis of its parent.", setSlidingAxis,
     nullptr, kTakesTime, setsNumbersOnly},
    {"setRotationOrder", kRotationOrder, true, "Sets the order in which a joint's angles are applied.",
     setRotationOrder},
    {"setBallJoint", kBallJoint, true, "Makes a joint a ball joint and sets its limits.", setBallJoint, nullptr,
     kTakesTime, setsNumbersOnly},
    {"guessLimits", kGuessLimits, true,
     "Guesses limits for joints: what is usual for their kind, and what the clips that turn them need beyond it. Each "
     "with its reason.",
     guessLimitsOperation, nullptr, kTakesTime},
    {"setPreferredAngle", kPreferredAngle, true,
     "Sets the preferred angle of a joint: the way it bends when it is straight, and the aim of the objective "
     "naturalPose.",
     setPreferredAngle},
    {"setStiffness", kStiffness, true, "Sets how strongly a joint resists motion.", setStiffness},
    {"setSpeedLimit", kSpeedLimit, true,
     "Sets how fast a joint may rotate or slide in a clip, and how much its speed may change.", setSpeedLimit, nullptr,
     kTakesTime},
    {"setPrecedence", kPrecedence, true, "Sets which joints move before others.", setPrecedence},
    {"setTerminator", kTerminator, true, "Makes a joint a terminator, or an ordinary joint again.", setTerminator,
     nullptr, kTakesTime},
    {"copyJointParameters", kCopyParameters, true, "Copies the parameters of one joint to others.",
     copyJointParametersOperation, nullptr, kTakesTime},
};

} // namespace

std::span<const Operation> freedomOperations() { return kFreedomOperations; }

} // namespace tendon
