#pragma once

#include "core/base/Issue.h"
#include "core/scene/Scene.h"
#include "core/solve/SolverRegistry.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tendon {

/// A setting of a handle or a joint that some solves use and others do not. This table is the one place that knows
/// which: a solver is handed only the settings that it declares, operations refuse what cannot be ignored, panels grey
/// the rest and say why, `tendon validate` names it, and the manual's pages are made from it.
enum class Setting {
    // of a handle
    Pole,
    Twist,
    Roll,
    StartUp,
    EndUp,
    OrientationWeight,
    Soft,
    Stretch,
    Squash,
    Unreachable,
    Effector,
    Aim,
    Stick,
    Curve,
    Objectives,
    MaxIterations,
    // of a joint
    PreferredAngle,
    Stiffness,
    Precedence,
    // of one axis of a joint
    Ease,
    Damping,
    SpringBack,
    SpringTension,
};

struct SettingRule
{
    enum class Use {
        ByFeature, ///< by solvers that declare `feature`, or one of several, in their solver.json
        Unless,    ///< by solvers that do not declare `feature`, or any of several
        Always,    ///< by every solve: it happens outside the solver (GoalReach, HeldPoses)
    };
    /// What happens to a value other than the default when the solver does not use it.
    enum class Unused {
        Ignored, ///< stored, without effect
        Refused, ///< the operation fails; a file that holds it gives an error for the handle
    };

    Setting setting;
    std::string_view field; ///< as operations and project files call it
    Use use;
    std::string_view feature; ///< or several with blanks between
    Unused unused;
    std::string_view verb;      ///< what a solver that lacks the feature cannot do: "follow a pole"
    std::string_view standard;  ///< the default, as operations write it: "0", "null"
    std::string_view operation; ///< that sets it; both axis operations have the fields of the rotation axis
    std::string_view cure = {}; ///< what helps where it is refused, besides another solver: "remove the pole"
};

[[nodiscard]] std::span<const SettingRule> settingRules();
[[nodiscard]] const SettingRule& ruleOf(Setting setting);

/// The rule for a field of an operation; null = the field always has an effect.
[[nodiscard]] const SettingRule* findRule(std::string_view operation, std::string_view field);

[[nodiscard]] bool isUsed(Setting setting, const SolverInfo& solver);

/// None of `solvers` uses the setting; false when there are none, because then nothing is known.
[[nodiscard]] bool isUnused(Setting setting, std::span<const SolverInfo* const> solvers);

/// The installed solvers that use a setting.
[[nodiscard]] std::vector<const SolverInfo*> usersOf(Setting setting, const SolverRegistry& registry);

/// What moves joints when nobody names a solver: the one for sliding where all of `moving` that moves slides, as in a
/// telescope, else the default one.
[[nodiscard]] std::string_view usualSolver(std::span<const Joint* const> moving, const SolverRegistry& registry);

/// The solvers that move a joint: those of the handles whose chains it is in. Where there is none, those
/// that interactive IK uses. Solvers that are not installed are left out.
[[nodiscard]] std::vector<const SolverInfo*> solversOf(const Scene& scene, JointId joint,
                                                       const SolverRegistry& registry);

/// The value differs from the default. Always false for twist and roll, channels: the scene and its clips hold them.
[[nodiscard]] bool isSet(Setting setting, const Handle& handle);
[[nodiscard]] bool isSet(Setting setting, const Joint& joint);
[[nodiscard]] bool isSet(Setting setting, const AxisFreedom& axis);

/// The first setting of a handle that must not be ignored and that `solver` does not use; null = there is none.
[[nodiscard]] const SettingRule* firstRefused(const Handle& handle, const SolverInfo& solver);

/// A warning for each setting that is stored and has no effect, with what to do about it. In the document's order.
[[nodiscard]] Issues unusedSettings(const Scene& scene, const SolverRegistry& registry);

} // namespace tendon
