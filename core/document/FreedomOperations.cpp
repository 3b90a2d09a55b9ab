#include "core/document/Families.h"
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

constexpr Field kRotationAxis[] = {
    {"joint", Type::Joint, kRequired, "about its own axis, relative to its parent"},
    {"axis", Type::Choice, kRequired, "", "x|y|z"},
    {"active", Type::Bool, kOptional, "a solve may turn it"},
    {"limited", Type::Bool, kOptional, "from and to count"},
    {"from", Type::Number, kOptional, "[degrees] from the rest pose; may exceed to"},
    {"to", Type::Number, kOptional, "[degrees]"},
    {"ease", Type::Number, kOptional, "0 ... 1: resists near the ends of the range"},
    {"damping", Type::Number, kOptional, "0 ... 1: resists over the whole range"},
    {"springBack", Type::NumberOrNull, kOptional, "[degrees] angle that it springs back to; null: none"},
    {"springTension", Type::Number, kOptional, "0 ... 1"},
};
constexpr Field kSlidingAxis[] = {
    {"joint", Type::Joint, kRequired, ""},
    {"axis", Type::Choice, kRequired, "of the parent's space", "x|y|z"},
    {"active", Type::Bool, kOptional, "a solve may slide along it"},
    {"limited", Type::Bool, kOptional, "from and to count"},
    {"from", Type::Number, kOptional, "[m] the joint's translation along the axis; may exceed to"},
    {"to", Type::Number, kOptional, "[m]"},
    {"ease", Type::Number, kOptional, "0 ... 1: resists near the ends of the range"},
    {"damping", Type::Number, kOptional, "0 ... 1: resists over the whole range"},
    {"springBack", Type::NumberOrNull, kOptional, "[m] translation that it springs back to; null: none"},
    {"springTension", Type::Number, kOptional, "0 ... 1"},
};
constexpr Field kRotationOrder[] = {
    {"joint", Type::Joint, kRequired, "its angles keep their numbers"},
    {"order", Type::Choice, kRequired, "the first is turned about first", "xyz|yzx|zxy|xzy|yxz|zyx"},
};
constexpr Field kBallJoint[] = {
    {"joint", Type::Joint, kRequired, ""},
    {"axis", Type::Choice, kOptional, "twist axis; x to begin with", "x|y|z"},
    {"swing", Type::Numbers, kOptional,
     "[degrees] semi-axes [+a, -a, +b, -b] of the swing ellipse, each 0 ... 180, about the two axes after the twist "
     "axis; []: free"},
    {"twist", Type::Numbers, kOptional, "[degrees] [from, to] about the twist axis; []: free"},
    {"on", Type::Bool, kOptional, "false: a joint with single axes again"},
};
constexpr Field kPreferredAngle[] = {
    {"joint", Type::Joint, kRequired, ""},
    {"value", Type::NumberOrNumbers, kRequired, "[degrees] [x, y, z] from rest, or one number where one axis turns"},
};
constexpr Field kStiffness[] = {
    {"joint", Type::Joint, kRequired, ""},
    {"value", Type::Number, kRequired, "0: moves freely ... 1: only when it must"},
};
constexpr Field kPrecedence[] = {
    {"joint", Type::Joint, kRequired, ""},
    {"value", Type::Integer, kRequired, "higher takes up motion first; only the order matters"},
};
constexpr Field kTerminator[] = {
    {"joint", Type::Joint, kRequired, "with it on, this joint and all above stay put while others are solved"},
    {"on", Type::Bool, kRequired, ""},
};
constexpr Field kCopyParameters[] = {
    {"from", Type::Joint, kRequired, "its axes, limits, order, ball limits, preferred angle and stiffness"},
    {"to", Type::Names, kRequired, "joints that get them"},
    {"mirror", Type::Choice, kOptional, "as in a mirror across this axis of the world, whatever the rest orientations",
     "x|y|z"},
};

constexpr Operation kFreedomOperations[] = {
    {"setRotationAxis", kRotationAxis, true, "Sets how a joint may turn about one of its axes.", setRotationAxis},
    {"setSlidingAxis", kSlidingAxis, true, "Sets how a joint may slide along an axis.", setSlidingAxis},
    {"setRotationOrder", kRotationOrder, true, "Sets the order of the turns about a joint's axes.", setRotationOrder},
    {"setBallJoint", kBallJoint, true, "Makes a ball joint and sets its limits.", setBallJoint},
    {"setPreferredAngle", kPreferredAngle, true, "Sets where a joint bends when the goals leave it open.",
     setPreferredAngle},
    {"setStiffness", kStiffness, true, "Sets how unwilling a joint is to move.", setStiffness},
    {"setPrecedence", kPrecedence, true, "Sets which joints take up motion first.", setPrecedence},
    {"setTerminator", kTerminator, true, "Stops solves at a joint.", setTerminator},
    {"copyJointParameters", kCopyParameters, true, "Copies one joint's parameters to others.",
     copyJointParametersOperation},
};

} // namespace

std::span<const Operation> freedomOperations() { return kFreedomOperations; }

} // namespace tendon
