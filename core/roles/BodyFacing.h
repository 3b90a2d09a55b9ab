#pragma once

#include "core/roles/BodyRoles.h"

namespace tendon {

/// A place in a chain, as an index.
inline std::size_t slot(int place) { return static_cast<std::size_t>(place); }

/// Whether names give left and right the other way round than the body does: against sides that are decided, or clearly
/// against the way that feet, knees, elbows and head face, as where a figure's sides are named from the front.
[[nodiscard]] bool areSidesSwapped(const Skeleton& skeleton, const Body& body, const Claims& claims);

/// Which way a body faces, and so which of its sides is the left one: by what is decided, by names, by its shape.
/// Precondition: it has legs or arms.
class BodyFacing
{
public:
    BodyFacing(const Skeleton& skeleton, const Body& body, const Claims& claims)
        : m_skeleton(skeleton), m_body(body), m_claims(claims)
    {
    }

    /// Whether the sides that names give are against what is decided, or else against how the body faces.
    [[nodiscard]] bool namesAreSwapped() const;
    [[nodiscard]] bool isFirstLeft() const; ///< the first limb of the legs, or arms, is the left one
    [[nodiscard]] double certainty() const; ///< 0 ... 1: that left is not right
    [[nodiscard]] BodyFrame frame() const;

    /// The side of the first limb of a pair, from roles that are decided, else from names; Centre = neither says.
    [[nodiscard]] Side toldSide(const LimbPair& pair) const;
    [[nodiscard]] std::size_t bestPose() const;
    /// Unit, from the second of a pair to the first, where its limbs begin; 0 where they begin at one place.
    [[nodiscard]] Vector3 across(const LimbPair& pair, std::size_t pose) const;
    /// The branch that carries neck and head.
    [[nodiscard]] std::vector<NodeIndex> headChain() const;
    /// Whether a joint is on a limb of the body, or above one.
    [[nodiscard]] bool isOnLimb(NodeIndex node) const;

private:
    [[nodiscard]] const LimbPair& pair() const { return m_body.legs ? *m_body.legs : *m_body.arms; }
    /// Names are right about sides, but for a figure that clearly faces the other way; without them it is told by how
    /// the body faces.
    [[nodiscard]] double certaintyOfSides(const LimbPair& pair) const;
    /// Above 0: the body faces as it does if the first limb of the legs (or arms) has this side.
    [[nodiscard]] double votesFor(Side first) const;
    [[nodiscard]] Side decidedSide(const LimbPair& pair) const;
    [[nodiscard]] Side namedSide(const LimbPair& pair) const;
    static Side opposite(Side side);
    /// Unit, from the hips to the shoulders, or against the legs of an animal; 0 where there is no telling.
    [[nodiscard]] Vector3 upOf(std::size_t pose) const;
    /// Of an animal whose legs are folded under it: both pairs of legs count, and not along the trunk.
    [[nodiscard]] Vector3 acrossTrunk(const Vector3& up, std::size_t pose) const;
    [[nodiscard]] Vector3 trunkOf(std::size_t pose) const;
    /// Above 0: the first limb of the legs (or arms) is the left one.
    [[nodiscard]] double facingVotes() const;
    [[nodiscard]] double votesInPose(std::size_t pose, const Vector3& forward) const;
    /// Toes point forward.
    [[nodiscard]] double footVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward) const;
    [[nodiscard]] double kneeVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward) const;
    [[nodiscard]] double elbowVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                   const Vector3& forward) const;
    /// How far the middle joint stands before the line from the upper one to the end.
    [[nodiscard]] double bendVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                  const Vector3& forward, double steepness) const;
    /// Thumbs are in front of the other fingers.
    [[nodiscard]] double thumbVote(const std::vector<NodeIndex>& chain, const LimbFit& fit, std::size_t pose,
                                   const Vector3& forward) const;
    /// What hangs on a head, and its skin, is more in front than behind.
    [[nodiscard]] double headVote(std::size_t pose, const Vector3& forward) const;
    /// Where the longest way leads on into an ear, and a joint beside it is called head: the way there.
    [[nodiscard]] std::vector<NodeIndex> throughNamedHead(const std::vector<NodeIndex>& chain) const;

    const Skeleton& m_skeleton;
    const Body& m_body;
    const Claims& m_claims;
};

} // namespace tendon
