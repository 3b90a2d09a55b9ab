#include "core/io/project/ProjectJson.h"

#include "core/math/Convert.h"

#include <limits>

namespace tendon::project {
namespace {

constexpr double kMany = std::numeric_limits<double>::max();

std::string placeOf(const Handle& handle) { return "handles/" + std::to_string(handle.id.value); }

/// The static values of its control points: they stand with the handle, not among the other static values.
QJsonArray curveToJson(const Handle& handle, const StaticValues& statics, const std::string& pointer, WriteState& state)
{
    QJsonArray points;
    for (int i = 0; i < handle.curvePoints; ++i) {
        const auto point = statics.find({handle.id.value, curvePoint(i)});
        const ChannelValue value = point == statics.end() ? ChannelValue{} : point->second;
        ObjectWriter json(pointer, state);
        json.numbers(std::to_string(i), std::span(value.data(), 3));
        points.append(*json.take().begin());
    }
    return points;
}

void readCurve(ObjectReader& json, Handle& handle, StaticValues& statics)
{
    const QJsonArray points = json.array("curve");
    if (points.size() > kMaxCurvePoints || points.size() == 1)
        return json.fail("curve", "has " + std::to_string(points.size()) + " points; a curve has from " +
                                      std::to_string(kMinCurvePoints) + " to " + std::to_string(kMaxCurvePoints));
    for (const QJsonValue& value : points) {
        // Each point is read as the only member of an object, so that its errors have a pointer of their own.
        const std::string index = std::to_string(handle.curvePoints);
        ObjectReader point(QJsonObject{{QString::fromStdString(index), value}}, json.pointer("curve"), "",
                           json.state());
        statics[{handle.id.value, curvePoint(handle.curvePoints++)}] = toValue(point.vector(index, Vector3::Zero()));
    }
}

std::map<std::string, double> readParameters(ObjectReader& handle)
{
    std::map<std::string, double> parameters;
    if (!handle.has("parameters")) return parameters;
    const QJsonValue value = handle.value("parameters");
    ObjectReader json(value, handle.pointer("parameters"), handle.place() + "/parameters", handle.state());
    for (const QString& name : value.toObject().keys())
        parameters[name.toStdString()] = json.number(name.toStdString(), 0);
    return parameters;
}

struct NamedObjective
{
    const char* name;
    double Objectives::*weight;
};
constexpr NamedObjective kObjectives[] = {{"restPose", &Objectives::restPose},
                                          {"naturalPose", &Objectives::naturalPose},
                                          {"velocity", &Objectives::velocity},
                                          {"power", &Objectives::power}};

Objectives readObjectives(ObjectReader& handle)
{
    Objectives objectives;
    if (!handle.has("objectives")) return objectives;
    ObjectReader json(handle.value("objectives"), handle.pointer("objectives"), handle.place() + "/objectives",
                      handle.state());
    for (const NamedObjective& each : kObjectives) objectives.*each.weight = json.number(each.name, 0, 0, kMany);
    return objectives;
}

} // namespace

QJsonObject handleToJson(const Handle& handle, const StaticValues& statics, const std::string& pointer,
                         WriteState& state)
{
    const Handle standard;
    ObjectWriter json(pointer, placeOf(handle), state);
    json.integer("id", static_cast<std::int64_t>(handle.id.value));
    json.put("name", QString::fromStdString(handle.name));
    json.integer("start", static_cast<std::int64_t>(handle.start.value));
    json.integer("end", static_cast<std::int64_t>(handle.end.value));
    json.vector("offset", handle.offset, standard.offset);
    if (handle.aimAxis) json.vector("aimAxis", *handle.aimAxis, Vector3::Zero());
    json.put("solver", QString::fromStdString(handle.solver));
    ObjectWriter parameters(json.pointer("parameters"), state);
    for (const auto& [name, value] : handle.parameters) parameters.number(name, value);
    json.object("parameters", parameters);
    json.number("orientationWeight", handle.orientationWeight, standard.orientationWeight);
    json.integer("priority", handle.priority, standard.priority);
    json.boolean("pole", handle.hasPole, standard.hasPole);
    json.integer("poleTarget", static_cast<std::int64_t>(handle.poleTarget.value), 0);
    json.integer("follow", static_cast<std::int64_t>(handle.follow), 0);
    json.integer("poleFollow", static_cast<std::int64_t>(handle.poleFollow), 0);
    if (!handle.spaces.empty()) {
        QJsonArray spaces;
        for (const ObjectId space : handle.spaces) spaces.append(static_cast<qint64>(space));
        json.put("spaces", spaces);
    }
    json.number("soft", handle.soft, standard.soft);
    json.number("stretch", handle.stretch, standard.stretch);
    json.number("squash", handle.squash, standard.squash);
    if (handle.unreachable == Unreachable::Hold) json.put("unreachable", QStringLiteral("hold"));
    json.boolean("pinned", handle.isPinned, standard.isPinned);
    json.boolean("stick", handle.isSticky, standard.isSticky);
    if (handle.hasCurve()) json.put("curve", curveToJson(handle, statics, json.pointer("curve"), state));
    json.integer("startUp", static_cast<std::int64_t>(handle.startUp.value), 0);
    json.integer("endUp", static_cast<std::int64_t>(handle.endUp.value), 0);
    if (handle.objectives != standard.objectives) {
        ObjectWriter objectives(json.pointer("objectives"), placeOf(handle) + "/objectives", state);
        for (const NamedObjective& each : kObjectives) objectives.number(each.name, handle.objectives.*each.weight, 0);
        json.object("objectives", objectives);
    }
    json.number("positionTolerance", handle.positionTolerance, standard.positionTolerance);
    json.number("rotationTolerance", handle.rotationTolerance, standard.rotationTolerance);
    json.integer("maxIterations", handle.maxIterations, standard.maxIterations);
    return json.take();
}

Handle handleFromJson(const QJsonValue& value, const std::string& pointer, StaticValues& statics, ReadState& state)
{
    ObjectReader json(value, pointer, pointer, state);
    const auto id = [&json](std::string_view name) {
        return static_cast<std::uint64_t>(json.integer(name, 0, 0, kMaxId));
    };
    Handle handle;
    handle.id.value = static_cast<std::uint64_t>(json.requiredInteger("id", 1, kMaxId));
    json.setPlace(placeOf(handle));
    handle.name = json.text("name");
    if (handle.name.empty()) json.fail("name", "is missing or empty; every handle needs a name");
    handle.start.value = id("start");
    handle.end.value = id("end");
    handle.offset = json.vector("offset", handle.offset);
    if (json.has("aimAxis")) handle.aimAxis = json.vector("aimAxis", Vector3::Zero());
    handle.solver = json.text("solver");
    handle.parameters = readParameters(json);
    handle.orientationWeight = json.number("orientationWeight", 0, 0, kMany);
    handle.priority = static_cast<std::int32_t>(json.integer("priority", 1, INT32_MIN, INT32_MAX));
    handle.hasPole = json.boolean("pole", false);
    handle.poleTarget.value = id("poleTarget");
    handle.follow = id("follow");
    handle.poleFollow = id("poleFollow");
    for (const QJsonValue& space : json.array("spaces")) {
        const qint64 object = space.toInteger(0);
        if (object < 1 || handle.mayFollow(static_cast<ObjectId>(object)))
            json.fail("spaces", "must be ids of joints and handles, each once");
        handle.spaces.push_back(static_cast<ObjectId>(object));
    }
    handle.soft = json.number("soft", handle.soft, 0, 0.5);
    handle.stretch = json.number("stretch", handle.stretch, 1, kMany);
    handle.squash = json.number("squash", handle.squash, kMinSquash, 1);
    if (json.has("unreachable")) {
        const std::string policy = json.text("unreachable");
        if (policy != "stretch" && policy != "hold") json.fail("unreachable", "must be stretch or hold");
        if (policy == "hold") handle.unreachable = Unreachable::Hold;
    }
    handle.isPinned = json.boolean("pinned", false);
    handle.isSticky = json.boolean("stick", handle.isSticky);
    readCurve(json, handle, statics);
    handle.startUp.value = id("startUp");
    handle.endUp.value = id("endUp");
    handle.objectives = readObjectives(json);
    handle.positionTolerance = json.number("positionTolerance", handle.positionTolerance, 0, kMany);
    handle.rotationTolerance = json.number("rotationTolerance", handle.rotationTolerance, 0, kMany);
    handle.maxIterations = static_cast<std::int32_t>(json.integer("maxIterations", 0, 0, INT32_MAX));
    return handle;
}

} // namespace tendon::project
