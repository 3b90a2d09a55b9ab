#pragma once

#include "core/io/model/SourceModel.h"
#include "core/io/readers/fbx/FbxCurve.h"
#include "core/io/readers/fbx/FbxTransforms.h"

#include <array>
#include <map>
#include <optional>
#include <unordered_map>

namespace tendon::fbx {

/// The nodes and morph targets that takes drive.
struct TakeTargets
{
    std::vector<NodeShape> shapes;                         ///< by node
    std::vector<std::int32_t> parents;                     ///< by node
    std::unordered_map<std::int64_t, std::int32_t> nodeOf; ///< by the id of its object
    std::vector<std::int32_t> leafOf; ///< by node: the leaf with the scale of a split node, else -1
    /// By node: its rest pose in the bind pose, if that is not the pose in which it was saved.
    std::vector<std::optional<LocalTransform>> bound;

    [[nodiscard]] bool isSplit(std::int32_t node) const
    {
        return node >= 0 && leafOf[static_cast<std::size_t>(node)] >= 0;
    }
    [[nodiscard]] std::int32_t
    wholeAbove(std::int32_t node) const; ///< the nearest ancestor that is not split; -1 = none

    struct Morph
    {
        std::int32_t node = 0;
        std::int32_t target = 0;
        std::vector<double> fullAt; ///< percent at which each target of its channel has full weight
        std::size_t place = 0;      ///< in fullAt

        /// The weight of the target when its channel is at `percent`.
        [[nodiscard]] double weightAt(double percent) const;
    };
    std::multimap<std::int64_t, Morph> morphsOf; ///< by the id of their channel
    double framesPerSecond = 24;
};

/// Replays a take ("AnimationStack") with all its layers.
///
/// It covers the part of its span that has keys, or all of it if nothing moves. Curves are exact at every key. Where a
/// curve is not linear between two keys, it is sampled at every frame of the file's rate and at the keys of all other
/// curves.
class Take
{
public:
    Take(const Document& document, const Object& stack, const TakeTargets& targets);

    /// Channels of all nodes that move, by their index; morph curves have the node for a mesh. `sheared` gets the nodes
    /// that would have to shear. A take without any curve is empty: constant values of layers are not motion.
    [[nodiscard]] SourceAnimation replay(std::vector<std::int32_t>& sheared) const;

    /// What of the take cannot be replayed.
    [[nodiscard]] const Issues& issues() const { return m_issues; }

private:
    /// Three numbers, or one, of one layer.
    struct LayerTrack
    {
        std::size_t layer = 0;
        Vector3 still = Vector3::Zero();          ///< of axes without a curve
        std::array<std::vector<Curve>, 3> curves; ///< at most one an axis
    };
    using Track = std::vector<LayerTrack>;
    struct Layer
    {
        double weight = 1;
        std::vector<Curve> weights; ///< percent over time; at most one
        bool adds = true, replaces = false;
        bool turnsMultiply = true, scalesMultiply = true;
    };
    enum Path { kTranslation, kRotation, kScale, kPaths };
    using NodeTracks = std::array<Track, kPaths>;
    /// A node at one time.
    struct Standing
    {
        LocalTransform own;      ///< before scale inheritance
        WorldScale above, world; ///< of its parent, and its own
    };

    [[nodiscard]] double weightOf(const Layer& layer, double time) const;
    void readLayer(const Document& document, const Object& layer);
    void addCurves(const Document& document, const Object& curveNode, Track& track, const Vector3& rest) const;
    void findSpan(const Object& stack);
    void findMoments();
    void findMoved();
    [[nodiscard]] Vector3 valueAt(const Track& track, Path path, const Vector3& rest, RotationOrder order,
                                  double time) const;
    [[nodiscard]] LocalTransform ownAt(std::int32_t node, double time) const;
    [[nodiscard]] Standing standingAt(std::int32_t node, double time) const;
    [[nodiscard]] LocalTransform localAt(std::int32_t node, double time, bool& isExact) const;
    [[nodiscard]] SplitTransform splitAt(std::int32_t node, double time, bool& isExact) const;
    [[nodiscard]] bool feelsScales(std::int32_t node) const;
    void addKeyTimes(const Track& track, std::vector<double>& times) const;
    [[nodiscard]] std::vector<double> timesOf(std::int32_t node, const NodeTracks& tracks, bool& isStepped) const;
    void replayNode(std::int32_t node, const NodeTracks& tracks, SourceAnimation& animation, bool& isExact) const;
    void replayMorphs(SourceAnimation& animation) const;
    void replayLeaf(std::int32_t node, const std::vector<double>& times, SourceAnimation& animation) const;

    const TakeTargets& m_targets;
    std::string m_name;
    std::vector<Layer> m_layers;
    std::map<std::int32_t, NodeTracks> m_nodes;
    std::map<std::int64_t, Track> m_morphs; ///< by the id of the channel
    double m_begin = 0, m_end = 0;          ///< [s]
    bool m_hasCurves = false;
    Issues m_issues;
    std::vector<double> m_moments; ///< frames and all keys between, in order
};

} // namespace tendon::fbx
