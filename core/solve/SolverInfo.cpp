#include "core/solve/SolverInfo.h"

#include "core/json/JsonParse.h"
#include "core/json/JsonReader.h"
#include "core/math/Degrees.h"

#include <tendon/sdk/Features.h>
#include <tendon/sdk/Solver.h>
#include <tendon/sdk/Version.h>

#include <QJsonArray>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace tendon {

namespace {

using Names = std::span<const std::string_view>;

/// The names of all joint kinds, or of all features, of the SDK.
template <class Table, class Member>
std::vector<std::string_view> namesOf(const Table& table, Member name)
{
    std::vector<std::string_view> names;
    for (const auto& entry : table) names.push_back(entry.*name);
    return names;
}

const std::vector<std::string_view>& jointKindNames()
{
    static const auto names = namesOf(sdk::kJointTraits, &sdk::JointTraits::name);
    return names;
}

const std::vector<std::string_view>& featureNames()
{
    static const auto names = namesOf(sdk::kFeatures, &sdk::Feature::name);
    return names;
}

constexpr std::string_view kScales[] = {"", "linear", "log"};
constexpr std::string_view kUnits[] = {"", "m", "deg", "s", "%"};

bool isOneOf(std::string_view text, Names list) { return std::find(list.begin(), list.end(), text) != list.end(); }

std::string joined(Names list)
{
    std::string text;
    for (const std::string_view item : list) text.append(text.empty() ? "" : ", ").append(item);
    return text;
}

std::string numberText(double value)
{
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

/// The names in an array, each once and among `allowed` unless that is empty.
std::vector<std::string> readNames(JsonReader& json, const char* member, Names allowed = {})
{
    std::vector<std::string> names = json.texts(member);
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (std::count(names.begin(), name, *name) > 0) json.fail(member, "names '" + *name + "' twice");
        if (!allowed.empty() && !isOneOf(*name, allowed))
            json.fail(member, "unknown name '" + *name + "'; allowed: " + joined(allowed));
    }
    return names;
}

int readCount(JsonReader& json, const char* member, int fallback, int lowest)
{
    return static_cast<int>(json.integer(member, fallback, lowest, 1'000'000'000));
}

/// The minor version of the SDK that a solver.json is written for, if this host can load such plugins.
Result<int> readSdkMinor(const QJsonValue& value)
{
    const QJsonArray sdk = value.toArray();
    const auto isCount = [](const QJsonValue& number) { return number.toInt(-1) >= 0; };
    if (sdk.size() != 2 || !isCount(sdk[0]) || !isCount(sdk[1]))
        return Error{ErrorCode::InvalidArgument, "must be [major, minor] in whole numbers, such as [2, 0]", "/sdk"};
    const int major = sdk[0].toInt(), minor = sdk[1].toInt();
    if (major == sdk::kSdkMajor && minor <= sdk::kSdkMinor) return minor;
    return Error{ErrorCode::Unsupported,
                 otherSdkMessage(std::to_string(major) + "." + std::to_string(minor), major >= sdk::kSdkMajor), "/sdk"};
}

bool isIdentifier(std::string_view text, std::string_view extra)
{
    if (text.empty() || text[0] < 'a' || text[0] > 'z') return false;
    return std::all_of(text.begin(), text.end(), [extra](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || extra.find(c) != std::string_view::npos;
    });
}

constexpr std::string_view kCapitalsAndUnderscore = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// The default, minimum and maximum of a parameter whose kind and values are known.
void readRange(JsonReader& reader, SolverParameter& parameter)
{
    const QJsonValue fallback = reader.value("default");
    switch (parameter.kind) {
    case SolverParameter::Kind::Bool:
        if (!fallback.isBool()) reader.fail("default", "must be true or false");
        parameter.defaultValue = fallback.toBool() ? 1 : 0;
        return;
    case SolverParameter::Kind::Enum: {
        parameter.values = readNames(reader, "values");
        const auto found = std::find(parameter.values.begin(), parameter.values.end(),
                                     fallback.toString().toStdString());
        if (parameter.values.size() < 2)
            reader.fail("values", "must name at least two values");
        else if (found == parameter.values.end())
            reader.fail("default", "must be one of the values");
        else
            parameter.defaultValue = static_cast<double>(found - parameter.values.begin());
        parameter.maximum = static_cast<double>(parameter.values.size()) - 1;
        return;
    }
    case SolverParameter::Kind::Real:
    case SolverParameter::Kind::Integer:
        parameter.minimum = reader.requiredNumber("min");
        parameter.maximum = reader.requiredNumber("max");
        parameter.defaultValue = reader.requiredNumber("default");
        if (parameter.minimum > parameter.maximum)
            reader.fail("max", "is below min");
        else if (const auto fits = checkParameter(parameter, parameter.defaultValue); !fits)
            reader.fail("default", fits.error().message);
        if (parameter.isLogarithmic && parameter.minimum <= 0) reader.fail("scale", "log requires a min above 0");
        return;
    }
}

SolverParameter readParameter(JsonReader reader)
{
    SolverParameter parameter;
    parameter.id = reader.requiredText("id");
    parameter.label = reader.requiredText("label");
    parameter.group = reader.text("group");
    parameter.unit = reader.text("unit");
    parameter.doc = reader.requiredText("doc");
    if (reader.has("when")) {
        JsonReader when = reader.object("when");
        parameter.when = when.requiredText("parameter");
        parameter.isWhenNot = when.has("isNot");
        parameter.whenValue = when.requiredText(parameter.isWhenNot ? "isNot" : "is");
        when.refuseUnknown();
    }
    if (!isIdentifier(parameter.id, kCapitalsAndUnderscore))
        reader.fail("id", "must start with a lower-case letter and contain only letters, digits and _");
    if (!isOneOf(parameter.unit, kUnits)) reader.fail("unit", "must be one of: " + joined(kUnits));

    const std::string kind = reader.requiredText("kind"), scale = reader.text("scale");
    if (kind == "real")
        parameter.kind = SolverParameter::Kind::Real;
    else if (kind == "integer")
        parameter.kind = SolverParameter::Kind::Integer;
    else if (kind == "bool")
        parameter.kind = SolverParameter::Kind::Bool;
    else if (kind == "enum")
        parameter.kind = SolverParameter::Kind::Enum;
    else
        reader.fail("kind", "must be one of: real, integer, bool, enum");
    if (!isOneOf(scale, kScales)) reader.fail("scale", "must be linear or log");
    parameter.isLogarithmic = scale == "log";
    readRange(reader, parameter);
    for (const char* ofOtherKinds : {"min", "max", "values"}) static_cast<void>(reader.has(ofOtherKinds));
    reader.refuseUnknown();
    return parameter;
}

void readChainAndPromises(JsonReader& reader, SolverInfo& info)
{
    if (reader.has("chain")) {
        JsonReader chain = reader.object("chain");
        info.minChainJoints = readCount(chain, "minJoints", 1, 1);
        info.maxChainJoints = readCount(chain, "maxJoints", 0, info.minChainJoints);
        if (chain.has("startKinds")) info.startKinds = readNames(chain, "startKinds", jointKindNames());
        chain.refuseUnknown();
    }
    if (reader.has("promises")) {
        JsonReader promises = reader.object("promises");
        info.promises.solved = promises.number("solved", info.promises.solved);
        info.promises.iterationsMedian = readCount(promises, "iterationsMedian", 0, 0);
        info.promises.iterations95 = readCount(promises, "iterations95", 0, 0);
        info.promises.missWithObjectives = promises.number("missWithObjectives", 0);
        if (info.promises.solved < 0 || info.promises.solved > 1) promises.fail("solved", "must be from 0 to 1");
        if (info.promises.missWithObjectives < 0 || info.promises.missWithObjectives > 1)
            promises.fail("missWithObjectives", "must be from 0 to 1");
        info.promises.convergenceOrder = promises.number("convergenceOrder", 0);
        if (info.promises.convergenceOrder < 0 || info.promises.convergenceOrder > 3)
            promises.fail("convergenceOrder", "must be from 0 to 3");
        promises.refuseUnknown();
    }
}

} // namespace

bool SolverInfo::has(std::string_view feature) const
{
    return std::find(features.begin(), features.end(), feature) != features.end();
}

bool SolverInfo::moves(std::string_view jointKind) const
{
    return std::find(jointKinds.begin(), jointKinds.end(), jointKind) != jointKinds.end();
}

const SolverParameter* SolverInfo::parameter(std::string_view wanted) const
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [wanted](const SolverParameter& parameter) { return parameter.id == wanted; });
    return found == parameters.end() ? nullptr : &*found;
}

Result<SolverInfo> parseSolverInfo(const std::string& json)
{
    const auto object = parseJsonObject(json, "a solver's description");
    if (!object) return object.error();
    // The version before all else: a later SDK's file may rightly hold members that are unknown here.
    const auto sdkMinor = readSdkMinor(object->value(QLatin1String("sdk")));
    if (!sdkMinor) return sdkMinor.error();

    JsonError error;
    JsonReader reader(*object, "", error);
    for (const char* known : {"$schema", "sdk"}) static_cast<void>(reader.has(known));
    SolverInfo info;
    info.sdkMinor = *sdkMinor;
    info.id = reader.requiredText("id");
    info.alias = reader.requiredText("alias");
    info.name = reader.requiredText("name");
    info.version = reader.requiredText("version");
    info.summary = reader.requiredText("summary");
    if (!isIdentifier(info.id, ".-_") || info.id.find('.') == std::string::npos || info.id.back() == '.' ||
        info.id.find("..") != std::string::npos)
        reader.fail("id", "must be a reverse domain name in lower case, such as org.example.my-solver");
    if (!isIdentifier(info.alias, "-"))
        reader.fail("alias", "must start with a lower-case letter and contain only lower-case letters, digits and -");
    if (info.alias == "default") reader.fail("alias", "'default' is reserved");
    info.jointKinds = readNames(reader, "jointKinds", jointKindNames());
    info.features = readNames(reader, "features", featureNames());
    if (info.jointKinds.empty()) reader.fail("jointKinds", "must name at least one kind");
    readChainAndPromises(reader, info);
    if (!reader.has("parameters")) reader.fail("parameters", "is missing");
    for (const QJsonValue& value : reader.array("parameters")) {
        const std::string path = "/parameters/" + std::to_string(info.parameters.size());
        SolverParameter parameter = readParameter({value, path, error});
        if (info.parameter(parameter.id)) error.set(path + "/id", "'" + parameter.id + "' is declared twice");
        info.parameters.push_back(std::move(parameter));
    }
    for (std::size_t i = 0; i < info.parameters.size(); ++i) {
        const SolverParameter& parameter = info.parameters[i];
        if (parameter.when.empty()) continue;
        const SolverParameter* other = info.parameter(parameter.when);
        if (other == nullptr ||
            std::find(other->values.begin(), other->values.end(), parameter.whenValue) == other->values.end())
            error.set("/parameters/" + std::to_string(i) + "/when", "must name a parameter of kind enum and its value");
    }
    reader.refuseUnknown();
    if (error.first) return *error.first;
    return info;
}

std::string otherSdkMessage(const std::string& needed, bool isNewer)
{
    return "needs solver SDK " + needed + "; this Tendon has " + std::to_string(sdk::kSdkMajor) + "." +
           std::to_string(sdk::kSdkMinor) +
           (isNewer ? ". Update Tendon, or rebuild the plugin with the SDK of this Tendon"
                    : ". Rebuild the plugin with the SDK of this Tendon");
}

Result<void> checkParameter(const SolverParameter& parameter, double value)
{
    const auto refuse = [&parameter](const std::string& message) {
        return Error{ErrorCode::InvalidArgument, message, parameter.id};
    };
    const bool isWhole = parameter.kind != SolverParameter::Kind::Real;
    if (!(value >= parameter.minimum && value <= parameter.maximum))
        return refuse("must be from " + numberText(parameter.minimum) + " to " + numberText(parameter.maximum) +
                      (parameter.unit.empty() ? "" : " " + parameter.unit));
    if (isWhole && value != std::floor(value)) return refuse("must be a whole number");
    return {};
}

Result<double> parseParameter(const SolverParameter& parameter, std::string_view text)
{
    if (parameter.kind == SolverParameter::Kind::Enum) {
        const auto found = std::find(parameter.values.begin(), parameter.values.end(), text);
        if (found != parameter.values.end()) return static_cast<double>(found - parameter.values.begin());
        std::string allowed;
        for (const std::string& value : parameter.values) allowed += (allowed.empty() ? "" : ", ") + value;
        return Error{ErrorCode::InvalidArgument, "must be one of: " + allowed, parameter.id};
    }
    if (parameter.kind == SolverParameter::Kind::Bool) {
        if (text == "true" || text == "1") return 1.0;
        if (text == "false" || text == "0") return 0.0;
        return Error{ErrorCode::InvalidArgument, "must be true or false", parameter.id};
    }
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size())
        return Error{ErrorCode::InvalidArgument, "'" + std::string(text) + "' is not a number", parameter.id};
    if (const auto fits = checkParameter(parameter, value); !fits) return fits.error();
    return value;
}

Result<void> setParameters(sdk::Solver& solver, const SolverInfo& info, const std::map<std::string, double>& values)
{
    for (const auto& [id, value] : values) {
        const SolverParameter* parameter = info.parameter(id);
        if (!parameter) {
            std::string known;
            for (const SolverParameter& each : info.parameters) known += (known.empty() ? "" : ", ") + each.id;
            return Error{
                ErrorCode::NotFound,
                "solver '" + info.alias + "' has no such parameter; it has " + (known.empty() ? "none" : known), id};
        }
        if (const auto fits = checkParameter(*parameter, value); !fits) return fits.error();
        const double forSolver = parameter->unit == "deg" ? radians(value) : value;
        if (!solver.setParameter(id, forSolver))
            return Error{ErrorCode::Internal,
                         "solver '" + info.alias + "' refuses " + numberText(value) + ", which its solver.json allows",
                         id};
    }
    return {};
}

Result<void> setDefaults(sdk::Solver& solver, const SolverInfo& info)
{
    std::map<std::string, double> values;
    for (const SolverParameter& parameter : info.parameters) values[parameter.id] = parameter.defaultValue;
    return setParameters(solver, info, values);
}

} // namespace tendon
