#include "core/scene/PlaceIndex.h"

#include <algorithm>
#include <utility>

namespace tendon {
namespace {

constexpr unsigned kBits = 4; ///< of the key, per level
constexpr std::size_t kChildren = std::size_t{1} << kBits;
constexpr std::size_t kMaxLeaf = 16; ///< entries of a leaf before it is split, while there are bits left to tell them

std::size_t childOf(std::uint64_t key, unsigned shift) { return (key >> shift) & (kChildren - 1); }

} // namespace

const std::vector<PlaceIndex::Entry>* PlaceIndex::leafOf(std::uint64_t key) const
{
    const Node* node = m_root.get();
    for (unsigned shift = 0; node != nullptr && !node->children.empty(); shift += kBits)
        node = node->children[childOf(key, shift)].get();
    return node == nullptr ? nullptr : &node->entries;
}

/// The node to edit: made if it is missing, copied if it is shared.
PlaceIndex::Node& PlaceIndex::editable(std::shared_ptr<Node>& node)
{
    if (node == nullptr)
        node = std::make_shared<Node>();
    else if (node.use_count() != 1)
        node = std::make_shared<Node>(*node);
    return *node;
}

void PlaceIndex::insert(std::shared_ptr<Node>& at, const Entry& entry, unsigned shift)
{
    Node& node = editable(at);
    if (!node.children.empty()) return insert(node.children[childOf(entry.key, shift)], entry, shift + kBits);
    node.entries.push_back(entry);
    if (node.entries.size() <= kMaxLeaf || shift >= 64) return;
    node.children.resize(kChildren);
    for (const Entry& each : std::exchange(node.entries, {}))
        insert(node.children[childOf(each.key, shift)], each, shift + kBits);
}

void PlaceIndex::insert(std::uint64_t key, std::uint32_t place) { insert(m_root, {key, place}, 0); }

void PlaceIndex::erase(std::uint64_t key, std::uint32_t place)
{
    const std::vector<Entry>* entries = leafOf(key);
    const Entry gone{key, place};
    if (entries == nullptr || std::find(entries->begin(), entries->end(), gone) == entries->end()) return;
    Node* node = &editable(m_root);
    for (unsigned shift = 0; !node->children.empty(); shift += kBits)
        node = &editable(node->children[childOf(key, shift)]);
    std::erase(node->entries, gone);
}

} // namespace tendon
