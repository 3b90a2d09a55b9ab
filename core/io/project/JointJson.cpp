#include "core/io/project/Names.h"
#include "core/io/project/ProjectJson.h"

#include <limits>

namespace tendon::project {
namespace {

std::string placeOf(const Joint& joint) { return "joints/" + std::to_string(joint.id.value); }

ObjectWriter axisToJson(const AxisFreedom& axis, const AxisFreedom& standard, const std::string& pointer,
                        const std::string& place, WriteState& state)
{
    ObjectWriter json(pointer, place, state);
    json.boolean("active", axis.active, standard.active);
    json.boolean("limited", axis.limited, standard.limited);
    json.number("from", axis.from, standard.from);
    json.number("to", axis.to, standard.to);
    json.number("ease", axis.ease, standard.ease);
    json.number("damping", axis.damping, standard.damping);
    if (axis.springBack) json.number("springBack", *axis.springBack);
    json.number("springTension", axis.springTension, standard.springTension);
    return json;
}

AxisFreedom axisFromJson(const QJsonValue& value, const AxisFreedom& standard, const std::string& pointer,
                         const std::string& place, ReadState& state)
{
    ObjectReader json(value, pointer, place, state);
    AxisFreedom axis = standard;
    axis.active = json.boolean("active", standard.active);
    axis.limited = json.boolean("limited", standard.limited);
    axis.from = json.number("from", standard.from);
    axis.to = json.number("to", standard.to);
    axis.ease = json.number("ease", standard.ease, 0, 1);
    axis.damping = json.number("damping", standard.damping, 0, 1);
    if (json.has("springBack")) axis.springBack = json.number("springBack", 0);
    axis.springTension = json.number("springTension", standard.springTension, 0, 1);
    return axis;
}

using Axes = std::array<AxisFreedom, 3>;

void putAxes(ObjectWriter& joint, std::string_view name, const Axes& axes, const Axes& standard,
             const std::string& place, WriteState& state)
{
    const std::string within = place + "/" + std::string(name);
    ObjectWriter json(joint.pointer(name), within, state);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string axis(kAxes[i]);
        json.object(axis, axisToJson(axes[i], standard[i], json.pointer(axis), within + "/" + axis, state));
    }
    joint.object(name, json);
}

void readAxes(ObjectReader& joint, std::string_view name, Axes& axes)
{
    if (!joint.has(name)) return;
    const std::string within = joint.place() + "/" + std::string(name);
    ObjectReader json(joint.value(name), joint.pointer(name), within, joint.state());
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string axis(kAxes[i]);
        if (!json.has(axis)) continue;
        axes[i] = axisFromJson(json.value(axis), axes[i], json.pointer(axis), within + "/" + axis, joint.state());
    }
}

void putRest(ObjectWriter& joint, const LocalTransform& rest, const std::string& place, WriteState& state)
{
    ObjectWriter json(joint.pointer("rest"), place + "/rest", state);
    json.vector("translation", rest.translation, Vector3::Zero());
    json.quaternion("rotation", rest.rotation);
    json.vector("scale", rest.scale, Vector3::Ones());
    joint.object("rest", json);
}

LocalTransform readRest(ObjectReader& joint)
{
    LocalTransform rest;
    if (!joint.has("rest")) return rest;
    ObjectReader json(joint.value("rest"), joint.pointer("rest"), joint.place() + "/rest", joint.state());
    rest.translation = json.vector("translation", rest.translation);
    rest.rotation = json.quaternion("rotation", rest.rotation);
    rest.scale = json.vector("scale", rest.scale);
    return rest;
}

void putBall(ObjectWriter& joint, const BallLimits& ball, const std::string& place, WriteState& state)
{
    ObjectWriter json(joint.pointer("ball"), place + "/ball", state);
    json.put("twistAxis", QString::fromUtf8(kAxes[static_cast<std::size_t>(ball.twistAxis)].data(), 1));
    if (ball.swing) json.numbers("swing", *ball.swing);
    if (ball.twist) json.numbers("twist", *ball.twist);
    joint.object("ball", json);
}

BallLimits readBall(ObjectReader& joint)
{
    ObjectReader json(joint.value("ball"), joint.pointer("ball"), joint.place() + "/ball", joint.state());
    BallLimits ball;
    ball.twistAxis = static_cast<int>(json.oneOf("twistAxis", kAxes, 0));
    if (json.has("swing")) ball.swing = json.fixedNumbers<4>("swing", {});
    if (json.has("twist")) ball.twist = json.fixedNumbers<2>("twist", {});
    if (ball.swing)
        for (const double semiAxis : *ball.swing)
            if (semiAxis < 0) json.fail("swing", "has a negative semi-axis; each is the angle to one side, from 0 on");
    return ball;
}

void putRates(ObjectWriter& joint, std::string_view name, const RateLimits& rates, const std::string& place,
              WriteState& state)
{
    ObjectWriter json(joint.pointer(name), place + "/" + std::string(name), state);
    json.number("speed", rates.speed, 0);
    json.number("acceleration", rates.acceleration, 0);
    joint.object(name, json);
}

RateLimits readRates(ObjectReader& joint, std::string_view name)
{
    RateLimits rates;
    if (!joint.has(name)) return rates;
    constexpr double kMost = std::numeric_limits<double>::max();
    ObjectReader json(joint.value(name), joint.pointer(name), joint.place() + "/" + std::string(name), joint.state());
    rates.speed = json.number("speed", 0, 0, kMost);
    rates.acceleration = json.number("acceleration", 0, 0, kMost);
    return rates;
}

void putSegment(ObjectWriter& joint, const Segment& segment, const std::string& place, WriteState& state)
{
    ObjectWriter json(joint.pointer("segment"), place + "/segment", state);
    const std::string_view shape = kShapes[static_cast<std::size_t>(segment.shape)];
    json.string("shape", std::string(shape), "none");
    json.vector("size", segment.size, Vector3::Zero());
    json.vector("offset", segment.offset, Vector3::Zero());
    json.quaternion("rotation", segment.rotation);
    json.number("mass", segment.mass, 0);
    joint.object("segment", json);
}

Segment readSegment(ObjectReader& joint)
{
    Segment segment;
    if (!joint.has("segment")) return segment;
    ObjectReader json(joint.value("segment"), joint.pointer("segment"), joint.place() + "/segment", joint.state());
    segment.shape = static_cast<Segment::Shape>(json.oneOf("shape", kShapes, 0));
    segment.size = json.vector("size", segment.size);
    segment.offset = json.vector("offset", segment.offset);
    segment.rotation = json.quaternion("rotation", segment.rotation);
    segment.mass = json.number("mass", 0);
    if (segment.mass < 0 || segment.size.minCoeff() < 0) json.fail("size", "or the mass is negative");
    return segment;
}

} // namespace

QJsonObject jointToJson(const Joint& joint, const std::string& pointer, WriteState& state)
{
    const std::string place = placeOf(joint);
    const Joint standard;
    ObjectWriter json(pointer, place, state);
    json.integer("id", static_cast<std::int64_t>(joint.id.value));
    json.put("name", QString::fromStdString(joint.name));
    json.integer("parent", static_cast<std::int64_t>(joint.parent.value), 0);
    putRest(json, joint.rest, place, state);
    json.string("rotationOrder", std::string(kRotationOrders[static_cast<std::size_t>(joint.rotationOrder)]), "xyz");
    putAxes(json, "turning", joint.turning, standard.turning, place, state);
    putAxes(json, "sliding", joint.sliding, standard.sliding, place, state);
    if (joint.ball) putBall(json, *joint.ball, place, state);
    json.vector("preferredAngle", joint.preferredAngle, standard.preferredAngle);
    json.number("stiffness", joint.stiffness, standard.stiffness);
    putRates(json, "turningRates", joint.turningRates, place, state);
    putRates(json, "slidingRates", joint.slidingRates, place, state);
    json.integer("precedence", joint.precedence, standard.precedence);
    json.boolean("terminator", joint.isTerminator, standard.isTerminator);
    putSegment(json, joint.segment, place, state);
    json.integer("sourceNode", joint.sourceNode, -1);
    return json.take();
}

Joint jointFromJson(const QJsonValue& value, const std::string& pointer, ReadState& state)
{
    ObjectReader json(value, pointer, pointer, state);
    Joint joint;
    joint.id.value = static_cast<std::uint64_t>(json.requiredInteger("id", 1, kMaxId));
    json.setPlace(placeOf(joint));
    joint.name = json.text("name");
    if (joint.name.empty()) json.fail("name", "is missing or empty; every joint needs a name");
    joint.parent.value = static_cast<std::uint64_t>(json.integer("parent", 0, 0, kMaxId));
    joint.rest = readRest(json);
    joint.rotationOrder = static_cast<RotationOrder>(json.oneOf("rotationOrder", kRotationOrders, 0));
    readAxes(json, "turning", joint.turning);
    readAxes(json, "sliding", joint.sliding);
    if (json.has("ball")) joint.ball = readBall(json);
    joint.preferredAngle = json.vector("preferredAngle", joint.preferredAngle);
    joint.stiffness = json.number("stiffness", joint.stiffness, 0, 1);
    joint.turningRates = readRates(json, "turningRates");
    joint.slidingRates = readRates(json, "slidingRates");
    joint.precedence = static_cast<std::int32_t>(json.integer("precedence", 0, INT32_MIN, INT32_MAX));
    joint.isTerminator = json.boolean("terminator", false);
    joint.segment = readSegment(json);
    joint.sourceNode = static_cast<std::int32_t>(json.integer("sourceNode", -1, 0, INT32_MAX));
    return joint;
}

} // namespace tendon::project
