#pragma once

#include "core/io/readback/Original.h"
#include "core/runtime/Skinning.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tendon {

/// How much of each morph target a moment adds. A target whose weight jumps at that moment has no value: rounding
/// decides on which side of the jump a sample falls.
using MorphWeights = std::vector<std::optional<double>>;

/// The weights of a mesh's morph targets in an animation of the model's source, in seconds of that animation; rest
/// weights where it drives none of them.
[[nodiscard]] MorphWeights morphWeightsAt(const ModelAsset& model, std::size_t mesh, std::int32_t sourceAnimation,
                                          double seconds);

/// Weights to pose the original and the file with. A target without a value in either is 0 in both, and so is one that
/// the original does not have; one that the file lacks is 0 there.
struct MorphsToCompare
{
    std::vector<double> original, found;
};
[[nodiscard]] MorphsToCompare morphsToCompare(const MorphWeights& original, const MorphWeights& found);

/// The mesh's positions with its morph targets added. [m] mesh space
[[nodiscard]] std::vector<Eigen::Vector3f> morphed(const Mesh& mesh, std::span<const double> weights);

/// World from mesh for every joint of the binding.
[[nodiscard]] std::vector<Affine> worldFromMesh(const SkinBinding& binding, const ModelPose& pose);

/// What the original draws, posed as a file should show it: the meshes of the model and the segments of joints. It
/// works out by itself which influences a capped vertex keeps (the heaviest; of equal ones that of the joint that comes
/// first in the skin), so that a mistake in the preparation of an export shows.
class OriginalMeshes
{
public:
    /// `rig` is compiled from the original's scene and outlives this.
    OriginalMeshes(const Original& original, const CompiledRig& rig);

    struct Entry
    {
        std::string name;
        Mesh capped;         ///< positions, indices and a skin with at most maxInfluences per vertex
        const Mesh* source;  ///< mesh of the model; null = a segment
        std::size_t index;   ///< of `source` in the model
        SkinBinding binding; ///< of both skins: joints are the same
        /// The vertices that lost influences, and by how much every joint's weight on them has changed. The changes of
        /// a vertex sum to 0.
        struct Capped
        {
            std::vector<std::uint32_t> vertices;
            std::vector<std::uint32_t> begin{0}; ///< (vertices + 1) into the following two
            std::vector<std::uint16_t> joint;    ///< index into the skin's joints
            std::vector<double> change;          ///< weight in `capped` minus weight in `source`
        } lost;
    };
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] const Entry& operator[](std::size_t i) const { return m_entries[i]; }

    /// The morph weights of an entry at a sample of a clip; empty = it has no morph targets.
    [[nodiscard]] MorphWeights weights(std::size_t i, const BakedClip& clip, double seconds) const;

    /// The vertices in a pose of the rig, with capped influences and with morph targets added by `weights` (empty =
    /// none). [m] world
    [[nodiscard]] std::vector<Eigen::Vector3f> vertices(std::size_t i, const ModelPose& pose,
                                                        std::span<const double> weights);

    /// The largest distance by which capping moves a vertex of an entry at a sample of a clip; `pose` is the rig's
    /// there. Works in proportion to the vertices that lost influences. [m]
    [[nodiscard]] double costOfCapping(std::size_t i, const BakedClip& clip, std::size_t sample,
                                       const ModelPose& pose) const;

private:
    void add(std::string name, const Mesh& mesh, const Mesh* source, std::size_t index);

    const Original& m_original;
    const CompiledRig& m_rig;
    std::vector<Entry> m_entries;
};

} // namespace tendon
