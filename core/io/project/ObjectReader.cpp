#include "core/io/project/ObjectReader.h"

#include "core/math/Convert.h"

#include <algorithm>
#include <cmath>

namespace tendon::project {
namespace {

std::string shown(double value)
{
    std::string text = std::to_string(value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

} // namespace

ObjectReader::ObjectReader(const QJsonValue& value, std::string pointer, std::string place, ReadState& state)
    : JsonReader(value, std::move(pointer), state.error), m_place(std::move(place)), m_state(state)
{
}

ObjectReader::~ObjectReader()
{
    const QJsonObject unknown = unknownMembers();
    if (!unknown.isEmpty()) m_state.unknown.insert(QString::fromUtf8(m_place), unknown);
}

void ObjectReader::warn(std::string_view name, const std::string& message)
{
    m_state.issues.push_back({Severity::Warning, message, pointer(name), 0});
}

double ObjectReader::number(std::string_view name, double fallback, double lowest, double highest)
{
    const double given = number(name, fallback);
    const double clamped = std::clamp(given, lowest, highest);
    if (clamped != given) warn(name, "was " + shown(given) + "; it is now " + shown(clamped) + ", the nearest allowed");
    return clamped;
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
    const auto unit = normalised(toQuaternion(n));
    if (!unit) fail(name, "is not a rotation: the quaternion has length 0");
    return unit.value_or(fallback);
}

std::optional<Quaternion> normalised(const Quaternion& rotation)
{
    const double length = rotation.norm();
    if (!std::isfinite(length) || length < 1e-6) return std::nullopt;
    // A quaternion written as a unit comes back to the bit: only one that is visibly off is changed.
    if (std::abs(length - 1) < 1e-9) return rotation;
    return Quaternion(rotation.coeffs() / length);
}

} // namespace tendon::project
