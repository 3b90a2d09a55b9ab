#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/math/Transform.h"

#include <QJsonArray>
#include <QJsonObject>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon::project {

/// What the reading of one file shares. The first error stays; what is read after it counts for nothing, so that code
/// which reads needs to look once, at the end, or before it relies on a value.
struct ReadState
{
    std::optional<Error> error;
    Issues issues;
    QJsonObject unknown; ///< members that nobody asked for, by place

    void fail(const std::string& pointer, const std::string& message);
    [[nodiscard]] bool hasFailed() const { return error.has_value(); }
};

/// Takes the members out of one JSON object, checking each: a wrong type or a bad number is an error at its JSON
/// pointer. A member that is absent gives the fallback. Members nobody asked for go, on destruction, to the unknown
/// ones under `place`, a path made of ids that still names the object after others have come and gone.
class ObjectReader
{
public:
    ObjectReader(const QJsonValue& value, std::string pointer, std::string place, ReadState& state);
    ~ObjectReader();
    ObjectReader(const ObjectReader&) = delete;
    ObjectReader& operator=(const ObjectReader&) = delete;

    [[nodiscard]] bool has(std::string_view name);
    [[nodiscard]] std::string string(std::string_view name, std::string fallback = {});
    [[nodiscard]] bool boolean(std::string_view name, bool fallback);
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                       std::int64_t highest);
    [[nodiscard]] std::int64_t requiredInteger(std::string_view name, std::int64_t lowest, std::int64_t highest);
    [[nodiscard]] double number(std::string_view name, double fallback);
    /// A number brought into its range, with an issue if it was outside.
    [[nodiscard]] double number(std::string_view name, double fallback, double lowest, double highest);
    [[nodiscard]] std::vector<double> numbers(std::string_view name, std::size_t count);
    /// Exactly fallback.size() numbers.
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> fixedNumbers(std::string_view name, const std::array<double, N>& fallback);
    [[nodiscard]] Vector3 vector(std::string_view name, const Vector3& fallback);
    [[nodiscard]] Quaternion quaternion(std::string_view name, const Quaternion& fallback); ///< unit, xyzw in the file
    [[nodiscard]] std::size_t oneOf(std::string_view name, std::span<const std::string_view> values,
                                    std::size_t fallback);
    [[nodiscard]] QJsonArray array(std::string_view name);
    [[nodiscard]] QJsonValue value(std::string_view name);

    void setPlace(std::string place) { m_place = std::move(place); }
    [[nodiscard]] const std::string& place() const { return m_place; }
    [[nodiscard]] std::string pointer(std::string_view name) const;
    void fail(std::string_view name, const std::string& message);
    void warn(std::string_view name, const std::string& message);
    [[nodiscard]] ReadState& state() { return m_state; }

private:
    QJsonObject m_object;
    std::string m_pointer;
    std::string m_place;
    ReadState& m_state;
    std::vector<std::string> m_known; ///< asked for so far
};

template <std::size_t N>
std::array<double, N> ObjectReader::fixedNumbers(std::string_view name, const std::array<double, N>& fallback)
{
    if (!has(name)) return fallback;
    const std::vector<double> values = numbers(name, N);
    std::array<double, N> result = fallback;
    if (values.size() == N) std::copy(values.begin(), values.end(), result.begin());
    return result;
}

/// A quaternion of unit length; nothing when it is too short to say which way it turns.
[[nodiscard]] std::optional<Quaternion> normalised(const Quaternion& rotation);

} // namespace tendon::project
