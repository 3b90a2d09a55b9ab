#pragma once

#include "core/roles/BodySearch.h"

#include <string>
#include <vector>

namespace tendon {

/// A role found for joints of a skeleton.
struct RoleClaim
{
    std::string role;
    std::vector<NodeIndex> nodes; ///< from the top
    double certainty = 0;         ///< 0 ... 1
    double nameFit = 0;           ///< 0 ... 1: how well the first joint's name fits the role
    double alike = 0;             ///< 0 ... 1: how far the other side agrees
    std::string reason;
};

/// What has been found so far, and which joints are taken.
struct Claims
{
    std::vector<RoleClaim> roles;
    std::vector<int> owner;           ///< for each joint, the index in `roles`; -1 = none
    std::vector<std::string> refused; ///< roles that no joint is to have
    BodyFrame frame;
    double facing = 1; ///< certainty that left is not right

    explicit Claims(const Skeleton& skeleton) : owner(skeleton.nodes.size(), -1) {}

    [[nodiscard]] bool isFree(NodeIndex node) const { return node >= 0 && owner[static_cast<std::size_t>(node)] < 0; }
    [[nodiscard]] const RoleClaim* find(std::string_view role) const;
    /// Takes those of the joints that are free; nothing if none is, or the role is taken.
    RoleClaim* claim(std::string role, const std::vector<NodeIndex>& nodes, double certainty, std::string reason);
};

/// The roles of a body's trunk and limbs.
void claimBody(const Skeleton& skeleton, const Body& body, Claims& claims);

/// The fingers of a hand whose joint is known. `side`: "left" or "right".
void claimFingers(const Skeleton& skeleton, NodeIndex hand, NodeIndex forearm, const std::string& side,
                  double certainty, Claims& claims);

} // namespace tendon
