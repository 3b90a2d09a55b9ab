#pragma once

#include "core/roles/Skeleton.h"

#include <array>
#include <optional>
#include <vector>

namespace tendon {

/// The places in a chain at which the parts of a leg (upper, lower, foot, toes) or an arm (upper, lower, hand) begin;
/// before them is what holds it on (a collarbone, a hip helper). -1 = the chain has no such part.
struct LimbParts
{
    static constexpr int kCount = 5;
    enum Place { Holder, Upper, Lower, End, Tip };
    std::array<int, kCount> at{-1, -1, -1, -1, -1};

    bool operator==(const LimbParts&) const = default;
};

/// How well a chain, or a pair of chains, is a limb.
struct LimbFit
{
    LimbParts parts;     ///< the best
    double score = -1e9; ///< logarithm of how likely the chain looks as it does; 0 is usual
    std::array<double, LimbParts::kCount> certainty{}; ///< 0 ... 1: that each part begins there and nowhere else
};

enum class LimbShape { Leg, Arm };

/// The best way in which both chains, of equal structure or alone, are limbs of a shape. The second may be empty.
[[nodiscard]] LimbFit fitLimb(const Skeleton& skeleton, LimbShape shape, const std::vector<NodeIndex>& chain,
                              const std::vector<NodeIndex>& mirror);

/// How much the name of a joint speaks for a part: 0 where it says nothing, above 0 for, below against.
[[nodiscard]] double nameScore(const Skeleton& skeleton, NodeIndex node, Part part);

/// [rad, 0 ... pi] by how much a chain bends at a place, in one pose; 0 where it has no length.
[[nodiscard]] double bendAt(const Skeleton& skeleton, NodeIndex before, NodeIndex at, NodeIndex after,
                            std::size_t pose);

} // namespace tendon
