#include "core/document/RetargetJob.h"

#include "core/base/Counted.h"
#include "core/document/ClipTravel.h"
#include "core/document/HandleMotion.h"
#include "core/document/LimitGuess.h"
#include "core/document/Posing.h"
#include "core/math/Degrees.h"
#include "core/retarget/ClipSurvey.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/FrameNumber.h"
#include "core/scene/JointEdit.h"
#include "core/scene/KeyEdit.h"
#include "core/scene/RestPose.h"
#include "core/solve/ClipCheck.h"
#include "core/solve/JointLimits.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace tendon {
namespace {

constexpr double kNoticedTurn = 0.05 / kDegrees; // [rad] beyond a limit

/// "3 handles are in FK in this clip ("HandIK_L", ...)".
std::string inFk(const std::vector<std::string>& handles)
{
    std::string names;
    constexpr std::size_t kMost = 4;
    for (std::size_t i = 0; i < std::min(handles.size(), kMost); ++i)
        names += (i == 0 ? "" : ", ") + inQuotes(handles[i]);
    return counted(handles.size(), "handle is", "handles are") + " in FK in this clip (" + names +
           (handles.size() > kMost ? ", ..." : "") + ")";
}

/// Keys what handles blend to FK: those of these joints, so that the clip's own joint keys show; and those of limbs
/// that hang from these joints, which would reach for goals that stay where they are while the figure goes. Returns
/// the handles.
std::vector<HandleId> keyToFk(Scene& scene, ClipId id, const std::set<ObjectId>& keyed, Issues& messages)
{
    const auto isKeyed = [&](JointId joint) { return keyed.count(joint.value) != 0; };
    std::vector<std::string> moved, carried;
    std::vector<HandleId> handles;
    const Time begin = scene.find(id)->begin();
    for (const Handle& handle : *scene.handles) {
        const std::vector<JointId> joints = chain(scene, handle.start, handle.end);
        if (joints.empty()) continue;
        const bool isMoved = std::any_of(joints.begin(), joints.end(), isKeyed);
        bool isCarried = false;
        for (const Joint* above = scene.find(joints.front()); above != nullptr && !isCarried;
             above = scene.find(above->parent))
            isCarried = isKeyed(above->id);
        if (!isMoved && !(isCarried && handle.followed().empty())) continue;
        editableClip(scene, id)->channels[{handle.id.value, Property::Blend}] = Shared(
            KeyList({{.time = begin, .value = {0}, .interpolation = Interpolation::Step}}));
        (isMoved ? moved : carried).push_back(handle.name);
        handles.push_back(handle.id);
    }
    if (!moved.empty())
        messages.push_back(
            {Severity::Info,
             inFk(moved) + ": the motion is on the joints, and goals go along; switch to IK where you want to pose",
             ""});
    if (!carried.empty())
        messages.push_back({Severity::Info,
                            inFk(carried) + ": the motion does not move their limbs, which keep their pose from what "
                                            "they hang from",
                            ""});
    return handles;
}

/// The joint at the floor that takes the travel: found, or made above the hips.
Result<JointId> rootJoint(Scene& scene, JointId hips, const std::string& name, Issues& issues)
{
    if (const auto found = scene.jointNamed(name)) return *found;
    if (const auto free = checkNameIsFree(scene, name, 0); !free) return free.error();
    JointId top = hips;
    while (scene.find(top)->parent.isValid()) top = scene.find(top)->parent;
    Joint joint;
    joint.name = name;
    auto added = addJoint(scene, joint);
    if (!added) return added.error();
    const JointId made = *added->jointNamed(name);
    // It stands at the origin, so the local transforms below it stay what they are, keys and all.
    auto linked = link(std::move(*added), top, made, ChangeOfSpace{});
    if (!linked) return linked.error();
    scene = std::move(*linked);
    issues.push_back(
        {Severity::Info,
         "the joint " + inQuotes(name) + " was made at the floor, above " + inQuotes(nameOf(scene, top.value)), name,
         made.value});
    return made;
}

/// Turns the joints of a clip of whole rotations into their limits, key by key.
void keepWithinLimits(const Scene& scene, Clip& clip)
{
    for (const Joint& joint : *scene.joints) {
        const ChannelId channel{joint.id.value, Property::Rotation};
        const KeyList* wanted = clip.find(channel);
        if (!hasLimits(joint) || wanted == nullptr) continue;
        std::vector<Key> keys;
        Vector3 angles = Vector3::Zero(); // those of the key before, within the limits
        for (std::size_t i = 0; i < wanted->size(); ++i) {
            Key key = (*wanted)[i];
            const Quaternion turn = toQuaternion(key.value);
            const JointPose held = turnedWithinLimits(joint, turn, angles);
            const bool isBeyond = held.local.rotation.angularDistance(turn) > kNoticedTurn;
            if (isBeyond) key.value = toValue(held.local.rotation);
            if (!keys.empty() && toQuaternion(keys.back().value).dot(toQuaternion(key.value)) < 0)
                for (double& part : key.value) part = -part;
            angles = held.angles;
            keys.push_back(key);
        }
        clip.channels[channel] = Shared(KeyList(std::move(keys)));
    }
}

/// How many jumps of joints checkClip finds in a clip whose handles are in FK.
std::size_t jointJumpsIn(const Scene& scene, const Clip& clip)
{
    const auto rig = compile(scene);
    if (!rig) return 0;
    const ClipReport report = checkClip(**rig, turnsOf(*rig, scene, clip), {});
    return static_cast<std::size_t>(
        std::count_if(report.findings.begin(), report.findings.end(),
                      [](const ClipFinding& finding) { return finding.kind == ClipFinding::Kind::Jump; }));
}

std::string rateInWords(FrameRate rate)
{
    char words[32];
    std::snprintf(words, sizeof words, "%.5g", rate.perSecond());
    return words;
}

bool hasKeys(const Scene& scene)
{
    return std::any_of(scene.clips.begin(), scene.clips.end(), [](const auto& clip) { return clip->hasKeys(); });
}

} // namespace

std::optional<TravelRequest> travelIn(const Arguments& arguments, const char* how, const char* bone)
{
    if (!arguments.has(how) && !arguments.has(bone)) return std::nullopt;
    const std::string word = arguments.text(how, "bone");
    TravelRequest request;
    request.travel = word == "inPlace" ? RootTravel::InPlace : word == "bone" ? RootTravel::Bone : RootTravel::Travels;
    request.rootBone = arguments.text(bone);
    request.turns = arguments.boolean("turns", request.travel == RootTravel::Bone);
    request.staysHigh = arguments.boolean("height", true);
    return request;
}

std::string rootBoneFor(const Scene& scene, const RoleMap& roles)
{
    if (const Joint* root = scene.find(jointOf(roles, "root"))) return root->name;
    const JointId hips = jointOf(roles, "hips");
    const Joint* top = scene.find(hips);
    while (top != nullptr && top->parent.isValid()) top = scene.find(top->parent);
    return top == nullptr || top->id == hips ? "root" : top->name;
}

Result<RootMotion> rootMotionOf(Scene& scene, const RoleMap& roles, const TravelRequest& request, Issues& issues)
{
    const JointId hips = jointOf(roles, "hips");
    if (scene.find(hips) == nullptr)
        return Error{ErrorCode::NotFound, "no joint is known as the hips; give that role to a joint first", ""};
    RootMotion motion;
    motion.travel = request.travel;
    motion.turns = request.turns;
    motion.staysHigh = request.staysHigh;
    motion.hips = hips;
    if (request.travel == RootTravel::Bone) {
        const auto root = rootJoint(scene, hips,
                                    request.rootBone.empty() ? rootBoneFor(scene, roles) : request.rootBone, issues);
        if (!root) return root.error();
        motion.bone = *root;
    } else if (request.travel == RootTravel::Travels && !request.rootBone.empty()) {
        const auto root = scene.jointNamed(request.rootBone);
        if (!root) return root.error();
        motion.bone = *root;
    }
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    if (const auto axes = trunkAxes({*rig, roles}, worldAtRest(**rig))) motion.forward = *axes * Vector3::UnitZ();
    return motion;
}

std::vector<LimitHit> limitHits(const Scene& scene, const Clip& clip, const std::vector<Time>& times, FrameRate fps)
{
    std::vector<LimitHit> hits;
    constexpr double kNoticedSlide = 1e-4; // [m]
    for (const Joint& joint : *scene.joints) {
        const auto isLimited = [](const AxisFreedom& axis) { return axis.active && axis.limited; };
        const bool hasLimit = joint.ball || std::any_of(joint.turning.begin(), joint.turning.end(), isLimited) ||
                              std::any_of(joint.sliding.begin(), joint.sliding.end(), isLimited);
        const auto first = clip.channels.lower_bound({joint.id.value, Property::Tx});
        if (!hasLimit || first == clip.channels.end() || first->first.target != joint.id.value) continue;
        LimitHit hit;
        hit.joint = joint.id;
        for (const Time time : times) {
            const JointPose pose = sampleJoint(scene, &clip, {}, joint, time);
            bool isBeyond = false;
            const auto take = [&](const std::vector<PassedLimit>& passed) {
                for (const PassedLimit& one : passed) {
                    const bool isSlide = one.kind == PassedLimit::Kind::Slide;
                    if (one.by < (isSlide ? kNoticedSlide : kNoticedTurn)) continue;
                    isBeyond = true;
                    if (one.by > hit.worst)
                        hit.worst = one.by, hit.worstFrame = toldFrame(fps.frameAt(time)), hit.isSlide = isSlide;
                }
            };
            take(passedTurningLimits(joint, pose));
            take(passedSlidingLimits(joint, pose));
            if (isBeyond) ++hit.frames;
        }
        if (hit.frames > 0) hits.push_back(hit);
    }
    return hits;
}

namespace {

/// How far beyond a limit is worth a look.
double worthALook(const LimitHit& hit) { return hit.isSlide ? 0.01 : radians(10); }

} // namespace

bool isWorthALook(const LimitHit& hit) { return hit.worst >= worthALook(hit); }

Issues limitIssues(const Scene& scene, std::vector<LimitHit> hits)
{
    std::stable_sort(hits.begin(), hits.end(), [](const LimitHit& one, const LimitHit& other) {
        return one.worst / worthALook(one) < other.worst / worthALook(other);
    });
    Issues issues;
    for (const LimitHit& hit : hits) {
        char worst[64];
        std::snprintf(worst, sizeof worst, hit.isSlide ? "%.1f mm at frame %.6g" : "%.1f° at frame %.6g",
                      hit.isSlide ? hit.worst * 1000 : hit.worst * kDegrees, hit.worstFrame);
        issues.push_back({isWorthALook(hit) ? Severity::Warning : Severity::Info,
                          "beyond its limit on " + counted(static_cast<std::size_t>(hit.frames), "frame", "frames") +
                              ", most by " + worst,
                          nameOf(scene, hit.joint.value), hit.joint.value});
    }
    return issues;
}

std::string jumpsInWords(std::size_t jumps, std::size_t inMotion)
{
    if (jumps == 0) return "";
    return counted(jumps, "joint jump", "joint jumps") + ", " + (inMotion == 0 ? "none" : std::to_string(inMotion)) +
           " in the motion";
}

FrameRate retargetedRate(const Scene& character, const Scene& motion)
{
    return hasKeys(character) ? character.fps : motion.fps;
}

Result<RetargetOutcome> retargetInto(Draft& draft, const Scene& motion, const Clip& clip,
                                     const RetargetRequest& request)
{
    auto retargeter = Retargeter::create(motion, clip, request.motionRoles, draft.scene, request.characterRoles,
                                         request.options);
    if (!retargeter) return retargeter.error();
    const FrameRate rate = request.onFrames ? retargetedRate(draft.scene, motion) : motion.fps;
    const std::vector<Time> times = !request.onFrames    ? motionTimes(clip, rate)
                                    : rate == motion.fps ? frameTimes(clip, rate)
                                                         : wholeFrames(clip, rate);
    auto made = retargetClip(*retargeter, times, rate, draft.services.progress, draft.services.cancelled);
    if (!made) return made.error();

    if (!hasKeys(draft.scene)) {
        draft.scene.fps = retargetedRate(draft.scene, motion);
        draft.scene.firstFrame = static_cast<std::int32_t>(std::floor(motion.fps.frameAt(made->times.front()) + 1e-3));
        draft.scene.lastFrame = static_cast<std::int32_t>(std::ceil(motion.fps.frameAt(made->times.back()) - 1e-3));
        draft.edit.frame = draft.scene.firstFrame;
    }
    if (const auto added = draft.take(addClip(std::move(draft.scene), request.name)); !added) return added.error();
    const ClipId into = draft.scene.clips.back()->id;
    std::set<ObjectId> keyed;
    for (const auto& [channel, keys] : made->channels) keyed.insert(channel.target);
    editableClip(draft.scene, into)->channels = std::move(made->channels);
    const std::vector<HandleId> inFkHere = keyToFk(draft.scene, into, keyed, draft.messages);
    if (request.travel.travel != RootTravel::Travels)
        if (const auto moved = moveTravel(draft, into, request.characterRoles, request.travel); !moved)
            return moved.error();
    if (request.keepLimits) keepWithinLimits(draft.scene, *editableClip(draft.scene, into));
    growRange(draft.scene, *draft.scene.find(into));
    selectClip(draft, into);
    if (const auto along = keyGoalsAlongMotion(draft, inFkHere); !along) return along.error();

    RetargetOutcome outcome;
    outcome.clip = into;
    outcome.name = request.name;
    outcome.fps = rate;
    outcome.frames = made->times.size();
    outcome.travel = request.travel.travel;
    outcome.facts = retargeter->facts();
    outcome.jumps = std::move(made->jumps);
    const FrameRate shown = draft.scene.fps;
    for (RetargetJump& jump : outcome.jumps) jump.frame = toldFrame(shown.frameAt(rate.timeOf(jump.frame)));
    outcome.jointJumps = jointJumpsIn(draft.scene, *draft.scene.find(into));
    outcome.motionJumps = jointJumpsIn(motion, clip);
    if (rate != shown)
        draft.say(Severity::Info,
                  "the motion has " + rateInWords(rate) + " frames a second and the project " + rateInWords(shown) +
                      ", so keys stand between its frames; for keys at its frames alone retarget with keys: project",
                  request.name);
    // At the project's frames, or those of the motion where these are fewer: never more than the clip has.
    const Clip& added = *draft.scene.find(into);
    outcome.limits = limitHits(draft.scene, added,
                               shown.perSecond() > rate.perSecond() ? made->times : frameTimes(added, shown), shown);
    return outcome;
}

} // namespace tendon
