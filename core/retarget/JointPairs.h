#pragma once

#include "core/retarget/RoledFigure.h"

#include <string>
#include <vector>

namespace tendon {

/// How a joint of the character follows the motion.
enum class Follows {
    Root,    ///< the hips: turns since rest, and travel
    Trunk,   ///< turns since rest: spine, neck, head, shoulders, and what has no other rule
    Bone,    ///< its bone takes the direction of the motion's: arms, legs, fingers
    Hand,    ///< as its fingers point, if the motion has them; else as Trunk
    Foot,    ///< its heading; the sole stays as flat as it rests
    Carried, ///< found by name, without a role: as Trunk, and its own moves along
};

/// A joint of the character and what it follows.
struct JointPair
{
    JointIndex target = -1;
    JointIndex start = -1;  ///< of the motion: where its bone begins
    JointIndex source = -1; ///< of the motion: whose turns count, the last of several that share a role
    JointIndex second = -1; ///< between this one and `source`, where the two trunks have different numbers of joints
    double blend = 0;       ///< 0 `source` ... 1 `second`
    Follows follows = Follows::Trunk;
    std::string role; ///< empty = found by name
    int parent = -1;  ///< the pair above it on the character; -1 = none
    int child = -1;   ///< the pair that its bone points to; -1 = none
};

/// The pairs of two figures, parents first. Roles that both have are paired; the joints of the spine and of the neck
/// are spread where there are more on one side; joints without a role that have the same name are paired where the
/// motion moves them. `moved`: by joint of the motion, whether its clip has keys for it.
[[nodiscard]] std::vector<JointPair> pairJoints(const RoledFigure& motion, const RoledFigure& character,
                                                const std::vector<bool>& moved);

/// A role of the character, or a joint of the motion, that the other side lacks, in words.
struct Unpaired
{
    std::string role;  ///< empty = a joint of the motion without a role on the character
    std::string joint; ///< name
    bool isOfMotion = false;
    std::string reason; ///< "the motion has no toes; they follow the foot"
};
[[nodiscard]] std::vector<Unpaired> unpairedRoles(const RoledFigure& motion, const RoledFigure& character);

/// Roles of the character that the motion has, of those that it has: what "22 of 23 roles" says. Fingers are counted by
/// themselves: most motions have none, and are whole without.
struct RoleCount
{
    int matched = 0, all = 0;
    int matchedFingers = 0, fingers = 0; ///< joints of fingers
};
[[nodiscard]] RoleCount countRoles(const RoledFigure& motion, const RoledFigure& character);

/// What the hips and at least one limb on both sides still need, of the limb that needs least: "the motion has no
/// hips", "the character has no left hand". Empty if nothing.
[[nodiscard]] std::string missingRoles(const RoledFigure& motion, const RoledFigure& character);

} // namespace tendon
