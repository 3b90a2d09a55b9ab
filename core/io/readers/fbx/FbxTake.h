#pragma once

#include "core/io/model/SourceModel.h"
#include "core/io/readers/fbx/FbxCurve.h"
#include "core/io/readers/fbx/FbxTransforms.h"

#include <array>
#include <map>
#include <unordered_map>

namespace tendon::fbx {

/// What takes are read for.
struct TakeTargets
{
    std::vector<NodeShape> shapes;                         ///< by node
    std::vector<std::int32_t> parents;                     ///< by node
    std::unordered_map<std::int64_t, std::int32_t> nodeOf; ///< by the id of its object
    std::vector<std::int32_t> leafOf; ///< by node: of nodes that are split the leaf that has their scale; else -1

    [[nodiscard]] bool isSplit(std::int32_t node) const
    {
        return node >= 0 && leafOf[static_cast<std::size_t>(node)] >= 0;
    }
    [[nodiscard]] std::int32_t
    wholeAbove(std::int32_t node) const; ///< the nearest node above it that is not split; -1: none

    struct Morph
    {
        std::int32_t node = 0;
        std::int32_t target = 0;
        std::vector<double> fullAt; ///< percent at which each target of its channel counts wholly
        std::size_t place = 0;      ///< in fullAt

        /// How much of the target is added when its channel stands at so many percent.
        [[nodiscard]] double weightAt(double percent) const;
    };
    std::multimap<std::int64_t, Morph> morphsOf; ///< by the id of their channel
    double framesPerSecond = 24;
};

/// A take ("AnimationStack") of all its layers, replayed.
///
/// Times: those of its own span that have keys, or all of the span when nothing moves. Curves are met exactly at every
/// key; where what lies between two keys is not straight, it is sampled at every frame of the file's rate and wherever
/// anything else has a key: there a pose was made.
class Take
{
public:
    Take(const Document& document, const Object& stack, const TakeTargets& targets);

    /// Channels of all nodes that move, by their index; morph curves with the node as their mesh. `sheared`: nodes that
    /// would have to be. Nothing of a take without any curve: values that layers give to properties are no motion.
    [[nodiscard]] SourceAnimation replay(std::vector<std::int32_t>& sheared) const;

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
    /// A node at a moment.
    struct Standing
    {
        LocalTransform own;      ///< before scale inheritance
        WorldScale above, world; ///< of its parent, its own
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
    std::vector<double> m_moments; ///< frames and all keys between, in order
};

} // namespace tendon::fbx
