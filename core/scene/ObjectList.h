#pragma once

#include "core/base/Shared.h"
#include "core/scene/PlaceIndex.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace tendon {

/// The joints or handles of a scene in the author's order, found by id and by name at a cost that hardly depends on
/// how many there are. Copies share the chunks that objects are stored in and the index, so adding or replacing one
/// object of a copy copies one chunk and the table of chunks.
///
/// Access to change objects in place (the iterators, operator[], front() and back() of a list that is not const)
/// forgets the index: finding then looks at every object. Change one object with replace(), many by making a new list.
template <typename T>
class ObjectList
{
public:
    using value_type = T;
    using IdType = decltype(T::id);
    static constexpr std::size_t kChunk = 32; ///< objects in each chunk but the last

    template <typename List, typename Value>
    class Iterator
    {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = Value*;
        using reference = Value&;

        Iterator() = default;
        Iterator(List* list, std::size_t place) : m_list(list), m_place(place) {}
        reference operator*() const { return (*m_list)[m_place]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type by) const { return *(*this + by); }
        Iterator& operator++() { return *this += 1; }
        Iterator& operator--() { return *this -= 1; }
        Iterator operator++(int) { return std::exchange(*this, *this + 1); }
        Iterator operator--(int) { return std::exchange(*this, *this - 1); }
        Iterator& operator+=(difference_type by)
        {
            m_place += static_cast<std::size_t>(by);
            return *this;
        }
        Iterator& operator-=(difference_type by) { return *this += -by; }
        friend Iterator operator+(Iterator at, difference_type by) { return at += by; }
        friend Iterator operator+(difference_type by, Iterator at) { return at += by; }
        friend Iterator operator-(Iterator at, difference_type by) { return at -= by; }
        friend difference_type operator-(const Iterator& a, const Iterator& b)
        {
            return static_cast<difference_type>(a.m_place) - static_cast<difference_type>(b.m_place);
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_place == b.m_place; }
        friend auto operator<=>(const Iterator& a, const Iterator& b) { return a.m_place <=> b.m_place; }

    private:
        List* m_list = nullptr;
        std::size_t m_place = 0;
    };
    using const_iterator = Iterator<const ObjectList, const T>;
    using iterator = Iterator<ObjectList, T>;

    ObjectList() = default;
    ObjectList(std::vector<T> objects)
    {
        for (T& object : objects) push_back(std::move(object));
    }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const T& operator[](std::size_t place) const { return (*m_chunks[place / kChunk])[place % kChunk]; }
    [[nodiscard]] const T& front() const { return (*this)[0]; }
    [[nodiscard]] const T& back() const { return (*this)[m_size - 1]; }
    [[nodiscard]] const_iterator begin() const { return {this, 0}; }
    [[nodiscard]] const_iterator end() const { return {this, m_size}; }
    [[nodiscard]] std::vector<T> toVector() const { return {begin(), end()}; }

    [[nodiscard]] T& operator[](std::size_t place)
    {
        m_isIndexed = false;
        return m_chunks[place / kChunk].edit()[place % kChunk];
    }
    [[nodiscard]] T& front() { return (*this)[0]; }
    [[nodiscard]] T& back() { return (*this)[m_size - 1]; }
    [[nodiscard]] iterator begin() { return {this, 0}; }
    [[nodiscard]] iterator end() { return {this, m_size}; }

    /// The first object with this id; null = none.
    [[nodiscard]] const T* find(IdType id) const
    {
        const std::size_t place = placeOf(id);
        return place == m_size ? nullptr : &(*this)[place];
    }

    /// Where the first object with this id is; size() = nowhere.
    [[nodiscard]] std::size_t placeOf(IdType id) const
    {
        return firstOf(m_byId, keyOf(id), [&](const T& object) { return object.id == id; });
    }

    /// The places of all objects with this name, ascending.
    [[nodiscard]] std::vector<std::size_t> placesNamed(std::string_view name) const
    {
        std::vector<std::size_t> places;
        const auto visit = [&](std::size_t place) {
            if ((*this)[place].name == name) places.push_back(place);
        };
        if (m_isIndexed)
            m_byName.forEach(keyOf(name), visit);
        else
            for (std::size_t place = 0; place < m_size; ++place) visit(place);
        std::sort(places.begin(), places.end());
        return places;
    }

    void push_back(T object)
    {
        if (m_size % kChunk == 0) m_chunks.emplace_back();
        if (m_isIndexed) insertIntoIndex(object, m_size);
        m_chunks.back().edit().push_back(std::move(object));
        ++m_size;
    }

    void replace(std::size_t place, T object)
    {
        if (m_isIndexed) {
            const T& former = std::as_const(*this)[place];
            const auto at = static_cast<std::uint32_t>(place);
            if (former.id != object.id || former.name != object.name) {
                m_byId.erase(keyOf(former.id), at);
                m_byName.erase(keyOf(former.name), at);
                insertIntoIndex(object, place);
            }
        }
        m_chunks[place / kChunk].edit()[place % kChunk] = std::move(object);
    }

    void clear() { *this = {}; }

    /// Removes the objects at these places, which are ascending. What is before the first of them stays shared: this
    /// costs what there is from there on.
    void erase(const std::vector<std::size_t>& places)
    {
        if (places.empty()) return;
        const ObjectList before = *this;
        if (m_isIndexed)
            cutOff(places.front());
        else
            *this = ObjectList(std::vector<T>(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(places[0])));
        auto gone = places.begin();
        for (std::size_t place = places.front(); place < before.size(); ++place)
            if (gone != places.end() && *gone == place)
                ++gone;
            else
                push_back(before[place]);
    }

    template <typename Condition>
    friend std::size_t erase_if(ObjectList& list, Condition condition)
    {
        const ObjectList& before = list;
        std::vector<std::size_t> places;
        for (std::size_t place = 0; place < before.size(); ++place)
            if (condition(before[place])) places.push_back(place);
        list.erase(places);
        return places.size();
    }

    bool operator==(const ObjectList& other) const
    {
        return m_size == other.m_size && m_chunks == other.m_chunks; // a shared chunk is compared by its address
    }

private:
    static std::uint64_t keyOf(IdType id)
    {
        std::uint64_t key = id.value * 0x9e3779b97f4a7c15u; // ids are counted up: spread over all bits
        return key ^ (key >> 32);
    }
    static std::uint64_t keyOf(std::string_view name) { return std::hash<std::string_view>()(name); }

    void insertIntoIndex(const T& object, std::size_t place)
    {
        m_byId.insert(keyOf(object.id), static_cast<std::uint32_t>(place));
        m_byName.insert(keyOf(object.name), static_cast<std::uint32_t>(place));
    }

    /// Removes the objects from a place on. Precondition: the list is indexed.
    void cutOff(std::size_t size)
    {
        const ObjectList& before = *this;
        if (m_size - size > size) { // the index is sooner made anew
            ObjectList kept;
            for (std::size_t place = 0; place < size; ++place) kept.insertIntoIndex(before[place], place);
            m_byId = std::move(kept.m_byId);
            m_byName = std::move(kept.m_byName);
        } else {
            for (std::size_t place = size; place < m_size; ++place) {
                m_byId.erase(keyOf(before[place].id), static_cast<std::uint32_t>(place));
                m_byName.erase(keyOf(before[place].name), static_cast<std::uint32_t>(place));
            }
        }
        m_chunks.resize((size + kChunk - 1) / kChunk);
        if (size % kChunk != 0 && m_chunks.back()->size() > size % kChunk) {
            std::vector<T>& last = m_chunks.back().edit();
            last.erase(last.begin() + static_cast<std::ptrdiff_t>(size % kChunk), last.end());
        }
        m_size = size;
    }

    template <typename Condition>
    std::size_t firstOf(const PlaceIndex& index, std::uint64_t key, Condition isIt) const
    {
        if (!m_isIndexed) return static_cast<std::size_t>(std::find_if(begin(), end(), isIt) - begin());
        std::size_t first = m_size;
        index.forEach(key, [&](std::size_t place) {
            if (place < first && isIt((*this)[place])) first = place;
        });
        return first;
    }

    std::vector<Shared<std::vector<T>>> m_chunks;
    std::size_t m_size = 0;
    PlaceIndex m_byId, m_byName;
    bool m_isIndexed = true;
};

} // namespace tendon
