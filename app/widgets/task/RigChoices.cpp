#include "app/widgets/task/RigChoices.h"

#include "app/widgets/task/RigTexts.h"
#include "core/document/Document.h"
#include "core/document/Operation.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonArray>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace tendon::editor {
namespace {

QString referenceOf(const Scene& scene, JointId joint) { return QString::fromStdString(referenceTo(scene, joint)); }

QString wordOf(JointUse use)
{
    switch (use) {
    case JointUse::Leave: return QStringLiteral("leave");
    case JointUse::Helper: return QStringLiteral("helper");
    case JointUse::Limb: return QStringLiteral("limb");
    case JointUse::Tail: return QStringLiteral("tail");
    }
    return {};
}

QString wordOf(RoleEvidence by)
{
    return by == RoleEvidence::Names   ? QStringLiteral("names")
           : by == RoleEvidence::Shape ? QStringLiteral("shape")
                                       : QStringLiteral("both");
}

/// The joints of the limbs that are ticked.
std::set<JointId> rigged(const RigGuess& guess, const RigChoices& choices)
{
    std::set<JointId> joints;
    for (const Limb& limb : guess.roles.limbs)
        if (isTicked(choices, limb)) joints.insert(limb.joints.begin(), limb.joints.end());
    return joints;
}

/// The joints among `joints` whose kind keeps its limits.
std::vector<JointId> kept(const RigGuess& guess, const RigChoices& choices, const std::set<JointId>& joints)
{
    std::vector<JointId> result;
    for (const JointId joint : joints)
        if (choices.keptKinds.count(jointKind(guess.roles, joint)) != 0) result.push_back(joint);
    return result;
}

/// All limbs, those first that are likely: another one may stand in the way of their handles.
QJsonArray limbsToTry(const SkeletonRoles& roles)
{
    QJsonArray limbs;
    for (const bool isLikely : {true, false})
        for (const Limb& limb : roles.limbs)
            if ((limb.confidence >= kLikelyLimb) == isLikely) limbs.append(QString::fromStdString(limb.name));
    return limbs;
}

/// The operation with what a guess goes by.
QJsonObject autoRigOf(const Scene& scene, const RigChoices& choices, const QJsonArray& accept)
{
    QJsonObject rig{{"op", "autoRig"}, {"by", wordOf(choices.by)}, {"accept", accept}};
    if (choices.learnFrom) {
        const Clip* clip = scene.find(*choices.learnFrom);
        rig.insert("learnFrom", clip == nullptr ? QString() : QString::fromStdString(clip->name));
    }
    QJsonObject decide;
    for (const auto& [joint, use] : choices.decide)
        if (scene.find(joint) != nullptr) decide.insert(referenceOf(scene, joint), wordOf(use));
    if (!decide.isEmpty()) rig.insert("decide", decide);
    return rig;
}

} // namespace

RigGuess guessRig(Scene scene, const SolverRegistry& solvers, const RigChoices& choices)
{
    const auto begin = std::chrono::steady_clock::now();
    RigGuess guess;
    scene.roles = choices.roles;
    guess.roles = guessRoles(scene, choices.by);
    Document copy = openDocument(Project{.scene = std::move(scene), .state = {}}, {}, solvers);
    copy.services.rigged = [&guess](const RigPlan& made) { guess.plan = made; };
    if (carryOut(copy, autoRigOf(copy.scene(), choices, limbsToTry(guess.roles))))
        if (const auto rig = compile(copy.scene())) guess.rig = *rig;
    guess.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return guess;
}

const LimbWithoutHandle* RigGuess::withoutHandle(const std::string& limb) const
{
    if (!plan) return nullptr;
    const auto found = std::find_if(plan->without.begin(), plan->without.end(),
                                    [&](const LimbWithoutHandle& without) { return without.limb == limb; });
    return found == plan->without.end() ? nullptr : &*found;
}

bool isTicked(const RigChoices& choices, const Limb& limb)
{
    const auto said = choices.ticks.find(limb.name);
    return said == choices.ticks.end() ? limb.confidence >= kLikelyLimb : said->second;
}

RigOutcome outcomeOf(const RigGuess& guess, const RigChoices& choices, const Scene& scene)
{
    RigOutcome outcome;
    if (!guess.plan) return outcome;
    std::set<std::string> names;
    for (const Limb& limb : guess.roles.limbs) {
        if (!isTicked(choices, limb)) continue;
        names.insert(limb.name);
        ++outcome.ticked;
    }
    for (const PlannedHandle& handle : guess.plan->handles) {
        const bool isOfLimb = guess.roles.limb(handle.limb) != nullptr;
        if (!isOfLimb) ++outcome.ticked; // a branch that is to be a limb
        if (!isOfLimb || names.count(handle.limb) != 0) outcome.handles.push_back(&handle);
    }
    for (const LimbWithoutHandle& limb : guess.plan->without)
        if (names.count(limb.limb) != 0) ++outcome.withoutHandle;
    outcome.present = static_cast<std::size_t>(
        std::count_if(guess.plan->present.begin(), guess.plan->present.end(),
                      [&](const std::string& limb) { return names.count(limb) != 0; }));
    if (!choices.limits) return outcome;
    const std::set<JointId> joints = rigged(guess, choices);
    const auto isSet = [&](JointId joint) {
        return joints.count(joint) != 0 && choices.keptKinds.count(jointKind(guess.roles, joint)) == 0;
    };
    for (const LimitGuess& limit : guess.plan->limits)
        if (isSet(limit.joint.id)) outcome.limited.insert(limit.joint.id);
    for (const Joint& joint : guess.plan->joints) {
        const Joint* now = scene.find(joint.id);
        if (now != nullptr && isSet(joint.id) && joint.preferredAngle != now->preferredAngle)
            outcome.preferred.insert(joint.id);
    }
    return outcome;
}

QJsonObject rigOperation(const RigGuess& guess, const RigChoices& choices, const Scene& scene)
{
    QJsonArray operations;
    QJsonObject roles;
    for (const auto& [role, joints] : choices.roles) {
        const auto now = scene.roles->find(role);
        if (now != scene.roles->end() && now->second == joints) continue;
        QJsonArray names;
        for (const JointId joint : joints) names.append(referenceOf(scene, joint));
        roles.insert(QString::fromStdString(role), names.isEmpty() ? QJsonValue() : QJsonValue(names));
    }
    if (!roles.isEmpty()) operations.append(QJsonObject{{"op", "setRoles"}, {"roles", roles}});
    QJsonArray accept;
    for (const Limb& limb : guess.roles.limbs)
        if (isTicked(choices, limb)) accept.append(QString::fromStdString(limb.name));
    QJsonObject rig = autoRigOf(scene, choices, accept);
    if (!choices.limits) {
        rig.insert("limits", false);
        rig.insert("preferred", false);
    }
    if (choices.limits) {
        QJsonArray keep;
        for (const JointId joint : kept(guess, choices, rigged(guess, choices))) keep.append(referenceOf(scene, joint));
        if (!keep.isEmpty()) rig.insert("keepLimits", keep);
    }
    operations.append(rig);
    return {{"op", "group"}, {"operations", operations}, {"label", RigTexts::tr("Rig it")}};
}

std::string jointKind(const SkeletonRoles& roles, JointId joint)
{
    const auto found = roles.parts.find(joint);
    if (found == roles.parts.end()) return {};
    std::string part = found->second;
    for (const char* half : {"front", "hind"}) // of four legs
        if (const std::string_view word = half; part.starts_with(word) && part.size() > word.size()) {
            part.erase(0, word.size());
            part[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(part[0])));
        }
    const auto endsWith = [&](std::string_view end) { return std::string_view(part).ends_with(end); };
    if (part == "upperLeg" || endsWith("Upper")) return "hips";
    if (part == "lowerLeg" || endsWith("Lower")) return "knees";
    if (part == "foot" || endsWith("Foot")) return "ankles";
    if (part == "toes") return "toes";
    if (part == "shoulder") return "collarbones";
    if (part == "upperArm") return "shoulders";
    if (part == "lowerArm") return "elbows";
    if (part == "hand") return "wrists";
    if (endsWith("Metacarpal") || endsWith("Proximal") || endsWith("Intermediate") || endsWith("Distal"))
        return "fingers";
    if (part == "spine" || part == "chest" || part == "upperChest" || part == "hips") return "spine";
    if (part == "neck" || part == "head" || part == "jaw") return "neck";
    while (!part.empty() && std::isdigit(static_cast<unsigned char>(part.back()))) part.pop_back();
    return part;
}

} // namespace tendon::editor
