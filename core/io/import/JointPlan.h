#pragma once

#include "core/base/Issue.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tendon {

/// A turn, a shift and one factor for all axes; a negative factor mirrors through the origin. What a joint can take
/// into its own translation, rotation and scale exactly, at rest and in every key.
struct EvenTransform
{
    Vector3 translation = Vector3::Zero();
    Quaternion rotation = Quaternion::Identity();
    double factor = 1;
    bool isIdentity = true; ///< exactly: then nothing is computed and numbers stay to the bit
};

/// None when the transform scales unevenly, shears or flattens.
[[nodiscard]] std::optional<EvenTransform> asEvenTransform(const Affine& transform);

/// Which nodes of a source become joints, and what the others turn into. Joints are the joints of all skins and the
/// animated nodes of the scene; when there are none of either, all nodes of the scene. The rest stand still: what lies
/// between a joint and the next one above is folded into the lower one. Where that cannot be done exactly - an uneven
/// scale above a joint that turns - the node that scales becomes a joint too, so that the world pose of every joint is
/// its node's, always.
struct JointPlan
{
    struct Entry
    {
        std::int32_t node = 0;
        std::int32_t parent = -1; ///< entry of the joint above
        Affine parentFromFolded =
            Affine::Identity(); ///< from the space above the node to the parent joint's, or to the world
        LocalTransform rest;
    };
    std::vector<Entry> joints;             ///< parents first
    std::vector<std::int32_t> entryOfNode; ///< -1 = no joint

    /// Where something that hangs from `node` goes: the entry of the joint at or above it (-1 = the world) and the
    /// transform from the node's space to that joint's.
    struct Anchor
    {
        std::int32_t entry = -1;
        Affine anchorFromNode = Affine::Identity();
    };
    [[nodiscard]] Anchor anchorOf(std::int32_t node, const SourceModel& model, const Affine& worldFromFile) const;
};

/// `worldFromFile`: the turn that makes the file's up axis +Y.
[[nodiscard]] JointPlan planJoints(const SourceModel& model, const Affine& worldFromFile, Issues& issues);

} // namespace tendon
