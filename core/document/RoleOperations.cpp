#include "core/base/Counted.h"
#include "core/document/AutoRig.h"
#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/document/RigMaking.h"
#include "core/document/RoleNaming.h"
#include "core/io/base/FileStage.h"
#include "core/io/project/RoleMapFile.h"
#include "core/scene/Check.h"
#include "core/scene/JointEdit.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

using Type = Field::Type;

RoleEvidence evidenceIn(const Arguments& arguments)
{
    const std::string by = arguments.text("by", "both");
    return by == "names" ? RoleEvidence::Names : by == "shape" ? RoleEvidence::Shape : RoleEvidence::Both;
}

std::string percentOf(double confidence)
{
    return std::to_string(static_cast<int>(std::floor(100 * confidence))) + " %";
}

Result<void> guessRolesOperation(Draft& draft, const Arguments& arguments)
{
    const SkeletonRoles roles = guessRoles(draft.scene, evidenceIn(arguments));
    for (const RoleGuess& guess : roles.roles)
        draft.say(guess.confidence < kSureRole ? Severity::Warning : Severity::Info,
                  guess.role + ", " + percentOf(guess.confidence) + ": " + guess.reason,
                  nameOf(draft.scene, guess.joints.front().value), guess.joints.front().value);
    for (const UnknownJoints& unknown : roles.unknown)
        draft.say(Severity::Info, "no role: " + unknown.reason, nameOf(draft.scene, unknown.joints.front().value),
                  unknown.joints.front().value);
    return {};
}

Result<void> setRolesOperation(Draft& draft, const Arguments& arguments)
{
    if (!arguments.has("roles") && !arguments.has("map") && !arguments.boolean("swap"))
        return Error{ErrorCode::InvalidArgument, "give roles, map or swap", ""};
    RoleMap roles = *draft.scene.roles;
    draft.text = "Set roles";
    if (arguments.has("map")) {
        const auto map = readRoleMap(arguments.text("map"));
        if (!map) return map.error();
        const RoleMapFit fit = fitRoleMap(*map, draft.scene);
        if (fit.roles.empty())
            return Error{ErrorCode::NotFound, "none of its joints is here; it is of another skeleton",
                         arguments.text("map")};
        for (const auto& [role, joints] : fit.roles) assignRole(roles, role, joints);
        if (!fit.missing.empty())
            draft.say(Severity::Warning,
                      "the joints of " + counted(fit.missing.size(), "role", "roles") +
                          " are not here: " + fit.missing.front() + (fit.missing.size() > 1 ? ", ..." : ""),
                      arguments.text("map"));
        draft.text = "Use role map";
    }
    const QJsonObject given = arguments.object("roles");
    auto named = withNamedRoles(std::move(roles), draft.scene, given);
    if (!named) return named.error();
    roles = *std::move(named);
    if (given.size() == 1) draft.text = "Set role " + roleInWords(given.begin().key().toStdString());
    if (arguments.boolean("swap")) {
        // What is decided; where nothing is, what seems to be.
        const bool isDecided = std::any_of(roles.begin(), roles.end(),
                                           [](const auto& entry) { return sideOfRole(entry.first) != Side::Centre; });
        if (!isDecided)
            for (const auto& [role, joints] : guessRoles(draft.scene).map(kSureRole / 2))
                if (sideOfRole(role) != Side::Centre) roles.emplace(role, joints); // the others go on being guessed
        roles = swappedSides(roles);
        draft.text = "Swap left and right";
    }
    if (!(roles == *draft.scene.roles)) draft.scene.roles = std::move(roles);
    return {};
}

Result<RigOptions> rigOptions(const Draft& draft, const Arguments& arguments)
{
    RigOptions options;
    options.by = evidenceIn(arguments);
    if (arguments.has("accept")) options.accept = arguments.names("accept");
    options.handles = arguments.boolean("handles", true);
    options.limits = arguments.boolean("limits", true);
    options.preferred = arguments.boolean("preferred", true);
    if (arguments.has("learnFrom") && arguments.text("learnFrom").empty()) {
        options.learnFrom.emplace(); // of no clip
    } else if (arguments.has("learnFrom")) {
        const auto clip = clipIn(draft.scene, arguments, "learnFrom");
        if (!clip) return clip.error();
        options.learnFrom = *clip;
    }
    if (arguments.has("keepLimits"))
        for (const std::string& name : arguments.names("keepLimits")) {
            const auto joint = draft.scene.jointNamed(name);
            if (!joint) return joint.error().within("keepLimits");
            options.keepLimits.insert(*joint);
        }
    const QJsonObject decide = arguments.object("decide");
    for (auto entry = decide.begin(); entry != decide.end(); ++entry) {
        const auto joint = draft.scene.jointNamed(entry.key().toStdString());
        if (!joint) return joint.error().within("decide");
        const QString use = entry.value().toString();
        if (use == "leave")
            options.decide[*joint] = JointUse::Leave;
        else if (use == "helper")
            options.decide[*joint] = JointUse::Helper;
        else if (use == "limb")
            options.decide[*joint] = JointUse::Limb;
        else if (use == "tail")
            options.decide[*joint] = JointUse::Tail;
        else
            return Error{ErrorCode::InvalidArgument, "must be leave, helper, limb or tail",
                         "decide: " + entry.key().toStdString()};
    }
    return options;
}

Result<void> autoRigOperation(Draft& draft, const Arguments& arguments)
{
    const auto options = rigOptions(draft, arguments);
    if (!options) return options.error();
    auto plan = planRig(draft.scene, draft.solvers, *options);
    if (!plan) return plan.error();
    const auto made = makeRig(draft, *std::move(plan));
    if (!made) return made.error();
    if (draft.services.rigged) draft.services.rigged(*made);
    return {};
}

Result<void> saveMapOperation(Document& document, const Arguments& arguments, FileStage& stage)
{
    const std::string path = arguments.text("file");
    if (!isRoleMapName(path))
        return Error{ErrorCode::InvalidArgument, "the name of a map of roles ends in .tendonmap", path};
    const Scene& scene = document.scene();
    // What is decided, and what seems sure beyond that.
    const auto named = withNamedRoles(guessRoles(scene).map(kSureRole), scene, arguments.object("roles"));
    if (!named) return named.error();
    const RoleMap& roles = *named;
    if (roles.empty())
        return Error{ErrorCode::NotFound, "there are no roles to save; give joints their roles first", path};
    RoleMapFile map = roleMapFile(scene, roles);
    map.align = arguments.text("align", map.align);
    map.frame = arguments.number("frame", map.frame);
    map.armSpread = arguments.number("armSpread", 0);
    return writeRoleMap(map, path, stage);
}

constexpr Field kGuessRoles[] = {
    {"by", Type::Choice, kOptional, "What the guess goes by. Left out: both", "names|shape|both"},
};
constexpr Field kSetRoles[] = {
    {"roles", Type::Object, kOptional,
     "{role: joint, [joints] or null}: which joints have which role, from the top; null: none has it. Roles are VRM's "
     "humanoid bones (hips, spine, chest, leftUpperLeg, leftToes, ...), and tail1, leftEar1, leftFrontUpperLeg, ... "
     "beyond them"},
    {"map", Type::String, kOptional, "File of a map of roles (.tendonmap) whose roles are taken over"},
    {"swap", Type::Bool, kOptional,
     "true: left and right change places, for a figure that faces backward or has its sides named from the viewer. "
     "Where no "
     "roles are decided, those that are guessed are"},
};
constexpr Field kAutoRig[] = {
    {"accept", Type::Names, kOptional,
     "Limbs to rig: leftLeg, rightLeg, leftArm, spine, neck, tail, ... Left out: all that are at least as likely as "
     "not"},
    {"by", Type::Choice, kOptional, "What roles are guessed by. Left out: both", "names|shape|both"},
    {"handles", Type::Bool, kOptional, "false: no handles are made"},
    {"limits", Type::Bool, kOptional, "false: no limits are set"},
    {"preferred", Type::Bool, kOptional, "false: no preferred angles are set"},
    {"learnFrom", Type::String, kOptional,
     "Clip that shows how far joints turn (its range but for the outermost 0.5 %, and 15 % more). Left out: all clips; "
     "\"\": none, the rest pose alone"},
    {"keepLimits", Type::Names, kOptional, "Joints that keep the limits and the preferred angle that they have"},
    {"decide", Type::Object, kOptional,
     "{joint: leave, helper, limb or tail}: what to do with joints without a role, by the topmost of a branch"},
};
constexpr Field kSaveMap[] = {
    {"file", Type::String, kRequired, "File to write (.tendonmap)"},
    {"roles", Type::Object, kOptional,
     "{role: joint, [joints] or null} beside those of the project and what seems sure"},
    {"align", Type::Choice, kOptional, "How a motion's rest pose is aligned with these roles. Left out: directions",
     "directions|frame|rest"},
    {"frame", Type::Number, kOptional, "With align frame: the frame of the motion that is the T-pose"},
    {"armSpread", Type::Number, kOptional, "Angle by which the arms are opened after aligning, in degrees"},
};

constexpr Operation kRoleOperations[] = {
    {"guessRoles", kGuessRoles, false,
     "Says which joints seem to have which role, how sure that is, and why. Changes nothing.", guessRolesOperation,
     nullptr, kTakesTime},
    {"setRoles", kSetRoles, true, "Says which joints have which role. Rigging, limits and retargeting go by it.",
     setRolesOperation},
    {"autoRig", kAutoRig, true,
     "Rigs a skeleton in one step: finds its limbs and makes handles with the solver that suits each, poles, limits "
     "and "
     "preferred angles, each with a reason. Handles, limits and preferred angles that are there stay as they are. A "
     "limb whose handle cannot be made is left out with a warning.",
     autoRigOperation, nullptr, kTakesTime},
    {"saveMap", kSaveMap, false,
     "Writes which joints have which role to a file that others can use for skeletons with the same joints.", nullptr,
     saveMapOperation, kTakesTime},
};

} // namespace

std::span<const Operation> roleOperations() { return kRoleOperations; }

} // namespace tendon
