#include "core/json/JsonReader.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

template <typename List>
std::string joined(const List& list)
{
    std::string text;
    for (const auto& item : list) text.append(text.empty() ? "" : ", ").append(item);
    return text;
}

std::string mustBe(const char* wanted, const QJsonValue& value)
{
    return std::string("must be ") + wanted + ", but is " + jsonTypeName(value);
}

// False for NaN.
bool isFinite(const QJsonValue& value) { return value.isDouble() && std::abs(value.toDouble()) <= kMaxNumber; }

std::string notANumber(const QJsonValue& value)
{
    return value.isDouble() ? "is too large; numbers go up to 1e12" : mustBe("a number", value);
}

} // namespace

const char* jsonTypeName(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Null: return "null";
    case QJsonValue::Bool: return "a boolean";
    case QJsonValue::Double: return "a number";
    case QJsonValue::String: return "a string";
    case QJsonValue::Array: return "an array";
    case QJsonValue::Object: return "an object";
    case QJsonValue::Undefined: break;
    }
    return "missing";
}

void JsonError::set(const std::string& pointer, const std::string& message)
{
    if (!first) first = Error{ErrorCode::InvalidArgument, message, pointer.empty() ? "/" : pointer};
}

JsonReader::JsonReader(const QJsonValue& value, std::string pointer, JsonError& error)
    : m_object(value.toObject()), m_pointer(std::move(pointer)), m_error(&error)
{
    if (!value.isObject()) m_error->set(m_pointer, mustBe("an object", value));
}

QJsonValue JsonReader::value(std::string_view name)
{
    if (std::find(m_known.begin(), m_known.end(), name) == m_known.end()) m_known.emplace_back(name);
    return m_object.value(QString::fromUtf8(name));
}

bool JsonReader::has(std::string_view name) { return !value(name).isUndefined(); }

std::string JsonReader::pointer(std::string_view name) const { return m_pointer + "/" + std::string(name); }

void JsonReader::fail(std::string_view name, const std::string& message) { m_error->set(pointer(name), message); }

std::string JsonReader::text(std::string_view name, std::string fallback)
{
    const QJsonValue found = value(name);
    if (found.isUndefined()) return fallback;
    if (!found.isString()) fail(name, mustBe("a string", found));
    return found.toString().toStdString();
}

std::string JsonReader::requiredText(std::string_view name)
{
    const QJsonValue found = value(name);
    if (!found.isString())
        fail(name, mustBe("a non-empty string", found));
    else if (found.toString().isEmpty())
        fail(name, "must be a non-empty string");
    return found.toString().toStdString();
}

std::vector<std::string> JsonReader::texts(std::string_view name)
{
    const QJsonValue found = value(name);
    if (!found.isArray()) fail(name, mustBe("an array of strings", found));
    std::vector<std::string> list;
    for (const QJsonValue& item : found.toArray()) {
        if (!item.isString()) m_error->set(pointer(name) + "/" + std::to_string(list.size()), mustBe("a string", item));
        list.push_back(item.toString().toStdString());
    }
    return list;
}

bool JsonReader::boolean(std::string_view name, bool fallback) { return has(name) ? requiredBoolean(name) : fallback; }

bool JsonReader::requiredBoolean(std::string_view name)
{
    const QJsonValue found = value(name);
    if (!found.isBool()) fail(name, mustBe("true or false", found));
    return found.toBool();
}

std::int64_t JsonReader::integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                 std::int64_t highest)
{
    return has(name) ? requiredInteger(name, lowest, highest) : fallback;
}

std::int64_t JsonReader::requiredInteger(std::string_view name, std::int64_t lowest, std::int64_t highest)
{
    const QJsonValue found = value(name);
    const qint64 whole = found.toInteger(0);
    if (!found.isDouble() || static_cast<double>(whole) != found.toDouble()) {
        fail(name, found.isDouble() ? "must be a whole number" : mustBe("a whole number", found));
        return lowest;
    }
    if (whole < lowest || whole > highest) {
        fail(name,
             "is " + std::to_string(whole) + ", outside " + std::to_string(lowest) + " ... " + std::to_string(highest));
        return lowest;
    }
    return whole;
}

double JsonReader::number(std::string_view name, double fallback)
{
    return has(name) ? requiredNumber(name) : fallback;
}

double JsonReader::requiredNumber(std::string_view name)
{
    const QJsonValue found = value(name);
    if (isFinite(found)) return found.toDouble();
    fail(name, notANumber(found));
    return 0;
}

std::vector<double> JsonReader::numbers(std::string_view name, std::size_t count)
{
    const QJsonValue found = value(name);
    const QJsonArray given = found.toArray();
    if (!found.isArray()) {
        fail(name, mustBe("an array of numbers", found));
        return {};
    }
    if (static_cast<std::size_t>(given.size()) != count) {
        fail(name, "must have " + std::to_string(count) + " numbers, but has " + std::to_string(given.size()));
        return {};
    }
    std::vector<double> result;
    result.reserve(count);
    for (const QJsonValue& item : given) {
        if (!isFinite(item)) {
            m_error->set(pointer(name) + "/" + std::to_string(result.size()), notANumber(item));
            return {};
        }
        result.push_back(item.toDouble());
    }
    return result;
}

std::size_t JsonReader::oneOf(std::string_view name, std::span<const std::string_view> values, std::size_t fallback)
{
    if (!has(name)) return fallback;
    const std::string given = text(name);
    const auto found = std::find(values.begin(), values.end(), given);
    if (found != values.end()) return static_cast<std::size_t>(found - values.begin());
    fail(name, "must be one of " + joined(values) + ", but is \"" + given + "\"");
    return fallback;
}

QJsonArray JsonReader::array(std::string_view name)
{
    const QJsonValue found = value(name);
    if (!found.isUndefined() && !found.isArray()) fail(name, mustBe("an array", found));
    return found.toArray();
}

JsonReader JsonReader::object(std::string_view name) { return {value(name), pointer(name), *m_error}; }

QJsonObject JsonReader::unknownMembers() const
{
    QJsonObject unknown;
    for (auto it = m_object.begin(); it != m_object.end(); ++it)
        if (std::find(m_known.begin(), m_known.end(), it.key().toStdString()) == m_known.end())
            unknown.insert(it.key(), it.value());
    return unknown;
}

void JsonReader::refuseUnknown()
{
    const QJsonObject unknown = unknownMembers();
    if (!unknown.isEmpty()) fail(unknown.begin().key().toStdString(), "unknown member; allowed: " + joined(m_known));
}

} // namespace tendon
