#pragma once

#include "core/math/Transform.h"
#include "core/roles/RoleNames.h"
#include "core/scene/RoleMap.h"
#include "core/scene/Scene.h"

#include <map>
#include <string>
#include <vector>

namespace tendon {

/// A confidence below this is to be checked.
inline constexpr double kSureRole = 0.8;

/// What a guess may go by.
enum class RoleEvidence { Names, Shape, Both };

/// What a confidence is made of. The three add up to it.
struct RoleParts
{
    double names = 0;  ///< what the joint and its neighbours are called
    double shape = 0;  ///< the tree, the lengths, the rest pose, the skin, and how clips move it
    double mirror = 0; ///< the other side agrees

    bool operator==(const RoleParts&) const = default;
};

/// One role and the joints that seem to have it.
struct RoleGuess
{
    std::string role;            ///< see RoleNames.h
    std::vector<JointId> joints; ///< from the top; several share a role as RoleMap says
    double confidence = 0;       ///< 0 ... 1: of guesses with this confidence about so many are right
    RoleParts parts;
    std::string reason;   ///< "named thigh; above the knee"
    bool isGiven = false; ///< decided already (Scene::roles): not a guess, confidence 1

    bool operator==(const RoleGuess&) const = default;
};

enum class LimbKind { Leg, Arm, Fingers, Spine, Neck, Tail, Ear, Wing, Fin, Chain };

/// Joints that move together: what becomes a handle.
struct Limb
{
    std::string name; ///< "leftLeg", "spine", "neck", "tail", "leftFrontLeg", "arm", ...: unique in a skeleton
    LimbKind kind = LimbKind::Chain;
    Side side = Side::Centre;
    std::vector<JointId> joints;              ///< from the top; of fingers: all, finger by finger
    std::vector<std::vector<JointId>> chains; ///< of fingers: each finger, the thumb first; else empty
    std::string mirror;                       ///< the name of the limb on the other side; "" = there is none
    double confidence = 0;
    RoleParts parts;
    std::string reason;
    std::string toDo; ///< what keeps it from moving as a whole, and what to do about it; "" = nothing

    /// A person should look at it: it is doubtful, or does not move as a whole.
    [[nodiscard]] bool isToCheck() const { return confidence < kSureRole || !toDo.empty(); }
    bool operator==(const Limb&) const = default;
};

/// What to do with joints that have no role.
enum class JointUse { Leave, Helper, Limb, Tail };

/// Joints of which could not be told what they are.
struct UnknownJoints
{
    std::vector<JointId> joints;    ///< a chain from the top, or several helpers
    JointUse use = JointUse::Leave; ///< what is safe
    std::string reason;             ///< "hang from Chest, no mirror, the names match nothing known"

    bool operator==(const UnknownJoints&) const = default;
};

enum class BodyPlan {
    Humanoid,
    Quadruped, ///< two pairs of legs
    Biped,     ///< two legs, but not upright as a human: birds, dinosaurs
    ManyLegs,
    Other, ///< mechanisms, robot arms, fish, ropes
};

/// The directions of a body at rest, in the world: unit vectors, perpendicular to each other.
struct BodyFrame
{
    Vector3 up = Vector3::UnitY();
    Vector3 forward = Vector3::UnitZ();
    Vector3 left = Vector3::UnitX();
    double facingConfidence = 0; ///< 0 ... 1: that forward is not backward, and left not right

    bool operator==(const BodyFrame& other) const
    {
        return up == other.up && forward == other.forward && left == other.left &&
               facingConfidence == other.facingConfidence;
    }
};

/// What is known of a skeleton: roles, limbs, and the rest.
struct SkeletonRoles
{
    std::vector<RoleGuess> roles; ///< in the order of bodyRoles(), then by name
    std::vector<Limb> limbs;      ///< pairs side by side, left first
    std::vector<UnknownJoints> unknown;
    std::vector<JointId> twistHelpers; ///< joints that only carry twist; left alone
    std::map<JointId, std::string>
        parts; ///< what a joint is, without its side: "upperArm"; also of joints without a role
    BodyPlan plan = BodyPlan::Other;
    BodyFrame frame;
    std::size_t namedJoints = 0; ///< joints whose names say something
    /// Names say left for right, as seen from the front: roles go by the way that the body faces.
    bool areSidesSwapped = false;

    [[nodiscard]] const RoleGuess* find(std::string_view role) const;
    [[nodiscard]] const RoleGuess* of(JointId joint) const; ///< the role that a joint has; null = none
    [[nodiscard]] const Limb* limb(std::string_view name) const;

    /// The guesses of at least this confidence, and those that are given.
    [[nodiscard]] RoleMap map(double minConfidence = 0) const;
};

/// Guesses the roles of a skeleton's joints. What Scene::roles decides stays as it is, and the rest is guessed to fit.
/// Depends on the scene alone, not on the order in which joints are listed. About a millisecond for 100 joints without
/// clips.
[[nodiscard]] SkeletonRoles guessRoles(const Scene& scene, RoleEvidence by = RoleEvidence::Both);

/// What a person should know of roles whose names give the sides the other way round; empty = they do not.
[[nodiscard]] std::string sidesNote(const SkeletonRoles& roles);

/// A map with left and right swapped.
[[nodiscard]] RoleMap swappedSides(const RoleMap& roles);

} // namespace tendon
