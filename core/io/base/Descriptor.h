#pragma once

#include <utility>

#include <unistd.h>

namespace tendon {

/// A file descriptor that closes itself; -1 = none.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_value, other.m_value);
        return *this;
    }

    [[nodiscard]] int get() const { return m_value; }
    void close()
    {
        if (m_value >= 0) ::close(m_value);
        m_value = -1;
    }

private:
    int m_value = -1;
};

} // namespace tendon
