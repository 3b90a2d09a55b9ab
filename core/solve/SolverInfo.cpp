#include "core/solve/SolverInfo.h"
#include "core/math/Degrees.h"

#include <tendon/sdk/Features.h>
#include <tendon/sdk/Solver.h>
#include <tendon/sdk/Version.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

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

constexpr std::string_view kMembers[] = {"$schema", "id",         "alias",    "name",  "version",  "sdk",
                                         "summary", "jointKinds", "features", "chain", "promises", "parameters"};
constexpr std::string_view kParameterMembers[] = {"id",  "label",   "group", "unit",   "kind", "min",
                                                  "max", "default", "scale", "values", "doc"};
constexpr std::string_view kScales[] = {"", "linear", "log"};
constexpr std::string_view kChainMembers[] = {"minJoints", "maxJoints", "startKinds"};
constexpr std::string_view kPromiseMembers[] = {"solved", "iterationsMedian", "iterations95"};
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

/// Reads members of one JSON object and remembers the first thing that does not fit.
class MemberReader
{
public:
    MemberReader(QJsonObject object, std::string path) : m_object(std::move(object)), m_path(std::move(path)) {}

    std::optional<Error> error;

    void fail(std::string_view member, std::string message)
    {
        if (!error) error = Error{ErrorCode::InvalidArgument, std::move(message), m_path + "/" + std::string(member)};
    }

    void refuseUnknown(Names known)
    {
        for (auto it = m_object.begin(); it != m_object.end(); ++it)
            if (const std::string key = it.key().toStdString(); !isOneOf(key, known))
                fail(key, "is not a member of solver.json; allowed: " + joined(known));
    }

    [[nodiscard]] bool has(const char* member) const { return m_object.contains(QLatin1String(member)); }
    [[nodiscard]] QJsonValue value(const char* member) const { return m_object.value(QLatin1String(member)); }

    std::string text(const char* member, bool isRequired = true)
    {
        const QJsonValue found = value(member);
        if (found.isUndefined() && !isRequired) return {};
        if (!found.isString() || (isRequired && found.toString().isEmpty())) fail(member, "must be a non-empty string");
        return found.toString().toStdString();
    }

    double number(const char* member, double otherwise)
    {
        const QJsonValue found = value(member);
        if (found.isUndefined()) return otherwise;
        if (!found.isDouble() || !std::isfinite(found.toDouble())) fail(member, "must be a number");
        return found.toDouble();
    }

    int wholeNumber(const char* member, int otherwise, int least)
    {
        const double found = number(member, otherwise);
        if (found != std::floor(found) || found < least || found > 1e9) {
            fail(member, "must be a whole number, at least " + std::to_string(least));
            return otherwise;
        }
        return static_cast<int>(found);
    }

    std::vector<std::string> texts(const char* member)
    {
        std::vector<std::string> list;
        if (!value(member).isArray()) fail(member, "must be a list of strings");
        for (const QJsonValue& item : value(member).toArray()) {
            if (!item.isString()) fail(member, "must be a list of strings");
            list.push_back(item.toString().toStdString());
            if (std::count(list.begin(), list.end(), list.back()) > 1)
                fail(member, "names '" + list.back() + "' twice");
        }
        return list;
    }

    std::vector<std::string> textsOf(const char* member, Names allowed)
    {
        const std::vector<std::string> list = texts(member);
        for (const std::string& item : list)
            if (!isOneOf(item, allowed)) fail(member, "unknown name '" + item + "'; allowed: " + joined(allowed));
        return list;
    }

private:
    QJsonObject m_object;
    std::string m_path;
};

/// The minor version of the SDK that a solver.json is written for, if this host can load such plugins.
Result<int> readSdkMinor(const QJsonValue& value)
{
    const QJsonArray sdk = value.toArray();
    if (sdk.size() != 2 || !sdk[0].isDouble() || !sdk[1].isDouble())
        return Error{ErrorCode::InvalidArgument, "must be [major, minor]", "/sdk"};
    const int major = sdk[0].toInt(-1), minor = sdk[1].toInt(-1);
    if (major == sdk::kSdkMajor && minor >= 0 && minor <= sdk::kSdkMinor) return minor;
    const bool isNewer = major > sdk::kSdkMajor || (major == sdk::kSdkMajor && minor > sdk::kSdkMinor);
    return Error{ErrorCode::Unsupported,
                 "needs solver SDK " + std::to_string(major) + "." + std::to_string(minor) + ", this Tendon has " +
                     std::to_string(sdk::kSdkMajor) + "." + std::to_string(sdk::kSdkMinor) + "; " +
                     (isNewer ? "update Tendon, or rebuild the plugin with the SDK of this Tendon"
                              : "rebuild the plugin with the SDK of this Tendon"),
                 "/sdk"};
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
void readRange(MemberReader& reader, SolverParameter& parameter)
{
    const QJsonValue fallback = reader.value("default");
    switch (parameter.kind) {
    case SolverParameter::Kind::Bool:
        if (!fallback.isBool()) reader.fail("default", "must be true or false");
        parameter.defaultValue = fallback.toBool() ? 1 : 0;
        return;
    case SolverParameter::Kind::Enum: {
        parameter.values = reader.texts("values");
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
        for (const char* member : {"min", "max", "default"})
            if (!reader.has(member)) reader.fail(member, "is missing");
        parameter.minimum = reader.number("min", 0);
        parameter.maximum = reader.number("max", 1);
        parameter.defaultValue = reader.number("default", 0);
        if (parameter.minimum > parameter.maximum)
            reader.fail("max", "is below min");
        else if (const auto fits = checkParameter(parameter, parameter.defaultValue); !fits)
            reader.fail("default", fits.error().message);
        if (parameter.isLogarithmic && parameter.minimum <= 0) reader.fail("scale", "log requires a min above 0");
        return;
    }
}

Result<SolverParameter> parseParameterInfo(const QJsonValue& value, const std::string& path)
{
    if (!value.isObject()) return Error{ErrorCode::InvalidArgument, "must be an object", path};
    MemberReader reader(value.toObject(), path);
    reader.refuseUnknown(kParameterMembers);
    SolverParameter parameter;
    parameter.id = reader.text("id");
    parameter.label = reader.text("label");
    parameter.group = reader.text("group", false);
    parameter.unit = reader.text("unit", false);
    parameter.doc = reader.text("doc");
    if (!isIdentifier(parameter.id, kCapitalsAndUnderscore))
        reader.fail("id", "must start with a lower-case letter and contain only letters, digits and _");
    if (!isOneOf(parameter.unit, kUnits)) reader.fail("unit", "must be one of: " + joined(kUnits));

    const std::string kind = reader.text("kind"), scale = reader.text("scale", false);
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
    if (reader.error) return *reader.error;
    return parameter;
}

void readChainAndPromises(MemberReader& reader, SolverInfo& info)
{
    if (reader.has("chain")) {
        MemberReader chain(reader.value("chain").toObject(), "/chain");
        chain.refuseUnknown(kChainMembers);
        info.minChainJoints = chain.wholeNumber("minJoints", 1, 1);
        info.maxChainJoints = chain.has("maxJoints") ? chain.wholeNumber("maxJoints", 1, info.minChainJoints) : 0;
        if (chain.has("startKinds")) info.startKinds = chain.textsOf("startKinds", jointKindNames());
        if (!reader.value("chain").isObject()) reader.fail("chain", "must be an object");
        if (chain.error && !reader.error) reader.error = chain.error;
    }
    if (reader.has("promises")) {
        MemberReader promises(reader.value("promises").toObject(), "/promises");
        promises.refuseUnknown(kPromiseMembers);
        info.promises.solved = promises.number("solved", info.promises.solved);
        info.promises.iterationsMedian = promises.wholeNumber("iterationsMedian", 0, 0);
        info.promises.iterations95 = promises.wholeNumber("iterations95", 0, 0);
        if (info.promises.solved < 0 || info.promises.solved > 1) promises.fail("solved", "must be from 0 to 1");
        if (!reader.value("promises").isObject()) reader.fail("promises", "must be an object");
        if (promises.error && !reader.error) reader.error = promises.error;
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
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json), &parse);
    if (!document.isObject()) {
        const std::string reason = document.isNull() ? parse.errorString().toStdString() : "is not an object";
        return Error{ErrorCode::InvalidArgument,
                     "not readable as JSON at byte " + std::to_string(parse.offset) + ": " + reason, ""};
    }
    // The version before all else: a later SDK's file may rightly hold members that are unknown here.
    const auto sdkMinor = readSdkMinor(document.object().value(QLatin1String("sdk")));
    if (!sdkMinor) return sdkMinor.error();

    MemberReader reader(document.object(), "");
    reader.refuseUnknown(kMembers);
    SolverInfo info;
    info.sdkMinor = *sdkMinor;
    info.id = reader.text("id");
    info.alias = reader.text("alias");
    info.name = reader.text("name");
    info.version = reader.text("version");
    info.summary = reader.text("summary");
    if (!isIdentifier(info.id, ".-_") || info.id.find('.') == std::string::npos || info.id.back() == '.' ||
        info.id.find("..") != std::string::npos)
        reader.fail("id", "must be a reverse domain name in lower case, such as org.example.my-solver");
    if (!isIdentifier(info.alias, "-"))
        reader.fail("alias", "must start with a lower-case letter and contain only lower-case letters, digits and -");
    if (info.alias == "default") reader.fail("alias", "'default' is reserved");
    info.jointKinds = reader.textsOf("jointKinds", jointKindNames());
    info.features = reader.textsOf("features", featureNames());
    if (info.jointKinds.empty()) reader.fail("jointKinds", "must name at least one kind");
    readChainAndPromises(reader, info);
    if (!reader.value("parameters").isArray()) reader.fail("parameters", "must be a list");
    if (reader.error) return *reader.error;

    for (const QJsonValue& value : reader.value("parameters").toArray()) {
        const std::string path = "/parameters/" + std::to_string(info.parameters.size());
        auto parameter = parseParameterInfo(value, path);
        if (!parameter) return parameter.error();
        if (info.parameter(parameter->id))
            return Error{ErrorCode::InvalidArgument, "'" + parameter->id + "' is declared twice", path + "/id"};
        info.parameters.push_back(*std::move(parameter));
    }
    return info;
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

} // namespace tendon
