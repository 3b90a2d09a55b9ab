#include "core/base/Counted.h"
#include "core/document/ClipBaking.h"
#include "core/document/ClipTravel.h"
#include "core/document/Families.h"
#include "core/document/HandleMotion.h"
#include "core/document/Lookup.h"
#include "core/document/RetargetJob.h"
#include "core/document/RoleNaming.h"
#include "core/document/SourceFile.h"
#include "core/roles/Roles.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tendon {
namespace {

using Type = Field::Type;

/// Fields that come with contacts, and have their place already.
Result<void> refuseContacts(const Arguments& arguments)
{
    const std::string how = arguments.text("contacts", "off");
    if (how == "off") return {};
    return Error{
        ErrorCode::Unsupported,
        "contacts of feet and hands are not found yet in this version of Tendon; leave the field out, or give off",
        "contacts"};
}

Result<RetargetOptions> optionsOf(const Arguments& arguments)
{
    RetargetOptions options;
    const std::string align = arguments.text("align", arguments.has("frame") ? "frame" : "directions");
    options.align = align == "frame" ? RestAlign::Frame : align == "rest" ? RestAlign::Rest : RestAlign::Directions;
    if (options.align == RestAlign::Frame && !arguments.has("frame"))
        return Error{ErrorCode::InvalidArgument, "say which frame of the motion is its T-pose", "frame"};
    if (options.align != RestAlign::Frame && arguments.has("frame"))
        return Error{ErrorCode::InvalidArgument, "counts with align: frame only", "frame"};
    options.frame = arguments.number("frame");
    options.armSpread = radians(arguments.number("armSpread"));
    if (std::abs(options.armSpread) > radians(90))
        return Error{ErrorCode::InvalidArgument, "must be from -90 to 90 degrees", "armSpread"};
    if (arguments.has("scale") && !arguments.isText("scale")) {
        options.scale = arguments.number("scale");
        if (!(*options.scale >= 0 && *options.scale <= 1000))
            return Error{ErrorCode::InvalidArgument, "must be from 0 to 1000, or auto", "scale"};
    } else if (arguments.has("scale") && arguments.text("scale") != "auto") {
        return Error{ErrorCode::InvalidArgument, "must be a number, or auto", "scale"};
    }
    options.handReach = arguments.boolean("handReach", true);
    return options;
}

/// How a map says that rest poses are aligned, where the operation does not say it.
void applyMap(const RoleMapFile& map, const Arguments& arguments, RetargetOptions& options)
{
    if (!arguments.has("align") && !arguments.has("frame")) {
        options.align = map.align == "frame"  ? RestAlign::Frame
                        : map.align == "rest" ? RestAlign::Rest
                                              : RestAlign::Directions;
        options.frame = map.frame;
    }
    if (!arguments.has("armSpread")) options.armSpread = radians(map.armSpread);
}

/// The scene with a clip that shows on the joints what handles make of the clip; the clip itself, with all its keys,
/// where none has a part in it.
Result<std::pair<Scene, ClipId>> withSolvedMotion(const Draft& draft, ClipId clip)
{
    const Clip& source = *draft.scene.find(clip);
    const bool isOfJoints = std::all_of(
        draft.scene.handles->begin(), draft.scene.handles->end(),
        [&](const Handle& handle) { return isBlendedOut(draft.scene, source, handle); });
    if (isOfJoints || !source.hasKeys()) return std::pair(draft.scene, clip);
    Draft copy = draft;
    const auto baked = addBakedClip(copy, clip, freeClipName(copy.scene, "solved"));
    if (!baked) return baked.error();
    return std::pair(std::move(copy.scene), *baked);
}

/// The roles that both sides have, and that one of them is not sure of.
std::vector<std::string> takenAndUnsure(const RetargetRequest& request, std::vector<std::string> ofMotion,
                                        const std::vector<std::string>& ofCharacter)
{
    for (const std::string& role : ofCharacter)
        if (std::find(ofMotion.begin(), ofMotion.end(), role) == ofMotion.end()) ofMotion.push_back(role);
    std::erase_if(ofMotion, [&](const std::string& role) {
        return !jointOf(request.motionRoles, role).isValid() || !jointOf(request.characterRoles, role).isValid();
    });
    return ofMotion;
}

Result<void> retargetOperation(Draft& draft, const Arguments& arguments)
{
    if (arguments.has("file") == arguments.has("from"))
        return Error{ErrorCode::InvalidArgument, "give either file or from, a clip of this project", ""};
    if (const auto none = refuseContacts(arguments); !none) return none;
    auto options = optionsOf(arguments);
    if (!options) return options.error();

    ImportedModel model;
    const Clip* clip = nullptr;
    std::string wanted;
    if (arguments.has("file")) {
        auto read = importFile(draft, arguments);
        if (!read) return read.error();
        model = std::move(*read);
        const auto found = clipOfFile(model.scene, arguments);
        if (!found) return found.error();
        clip = *found;
        wanted = std::filesystem::path(arguments.text("file")).stem().string();
        if (model.scene.clips.size() > 1 && !clip->name.empty()) wanted = clip->name;
        if (model.scene.clips.size() > 1 && !arguments.has("clip"))
            draft.say(Severity::Info,
                      "the file has " + counted(model.scene.clips.size(), "animation", "animations") + "; this is " +
                          inQuotes(clip->name) + ", the first one. Name another with clip",
                      arguments.text("file"));
        for (Issue& issue : model.issues)
            if (issue.severity != Severity::Info) draft.messages.push_back(std::move(issue));
    } else {
        const auto from = clipIn(draft.scene, arguments, "from");
        if (!from) return from.error();
        wanted = draft.scene.find(*from)->name;
        const auto solved = withSolvedMotion(draft, *from);
        if (!solved) return solved.error();
        model.scene = solved->first;
        clip = model.scene.find(solved->second);
    }
    if (!clip->hasKeys())
        return Error{ErrorCode::InvalidArgument, "nothing moves in the clip " + inQuotes(clip->name), ""};
    const auto name = newClipName(draft.scene, arguments, wanted);
    if (!name) return name.error();

    RetargetRequest request;
    request.name = *name;
    request.options = *options;
    auto roles = motionRoles(model.scene, arguments);
    if (!roles) return roles.error();
    request.motionRoles = std::move(roles->roles);
    if (roles->map) applyMap(*roles->map, arguments, request.options);
    std::vector<std::string> notes;
    if (!roles->note.empty()) notes.push_back(roles->note);
    const SkeletonRoles own = guessRoles(draft.scene);
    if (own.areSidesSwapped) notes.push_back("on the character, " + sidesNote(own));
    for (const std::string& note : notes) draft.say(Severity::Info, note);
    request.characterRoles = own.map();
    request.travel = travelIn(arguments, "root", "rootBone").value_or(TravelRequest{});
    if (request.travel.travel == RootTravel::Travels && arguments.boolean("turns", false))
        return Error{ErrorCode::InvalidArgument,
                     "counts with root: bone or inPlace; while the hips travel they turn as in the motion", "turns"};
    request.onFrames = arguments.text("keys", "motion") == "project";
    request.keepLimits = arguments.boolean("keepLimits", false);
    draft.text = "Retarget " + *name;
    auto outcome = retargetInto(draft, model.scene, *clip, request);
    if (!outcome) return outcome.error();
    outcome->notes = std::move(notes);
    // Of one skeleton it does not matter what its joints are.
    if (!outcome->facts.isSameSkeleton)
        outcome->rolesToCheck = rolesToCheckInWords(takenAndUnsure(request, roles->toCheck, unsureRoles(own)));
    if (!outcome->rolesToCheck.empty())
        draft.say(Severity::Warning, outcome->rolesToCheck + "; guessRoles lists them, and roles sets them", *name);
    for (const std::string& line : inWords(outcome->facts)) draft.say(Severity::Info, line);
    for (Issue& issue : limitIssues(draft.scene, outcome->limits)) draft.messages.push_back(std::move(issue));
    for (const RetargetJump& jump : outcome->jumps)
        draft.say(Severity::Warning,
                  "jumps at frame " + std::to_string(std::lround(jump.frame)) + " by " +
                      std::to_string(std::lround(degrees(jump.angle))) + "°, which the motion does not",
                  nameOf(draft.scene, jump.joint.value), jump.joint.value);
    if (const std::string jumps = jumpsInWords(outcome->jointJumps, outcome->motionJumps); !jumps.empty())
        draft.say(Severity::Info, jumps + "; checkClip names them", *name);
    if (draft.services.retargeted) draft.services.retargeted(*outcome);
    return {};
}

Result<void> rootMotionOperation(Draft& draft, const Arguments& arguments)
{
    ClipId clip = draft.edit.currentClip;
    if (arguments.has("clip")) {
        const auto named = clipIn(draft.scene, arguments, "clip");
        if (!named) return named.error();
        clip = *named;
    }
    if (draft.scene.find(clip) == nullptr) return Error{ErrorCode::NotFound, "there is no current clip; give clip", ""};
    draft.text = "Root motion";
    const auto travel = travelIn(arguments, "mode", "bone");
    const Clip former = *draft.scene.find(clip);
    const RoleMap roles = guessRoles(draft.scene).map();
    if (const auto moved = moveTravel(draft, clip, roles, *travel); !moved) return moved;
    sayTravel(draft, former, clip, roles, *travel);
    return {};
}

constexpr Field kRetarget[] = {
    {"file", Type::String, kOptional, "Motion: any file that import reads"},
    {"from", Type::String, kOptional, "Instead of file: a clip of this project"},
    {"clip", Type::String, kOptional, "Animation of the file. Left out: the first one"},
    {"as", Type::String, kOptional, "Name of the new clip. Left out: the file's or the animation's"},
    {"roles", Type::Object, kOptional,
     "{role: joint of the motion, [joints] or null}: what is not as guessed. See guessRoles"},
    {"map", Type::String, kOptional, "Saved map (.tendonmap) with the motion's roles, instead of guessing"},
    {"align", Type::Choice, kOptional,
     "How rest poses are brought in line. directions (the default): bones take the directions of the motion's. frame: "
     "a "
     "frame of the motion is its T-pose. rest: they correspond as they are",
     "directions|frame|rest"},
    {"frame", Type::Number, kOptional, "Frame of the motion that is its T-pose, for align: frame"},
    {"armSpread", Type::Number, kOptional, "Degrees by which the arms open (+) or close (-) after aligning"},
    {"root", Type::Choice, kOptional,
     "travels (the default): the hips move through the world. inPlace: forward and sideways travel is taken out. bone: "
     "travel goes to a joint at the floor",
     kTravelChoices},
    {"rootBone", Type::String, kOptional,
     "Joint above the hips that takes the travel; one of a new name is made. Left out: the role root, else the "
     "topmost, "
     "else a new joint root"},
    {"turns", Type::Bool, kOptional, "Turning goes with the travel. Left out: true for bone, else false"},
    {"scale", Type::NumberOrText, kOptional,
     "Of the travel: a number, or auto (the default), by the length of the legs"},
    {"contacts", Type::Choice, kOptional, "Contacts of feet and hands. Only off so far", "lock|keep|off"},
    {"handReach", Type::Bool, kOptional,
     "Hands keep their place relative to the shoulder, scaled by the length of the arm. Left out: true"},
    {"keys", Type::Choice, kOptional,
     "motion (the default): a key at each frame of the motion, between the project's frames, too. project: at the "
     "project's frames alone",
     "motion|project"},
    {"keepLimits", Type::Bool, kOptional,
     "true: joints stop at their limits, and what hangs from them moves less than in the motion. Left out: the motion "
     "may pass limits, and a warning says where"},
    {"unit", Type::NumberOrText, kOptional, "As in import"},
    {"upAxis", Type::Choice, kOptional, "As in import", "x|y|z"},
};
constexpr Field kRootMotion[] = {
    {"clip", Type::String, kOptional, "Clip to change. Left out: the current one"},
    {"mode", Type::Choice, kRequired,
     "travels: the hips move through the world. inPlace: forward and sideways travel is taken out. bone: travel goes "
     "to "
     "a joint at the floor",
     kTravelChoices},
    {"bone", Type::String, kOptional,
     "Joint above the hips that takes the travel, or had it (travels); as rootBone of retarget"},
    {"turns", Type::Bool, kOptional, "Turning goes with the travel. Left out: true for bone, else false"},
    {"height", Type::Bool, kOptional, "Height stays on the hips. Left out: true"},
};

constexpr Operation kRetargetOperations[] = {
    {"retarget", kRetarget, true, "Puts a motion from a file, or a clip, onto this character as a new clip.",
     retargetOperation, nullptr, kTakesTime},
    {"rootMotion", kRootMotion, true, "Moves the travel of a clip: on the hips, taken out, or on a joint at the floor.",
     rootMotionOperation, nullptr, kTakesTime},
};

} // namespace

std::span<const Operation> retargetOperations() { return kRetargetOperations; }

} // namespace tendon
