#pragma once

#include "core/document/LimitGuess.h"
#include "core/roles/Roles.h"
#include "core/solve/SolverRegistry.h"

#include <QJsonObject>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tendon {

/// What to rig.
struct RigOptions
{
    std::optional<std::vector<std::string>> accept; ///< names of limbs; none = all that are likely
    RoleEvidence by = RoleEvidence::Both;
    bool handles = true, limits = true, preferred = true;
    std::optional<ClipId> learnFrom; ///< limits from the keys of this clip; none = of all, an invalid one = of no clip
    std::set<JointId> keepLimits;    ///< joints that keep their limits and preferred angles
    std::map<JointId, JointUse> decide; ///< what to do with joints without a role: the topmost joint of a branch
};

/// A handle as it will be made: two operations.
struct PlannedHandle
{
    std::string name, limb;
    QJsonObject add, set; ///< addHandle; setHandle with what it is to have beyond that
};

/// A limb that gets no handle, and why.
struct LimbWithoutHandle
{
    std::string limb, reason; ///< "fingers are posed joint by joint"
    bool isRefused = false;   ///< one was planned, and could not be made
};

/// What rigging a skeleton would do, and why. Nothing has changed yet.
struct RigPlan
{
    SkeletonRoles guesses;
    RoleMap roles;                  ///< Scene::roles as they will be
    std::vector<Joint> joints;      ///< as they will be: limits, preferred angles
    std::vector<LimitGuess> limits; ///< why each has the limits that it gets
    std::vector<PlannedHandle> handles;
    std::vector<std::string> present; ///< limbs that have a handle already, which stays as it is
    std::vector<LimbWithoutHandle> without;
    std::size_t limitCount = 0, preferredCount = 0;
};

/// Limbs below this confidence are left out unless they are asked for.
inline constexpr double kLikelyLimb = 0.5;

/// Plans handles with the solvers that suit their limbs, poles, a soft end of the reach, pinned feet, limits from clips
/// or of the role, and preferred angles. Errors: a limb or joint that is not there; nothing to rig.
[[nodiscard]] Result<RigPlan> planRig(const Scene& scene, const SolverRegistry& solvers, const RigOptions& options);

/// How a joint is called in an operation: by its name, or where several have it, by the path to it.
[[nodiscard]] std::string referenceTo(const Scene& scene, JointId joint);

} // namespace tendon
