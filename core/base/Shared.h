#pragma once

#include <concepts>
#include <memory>
#include <utility>

namespace tendon {

/// A value that is cheap to copy: copies share one immutable T until one of them is edited. Never empty.
/// Comparing compares the pointers first, so "nothing changed" costs nothing.
template <typename T>
class Shared
{
public:
    Shared() : m_value(empty()) {}
    Shared(T value) : m_value(std::make_shared<T>(std::move(value))) {}

    /// From what makes a T.
    template <std::convertible_to<T> From>
    Shared(From&& value) : m_value(std::make_shared<T>(std::forward<From>(value)))
    {
    }

    const T& operator*() const { return *m_value; }
    const T* operator->() const { return m_value.get(); }

    /// The value to edit, copied first if shared. Precondition: threads that dropped a copy have synchronised with us.
    [[nodiscard]] T& edit()
    {
        if (m_value.use_count() != 1) m_value = std::make_shared<T>(*m_value);
        return *m_value;
    }

    /// True if both share one object in memory, and therefore are equal. False does not mean that they differ.
    [[nodiscard]] bool isSame(const Shared& other) const { return m_value == other.m_value; }

    bool operator==(const Shared& other) const { return isSame(other) || *m_value == *other.m_value; }

private:
    static const std::shared_ptr<T>& empty()
    {
        static const std::shared_ptr<T> value = std::make_shared<T>();
        return value;
    }

    std::shared_ptr<T> m_value;
};

} // namespace tendon
