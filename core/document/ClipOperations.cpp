#include "core/document/Families.h"
#include "core/document/FollowSpaces.h"
#include "core/document/HandleMotion.h"
#include "core/document/Lookup.h"
#include "core/document/LoopClosing.h"
#include "core/document/MirrorPose.h"
#include "core/document/Posing.h"
#include "core/document/Reparent.h"
#include "core/math/Convert.h"
#include "core/roles/Roles.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/Constraint.h"
#include "core/scene/FrameNumber.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/KeyEdit.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> addClipOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = "Add clip " + arguments.text("name");
    if (const auto added = draft.take(addClip(std::move(draft.scene), arguments.text("name"))); !added) return added;
    selectClip(draft, draft.scene.clips.back()->id);
    return {};
}

Result<void> renameClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    draft.text = "Rename clip " + arguments.text("name");
    return draft.take(renameClip(std::move(draft.scene), *clip, arguments.text("to")));
}

Result<void> duplicateClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    const std::string to = arguments.has("to") ? arguments.text("to")
                                               : freeClipName(draft.scene, arguments.text("name"));
    draft.text = "Duplicate clip " + arguments.text("name");
    if (const auto copied = draft.take(duplicateClip(std::move(draft.scene), *clip, to)); !copied) return copied;
    selectClip(draft, draft.scene.clips.back()->id);
    return {};
}

Result<void> removeClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "name");
    if (!clip) return clip.error();
    draft.text = "Remove clip " + arguments.text("name");
    const auto& clips = draft.scene.clips;
    const auto at = std::find_if(clips.begin(), clips.end(), [&](const auto& c) { return c->id == *clip; }) -
                    clips.begin();
    if (const auto removed = draft.take(removeClip(std::move(draft.scene), *clip)); !removed) return removed;
    if (draft.edit.currentClip == *clip) {
        // The one that comes to stand in its place, else the last.
        const auto next = std::min<std::ptrdiff_t>(at, std::ssize(draft.scene.clips) - 1);
        selectClip(draft, next < 0 ? ClipId{} : draft.scene.clips[static_cast<std::size_t>(next)]->id);
    }
    return {};
}

Result<void> setFpsOperation(Draft& draft, const Arguments& arguments)
{
    const double value = arguments.number("value");
    if (!(value >= 0.01 && value <= 10'000))
        return Error{ErrorCode::InvalidArgument, "must be from 0.01 to 10000", "value"};
    draft.text = "Set frame rate";
    const Time before = draft.time();
    if (const auto set = draft.take(setFrameRate(std::move(draft.scene), FrameRate::fromValue(value))); !set)
        return set;
    if (draft.time() != before) dropPending(draft);
    return {};
}

Result<void> setRangeOperation(Draft& draft, const Arguments& arguments)
{
    draft.text = "Set range";
    return draft.take(setRange(std::move(draft.scene), arguments.integer("from"), arguments.integer("to")));
}

/// The clip that the field "clip" names; the current one where it is left out.
Result<ClipId> clipOrCurrent(const Draft& draft, const Arguments& arguments)
{
    if (arguments.has("clip")) return clipIn(draft.scene, arguments, "clip");
    if (draft.scene.find(draft.edit.currentClip) == nullptr)
        return Error{ErrorCode::NotFound, "there is no current clip; give clip", ""};
    return draft.edit.currentClip;
}

JointId rootOf(const Scene& scene, const RoleMap& roles, const Clip& clip)
{
    return rootOfFigure(scene, roles, [&](JointId joint) {
        const auto first = clip.channels.lower_bound({joint.value, Property::Tx});
        return first != clip.channels.end() && first->first.target == joint.value;
    });
}

/// Gives each handle the spaces that its keys in a clip name. Error: goals would follow each other in a circle.
Result<void> giveSpaces(Draft& draft, const Clip& clip)
{
    for (const auto& [channel, keys] : clip.channels) {
        if (!isSpace(channel.property)) continue;
        Handle handle = *draft.scene.find(HandleId{channel.target});
        for (const Key& key : keys->toVector())
            if (const auto space = static_cast<ObjectId>(key.value[0]); !handle.mayFollow(space))
                handle.spaces.push_back(space);
        if (const auto given = draft.take(changeHandle(std::move(draft.scene), handle)); !given) return given;
    }
    return {};
}

/// The poses of a joint from its parent, at each frame of a clip, solved.
Result<std::vector<LocalTransform>> localsIn(const Draft& draft, const Clip& clip, const std::vector<Time>& times,
                                             JointId joint)
{
    const JointId parent = draft.scene.find(joint)->parent;
    std::vector<LocalTransform> locals;
    for (const Time time : times) {
        const auto above = worldOf(draft, draft.scene, &clip, {}, time, parent),
                   world = worldOf(draft, draft.scene, &clip, {}, time, joint);
        if (!above || !world) return above ? world.error() : above.error();
        locals.push_back(decompose(above->inverse() * *world));
    }
    return locals;
}

/// Goals that are not keyed, offsets and axes of constraints are the rig's, in all of its clips. Where a mirrored clip
/// would not show its joint as the mirror does, the joint is keyed so, and the constraint is blended out in this clip.
Result<void> keyMirroredConstraints(Draft& draft, const Clip& source, ClipId into, const Mirror& mirror)
{
    std::set<JointId> constrained;
    for (const Handle& handle : *draft.scene.handles)
        if (isConstraint(handle)) constrained.insert(handle.end);
    if (constrained.empty()) return {};
    const FrameRate fps = draft.scene.fps;
    std::vector<Time> times{source.begin()};
    for (double frame = std::floor(fps.frameAt(source.begin())) + 1; fps.timeOf(frame) <= source.end(); ++frame)
        times.push_back(fps.timeOf(frame));

    struct Image
    {
        JointId joint;
        std::vector<LocalTransform> locals;
    };
    std::vector<Image> images; // that the constraints do not show
    const Clip mirrored = *draft.scene.find(into);
    for (const Joint& joint : *draft.scene.joints) {
        const auto to = mirroredJoint(draft.scene, joint.id, joint.rest, mirror);
        if (!to || constrained.count(to->first) == 0) continue;
        auto locals = localsIn(draft, source, times, joint.id);
        if (!locals) return locals.error();
        const auto shown = localsIn(draft, mirrored, times, to->first);
        if (!shown) return shown.error();
        bool isShown = true;
        for (std::size_t i = 0; i < times.size(); ++i) {
            constexpr double kSeen = 1e-3; // [m], [rad]
            LocalTransform& local = (*locals)[i];
            local = mirroredJoint(draft.scene, joint.id, local, mirror)->second;
            isShown = isShown && (local.translation - (*shown)[i].translation).norm() < kSeen &&
                      local.rotation.angularDistance((*shown)[i].rotation) < kSeen;
        }
        if (!isShown) images.push_back({to->first, *std::move(locals)});
    }
    for (const Image& image : images) {
        std::map<Property, std::vector<Key>> keys;
        Quaternion former = image.locals.front().rotation;
        for (std::size_t i = 0; i < times.size(); ++i) {
            const LocalTransform& local = image.locals[i];
            if (former.dot(local.rotation) >= 0)
                former = local.rotation;
            else
                former.coeffs() = -local.rotation.coeffs();
            keys[Property::Rotation].push_back(
                {.time = times[i], .value = toValue(former), .interpolation = Interpolation::Linear});
            for (std::size_t axis = 0; axis < 3; ++axis)
                keys[kTranslations[axis]].push_back({.time = times[i],
                                                     .value = {local.translation[static_cast<Eigen::Index>(axis)]},
                                                     .interpolation = Interpolation::Linear});
        }
        Clip& clip = *editableClip(draft.scene, into);
        for (const Property angle : {Property::Rx, Property::Ry, Property::Rz})
            clip.channels.erase({image.joint.value, angle});
        for (auto& [property, list] : keys)
            clip.channels[{image.joint.value, property}] = Shared(KeyList(std::move(list)));
        for (const Handle& handle : draft.scene.handles->toVector()) {
            if (!isConstraint(handle) || handle.end != image.joint) continue;
            if (const auto off = keyBlendOff(draft, mirrored, handle.id); !off) return off;
            draft.say(Severity::Info,
                      inQuotes(nameOf(draft.scene, image.joint.value)) +
                          " is keyed at each frame as the mirror shows it, and this constraint is blended out in the "
                          "mirrored clip: its goal and offset are the same in all clips",
                      handle.name, handle.id.value);
        }
    }
    return {};
}

Result<void> mirrorClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = clipOrCurrent(draft, arguments);
    if (!id) return id.error();
    const Clip& clip = *draft.scene.find(*id);
    if (!clip.hasKeys())
        return Error{ErrorCode::InvalidArgument, "nothing moves in the clip " + inQuotes(clip.name), "clip"};
    const std::string name = freeClipName(draft.scene, arguments.text("as", clip.name + " mirrored"));
    if (arguments.has("as") && name != arguments.text("as"))
        return Error{ErrorCode::InvalidArgument,
                     "there is already a clip called " + inQuotes(arguments.text("as")) + "; choose another name",
                     "as"};
    draft.text = "Mirror clip " + clip.name;
    const RoleMap roles = guessRoles(draft.scene).map();
    Mirror mirror;
    mirror.axis = arguments.axis("axis").value_or(sideAxis(draft.scene, roles));
    if (arguments.text("about", "root") == "root") {
        mirror.root = rootOf(draft.scene, roles, clip);
        Affine world = Affine::Identity(); // of the root in the first frame
        for (const Joint* at = draft.scene.find(mirror.root); at != nullptr; at = draft.scene.find(at->parent))
            world = sampleJoint(draft.scene, &clip, {}, *at, clip.begin()).local.parentFromJoint() * world;
        if (mirror.root.isValid()) mirror.worldFromHeading = headingOf(draft.scene, mirror.root, world, mirror.axis);
    }
    const Clip source = clip;
    const auto merged = mergedCorrections(draft.scene, clip); // mirrors with the keys that they correct
    if (!merged) return merged.error();
    Clip made = mirroredClip(draft.scene, *merged, mirror);
    if (!made.hasKeys())
        return Error{
            ErrorCode::NotFound,
            "none of the joints that move has a counterpart on the other side; give the joints their roles first", ""};
    if (const auto given = giveSpaces(draft, made); !given) return given;
    if (const auto added = draft.take(addClip(std::move(draft.scene), name)); !added) return added;
    const ClipId into = draft.scene.clips.back()->id;
    editableClip(draft.scene, into)->channels = std::move(made.channels);
    if (const auto keyed = keyMirroredConstraints(draft, source, into, mirror); !keyed) return keyed;
    selectClip(draft, into);
    return {};
}

/// Some handle whose goal is keyed moves a joint.
bool isMovedByGoal(const Scene& scene, const Clip& clip, JointId joint)
{
    return std::any_of(scene.handles->begin(), scene.handles->end(), [&](const Handle& handle) {
        const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
        return clip.find({handle.id.value, Property::GoalPosition}) != nullptr &&
               std::find(joints.begin(), joints.end(), joint) != joints.end();
    });
}

/// The frames [from, to] of a clip that the field "range" names.
Result<TimeSpan> rangeOfClip(const Draft& draft, const Clip& clip, const Arguments& arguments)
{
    const std::vector<double> range = arguments.numbers("range");
    const FrameRate fps = draft.scene.fps;
    const double first = fps.frameAt(clip.begin()), last = fps.frameAt(clip.end());
    const bool isWithin = range.size() == 2 && range[0] < range[1] && range[0] > first - nearWholeFrame(first) &&
                          range[1] < last + nearWholeFrame(last);
    if (!isWithin)
        return Error{ErrorCode::InvalidArgument,
                     "must be two frames [from, to] of the clip, the first before the second; it has keys from " +
                         QString::number(toldFrame(first)).toStdString() + " to " +
                         QString::number(toldFrame(last)).toStdString(),
                     "range"};
    const auto timeOf = [&](double frame) { // a key that is nearly there is meant
        return std::abs(frame - first) < nearWholeFrame(first) ? clip.begin()
               : std::abs(frame - last) < nearWholeFrame(last) ? clip.end()
                                                               : fps.timeOf(frame);
    };
    return TimeSpan{timeOf(range[0]), timeOf(range[1])};
}

Result<void> closeLoopOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = clipOrCurrent(draft, arguments);
    if (!id) return id.error();
    LoopOptions options;
    options.frames = arguments.integer("frames", 8);
    options.keepsTravel = arguments.text("travel", "keep") == "keep";
    options.keepsTurn = arguments.text("turn", options.keepsTravel ? "keep" : "remove") == "keep";
    if (arguments.has("joints")) {
        const auto joints = jointsIn(draft.scene, arguments, "joints");
        if (!joints) return joints.error();
        options.joints = *joints;
    }
    if (arguments.has("range")) {
        const auto range = rangeOfClip(draft, *draft.scene.find(*id), arguments);
        if (!range) return range.error();
        options.range = *range;
    }
    options.trims = arguments.boolean("trim", false);
    if (options.trims && !options.range)
        return Error{ErrorCode::InvalidArgument, "counts with range only; give the frames of the loop", "trim"};
    const RoleMap roles = guessRoles(draft.scene).map();
    options.axis = sideAxis(draft.scene, roles);
    options.root = rootOf(draft.scene, roles, *draft.scene.find(*id));
    draft.text = "Close loop";
    if (const Clip& clip = *draft.scene.find(*id); isMovedByGoal(draft.scene, clip, options.root)) {
        const auto worldAt = [&](Time time) { return worldOf(draft, draft.scene, &clip, {}, time, options.root); };
        const TimeSpan span = options.range.value_or(TimeSpan{clip.begin(), clip.end()});
        const auto first = worldAt(span.from), last = worldAt(span.to);
        if (!first || !last) return first ? last.error() : first.error();
        options.solvedRoot = std::pair(*first, *last);
    }
    const Clip former = *draft.scene.find(*id);
    const Time begin = options.range.value_or(TimeSpan{former.begin(), former.end()}).from;
    std::optional<Error> failure;
    options.firstWorldOf = [&](ObjectId object) -> Affine {
        const auto world = worldOfSpace(draft, draft.scene, &former, {}, begin, object);
        if (!world) failure = world.error();
        return world ? *world : Affine(Affine::Identity());
    };
    // What the root travels is asked of the sum of its layers.
    const auto merged = mergedCorrections(draft.scene, *draft.scene.find(*id), options.root.value);
    if (!merged) return merged.error();
    auto closed = closedLoop(draft.scene, *merged, options);
    if (failure) return *failure;
    if (!closed) return closed.error();
    *editableClip(draft.scene, *id) = std::move(*closed);
    return {};
}

constexpr Field kAddClip[] = {
    {"name", Type::String, kRequired, "Name of the new clip, which becomes the current clip"}};
constexpr Field kRenameClip[] = {{"name", Type::String, kRequired, "Clip to rename"},
                                 {"to", Type::String, kRequired, "New name"}};
constexpr Field kDuplicateClip[] = {
    {"name", Type::String, kRequired, "Clip to duplicate"},
    {"to", Type::String, kOptional,
     "Name of the duplicate, which becomes the current clip. Left out: the name with a number"}};
constexpr Field kRemoveClip[] = {{"name", Type::String, kRequired, "Clip to remove, with its keys"}};
constexpr Field kSetFps[] = {
    {"value", Type::Number, kRequired, "Frames per second; 23.976, 29.97 and 59.94 mean the exact NTSC fractions"}};
constexpr Field kSetRange[] = {{"from", Type::Frame, kRequired, "First frame"},
                               {"to", Type::Frame, kRequired, "Last frame"}};

constexpr Field kMirrorClip[] = {
    {"clip", Type::String, kOptional, "Clip to mirror. It does not change. Left out: the current one"},
    {"as", Type::String, kOptional,
     "Name of the new clip, which becomes the current clip. Left out: \"NAME mirrored\""},
    {"axis", Type::Choice, kOptional,
     "World axis from side to side of the figure at rest. Left out: by its left and right, else x", "x|y|z"},
    {"about", Type::Choice, kOptional,
     "Where the mirror stands. root (the default): at the figure in its first frame, along its heading. world: in the "
     "middle of the world",
     "root|world"},
};
constexpr Field kCloseLoop[] = {
    {"clip", Type::String, kOptional, "Clip to change. Left out: the current one"},
    {"frames", Type::Integer, kOptional,
     "Number of frames before the end over which it turns into its beginning. Left out: 8"},
    {"range", Type::Numbers, kOptional,
     "First and last frame of the loop, [from, to]. Left out: the clip's first and last key. What is before and after "
     "stays as it is"},
    {"trim", Type::Bool, kOptional, "With range: leaves out what is before and after it. Left out: false"},
    {"joints", Type::Names, kOptional, "Joints whose keys change. Left out: all, and handles"},
    {"travel", Type::Choice, kOptional,
     "keep (the default): each round begins where the one before ended. remove: the way from the first frame to the "
     "last is taken out of the whole clip, evenly, and of goals that follow nothing",
     "keep|remove"},
    {"turn", Type::Choice, kOptional,
     "The same for the heading: keep goes on turning, round by round; remove ends with the heading of the first frame. "
     "Left out: as travel",
     "keep|remove"},
};

constexpr Operation kClipOperations[] = {
    {"setFps", kSetFps, true,
     "Sets the frame rate. Keys keep their times; if there are keys, the range keeps its times, too.", setFpsOperation},
    {"setRange", kSetRange, true, "Sets the first and the last frame of the timeline.", setRangeOperation},
    {"addClip", kAddClip, true, "Adds an empty clip.", addClipOperation},
    {"renameClip", kRenameClip, true, "Renames a clip.", renameClipOperation},
    {"duplicateClip", kDuplicateClip, true, "Duplicates a clip.", duplicateClipOperation},
    {"mirrorClip", kMirrorClip, true,
     "Makes a clip in which left and right have changed places, by roles, else by names.", mirrorClipOperation, nullptr,
     kTakesTime},
    {"closeLoop", kCloseLoop, true, "Makes the last frame of a clip like its first, so that it repeats without a jump.",
     closeLoopOperation, nullptr, kTakesTime},
    {"removeClip", kRemoveClip, true, "Removes a clip and its keys.", removeClipOperation},
};

} // namespace

std::span<const Operation> clipOperations() { return kClipOperations; }

} // namespace tendon
