#pragma once

#include "core/base/Result.h"
#include "core/math/Transform.h"

#include <QJsonArray>
#include <QJsonObject>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tendon::project {

/// Shared by everything that writes one project file.
struct WriteState
{
    std::optional<Error> error; ///< the first
    QJsonObject unknown;        ///< members of a later version to write back, by the place of their object
};

/// Builds one JSON object. Members equal to their default are left out. A number that is not finite is an error at its
/// JSON pointer, and -0 becomes 0.
class ObjectWriter
{
public:
    /// `place` selects the unknown members of this object.
    ObjectWriter(std::string pointer, const std::string& place, WriteState& state);
    /// For objects whose members are named by users: none of them is unknown.
    ObjectWriter(std::string pointer, WriteState& state) : m_pointer(std::move(pointer)), m_state(state) {}

    void put(std::string_view name, const QJsonValue& value);
    void string(std::string_view name, const std::string& value, const std::string& standard = {});
    void boolean(std::string_view name, bool value, bool standard);
    void integer(std::string_view name, std::int64_t value, std::optional<std::int64_t> standard = std::nullopt);
    void number(std::string_view name, double value, std::optional<double> standard = std::nullopt);
    void numbers(std::string_view name, std::span<const double> values);
    void vector(std::string_view name, const Vector3& value, const Vector3& standard);
    void quaternion(std::string_view name, const Quaternion& value,
                    const Quaternion& standard = Quaternion::Identity());
    /// Left out if the object has no members.
    void object(std::string_view name, const ObjectWriter& object);

    [[nodiscard]] std::string pointer(std::string_view name) const { return m_pointer + "/" + std::string(name); }
    /// The object, with the unknown members that were read with it.
    [[nodiscard]] QJsonObject take() const;

private:
    QJsonValue checked(double value, const std::string& pointer);

    QJsonObject m_object;
    QJsonObject m_unknown;
    std::string m_pointer;
    WriteState& m_state;
};

} // namespace tendon::project
