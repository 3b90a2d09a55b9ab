#pragma once

#include <tendon/sdk/Layout.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>

namespace tendon::sdk {

/// A view of structs in the caller's memory, `stride` bytes apart. The side that owns the memory sets the stride to the
/// size of its own struct, which may have grown since the other side was compiled.
template <class T>
struct Rows
{
    using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

    T* data = nullptr;
    std::uint32_t count = 0;
    std::uint32_t stride = sizeof(T); ///< [bytes] from one element to the next

    constexpr Rows() = default;
    Rows(T* first, std::size_t elements, std::size_t bytesApart)
        : data(first), count(static_cast<std::uint32_t>(elements)), stride(static_cast<std::uint32_t>(bytesApart))
    {
    }
    template <class Range>
    requires std::convertible_to<Range&&, std::span<T>>
    Rows(Range&& range) // NOLINT(google-explicit-constructor): a vector of structs is such a view
    {
        const std::span<T> elements(range);
        data = elements.data();
        count = static_cast<std::uint32_t>(elements.size());
    }

    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] bool empty() const { return count == 0; }

    /// False when the elements are too small to hold a T: then nothing may be read through this view.
    [[nodiscard]] bool isLargeEnough() const { return count == 0 || stride >= sizeof(T); }

    [[nodiscard]] T& operator[](std::size_t index) const
    {
        return *reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + index * stride);
    }

    class Iterator
    {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = std::remove_const_t<T>;
        using difference_type = std::ptrdiff_t;
        using pointer = T*;
        using reference = T&;

        Iterator() = default;
        Iterator(T* at, std::uint32_t stride) : m_at(reinterpret_cast<Byte*>(at)), m_stride(stride) {}

        T& operator*() const { return *reinterpret_cast<T*>(m_at); }
        T* operator->() const { return reinterpret_cast<T*>(m_at); }
        T& operator[](difference_type index) const { return *(*this + index); }
        Iterator& operator+=(difference_type n)
        {
            m_at += n * m_stride;
            return *this;
        }
        Iterator& operator-=(difference_type n) { return *this += -n; }
        Iterator& operator++() { return *this += 1; }
        Iterator& operator--() { return *this += -1; }
        Iterator operator++(int)
        {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        Iterator operator--(int)
        {
            const Iterator before = *this;
            --*this;
            return before;
        }
        friend Iterator operator+(Iterator it, difference_type n) { return it += n; }
        friend Iterator operator+(difference_type n, Iterator it) { return it += n; }
        friend Iterator operator-(Iterator it, difference_type n) { return it -= n; }
        friend difference_type operator-(const Iterator& a, const Iterator& b)
        {
            return a.m_stride == 0 ? 0 : (a.m_at - b.m_at) / a.m_stride;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_at == b.m_at; }
        friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.m_at <=> b.m_at; }

    private:
        Byte* m_at = nullptr;
        difference_type m_stride = 0;
    };

    [[nodiscard]] Iterator begin() const { return {data, stride}; }
    [[nodiscard]] Iterator end() const { return begin() + count; }
};

inline constexpr LayoutEntry kRowsLayout[] = {
    TENDON_SDK_MEMBER(0, Rows<std::byte>, data),
    TENDON_SDK_MEMBER(0, Rows<std::byte>, count),
    TENDON_SDK_MEMBER(0, Rows<std::byte>, stride),
};
TENDON_SDK_LISTS_ALL(kRowsLayout, Rows<std::byte>);

/// A copy of `*given` as far as its `size` covers. Members beyond that keep their defaults, and so do all of them when
/// `given` is null.
template <class T>
[[nodiscard]] T read(const T* given)
{
    static_assert(std::is_trivially_copyable_v<T>);
    T result;
    if (given != nullptr)
        std::memcpy(static_cast<void*>(&result), given, std::min<std::size_t>(given->size, sizeof(T)));
    result.size = sizeof(T);
    return result;
}

} // namespace tendon::sdk
