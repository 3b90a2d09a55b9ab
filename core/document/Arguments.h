#pragma once

#include "core/document/Operation.h"
#include "core/math/Degrees.h"
#include "core/math/RotationOrder.h"
#include "core/math/Transform.h"

#include <QJsonObject>

#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// The fields of one operation after they have been checked against its table: asking for one by its type cannot fail.
/// Numbers are as written: degrees, metres, frames.
class Arguments
{
public:
    Arguments(const Operation& operation, const QJsonObject& json) : m_operation(&operation), m_json(json) {}

    /// Checks field names, types and finiteness. Errors name the field: "value: must be a number, but is a string".
    [[nodiscard]] static Result<Arguments> check(const Operation& operation, const QJsonObject& json);

    [[nodiscard]] bool has(const char* field) const { return m_json.contains(QLatin1StringView(field)); }
    [[nodiscard]] bool isNull(const char* field) const { return value(field).isNull(); } ///< there, and null
    [[nodiscard]] bool isText(const char* field) const { return value(field).isString(); }
    [[nodiscard]] bool isArray(const char* field) const { return value(field).isArray(); }

    [[nodiscard]] std::string text(const char* field, const std::string& otherwise = {}) const;
    [[nodiscard]] bool boolean(const char* field, bool otherwise = false) const;
    [[nodiscard]] double number(const char* field, double otherwise = 0) const;
    [[nodiscard]] int integer(const char* field, int otherwise = 0) const; ///< also a frame, rounded
    [[nodiscard]] Vector3 vector(const char* field) const;
    [[nodiscard]] std::vector<double> numbers(const char* field) const; ///< a single number as a list of one
    [[nodiscard]] std::vector<std::string> names(const char* field) const;
    [[nodiscard]] std::vector<Vector3> points(const char* field) const;
    [[nodiscard]] QJsonObject object(const char* field) const { return value(field).toObject(); }
    [[nodiscard]] std::vector<QJsonObject> operations(const char* field) const;
    [[nodiscard]] std::optional<int> axis(const char* field) const; ///< 0 x, 1 y, 2 z

    /// A quaternion as given, made unit; three angles [deg] are turned in `order`.
    [[nodiscard]] Quaternion rotation(const char* field, RotationOrder order = RotationOrder::XYZ) const;

    [[nodiscard]] const Operation& operation() const { return *m_operation; }
    [[nodiscard]] const QJsonObject& json() const { return m_json; }

private:
    [[nodiscard]] QJsonValue value(const char* field) const { return m_json.value(QLatin1StringView(field)); }

    const Operation* m_operation;
    QJsonObject m_json;
};

/// Rotation out of a checked array of 4 (quaternion) or 3 (degrees) numbers; also for the objects within fields.
[[nodiscard]] Result<Quaternion> rotationFromNumbers(const std::vector<double>& numbers, RotationOrder order);

/// "a string", "a number", ...: what a JSON value is, for messages.
[[nodiscard]] std::string describe(const QJsonValue& value);

/// What a field of this type has to be, for messages and the manual: "[x, y, z]", "a number", ...
[[nodiscard]] std::string describe(Field::Type type, std::string_view choices);

} // namespace tendon
