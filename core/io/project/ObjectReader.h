#pragma once

#include "core/base/Issue.h"
#include "core/json/JsonReader.h"
#include "core/math/Transform.h"

#include <optional>
#include <string>
#include <string_view>

namespace tendon::project {

/// Shared by everything that reads one project file.
struct ReadState
{
    JsonError error;
    Issues issues;
    QJsonObject unknown; ///< members of a later version, by the place of their object

    [[nodiscard]] bool hasFailed() const { return error.first.has_value(); }
};

/// A JsonReader for the objects of a project. On destruction it stores the members that were not read under `place`, a
/// path made of ids, so that they can be written back to the same object after others have been added or removed.
class ObjectReader : public JsonReader
{
public:
    ObjectReader(const QJsonValue& value, std::string pointer, std::string place, ReadState& state);
    ~ObjectReader();
    ObjectReader(const ObjectReader&) = delete;
    ObjectReader& operator=(const ObjectReader&) = delete;

    using JsonReader::number;
    /// A number clamped to its range, with an issue if it was outside.
    [[nodiscard]] double number(std::string_view name, double fallback, double lowest, double highest);
    [[nodiscard]] Vector3 vector(std::string_view name, const Vector3& fallback);
    [[nodiscard]] Quaternion quaternion(std::string_view name, const Quaternion& fallback); ///< unit, xyzw in the file

    void setPlace(std::string place) { m_place = std::move(place); }
    [[nodiscard]] const std::string& place() const { return m_place; }
    void warn(std::string_view name, const std::string& message);
    [[nodiscard]] ReadState& state() { return m_state; }

private:
    std::string m_place;
    ReadState& m_state;
};

/// A quaternion of unit length; empty if it is too short to define a rotation.
[[nodiscard]] std::optional<Quaternion> normalised(const Quaternion& rotation);

} // namespace tendon::project
