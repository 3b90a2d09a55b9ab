#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tendon {

/// Numbers whose bytes are their value and of which a vector is copied in one go.
template <typename T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Writes values one after another. A function that names every field of a type for either direction (`a(x.field)`)
/// serves this and ByteReader, so that the two cannot disagree.
class ByteWriter
{
public:
    template <typename T>
    requires kIsPlain<T>
    void operator()(const T& value) { append(&value, sizeof value); }
    void operator()(const std::string& text) { many(text.data(), text.size(), 1); }
    template <typename T>
    void operator()(const std::vector<T>& items)
    {
        if constexpr (kIsPlain<T>) {
            many(items.data(), items.size(), sizeof(T));
        } else {
            (*this)(static_cast<std::uint64_t>(items.size()));
            for (const T& item : items) describe(*this, const_cast<T&>(item)); // a writer changes nothing
        }
    }

    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(m_bytes); }

private:
    void append(const void* from, std::size_t size)
    {
        if (size == 0) return;
        const std::size_t end = m_bytes.size();
        m_bytes.resize(end + size);
        std::memcpy(m_bytes.data() + end, from, size);
    }
    void many(const void* from, std::size_t count, std::size_t size)
    {
        (*this)(static_cast<std::uint64_t>(count));
        append(from, count * size);
    }

    std::vector<std::uint8_t> m_bytes;
};

/// Reads what ByteWriter wrote, trusting nothing: a count never makes it take more memory than the bytes that are left
/// could fill. After the first fault all that is read is zero or empty.
class ByteReader
{
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    template <typename T>
    requires kIsPlain<T>
    void operator()(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0; // any other byte in a bool would be undefined behaviour
            take(&byte, 1);
            value = byte != 0;
        } else {
            value = T{};
            take(&value, sizeof value);
        }
    }
    void operator()(std::string& text)
    {
        text.resize(countOf(1));
        take(text.data(), text.size());
    }
    template <typename T>
    void operator()(std::vector<T>& items)
    {
        items.clear();
        if constexpr (kIsPlain<T>) {
            items.resize(countOf(sizeof(T)));
            take(items.data(), items.size() * sizeof(T));
        } else {
            const std::size_t count = countOf(4); // nothing that is described takes fewer bytes
            for (std::size_t i = 0; i < count && !m_isBad; ++i) describe(*this, items.emplace_back());
        }
    }

    /// True when everything fitted and nothing is left.
    [[nodiscard]] bool isWhole() const { return !m_isBad && m_bytes.empty(); }

private:
    std::size_t countOf(std::size_t size)
    {
        std::uint64_t count = 0;
        (*this)(count);
        if (count > m_bytes.size() / size) m_isBad = true;
        return m_isBad ? 0 : static_cast<std::size_t>(count);
    }
    void take(void* to, std::size_t size)
    {
        if (m_isBad || size > m_bytes.size()) {
            m_isBad = true;
            return;
        }
        if (size != 0) std::memcpy(to, m_bytes.data(), size);
        m_bytes = m_bytes.subspan(size);
    }

    std::span<const std::uint8_t> m_bytes;
    bool m_isBad = false;
};

} // namespace tendon
