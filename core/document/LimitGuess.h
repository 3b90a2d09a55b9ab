#pragma once

#include "core/roles/Roles.h"
#include "core/scene/Scene.h"

#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// Limits that suit a joint, and why; or why the joint is left as it is.
struct LimitGuess
{
    Joint joint;            ///< as it would be with the limits
    std::string reason;     ///< a sentence: "The clips turn it from -3 to 118 degrees about x."
    std::string brief = {}; ///< the same in few words: "usual range; clips widen it"
    bool isFound = true;    ///< false: the joint is as it was, and the reason says why
};

/// True if limits keep a joint from turning freely, or it does not turn about all axes.
[[nodiscard]] bool hasLimits(const Joint& joint);

/// Guesses limits for joints; first those that are found, then those that are not, each in the joints' order. A joint
/// gets what is usual for a knee, an elbow, a shoulder, ..., if its role (guessRoles()) or its place in a bent limb
/// says that it is one, and beyond that the ranges of the keys of clips, without the outermost ones and with a margin:
/// clips never narrow what is usual. The ranges alone count for other joints. A knee or an elbow that is straight at
/// rest bends the way that the body's toes, or its left and right side, tell. Not found are those of other hinges that
/// are straight, of what places the whole body, of what clips turn almost all the way round, of joints of which neither
/// says anything, and of those that have limits.
[[nodiscard]] std::vector<LimitGuess> guessLimits(const Scene& scene, const std::vector<JointId>& joints);

/// The same with roles that are known already, and, if a clip is given, with its keys alone; with those of no clip if
/// it is invalid.
[[nodiscard]] std::vector<LimitGuess> guessLimits(const Scene& scene, const SkeletonRoles& roles,
                                                  const std::vector<JointId>& joints,
                                                  std::optional<ClipId> learnFrom = {});

} // namespace tendon
