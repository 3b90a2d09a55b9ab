#include "core/solve/Settings.h"

#include "core/scene/Check.h"
#include "core/scene/Constraint.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace tendon {
namespace {

using Use = SettingRule::Use;
using Unused = SettingRule::Unused;

constexpr SettingRule kRules[] = {
    {Setting::Pole, "pole", Use::ByFeature, "pole", Unused::Refused, "follow a pole", "null", "setHandle",
     "remove the pole"},
    {Setting::Twist, "twist", Use::ByFeature, "pole curve", Unused::Ignored, "", "0", "setHandle"},
    {Setting::Roll, "roll", Use::ByFeature, "curve", Unused::Ignored, "", "0", "setHandle"},
    {Setting::StartUp, "startUp", Use::ByFeature, "curve", Unused::Ignored, "", "null", "setHandle"},
    {Setting::EndUp, "endUp", Use::ByFeature, "curve", Unused::Ignored, "", "null", "setHandle"},
    {Setting::OrientationWeight, "orientationWeight", Use::ByFeature, "pose-goal", Unused::Refused,
     "meet the rotation of a goal", "0", "setHandle", "set orientationWeight to 0"},
    {Setting::Soft, "soft", Use::Unless, "curve constraint", Unused::Ignored, "", "0", "setHandle"},
    {Setting::Stretch, "stretch", Use::Unless, "constraint", Unused::Ignored, "", "1", "setHandle"},
    {Setting::Squash, "squash", Use::Unless, "curve constraint", Unused::Ignored, "", "1", "setHandle"},
    {Setting::Unreachable, "unreachable", Use::Unless, "curve constraint", Unused::Ignored, "", "stretch", "setHandle"},
    {Setting::Effector, "offset", Use::Unless, "curve", Unused::Ignored, "", "[0, 0, 0]", "setHandle"},
    {Setting::Aim, "aimAxis", Use::ByFeature, "aim-goal", Unused::Refused, "aim a joint at a goal", "null", "setHandle",
     "remove the aim axis"},
    {Setting::Stick, "stick", Use::Always, "", Unused::Ignored, "", "true", "setHandle"},
    {Setting::Curve, "curve", Use::ByFeature, "curve", Unused::Refused, "follow a curve", "[]", "setHandle",
     "remove the curve"},
    {Setting::Objectives, "objectives", Use::ByFeature, "objectives", Unused::Refused, "weigh objectives", "null",
     "setHandle", "remove the objectives"},
    {Setting::MaxIterations, "maxIterations", Use::Unless, "closed-form", Unused::Ignored, "", "0", "setHandle"},
    {Setting::PreferredAngle, "value", Use::ByFeature, "preferred-angle", Unused::Ignored, "", "0",
     "setPreferredAngle"},
    {Setting::Stiffness, "value", Use::ByFeature, "stiffness", Unused::Ignored, "", "0", "setStiffness"},
    {Setting::Precedence, "value", Use::ByFeature, "precedence", Unused::Ignored, "", "0", "setPrecedence"},
    {Setting::Ease, "ease", Use::ByFeature, "ease", Unused::Ignored, "", "0", "setRotationAxis"},
    {Setting::Damping, "damping", Use::ByFeature, "damping", Unused::Ignored, "", "0", "setRotationAxis"},
    {Setting::SpringBack, "springBack", Use::ByFeature, "spring", Unused::Ignored, "", "null", "setRotationAxis"},
    {Setting::SpringTension, "springTension", Use::ByFeature, "spring", Unused::Ignored, "", "0", "setRotationAxis"},
};

constexpr Setting kJointSettings[] = {Setting::PreferredAngle, Setting::Stiffness, Setting::Precedence};
constexpr Setting kAxisSettings[] = {Setting::Ease, Setting::Damping, Setting::SpringBack, Setting::SpringTension};

/// What the setting is called where the operation's field is only "value".
std::string titleOf(const SettingRule& rule)
{
    switch (rule.setting) {
    case Setting::PreferredAngle: return "the preferred angle";
    case Setting::Stiffness: return "stiffness";
    case Setting::Precedence: return "precedence";
    default: return inQuotes(rule.field);
    }
}

/// The issue for one setting that none of `solvers` uses; `subject` comes before the setting: "rotation axis x: ".
Issue warningOf(const SettingRule& rule, std::span<const SolverInfo* const> solvers, const SolverRegistry& registry,
                const std::string& subject, const std::string& where, ObjectId object)
{
    const std::vector<const SolverInfo*> all = usersOf(rule.setting, registry);
    std::string users;
    for (const SolverInfo* user : all)
        users.append(users.empty() ? "" : user == all.back() ? " or " : ", ").append(user->alias);
    std::string text = subject + titleOf(rule) + " has no effect";
    if (users.empty())
        text += " yet, because no solver uses it; set it to " + std::string(rule.standard);
    else
        text += " with solver " + solvers.front()->alias + "; set it to " + std::string(rule.standard) +
                " or choose a solver that uses it: " + users;
    return {Severity::Warning, text, where, object};
}

/// The static value of a handle's channel is not 0, or the channel has keys.
bool isPosed(const Scene& scene, const Handle& handle, Property property)
{
    const ChannelId channel{handle.id.value, property};
    const auto value = scene.statics->find(channel);
    return (value != scene.statics->end() && value->second[0] != 0) ||
           std::any_of(scene.clips.begin(), scene.clips.end(),
                       [&](const auto& clip) { return clip->find(channel) != nullptr; });
}

bool isSetIn(const Scene& scene, const Handle& handle, Setting setting)
{
    if (setting == Setting::Twist) return isPosed(scene, handle, Property::Twist);
    if (setting == Setting::Roll) return isPosed(scene, handle, Property::Roll);
    return isSet(setting, handle);
}

/// One of the axes moves.
bool isActive(const std::array<AxisFreedom, 3>& axes)
{
    return std::any_of(axes.begin(), axes.end(), [](const AxisFreedom& axis) { return axis.active; });
}

bool hasOneOf(const SolverInfo& solver, std::string_view features)
{
    while (!features.empty()) {
        const std::size_t end = std::min(features.find(' '), features.size());
        if (solver.has(features.substr(0, end))) return true;
        features.remove_prefix(std::min(end + 1, features.size()));
    }
    return false;
}

/// The solvers of the handles whose chains each joint is in.
class ChainSolvers
{
public:
    ChainSolvers(const Scene& scene, const SolverRegistry& registry)
    {
        for (const std::string_view alias : {SolverRegistry::kDefaultAlias, SolverRegistry::kSlidingAlias})
            if (const SolverInfo* solver = registry.find(alias)) m_usual.push_back(solver);
        for (const Handle& handle : *scene.handles) {
            if (isConstraint(handle)) continue; // no solve reads the settings of its joint
            const SolverInfo* solver = registry.find(handle.solver);
            for (const JointId joint : chain(scene, handle.start, handle.end)) {
                auto& solvers = m_solvers[joint];
                if (solver != nullptr && std::find(solvers.begin(), solvers.end(), solver) == solvers.end())
                    solvers.push_back(solver);
            }
        }
    }

    /// In the handles' order; of a joint in no chain those that interactive IK uses: the one for sliding where it
    /// slides.
    [[nodiscard]] std::vector<const SolverInfo*> of(const Joint& joint) const
    {
        if (const auto found = m_solvers.find(joint.id); found != m_solvers.end()) return found->second;
        std::vector<const SolverInfo*> usual = m_usual;
        if (!isActive(joint.sliding))
            std::erase_if(usual, [](const SolverInfo* s) { return s->alias == SolverRegistry::kSlidingAlias; });
        return usual;
    }

private:
    std::vector<const SolverInfo*> m_usual; ///< in interactive IK
    std::unordered_map<JointId, std::vector<const SolverInfo*>> m_solvers;
};

} // namespace

std::span<const SettingRule> settingRules() { return kRules; }

const SettingRule& ruleOf(Setting setting)
{
    const auto index = static_cast<std::size_t>(setting);
    assert(kRules[index].setting == setting);
    return kRules[index];
}

const SettingRule* findRule(std::string_view operation, std::string_view field)
{
    if (operation == "setSlidingAxis") operation = "setRotationAxis";
    const auto found = std::find_if(std::begin(kRules), std::end(kRules), [&](const SettingRule& rule) {
        return rule.operation == operation && rule.field == field;
    });
    return found == std::end(kRules) ? nullptr : found;
}

bool isUsed(Setting setting, const SolverInfo& solver)
{
    const SettingRule& rule = ruleOf(setting);
    switch (rule.use) {
    case Use::ByFeature: return hasOneOf(solver, rule.feature);
    case Use::Unless: return !hasOneOf(solver, rule.feature);
    case Use::Always: return true;
    }
    return false;
}

bool isUnused(Setting setting, std::span<const SolverInfo* const> solvers)
{
    return !solvers.empty() &&
           std::none_of(solvers.begin(), solvers.end(), [&](const SolverInfo* s) { return isUsed(setting, *s); });
}

std::vector<const SolverInfo*> usersOf(Setting setting, const SolverRegistry& registry)
{
    std::vector<const SolverInfo*> users;
    for (const SolverInfo& solver : registry.solvers())
        if (isUsed(setting, solver)) users.push_back(&solver);
    return users;
}

std::string_view usualSolver(std::span<const Joint* const> moving, const SolverRegistry& registry)
{
    const bool slides = std::any_of(moving.begin(), moving.end(), [](const Joint* j) { return isActive(j->sliding); });
    const bool turns = std::any_of(moving.begin(), moving.end(), [](const Joint* j) { return isActive(j->turning); });
    const bool isTelescope = slides && !turns && registry.find(SolverRegistry::kSlidingAlias) != nullptr;
    return isTelescope ? SolverRegistry::kSlidingAlias : SolverRegistry::kDefaultAlias;
}

std::vector<const SolverInfo*> solversOf(const Scene& scene, JointId joint, const SolverRegistry& registry)
{
    const Joint* found = scene.find(joint);
    return found == nullptr ? std::vector<const SolverInfo*>() : ChainSolvers(scene, registry).of(*found);
}

bool isSet(Setting setting, const Handle& handle)
{
    switch (setting) {
    case Setting::Pole: return handle.hasPole;
    case Setting::OrientationWeight: return handle.orientationWeight > 0;
    case Setting::StartUp: return handle.startUp.isValid();
    case Setting::EndUp: return handle.endUp.isValid();
    case Setting::Soft: return handle.soft > 0;
    case Setting::Stretch: return handle.stretch > 1;
    case Setting::Squash: return handle.squash < 1;
    case Setting::Unreachable: return handle.unreachable != Unreachable::Stretch;
    case Setting::Effector: return !handle.offset.isZero(0);
    case Setting::Aim: return handle.aimAxis.has_value();
    case Setting::Stick: return !handle.isSticky;
    case Setting::Curve: return handle.hasCurve();
    case Setting::Objectives: return handle.objectives.isAny();
    case Setting::MaxIterations: return handle.maxIterations > 0;
    default: return false;
    }
}

bool isSet(Setting setting, const Joint& joint)
{
    switch (setting) {
    case Setting::PreferredAngle: return !joint.preferredAngle.isZero(0);
    case Setting::Stiffness: return joint.stiffness > 0;
    case Setting::Precedence: return joint.precedence != 0;
    default: return false;
    }
}

bool isSet(Setting setting, const AxisFreedom& axis)
{
    switch (setting) {
    case Setting::Ease: return axis.ease > 0;
    case Setting::Damping: return axis.damping > 0;
    case Setting::SpringBack: return axis.springBack.has_value();
    case Setting::SpringTension: return axis.springTension > 0;
    default: return false;
    }
}

const SettingRule* firstRefused(const Handle& handle, const SolverInfo& solver)
{
    for (const SettingRule& rule : kRules)
        if (rule.unused == Unused::Refused && isSet(rule.setting, handle) && !isUsed(rule.setting, solver))
            return &rule;
    return nullptr;
}

Issues unusedSettings(const Scene& scene, const SolverRegistry& registry)
{
    Issues issues;
    const ChainSolvers chains(scene, registry);
    for (const Joint& joint : *scene.joints) {
        const std::vector<const SolverInfo*> solvers = chains.of(joint);
        const auto warn = [&](Setting setting, const std::string& subject) {
            if (isUnused(setting, solvers))
                issues.push_back(
                    warningOf(ruleOf(setting), solvers, registry, subject, "joint " + joint.name, joint.id.value));
        };
        for (const Setting setting : kJointSettings)
            if (isSet(setting, joint)) warn(setting, "");
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const Setting setting : kAxisSettings) {
                const std::string letter(1, static_cast<char>('x' + axis));
                if (isSet(setting, joint.turning[axis])) warn(setting, "rotation axis " + letter + ": ");
                if (isSet(setting, joint.sliding[axis])) warn(setting, "sliding axis " + letter + ": ");
            }
    }
    for (const Handle& handle : *scene.handles) {
        const SolverInfo* solver = registry.find(handle.solver);
        if (solver == nullptr) continue;
        for (const SettingRule& rule : kRules)
            if (rule.unused == Unused::Ignored && !isUsed(rule.setting, *solver) &&
                isSetIn(scene, handle, rule.setting))
                issues.push_back(
                    warningOf(rule, std::span(&solver, 1), registry, "", "handle " + handle.name, handle.id.value));
    }
    return issues;
}

} // namespace tendon
