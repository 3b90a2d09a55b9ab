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

/// What the writing of one file shares.
struct WriteState
{
    std::optional<Error> error; ///< the first
    QJsonObject unknown;        ///< members to write back, by place
};

/// Puts one JSON object together. Members equal to their default are left out, so that a file says only what is meant.
/// A number that is not finite is an error at its JSON pointer, and -0 becomes 0.
class ObjectWriter
{
public:
    /// `place` says which unknown members belong here.
    ObjectWriter(std::string pointer, const std::string& place, WriteState& state);
    /// For what only users name the members of: nothing in it is unknown.
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
    /// Left out when the object has no members.
    void object(std::string_view name, const ObjectWriter& object);

    [[nodiscard]] std::string pointer(std::string_view name) const { return m_pointer + "/" + std::string(name); }
    /// The object with the members that were unknown when it was read.
    [[nodiscard]] QJsonObject take() const;

private:
    QJsonValue checked(double value, const std::string& pointer);

    QJsonObject m_object;
    QJsonObject m_unknown;
    std::string m_pointer;
    WriteState& m_state;
};

} // namespace tendon::project
