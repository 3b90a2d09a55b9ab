#include "core/io/readers/gltf/Fields.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tendon::gltf {
namespace {

constexpr std::int64_t kMaxInteger = std::int64_t{1} << 53;

std::string member(const char* name) { return "\"" + std::string(name) + "\""; }

/// Whole numbers may be written as 3 or 3.0.
std::optional<std::int64_t> asWhole(const Json& value)
{
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxInteger))
        return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double number = value.get<double>();
    if (!(std::abs(number) <= static_cast<double>(kMaxInteger)) || number != std::floor(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

} // namespace

Fields::Fields(const Json& object, std::string place, FirstError& problem)
    : m_object(&object), m_place(std::move(place)), m_problem(&problem)
{
    if (!object.is_object()) fail("is not an object");
}

Fields Fields::inside(const Json& object, const std::string& place) const
{
    return {object, m_place.empty() ? place : m_place + ": " + place, *m_problem};
}

const Json* Fields::find(const char* name) const
{
    if (!m_object->is_object()) return nullptr;
    const auto found = m_object->find(name);
    return found == m_object->end() ? nullptr : &*found;
}

std::int64_t Fields::index(const char* name, std::size_t count, bool isRequired) const
{
    const Json* value = find(name);
    if (value == nullptr) {
        if (isRequired) fail(member(name) + " is missing");
        return -1;
    }
    const auto index = asWhole(*value);
    if (!index || *index < 0) {
        fail(member(name) + " is not an index");
        return -1;
    }
    if (*index >= static_cast<std::int64_t>(count)) {
        fail(member(name) + " is " + std::to_string(*index) +
             (count == 0 ? ", but the file has none" : ", but the last index is " + std::to_string(count - 1)));
        return -1;
    }
    return *index;
}

std::int64_t Fields::whole(const char* name, std::int64_t byDefault, std::int64_t least, bool isRequired) const
{
    const Json* value = find(name);
    if (value == nullptr) {
        if (isRequired) fail(member(name) + " is missing");
        return byDefault;
    }
    const auto number = asWhole(*value);
    if (!number || *number > kMaxInteger) {
        fail(member(name) + " is not a whole number");
        return byDefault;
    }
    if (*number < least) {
        fail(member(name) + " is " + std::to_string(*number) + ", less than " + std::to_string(least));
        return byDefault;
    }
    return *number;
}

std::string Fields::text(const char* name, bool isRequired) const
{
    const Json* value = find(name);
    if (value == nullptr) {
        if (isRequired) fail(member(name) + " is missing");
        return {};
    }
    if (value->is_string()) return value->get<std::string>();
    fail(member(name) + " is not a string");
    return {};
}

bool Fields::flag(const char* name) const
{
    const Json* value = find(name);
    if (value == nullptr) return false;
    if (!value->is_boolean()) fail(member(name) + " is not true or false");
    return value->is_boolean() && value->get<bool>();
}

double Fields::number(const char* name, double byDefault) const
{
    const Json* value = find(name);
    if (value == nullptr) return byDefault;
    if (value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
    fail(member(name) + " is not a number");
    return byDefault;
}

std::vector<double> Fields::numbers(const char* name, std::size_t count) const
{
    const Json* value = find(name);
    if (value == nullptr) return {};
    std::vector<double> numbers;
    if (value->is_array())
        for (const Json& item : *value)
            if (item.is_number() && std::isfinite(item.get<double>())) numbers.push_back(item.get<double>());
    if (value->is_array() && numbers.size() == count && value->size() == count) return numbers;
    fail(member(name) + " must have " + std::to_string(count) + " numbers");
    return {};
}

std::vector<std::int32_t> Fields::indices(const char* name, std::size_t count) const
{
    const Json* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_array()) {
        fail(member(name) + " is not an array");
        return {};
    }
    std::vector<std::int32_t> indices;
    indices.reserve(value->size());
    for (const Json& item : *value) {
        const auto index = asWhole(item);
        if (!index || *index < 0 || *index >= static_cast<std::int64_t>(count)) {
            fail(member(name) + " holds " + item.dump().substr(0, 24) + ", where an index below " +
                 std::to_string(count) + " must stand");
            return {};
        }
        indices.push_back(static_cast<std::int32_t>(*index));
    }
    return indices;
}

const Json* Fields::object(const char* name, bool isRequired) const
{
    const Json* value = find(name);
    if (value == nullptr && isRequired) fail(member(name) + " is missing");
    if (value != nullptr && !value->is_object()) {
        fail(member(name) + " is not an object");
        return nullptr;
    }
    return value;
}

const Json& Fields::objects(const char* name) const
{
    static const Json empty = Json::array();
    const Json* value = find(name);
    if (value == nullptr) return empty;
    if (!value->is_array()) {
        fail(member(name) + " is not an array");
        return empty;
    }
    for (const Json& item : *value)
        if (!item.is_object()) {
            fail(member(name) + " holds a value that is not an object");
            return empty;
        }
    return *value;
}

} // namespace tendon::gltf
