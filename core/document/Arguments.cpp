#include "core/document/Arguments.h"

#include "core/json/JsonReader.h"
#include "core/math/Convert.h"
#include "core/scene/Check.h"
#include "core/scene/FrameNumber.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

using Type = Field::Type;

bool isFiniteNumber(const QJsonValue& value)
{
    return value.isDouble() && std::abs(value.toDouble()) <= kMaxNumber;
} // false for NaN

bool isNumbers(const QJsonValue& value, qsizetype least, qsizetype most)
{
    if (!value.isArray()) return false;
    const QJsonArray array = value.toArray();
    return array.size() >= least && array.size() <= most && std::all_of(array.begin(), array.end(), isFiniteNumber);
}

bool isInteger(const QJsonValue& value)
{
    const double number = value.toDouble();
    return isFiniteNumber(value) && std::floor(number) == number &&
           std::abs(number) <= std::numeric_limits<std::int32_t>::max();
}

/// Whole numbers may be too large for a frame: operations say by how much.
bool isFrame(const QJsonValue& value)
{
    return isInteger(value) || (isFiniteNumber(value) && wholeFrame(value.toDouble()).has_value());
}

bool isChoice(const QJsonValue& value, std::string_view choices)
{
    if (!value.isString()) return false;
    const std::string chosen = value.toString().toStdString();
    if (chosen.empty() || chosen.find('|') != std::string::npos) return false;
    return ("|" + std::string(choices) + "|").find("|" + chosen + "|") != std::string::npos;
}

bool isPoints(const QJsonValue& value)
{
    if (!value.isArray()) return false;
    const QJsonArray array = value.toArray();
    return array.size() <= 10'000 &&
           std::all_of(array.begin(), array.end(), [](const QJsonValue& p) { return isNumbers(p, 3, 3); });
}

bool isNames(const QJsonValue& value)
{
    if (!value.isArray()) return false;
    const QJsonArray array = value.toArray();
    return std::all_of(array.begin(), array.end(), [](const QJsonValue& name) { return name.isString(); });
}

bool isOperations(const QJsonValue& value)
{
    if (!value.isArray() || value.toArray().isEmpty()) return false;
    const QJsonArray array = value.toArray();
    return std::all_of(array.begin(), array.end(), [](const QJsonValue& operation) { return operation.isObject(); });
}

bool isRotation(const QJsonValue& value)
{
    if (isNumbers(value, 3, 3)) return true;
    if (!isNumbers(value, 4, 4)) return false;
    double length = 0;
    for (const QJsonValue& part : value.toArray()) length = std::hypot(length, part.toDouble());
    return length > 1e-9 && std::isfinite(length);
}

bool fits(const QJsonValue& value, const Field& field)
{
    constexpr qsizetype kMany = 1'000'000;
    switch (field.type) {
    case Type::String:
    case Type::Joint:
    case Type::Handle:
    case Type::Target: return value.isString();
    case Type::JointOrNull:
    case Type::TargetOrNull: return value.isString() || value.isNull();
    case Type::Names: return isNames(value);
    case Type::Bool: return value.isBool();
    case Type::Integer: return isInteger(value);
    case Type::Frame: return isFrame(value);
    case Type::Number: return isFiniteNumber(value);
    case Type::NumberOrNull: return value.isNull() || isFiniteNumber(value);
    case Type::NumberOrText: return value.isString() || isFiniteNumber(value);
    case Type::Numbers: return isNumbers(value, 0, kMany);
    case Type::NumberOrNumbers: return isFiniteNumber(value) || isNumbers(value, 1, 4);
    case Type::Vector: return isNumbers(value, 3, 3);
    case Type::VectorOrNull: return value.isNull() || isNumbers(value, 3, 3) || isChoice(value, field.choices);
    case Type::Rotation: return isRotation(value);
    case Type::Points: return isPoints(value);
    case Type::Choice: return isChoice(value, field.choices);
    case Type::Object: return value.isObject();
    case Type::ObjectOrNull: return value.isNull() || value.isObject();
    case Type::Operations: return isOperations(value);
    }
    return false;
}

const Field* findField(const Operation& operation, std::string_view name)
{
    const auto found = std::find_if(operation.fields.begin(), operation.fields.end(),
                                    [&](const Field& f) { return f.name == name; });
    return found == operation.fields.end() ? nullptr : &*found;
}

/// "; setHandle has \"tolerance\"": the operation that sets such a value, where it is one alone.
std::string whoHas(const std::string& name)
{
    const Operation* owner = nullptr;
    for (const Operation& each : operations()) {
        const bool isSetter = each.name.starts_with("set");
        if (!isSetter || findField(each, name) == nullptr) continue;
        if (owner != nullptr) return {};
        owner = &each;
    }
    return owner == nullptr ? std::string() : ". " + std::string(owner->name) + " has " + inQuotes(name);
}

std::string fieldList(const Operation& operation)
{
    std::string list;
    for (const Field& field : operation.fields) list += (list.empty() ? "" : ", ") + std::string(field.name);
    return list.empty() ? "none" : list;
}

} // namespace

std::string describe(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Null: return "null";
    case QJsonValue::Bool: return value.toBool() ? "true" : "false";
    case QJsonValue::Double:
        if (!std::isfinite(value.toDouble())) return "not finite";
        return QString::number(value.toDouble(), 'g', 9).toStdString() +
               (std::abs(value.toDouble()) > kMaxNumber ? ", which is too large" : "");
    case QJsonValue::String: return inQuotes(value.toString().left(60).toStdString());
    case QJsonValue::Array: {
        const QJsonArray list = value.toArray();
        for (const QJsonValue& entry : list)
            if (entry.isDouble() && !isFiniteNumber(entry)) return "a list with " + describe(entry);
        return "a list of " + std::to_string(list.size());
    }
    case QJsonValue::Object: return "an object";
    case QJsonValue::Undefined: break;
    }
    return "missing";
}

std::string describe(Field::Type type, std::string_view choices)
{
    switch (type) {
    case Type::String: return "a string";
    case Type::Joint: return "the name of a joint";
    case Type::JointOrNull: return "the name of a joint, or null";
    case Type::Handle: return "the name of a handle";
    case Type::Target: return "the name of a joint or handle";
    case Type::TargetOrNull: return "the name of a joint or handle, or null";
    case Type::Names: return "a list of names";
    case Type::Bool: return "true or false";
    case Type::Integer:
    case Type::Frame: return "a whole number";
    case Type::Number: return "a number";
    case Type::NumberOrNull: return "a number, or null";
    case Type::NumberOrText: return "a number or a string";
    case Type::Numbers: return "a list of numbers";
    case Type::NumberOrNumbers: return "a number, or a list of up to 4";
    case Type::Vector: return "[x, y, z]";
    case Type::VectorOrNull:
        return choices.empty() ? "[x, y, z], or null" : "[x, y, z], \"" + std::string(choices) + "\", or null";
    case Type::Rotation: return "a quaternion [x, y, z, w], or angles [x, y, z] in degrees";
    case Type::Points: return "a list of points [x, y, z]";
    case Type::Choice: {
        std::string text = "one of ";
        for (const char c : choices) text += c == '|' ? std::string(", ") : std::string(1, c);
        return text;
    }
    case Type::Object: return "an object";
    case Type::ObjectOrNull: return "an object, or null";
    case Type::Operations: return "a list of one or more operations";
    }
    return {};
}

namespace {

/// Why `value` does not fit the field: itself, or the first entry of the list that is no operation.
Error misfit(const Field& field, const QJsonValue& value)
{
    std::string place(field.name), expected = describe(field.type, field.choices);
    QJsonValue wrong = value;
    if (field.type == Type::Operations)
        for (qsizetype i = 0; i < value.toArray().size(); ++i)
            if (!value.toArray()[i].isObject()) {
                place += "[" + std::to_string(i) + "]";
                expected = "an operation {\"op\": ...}";
                wrong = value.toArray()[i];
                break;
            }
    std::string found = describe(wrong);
    if (field.type == Type::Rotation && isNumbers(wrong, 4, 4)) found += ", all 0, which is no rotation";
    const bool isWhole = field.type == Type::Integer || field.type == Type::Frame;
    if (isWhole && isFiniteNumber(wrong) && wrong.toDouble() == std::floor(wrong.toDouble()))
        expected += " from -" + std::to_string(std::numeric_limits<int>::max()) + " to " +
                    std::to_string(std::numeric_limits<int>::max());
    return {ErrorCode::InvalidArgument, "must be " + expected + ", but is " + found, place};
}

} // namespace

Result<Arguments> Arguments::check(const Operation& operation, const QJsonObject& json)
{
    for (auto entry = json.begin(); entry != json.end(); ++entry) {
        const std::string name = entry.key().toStdString();
        if (name == "op") continue;
        const Field* field = findField(operation, name);
        if (field == nullptr)
            return Error{
                ErrorCode::InvalidArgument,
                "there is no field " + inQuotes(name) + "; the fields are: " + fieldList(operation) + whoHas(name), ""};
        if (!fits(entry.value(), *field)) return misfit(*field, entry.value());
    }
    for (const Field& field : operation.fields)
        if (field.isRequired &&
            !json.contains(QLatin1StringView(field.name.data(), static_cast<qsizetype>(field.name.size()))))
            return Error{ErrorCode::InvalidArgument, "is required: " + describe(field.type, field.choices),
                         std::string(field.name)};
    return Arguments(operation, json);
}

std::string Arguments::text(const char* field, const std::string& otherwise) const
{
    return has(field) && value(field).isString() ? value(field).toString().toStdString() : otherwise;
}

bool Arguments::boolean(const char* field, bool otherwise) const { return value(field).toBool(otherwise); }
double Arguments::number(const char* field, double otherwise) const { return value(field).toDouble(otherwise) + 0.0; }
int Arguments::integer(const char* field, int otherwise) const
{
    return value(field).isDouble() ? static_cast<int>(std::lround(value(field).toDouble())) : otherwise;
}

std::vector<double> Arguments::numbers(const char* field) const
{
    if (value(field).isDouble()) return {number(field)};
    std::vector<double> list;
    for (const QJsonValue& entry : value(field).toArray()) list.push_back(entry.toDouble() + 0.0);
    return list;
}

Vector3 Arguments::vector(const char* field) const
{
    const std::vector<double> list = numbers(field);
    return list.size() == 3 ? toVector(list) : Vector3(Vector3::Zero());
}

std::vector<std::string> Arguments::names(const char* field) const
{
    std::vector<std::string> list;
    for (const QJsonValue& entry : value(field).toArray()) list.push_back(entry.toString().toStdString());
    return list;
}

std::vector<QJsonObject> Arguments::operations(const char* field) const
{
    std::vector<QJsonObject> list;
    for (const QJsonValue& entry : value(field).toArray()) list.push_back(entry.toObject());
    return list;
}

std::vector<Vector3> Arguments::points(const char* field) const
{
    std::vector<Vector3> list;
    for (const QJsonValue& entry : value(field).toArray()) {
        const QJsonArray point = entry.toArray();
        list.emplace_back(point[0].toDouble(), point[1].toDouble(), point[2].toDouble());
    }
    return list;
}

std::optional<int> Arguments::axis(const char* field) const
{
    const std::string name = text(field);
    if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
    return name[0] - 'x';
}

Quaternion Arguments::rotation(const char* field, RotationOrder order) const
{
    const auto rotation = rotationFromNumbers(numbers(field), order);
    return rotation ? *rotation : Quaternion::Identity();
}

Result<Quaternion> rotationFromNumbers(const std::vector<double>& numbers, RotationOrder order)
{
    if (numbers.size() == 3)
        return rotationFromAngles(Vector3(radians(numbers[0]), radians(numbers[1]), radians(numbers[2])), order);
    if (numbers.size() != 4) return Error{ErrorCode::InvalidArgument, "must be " + describe(Type::Rotation, {}), ""};
    const Quaternion q = toQuaternion(numbers);
    if (!(q.norm() > 1e-9)) return Error{ErrorCode::InvalidArgument, "must not be all 0", ""};
    return std::abs(q.squaredNorm() - 1) > 1e-14 ? q.normalized() : q;
}

} // namespace tendon
