#pragma once

#include "core/document/AutoRig.h"
#include "core/runtime/CompiledRig.h"

#include <QJsonObject>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tendon::editor {

/// What is chosen in the task Rig it. Nothing of it is in the document before the main button.
struct RigChoices
{
    RoleMap roles; ///< decided: the document's, and what was said in the task
    RoleEvidence by = RoleEvidence::Both;
    std::map<std::string, bool> ticks;  ///< of limbs, by name; the others are ticked if they are likely
    std::map<JointId, JointUse> decide; ///< by the topmost joint of a branch
    std::optional<ClipId> learnFrom;    ///< as RigOptions has it
    bool limits = true;                 ///< and preferred angles
    std::set<std::string> keptKinds;    ///< kinds of joints (jointKind()) that keep their limits

    bool operator==(const RigChoices&) const = default;

    /// Whether anything that a guess goes by is the same: ticks are not.
    [[nodiscard]] bool guessesAs(const RigChoices& other) const
    {
        return roles == other.roles && by == other.by && decide == other.decide && learnFrom == other.learnFrom;
    }
};

/// What rigging all limbs does, tried on a copy: ticks only choose from it.
struct RigGuess
{
    SkeletonRoles roles;
    std::optional<RigPlan> plan;                 ///< none: there are no limbs
    std::shared_ptr<const CompiledRig> rig = {}; ///< with all limits as planned; null: it has none that compile
    double seconds = 0;                          ///< that it took

    /// Why a limb gets no handle; null = it gets one, or has one.
    [[nodiscard]] const LimbWithoutHandle* withoutHandle(const std::string& limb) const;
};

/// Any thread. What `scene` decides of roles gives way to what is chosen.
[[nodiscard]] RigGuess guessRig(Scene scene, const SolverRegistry& solvers, const RigChoices& choices);

[[nodiscard]] bool isTicked(const RigChoices& choices, const Limb& limb);

/// What the main button would do with a guess.
struct RigOutcome
{
    std::vector<const PlannedHandle*> handles;
    std::set<JointId> limited;     ///< joints that get limits
    std::set<JointId> preferred;   ///< joints that get a preferred angle
    std::size_t present = 0;       ///< ticked limbs with a handle that stays
    std::size_t withoutHandle = 0; ///< ticked limbs that get none
    std::size_t ticked = 0;        ///< limbs, and branches that are to be one
};
[[nodiscard]] RigOutcome outcomeOf(const RigGuess& guess, const RigChoices& choices, const Scene& scene);

/// One operation that does it: the roles that differ from the document's, then autoRig.
[[nodiscard]] QJsonObject rigOperation(const RigGuess& guess, const RigChoices& choices, const Scene& scene);

/// What joints are called together where limits are concerned: "Knees", "Fingers"; "" = what its own name says.
[[nodiscard]] std::string jointKind(const SkeletonRoles& roles, JointId joint);

} // namespace tendon::editor
