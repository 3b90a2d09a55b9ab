#pragma once

#include "core/base/Shared.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace tendon {

/// A sorted map with the interface of std::map as far as it is used. Copies share the chunks that entries are stored
/// in, so changing one entry of a copy copies one chunk and the table of chunks, however many entries there are.
template <typename Key, typename Value>
class SharedMap
{
public:
    using value_type = std::pair<Key, Value>;
    static constexpr std::size_t kChunk = 64; ///< maximum number of entries in a chunk

    class const_iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = SharedMap::value_type;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type*;
        using reference = const value_type&;

        const_iterator() = default;
        const_iterator(const SharedMap& map, std::size_t chunk, std::size_t entry)
            : m_map(&map), m_chunk(chunk), m_entry(entry)
        {
            goOnFromEnd();
        }
        reference operator*() const { return (*m_map->m_chunks[m_chunk])[m_entry]; }
        pointer operator->() const { return &**this; }
        const_iterator& operator++()
        {
            ++m_entry;
            goOnFromEnd();
            return *this;
        }
        const_iterator operator++(int)
        {
            const const_iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const const_iterator&) const = default;

    private:
        /// From the end of a chunk to the beginning of the next, so that each position has one iterator.
        void goOnFromEnd()
        {
            if (m_chunk < m_map->m_chunks.size() && m_entry == m_map->m_chunks[m_chunk]->size()) {
                ++m_chunk;
                m_entry = 0;
            }
        }

        const SharedMap* m_map = nullptr;
        std::size_t m_chunk = 0, m_entry = 0;
    };

    [[nodiscard]] const_iterator begin() const { return {*this, 0, 0}; }
    [[nodiscard]] const_iterator end() const { return {*this, m_chunks.size(), 0}; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }

    /// The first entry whose key is not less than `key`.
    [[nodiscard]] const_iterator lower_bound(const Key& key) const
    {
        const std::size_t chunk = chunkFor(key);
        return chunk == m_chunks.size() ? end() : const_iterator(*this, chunk, entryFor(*m_chunks[chunk], key));
    }
    [[nodiscard]] const_iterator find(const Key& key) const
    {
        const const_iterator found = lower_bound(key);
        return found != end() && found->first == key ? found : end();
    }
    [[nodiscard]] std::size_t count(const Key& key) const { return find(key) == end() ? 0 : 1; }

    /// The value of `key` to change; added first if it is missing.
    [[nodiscard]] Value& operator[](const Key& key)
    {
        if (m_chunks.empty()) m_chunks.emplace_back();
        const std::size_t chunk = std::min(chunkFor(key), m_chunks.size() - 1);
        auto* entries = &m_chunks[chunk].edit();
        std::size_t entry = entryFor(*entries, key);
        if (entry < entries->size() && (*entries)[entry].first == key) return (*entries)[entry].second;
        entries->insert(entries->begin() + static_cast<std::ptrdiff_t>(entry), {key, Value{}});
        ++m_size;
        if (entries->size() > kChunk) {
            const std::size_t half = entries->size() / 2;
            const auto middle = entries->begin() + static_cast<std::ptrdiff_t>(half);
            std::vector<value_type> upper(middle, entries->end());
            entries->erase(middle, entries->end());
            m_chunks.insert(m_chunks.begin() + static_cast<std::ptrdiff_t>(chunk) + 1, std::move(upper));
            entries = &m_chunks[entry < half ? chunk : chunk + 1].edit();
            if (entry >= half) entry -= half;
        }
        return (*entries)[entry].second;
    }

    /// Adds an entry; false if the key is there already.
    bool emplace(const Key& key, const Value& value)
    {
        if (count(key) != 0) return false;
        (*this)[key] = value;
        return true;
    }

    void insert_or_assign(const Key& key, Value value) { (*this)[key] = std::move(value); }

    /// Returns how many entries are gone: 0 or 1.
    std::size_t erase(const Key& key)
    {
        if (count(key) == 0) return 0;
        const std::size_t chunk = chunkFor(key);
        auto& entries = m_chunks[chunk].edit();
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(entryFor(entries, key)));
        if (entries.empty()) m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(chunk));
        --m_size;
        return 1;
    }

    void clear() { *this = {}; }

    template <typename Condition>
    friend std::size_t erase_if(SharedMap& map, Condition condition)
    {
        const std::size_t before = map.m_size;
        for (std::size_t chunk = 0; chunk < map.m_chunks.size();) {
            const auto& entries = *map.m_chunks[chunk];
            const auto erased = static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), condition));
            map.m_size -= erased;
            if (erased == entries.size()) {
                map.m_chunks.erase(map.m_chunks.begin() + static_cast<std::ptrdiff_t>(chunk));
                continue;
            }
            if (erased > 0) std::erase_if(map.m_chunks[chunk].edit(), condition);
            ++chunk;
        }
        return before - map.m_size;
    }

    bool operator==(const SharedMap& other) const
    {
        if (m_size != other.m_size) return false;
        if (m_chunks.size() == other.m_chunks.size() &&
            std::equal(m_chunks.begin(), m_chunks.end(), other.m_chunks.begin()))
            return true; // shared chunks are compared by their addresses
        return std::equal(begin(), end(), other.begin());
    }

private:
    using Chunk = Shared<std::vector<value_type>>;

    /// The chunk where `key` is, or is to be: the first that does not end before it.
    [[nodiscard]] std::size_t chunkFor(const Key& key) const
    {
        const auto found = std::partition_point(m_chunks.begin(), m_chunks.end(), [&](const Chunk& chunk) {
            return !chunk->empty() && chunk->back().first < key;
        });
        return static_cast<std::size_t>(found - m_chunks.begin());
    }
    [[nodiscard]] static std::size_t entryFor(const std::vector<value_type>& entries, const Key& key)
    {
        const auto found = std::partition_point(entries.begin(), entries.end(),
                                                [&](const value_type& entry) { return entry.first < key; });
        return static_cast<std::size_t>(found - entries.begin());
    }

    std::vector<Chunk> m_chunks; ///< none is empty between calls
    std::size_t m_size = 0;
};

} // namespace tendon
