#pragma once

#include "core/base/Issue.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tendon {

/// A rotation, a translation and one factor for all axes; a negative factor mirrors through the origin. A joint can
/// include it in its own translation, rotation and scale exactly, at rest and in every key.
struct EvenTransform
{
    Vector3 translation = Vector3::Zero();
    Quaternion rotation = Quaternion::Identity();
    double factor = 1;
    bool isIdentity = true; ///< exactly: nothing is computed, and numbers are kept to the bit
};

/// Empty if the transform scales non-uniformly, shears or flattens.
[[nodiscard]] std::optional<EvenTransform> asEvenTransform(const Affine& transform);

/// Which nodes of a file become joints. In a file with a skeleton, these are its joints, the animated nodes of the
/// scene, and the node of a mesh that has vertices without weights and no joint above it. In a file without a skeleton,
/// every node of the scene is a joint, animated or not: any part of a mechanism may be rigged. (Nodes at the ends of
/// branches that only hold a camera or a light are not.) The other nodes do not move: their transforms between a joint
/// and the next joint above are folded into the lower joint. Where that is not exact (a non-uniform scale above a joint
/// that rotates), the scaling node becomes a joint too, so that the world pose of every joint is always that of its
/// node.
struct JointPlan
{
    struct Entry
    {
        std::int32_t node = 0;
        std::int32_t parent = -1; ///< entry of the parent joint
        Affine parentFromFolded =
            Affine::Identity(); ///< from the space above the node to the parent joint's, or to the world
        LocalTransform rest;
    };
    std::vector<Entry> joints;             ///< parents first
    std::vector<std::int32_t> entryOfNode; ///< -1 = not a joint

    /// Where an object attached to `node` goes: the entry of the joint at or above it (-1 = the world) and the
    /// transform from the node's space to that joint's.
    struct Anchor
    {
        std::int32_t entry = -1;
        Affine anchorFromNode = Affine::Identity();
    };
    [[nodiscard]] Anchor anchorOf(std::int32_t node, const SourceModel& model, const Affine& worldFromFile) const;
};

/// `worldFromFile`: the rotation that makes the file's up axis +Y.
[[nodiscard]] JointPlan planJoints(const SourceModel& model, const Affine& worldFromFile, Issues& issues);

} // namespace tendon
