#pragma once

#include <string>
#include <utility>
#include <variant>

namespace tendon {

enum class ErrorCode {
    InvalidArgument, ///< a value, a name or the content of a file is invalid
    NotFound,        ///< the named object or file does not exist
    Io,              ///< a file could not be read or written
    Unsupported,     ///< valid, but not supported by Tendon
    LimitExceeded,   ///< too large, too long, too much memory
    Cancelled,
    Internal, ///< a bug in Tendon
};

/// An expected failure. `message` says what is wrong and what to do; `where` names the place: a path, a JSON pointer,
/// a line of a script, a joint. Shown as "where: message".
struct Error
{
    ErrorCode code = ErrorCode::InvalidArgument;
    std::string message;
    std::string where;

    [[nodiscard]] std::string text() const { return where.empty() ? message : where + ": " + message; }
    /// The same error with `outer` in front of its place.
    [[nodiscard]] Error within(const std::string& outer) const
    {
        return {code, message, where.empty() ? outer : outer + ": " + where};
    }
};

/// A value or an Error. The names are those of std::expected, which can replace this class with a later compiler.
template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return m_state.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & { return std::get<0>(m_state); }
    [[nodiscard]] const T& value() const& { return std::get<0>(m_state); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const { return std::get<1>(m_state); }
    template <typename U>
    [[nodiscard]] T value_or(U&& other) const
    {
        return has_value() ? value() : static_cast<T>(std::forward<U>(other));
    }

    template <typename F>
    auto and_then(F&& f) const -> decltype(f(std::declval<const T&>()))
    {
        if (has_value()) return std::forward<F>(f)(value());
        return error();
    }
    template <typename F>
    auto transform(F&& f) const -> Result<decltype(f(std::declval<const T&>()))>
    {
        if (has_value()) return std::forward<F>(f)(value());
        return error();
    }

private:
    std::variant<T, Error> m_state;
};

/// Success or an Error.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    [[nodiscard]] bool has_value() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace tendon
