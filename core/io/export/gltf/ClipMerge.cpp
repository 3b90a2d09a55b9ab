#include "core/io/export/gltf/ClipMerge.h"

#include <map>

namespace tendon::gltf {

namespace {

std::string nameOf(const Json& animation)
{
    const auto name = animation.find("name");
    return name != animation.end() && name->is_string() ? name->get<std::string>() : std::string();
}

/// Nodes that the bake poses, joints of the file's skins that were taken out of the rig (they stand still then), and
/// all above them: what stands there must not move on its own, since the poses below were computed with it at rest.
std::set<int> drivenNodes(const Json& json, const AnimationTracks& tracks, const SourceNodes& nodes)
{
    std::set<int> driven;
    const auto add = [&](int node) {
        for (int n = node; n >= 0 && driven.insert(n).second; n = nodes.parent[static_cast<std::size_t>(n)]) {}
    };
    for (const NodeTrack& track : tracks.nodes) add(static_cast<int>(track.node));
    for (const Json& skin : arrayOf(json, "skins"))
        for (const Json& joint : arrayOf(skin, "joints"))
            if (joint.is_number_unsigned() && joint.get<std::uint64_t>() < nodes.parent.size()) add(joint.get<int>());
    return driven;
}

/// Adds to `written` the channels of `origin` that drive something else, with their samplers as they are.
void carryOver(const Json& origin, const std::set<int>& driven, std::size_t nodeCount, Json& written)
{
    std::map<std::size_t, std::size_t> samplerAt;
    for (const Json& channel : arrayOf(origin, "channels")) {
        const Json& target = channel["target"];
        const auto path = target.find("path");
        const bool isTransform = path != target.end() &&
                                 (*path == "translation" || *path == "rotation" || *path == "scale");
        if (isTransform && driven.count(indexOf(target, "node", nodeCount)) != 0) continue;
        const auto sampler = channel["sampler"].get<std::size_t>();
        const auto [at, isNew] = samplerAt.try_emplace(sampler, written["samplers"].size());
        if (isNew) written["samplers"].push_back(origin["samplers"][sampler]);
        Json kept = channel;
        kept["sampler"] = at->second;
        written["channels"].push_back(std::move(kept));
    }
}

} // namespace

int ClipMerge::originOf(const std::string& clipName) const
{
    const Clip* clip = m_scene.clipNamed(clipName);
    const int origin = clip != nullptr ? clip->sourceAnimation : -1;
    return origin < static_cast<int>(arrayOf(m_json, "animations").size()) ? origin : -1;
}

int ClipMerge::replacedBy(const std::string& clipName) const
{
    const Json& source = arrayOf(m_json, "animations");
    const int origin = originOf(clipName);
    // An animation without a name, or one of several of a name, is told by where the clip came from.
    if (origin >= 0) {
        const std::string name = nameOf(source[static_cast<std::size_t>(origin)]);
        std::size_t count = 0;
        for (const Json& animation : source) count += nameOf(animation) == name ? 1 : 0;
        if (name == clipName || ((name.empty() || count > 1) && m_written.count(static_cast<std::size_t>(origin)) == 0))
            return origin;
    }
    for (std::size_t i = 0; i < source.size(); ++i)
        if (nameOf(source[i]) == clipName) return static_cast<int>(i);
    return -1;
}

void ClipMerge::add(const std::string& clipName, Json written, const AnimationTracks& tracks, const SourceNodes& nodes)
{
    const int replaced = replacedBy(clipName);
    const int origin = replaced >= 0 ? replaced : originOf(clipName);
    if (origin >= 0)
        carryOver(arrayOf(m_json, "animations")[static_cast<std::size_t>(origin)], drivenNodes(m_json, tracks, nodes),
                  nodes.parent.size(), written);

    Json animation = replaced >= 0 ? m_animations[static_cast<std::size_t>(replaced)] : Json::object();
    animation["name"] = clipName;
    animation["channels"] = std::move(written["channels"]);
    animation["samplers"] = std::move(written["samplers"]);
    if (replaced >= 0) {
        m_animations[static_cast<std::size_t>(replaced)] = std::move(animation);
        m_written.insert(static_cast<std::size_t>(replaced));
    } else {
        m_animations.push_back(std::move(animation));
        m_written.insert(m_animations.size() - 1);
    }
}

void ClipMerge::finish(bool onlyThese)
{
    if (onlyThese) {
        Json kept = Json::array();
        for (const std::size_t i : m_written) kept.push_back(std::move(m_animations[i]));
        m_animations = std::move(kept);
    }
    if (m_animations.empty())
        m_json.erase("animations");
    else
        m_json["animations"] = std::move(m_animations);
}

} // namespace tendon::gltf
