#pragma once

#include "core/base/Result.h"

#include <QJsonArray>
#include <QJsonObject>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// The largest number that a file or an operation may have. Transforms made of larger ones would overflow.
inline constexpr double kMaxNumber = 1e12;

/// The first error found in one JSON document. What is read after it is worth nothing, so code that reads checks once,
/// at the end or before it relies on a value.
struct JsonError
{
    std::optional<Error> first;

    /// `pointer`: a JSON pointer to the value. Later errors are ignored.
    void set(const std::string& pointer, const std::string& message);
};

/// Reads the members of one JSON object and checks each: a wrong type or a bad number is an error at its JSON pointer.
/// An absent member gives the fallback; required...() report it. Every member that was asked for counts as known.
class JsonReader
{
public:
    JsonReader(const QJsonValue& value, std::string pointer, JsonError& error);

    [[nodiscard]] bool has(std::string_view name);
    [[nodiscard]] QJsonValue value(std::string_view name); ///< as it is, unchecked
    [[nodiscard]] std::string text(std::string_view name, std::string fallback = {});
    [[nodiscard]] std::string requiredText(std::string_view name); ///< not empty
    [[nodiscard]] std::vector<std::string> texts(std::string_view name);
    [[nodiscard]] bool boolean(std::string_view name, bool fallback);
    [[nodiscard]] bool requiredBoolean(std::string_view name);
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                       std::int64_t highest);
    [[nodiscard]] std::int64_t requiredInteger(std::string_view name, std::int64_t lowest, std::int64_t highest);
    [[nodiscard]] double number(std::string_view name, double fallback); ///< up to kMaxNumber
    [[nodiscard]] double requiredNumber(std::string_view name);
    [[nodiscard]] std::vector<double> numbers(std::string_view name, std::size_t count); ///< required
    /// Exactly fallback.size() numbers.
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> fixedNumbers(std::string_view name, const std::array<double, N>& fallback);
    /// The position of the text in `values`.
    [[nodiscard]] std::size_t oneOf(std::string_view name, std::span<const std::string_view> values,
                                    std::size_t fallback);
    [[nodiscard]] QJsonArray array(std::string_view name);
    [[nodiscard]] JsonReader object(std::string_view name); ///< required; this reader's error outlives it

    [[nodiscard]] std::string pointer(std::string_view name) const; ///< of a member
    void fail(std::string_view name, const std::string& message);
    [[nodiscard]] JsonError& error() { return *m_error; }

    /// The members that nobody has asked for so far.
    [[nodiscard]] QJsonObject unknownMembers() const;
    /// Reports the first of those. Call it after everything has been read.
    void refuseUnknown();

private:
    QJsonObject m_object;
    std::string m_pointer;
    JsonError* m_error;
    std::vector<std::string> m_known;
};

template <std::size_t N>
std::array<double, N> JsonReader::fixedNumbers(std::string_view name, const std::array<double, N>& fallback)
{
    if (!has(name)) return fallback;
    const std::vector<double> values = numbers(name, N);
    std::array<double, N> result = fallback;
    if (values.size() == N) std::copy(values.begin(), values.end(), result.begin());
    return result;
}

/// "a string", "a number", ...: the type of a JSON value, for messages.
[[nodiscard]] const char* jsonTypeName(const QJsonValue& value);

} // namespace tendon
