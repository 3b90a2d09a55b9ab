#pragma once

#include "core/base/Issue.h"
#include "core/scene/Scene.h"

#include <cstdint>
#include <vector>

namespace tendon {

/// The influence of a joint on a vertex.
struct Influence
{
    std::uint16_t joint = 0; ///< index into Skin::joints
    double weight = 0;
};

/// A vertex's influences as files hold them: one per joint, the heaviest first, at most `cap`, with weights that sum to
/// 1.
[[nodiscard]] std::vector<Influence> influencesOf(const Skin& skin, std::size_t vertex, std::size_t cap);

/// The scene with at most `cap` influences per vertex, which is what programs read. An issue for each mesh that lost
/// some.
[[nodiscard]] Scene withCappedInfluences(Scene scene, std::size_t cap, Issues& issues);

} // namespace tendon
