#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tendon {

/// The places in a list by a key of 64 bits; several places may have one key. A trie over the bits of the key, which
/// have to be well mixed. Copies share its nodes, so a change of a copy copies the few nodes on the way to the key.
class PlaceIndex
{
public:
    void insert(std::uint64_t key, std::uint32_t place);
    void erase(std::uint64_t key, std::uint32_t place); ///< does nothing if it is not there

    /// Calls `visit(place)` for each place of the key, in no particular order.
    template <typename Visit>
    void forEach(std::uint64_t key, Visit visit) const
    {
        const std::vector<Entry>* entries = leafOf(key);
        if (entries == nullptr) return;
        for (const Entry& entry : *entries)
            if (entry.key == key) visit(entry.place);
    }

private:
    struct Entry
    {
        std::uint64_t key = 0;
        std::uint32_t place = 0;
        bool operator==(const Entry&) const = default;
    };
    struct Node
    {
        std::vector<std::shared_ptr<Node>> children; ///< one for each value of the next four bits; none: a leaf
        std::vector<Entry> entries;                  ///< of a leaf
    };
    [[nodiscard]] const std::vector<Entry>* leafOf(std::uint64_t key) const; ///< null: nothing is there
    static Node& editable(std::shared_ptr<Node>& node);
    static void insert(std::shared_ptr<Node>& node, const Entry& entry, unsigned shift);

    std::shared_ptr<Node> m_root;
};

} // namespace tendon
