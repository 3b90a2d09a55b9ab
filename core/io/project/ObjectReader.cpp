#include "core/io/project/ObjectReader.h"

#include <algorithm>
#include <cmath>

namespace tendon::project {
namespace {

const char* typeName(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Null: return "null";
    case QJsonValue::Bool: return "a truth value";
    case QJsonValue::Double: return "a number";
    case QJsonValue::String: return "a string";
    case QJsonValue::Array: return "an array";
    case QJsonValue::Object: return "an object";
    case QJsonValue::Undefined: break;
    }
    return "missing";
}

std::string shown(double value)
{
    std::string text = std::to_string(value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

} // namespace

void ReadState::fail(const std::string& pointer, const std::string& message)
{
    if (!error) error = Error{ErrorCode::InvalidArgument, message, pointer.empty() ? "/" : pointer};
}

ObjectReader::ObjectReader(const QJsonValue& value, std::string pointer, std::string place, ReadState& state)
    : m_object(value.toObject()), m_pointer(std::move(pointer)), m_place(std::move(place)), m_state(state)
{
    if (!value.isObject()) m_state.fail(m_pointer, std::string("is ") + typeName(value) + " instead of an object");
}

ObjectReader::~ObjectReader()
{
    QJsonObject unknown;
    for (auto it = m_object.begin(); it != m_object.end(); ++it)
        if (std::find(m_known.begin(), m_known.end(), it.key().toStdString()) == m_known.end())
            unknown.insert(it.key(), it.value());
    if (!unknown.isEmpty()) m_state.unknown.insert(QString::fromUtf8(m_place), unknown);
}

QJsonValue ObjectReader::value(std::string_view name)
{
    if (std::find(m_known.begin(), m_known.end(), name) == m_known.end()) m_known.emplace_back(name);
    return m_object.value(QString::fromUtf8(name));
}

bool ObjectReader::has(std::string_view name) { return !value(name).isUndefined(); }

std::string ObjectReader::pointer(std::string_view name) const { return m_pointer + "/" + std::string(name); }

void ObjectReader::fail(std::string_view name, const std::string& message) { m_state.fail(pointer(name), message); }

void ObjectReader::warn(std::string_view name, const std::string& message)
{
    m_state.issues.push_back({Severity::Warning, message, pointer(name), 0});
}

std::string ObjectReader::string(std::string_view name, std::string fallback)
{
    const QJsonValue v = value(name);
    if (v.isUndefined()) return fallback;
    if (!v.isString()) fail(name, std::string("is ") + typeName(v) + " instead of a string");
    return v.toString().toStdString();
}

bool ObjectReader::boolean(std::string_view name, bool fallback)
{
    const QJsonValue v = value(name);
    if (v.isUndefined()) return fallback;
    if (!v.isBool()) fail(name, std::string("is ") + typeName(v) + " instead of true or false");
    return v.toBool();
}

std::int64_t ObjectReader::integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                   std::int64_t highest)
{
    return has(name) ? requiredInteger(name, lowest, highest) : fallback;
}

std::int64_t ObjectReader::requiredInteger(std::string_view name, std::int64_t lowest, std::int64_t highest)
{
    const QJsonValue v = value(name);
    const qint64 whole = v.toInteger(0);
    if (!v.isDouble() || static_cast<double>(whole) != v.toDouble()) {
        fail(name,
             v.isDouble() ? "is not a whole number" : std::string("is ") + typeName(v) + " instead of a whole number");
        return lowest;
    }
    if (whole < lowest || whole > highest) {
        fail(name,
             "is " + std::to_string(whole) + ", outside " + std::to_string(lowest) + " ... " + std::to_string(highest));
        return lowest;
    }
    return whole;
}

double ObjectReader::number(std::string_view name, double fallback)
{
    const QJsonValue v = value(name);
    if (v.isUndefined()) return fallback;
    if (!v.isDouble() || !std::isfinite(v.toDouble())) {
        fail(name, std::string("is ") + (v.isDouble() ? "too large" : typeName(v)) + " instead of a number");
        return fallback;
    }
    return v.toDouble();
}

double ObjectReader::number(std::string_view name, double fallback, double lowest, double highest)
{
    const double given = number(name, fallback);
    const double clamped = std::clamp(given, lowest, highest);
    if (clamped != given) warn(name, "was " + shown(given) + "; it is now " + shown(clamped) + ", the nearest allowed");
    return clamped;
}

std::vector<double> ObjectReader::numbers(std::string_view name, std::size_t count)
{
    const QJsonArray given = array(name);
    if (static_cast<std::size_t>(given.size()) != count) {
        fail(name, "has " + std::to_string(given.size()) + " numbers instead of " + std::to_string(count));
        return {};
    }
    std::vector<double> result;
    result.reserve(count);
    for (const QJsonValue& v : given) {
        if (!v.isDouble() || !std::isfinite(v.toDouble())) {
            m_state.fail(pointer(name) + "/" + std::to_string(result.size()),
                         std::string("is ") + (v.isDouble() ? "too large" : typeName(v)) + " instead of a number");
            return {};
        }
        result.push_back(v.toDouble());
    }
    return result;
}

Vector3 ObjectReader::vector(std::string_view name, const Vector3& fallback)
{
    const auto n = fixedNumbers<3>(name, {fallback.x(), fallback.y(), fallback.z()});
    return {n[0], n[1], n[2]};
}

Quaternion ObjectReader::quaternion(std::string_view name, const Quaternion& fallback)
{
    if (!has(name)) return fallback;
    const auto n = fixedNumbers<4>(name, {0, 0, 0, 1});
    const auto unit = normalised({n[3], n[0], n[1], n[2]});
    if (!unit) fail(name, "is not a rotation: the quaternion has no length");
    return unit.value_or(fallback);
}

std::size_t ObjectReader::oneOf(std::string_view name, std::span<const std::string_view> values, std::size_t fallback)
{
    if (!has(name)) return fallback;
    const std::string given = string(name);
    const auto found = std::find(values.begin(), values.end(), given);
    if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
    std::string all;
    for (const std::string_view value : values) all += (all.empty() ? "" : ", ") + std::string(value);
    fail(name, "is \"" + given + "\" instead of one of " + all);
    return fallback;
}

QJsonArray ObjectReader::array(std::string_view name)
{
    const QJsonValue v = value(name);
    if (!v.isUndefined() && !v.isArray()) fail(name, std::string("is ") + typeName(v) + " instead of an array");
    return v.toArray();
}

std::optional<Quaternion> normalised(const Quaternion& rotation)
{
    const double length = rotation.norm();
    if (!std::isfinite(length) || length < 1e-6) return std::nullopt;
    // What was written as a unit comes back to the bit: only what is visibly off is touched.
    if (std::abs(length - 1) < 1e-9) return rotation;
    return Quaternion(rotation.coeffs() / length);
}

} // namespace tendon::project
