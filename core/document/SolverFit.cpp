#include "core/document/SolverFit.h"

#include "core/document/Arguments.h"
#include "core/scene/Check.h"
#include "core/solve/Settings.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

std::string numberText(double value) { return QString::number(value, 'g', 9).toStdString(); }

Result<double> parameterValue(const SolverParameter& parameter, const QJsonValue& json)
{
    const auto wrong = [&](const std::string& wanted) {
        return Error{ErrorCode::InvalidArgument, "must be " + wanted + ", but is " + describe(json),
                     "parameters: " + parameter.id};
    };
    switch (parameter.kind) {
    case SolverParameter::Kind::Bool:
        if (!json.isBool()) return wrong("true or false");
        return json.toBool() ? 1.0 : 0.0;
    case SolverParameter::Kind::Enum: {
        const std::string name = json.toString().toStdString();
        const auto found = std::find(parameter.values.begin(), parameter.values.end(), name);
        if (json.isString() && found != parameter.values.end())
            return static_cast<double>(found - parameter.values.begin());
        std::string names;
        for (const std::string& value : parameter.values) names += (names.empty() ? "" : ", ") + value;
        return wrong("one of " + names);
    }
    case SolverParameter::Kind::Integer:
    case SolverParameter::Kind::Real: break;
    }
    const bool isInteger = parameter.kind == SolverParameter::Kind::Integer;
    const double value = json.toDouble();
    const std::string unit = parameter.unit.empty() ? std::string() : " " + parameter.unit;
    const std::string range = " from " + numberText(parameter.minimum) + " to " + numberText(parameter.maximum) + unit;
    if (!json.isDouble() || !std::isfinite(value) || (isInteger && value != std::floor(value)))
        return wrong((isInteger ? "a whole number" : "a number") + range);
    if (value < parameter.minimum || value > parameter.maximum)
        return wrong((isInteger ? "a whole number" : "a number") + range);
    return value;
}

} // namespace

bool looksAtPoles(const SolverRegistry& solvers, const Handle& handle)
{
    const SolverInfo* info = solvers.find(handle.solver);
    return info != nullptr && isUsed(Setting::Pole, *info);
}

Result<const SolverInfo*> solverNamed(const SolverRegistry& solvers, const std::string& name)
{
    if (const SolverInfo* info = solvers.find(name)) return info;
    std::string known;
    for (const SolverInfo& info : solvers.solvers()) known += (known.empty() ? "" : ", ") + info.alias;
    return Error{ErrorCode::NotFound,
                 "there is no solver called " + inQuotes(name) +
                     (known.empty() ? "; no solver plugin was found, see `tendon plugins`" : "; there are " + known),
                 "solver"};
}

Result<void> checkSolverFits(const Handle& handle, const SolverInfo& solver)
{
    const SettingRule* rule = firstRefused(handle, solver);
    if (rule == nullptr) return {};
    return Error{ErrorCode::Unsupported,
                 "the solver " + inQuotes(solver.alias) + " cannot " + std::string(rule->verb) + "; " +
                     std::string(rule->cure) + " or choose another solver",
                 std::string(rule->field)};
}

Result<std::map<std::string, double>> changedParameters(std::map<std::string, double> former,
                                                        const QJsonObject& changes, const SolverInfo& solver)
{
    for (auto entry = changes.begin(); entry != changes.end(); ++entry) {
        const std::string id = entry.key().toStdString();
        const SolverParameter* parameter = solver.parameter(id);
        if (parameter == nullptr) {
            std::string known;
            for (const SolverParameter& p : solver.parameters) known += (known.empty() ? "" : ", ") + p.id;
            return Error{ErrorCode::InvalidArgument,
                         "the solver " + inQuotes(solver.alias) + " has no parameter " + inQuotes(id) +
                             (known.empty() ? "; it has none" : "; it has " + known),
                         "parameters"};
        }
        if (entry.value().isNull()) {
            former.erase(id);
            continue;
        }
        const auto value = parameterValue(*parameter, entry.value());
        if (!value) return value.error();
        if (*value == parameter->defaultValue)
            former.erase(id);
        else
            former[id] = *value + 0.0;
    }
    return former;
}

} // namespace tendon
