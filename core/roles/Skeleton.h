#pragma once

#include "core/roles/NameReading.h"
#include "core/scene/Scene.h"

#include <span>
#include <vector>

namespace tendon {

/// Index of a joint in a Skeleton; -1 = none.
using NodeIndex = int;

/// The joints of a scene as arrays, with what their shape, their skin and their motion say. Nodes are in the scene's
/// order.
struct Skeleton
{
    struct Node
    {
        JointId id;
        NodeIndex parent = -1;
        std::vector<NodeIndex> children;
        double bone = 0;                      ///< [m] to the parent
        double reach = 0;                     ///< [m] the longest way from it down to the end of a branch
        NodeIndex next = -1;                  ///< the child on that way
        int below = 0;                        ///< joints below it
        double skin = 0;                      ///< [vertices] that it moves, by weight
        double skinBelow = 0;                 ///< the same with all below it
        Vector3 skinCentre = Vector3::Zero(); ///< [m, world, at rest] of what it moves
        double turns = 0;                     ///< [rad] the largest turn from the first to any other pose
        bool isIdle = false;    ///< of a rig, or nothing is skinned to it and what is below it, though there is a skin
        bool isEnd = false;     ///< the end of a branch: nothing but a length
        bool canMove = true;    ///< some axis is free
        bool isLimited = false; ///< its axes are given: fewer than all, or with limits
        int depth = 0;
    };

    std::vector<Node> nodes;
    std::vector<NodeIndex> roots;
    std::vector<NameReading> names;          ///< all empty if names do not count
    std::vector<std::vector<Vector3>> poses; ///< [m, world] of each node: at rest, then at frames of clips
    bool hasSkin = false, hasMotion = false;
    bool areSidesSwapped = false; ///< the names say left for right, so their sides are read the other way round
    double size = 0;              ///< [m] the largest extent at rest or in a pose

    [[nodiscard]] const Node& operator[](NodeIndex node) const { return nodes[static_cast<std::size_t>(node)]; }
    [[nodiscard]] const NameReading& name(NodeIndex node) const { return names[static_cast<std::size_t>(node)]; }
    [[nodiscard]] const Vector3& at(NodeIndex node, std::size_t pose = 0) const
    {
        return poses[pose][static_cast<std::size_t>(node)];
    }
    [[nodiscard]] int count() const { return static_cast<int>(nodes.size()); }
    [[nodiscard]] std::span<const NodeIndex> childrenOf(NodeIndex node) const;       ///< of -1: the roots
    [[nodiscard]] bool isAbove(NodeIndex ancestor, NodeIndex node) const;            ///< or the same; -1 is above all
    [[nodiscard]] NodeIndex commonAbove(NodeIndex a, NodeIndex b) const;             ///< -1 = none but the world
    [[nodiscard]] std::vector<NodeIndex> way(NodeIndex top, NodeIndex bottom) const; ///< without the top
    /// From a node down the longest way to the end of the branch, ends left out.
    [[nodiscard]] std::vector<NodeIndex> mainChain(NodeIndex from) const;
    [[nodiscard]] bool isIdle(NodeIndex node) const { return (*this)[node].isIdle; }
};

[[nodiscard]] Skeleton makeSkeleton(const Scene& scene, bool readsNames);

} // namespace tendon
