#pragma once

#include "core/base/Result.h"
#include "core/io/export/gltf/GltfData.h"
#include "core/math/Transform.h"

#include <array>
#include <string>
#include <vector>

namespace tendon::gltf {

/// The local transforms of one node over the samples of a clip.
struct NodeTrack
{
    std::size_t node = 0;
    std::vector<LocalTransform> locals; ///< (s)
    std::array<bool, 3> isStepped{};    ///< translation, rotation, scale: held between samples instead of linear
};

/// How much of each morph target of one node's mesh is added over the samples of a clip.
struct WeightTrack
{
    std::size_t node = 0, targets = 0;
    std::vector<double> weights; ///< (s x targets)
};

struct AnimationTracks
{
    std::string name;
    std::vector<double> seconds; ///< (s) increasing
    std::vector<NodeTrack> nodes;
    std::vector<WeightTrack> weights = {};
};

/// Writes the samples into `data` and returns {"channels": [...], "samplers": [...]}: translation, rotation and scale
/// of every node, morph weights, what never changes as one key; one channel at least reaches the last sample. Samples
/// whose times are the same float are written once, the later one. Error: a time before 0 or a number that is not
/// finite, which glTF cannot hold.
[[nodiscard]] Result<Json> writeTracks(DataWriter& data, const AnimationTracks& tracks);

} // namespace tendon::gltf
