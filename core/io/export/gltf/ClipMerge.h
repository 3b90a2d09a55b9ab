#pragma once

#include "core/io/export/gltf/EditableGltf.h"
#include "core/io/export/gltf/GltfAnimation.h"
#include "core/io/export/gltf/SourceNodes.h"
#include "core/scene/Scene.h"

#include <set>
#include <string>

namespace tendon::gltf {

/// Puts baked animations among those of the source file. Borrows the document until finish().
class ClipMerge
{
public:
    ClipMerge(Json& json, const Scene& scene) : m_json(json), m_scene(scene), m_animations(arrayOf(json, "animations"))
    {
    }

    /// Adds what writeTracks() made, in the place of the animation that the clip replaces or at the end. Channels of
    /// the animation it came from that drive other things than the tracks do are kept, with the samplers they use.
    void add(const std::string& clipName, Json written, const AnimationTracks& tracks, const SourceNodes& nodes);

    void finish(bool onlyThese);

private:
    [[nodiscard]] int replacedBy(const std::string& clipName) const;
    [[nodiscard]] int originOf(const std::string& clipName) const;

    Json& m_json;
    const Scene& m_scene;
    Json m_animations;
    std::set<std::size_t> m_written; ///< indices into m_animations
};

} // namespace tendon::gltf
