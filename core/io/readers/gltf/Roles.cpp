#include "core/io/readers/gltf/Parts.h"

#include <array>
#include <set>
#include <utility>

namespace tendon::gltf {
namespace {

/// VRM 1.0's name of a bone of VRM 0.x: the joints of the thumb are called otherwise.
std::string currentName(const std::string& bone)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kThumb = {
        {{"ThumbProximal", "ThumbMetacarpal"}, {"ThumbIntermediate", "ThumbProximal"}}};
    for (const std::string_view side : {"left", "right"})
        for (const auto& [old, current] : kThumb)
            if (bone == std::string(side) + std::string(old)) return std::string(side) + std::string(current);
    return bone;
}

/// What the table says is believed as far as it holds together: a role is a word, and has one node of its own.
class RoleTable
{
public:
    explicit RoleTable(SourceModel& model) : m_model(model) {}

    void add(const std::string& role, const Json* node)
    {
        if (node == nullptr || !node->is_number_integer() || role.empty() || role.size() > 60) return;
        for (const char c : role)
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return;
        const auto index = node->get<std::int64_t>();
        if (index < 0 || index >= static_cast<std::int64_t>(m_model.nodes.size())) return;
        if (m_roles.count(role) != 0 || !m_nodes.insert(index).second) return;
        m_roles.insert(role);
        m_model.roles.push_back({role, static_cast<std::int32_t>(index)});
    }

private:
    SourceModel& m_model;
    std::set<std::string> m_roles;
    std::set<std::int64_t> m_nodes;
};

const Json* member(const Json* object, const char* name)
{
    if (object == nullptr || !object->is_object()) return nullptr;
    const auto found = object->find(name);
    return found == object->end() ? nullptr : &*found;
}

} // namespace

void readRoles(const Fields& root, SourceModel& model)
{
    const Json* extensions = root.object("extensions");
    if (extensions == nullptr) return;
    RoleTable table(model);
    for (const char* name : {"VRMC_vrm", "VRMC_vrm_animation"}) {
        const Json* bones = member(member(member(extensions, name), "humanoid"), "humanBones");
        if (bones == nullptr || !bones->is_object()) continue;
        for (const auto& [bone, entry] : bones->items()) table.add(bone, member(&entry, "node"));
    }
    const Json* bones = member(member(member(extensions, "VRM"), "humanoid"), "humanBones");
    if (bones == nullptr || !bones->is_array()) return;
    for (const Json& entry : *bones) {
        const Json* bone = member(&entry, "bone");
        if (bone != nullptr && bone->is_string())
            table.add(currentName(bone->get<std::string>()), member(&entry, "node"));
    }
}

} // namespace tendon::gltf
