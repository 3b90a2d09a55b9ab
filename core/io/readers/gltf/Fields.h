#pragma once

#include "core/base/Result.h"
#include "core/io/formats/gltf/GltfJson.h"

#include <optional>
#include <string>
#include <vector>

namespace tendon::gltf {

/// The first error in a file. Later errors mostly follow from it and are ignored, so reading goes on with harmless
/// values and is checked once at the end of a step.
class FirstError
{
public:
    void set(const std::string& message)
    {
        if (!m_error) m_error = Error{ErrorCode::InvalidArgument, message + "; the file is damaged", ""};
    }
    void set(const Error& error)
    {
        if (!m_error) m_error = error;
    }
    [[nodiscard]] explicit operator bool() const { return m_error.has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }

private:
    std::optional<Error> m_error;
};

/// Reads the members of one JSON object and checks their types. `place` names the object in messages: "accessor 3".
class Fields
{
public:
    Fields(const Json& object, std::string place, FirstError& problem);

    [[nodiscard]] bool has(const char* name) const { return find(name) != nullptr; }
    [[nodiscard]] const std::string& place() const { return m_place; }

    /// An index below `count`; -1 if absent (an error if it is required).
    [[nodiscard]] std::int64_t index(const char* name, std::size_t count, bool isRequired = false) const;
    /// A whole number from `least` to 2^53.
    [[nodiscard]] std::int64_t whole(const char* name, std::int64_t byDefault, std::int64_t least = 0,
                                     bool isRequired = false) const;
    [[nodiscard]] std::string text(const char* name, bool isRequired = false) const;
    [[nodiscard]] bool flag(const char* name) const;
    [[nodiscard]] double number(const char* name, double byDefault) const; ///< finite
    /// `count` finite numbers; empty if absent.
    [[nodiscard]] std::vector<double> numbers(const char* name, std::size_t count) const;
    /// Indices below `count`; empty if absent.
    [[nodiscard]] std::vector<std::int32_t> indices(const char* name, std::size_t count) const;
    /// A member that is an object, or null.
    [[nodiscard]] const Json* object(const char* name, bool isRequired = false) const;
    /// A member that is an array of objects; empty if absent.
    [[nodiscard]] const Json& objects(const char* name) const;

    void fail(const std::string& what) const { m_problem->set(m_place.empty() ? what : m_place + ": " + what); }
    [[nodiscard]] FirstError& problem() const { return *m_problem; }
    [[nodiscard]] Fields inside(const Json& object, const std::string& place) const;

private:
    [[nodiscard]] const Json* find(const char* name) const;

    const Json* m_object;
    std::string m_place;
    FirstError* m_problem;
};

} // namespace tendon::gltf
