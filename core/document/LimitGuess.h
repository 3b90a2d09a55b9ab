#pragma once

#include "core/scene/Scene.h"

#include <string>
#include <vector>

namespace tendon {

/// Limits that suit a joint, and why.
struct LimitGuess
{
    Joint joint;        ///< as it would be with the limits
    std::string reason; ///< a sentence: "The clips turn it from -3 to 118 degrees about x."
};

/// True if limits keep a joint from turning freely, or it does not turn about all axes.
[[nodiscard]] bool hasLimits(const Joint& joint);

/// Guesses limits for joints, in their order. A joint that clips turn gets the ranges of their keys, without the
/// outermost ones and with a margin. One that they hardly turn, or not at all, gets what is usual for a knee, an elbow,
/// a shoulder, ..., if its name or its place in a bent limb says that it is one. Joints of which neither says anything
/// are left out, and so are those that have limits.
[[nodiscard]] std::vector<LimitGuess> guessLimits(const Scene& scene, const std::vector<JointId>& joints);

} // namespace tendon
