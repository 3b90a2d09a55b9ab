#include "core/base/SmallLength.h"
#include "core/document/ClipBaking.h"
#include "core/document/Families.h"
#include "core/document/FirstKeys.h"
#include "core/document/FollowSpaces.h"
#include "core/document/KeyInsertion.h"
#include "core/document/LayeredPosing.h"
#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/document/SolverFit.h"
#include "core/document/SwitchKeys.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/HandleSwitch.h"
#include "core/solve/InteractiveDrag.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tendon {
namespace {

using Type = Field::Type;

Result<void> dragOperation(Draft& draft, const Arguments& arguments)
{
    const auto joint = jointIn(draft.scene, arguments, "joint");
    if (!joint) return joint.error();
    if (arguments.has("by") + arguments.has("to") + arguments.has("rotation") != 1)
        return Error{ErrorCode::InvalidArgument, "give one of by, to and rotation", ""};
    DragRequest request;
    request.joint = *joint;
    request.mode = arguments.text("mode", "ik") == "fk" ? DragMode::Fk : DragMode::Ik;
    if (arguments.has("terminationDepth")) request.terminationDepth = arguments.integer("terminationDepth");
    if (arguments.has("solver")) {
        const auto solver = solverNamed(draft.solvers, arguments.text("solver"));
        if (!solver) return solver.error();
        request.solver = (*solver)->alias;
    }
    draft.text = "Drag " + nameOf(draft.scene, joint->value);

    const auto drag = draft.poses.drag(draft.scene, draft.edit.currentClip, draft.edit.pending, draft.time(), request);
    if (!drag) return drag.error();
    const bool isTurned = arguments.has("rotation");
    const Vector3 origin = (*drag)->origin(), place = isTurned              ? origin
                                                      : arguments.has("to") ? arguments.vector("to")
                                                                            : Vector3(origin + arguments.vector("by"));
    constexpr double kMoved = 1e-6; // [m] less is the rounding of a mouse: what is put back is where it was
    if (!isTurned && (place - origin).norm() < kMoved) return {};
    const auto result = isTurned ? (*drag)->turnTo(arguments.rotation("rotation")) : (*drag)->to(place);
    if (!result) return result.error();
    for (const ChannelWrite& write : result->writes)
        if (const auto posed = poseChannel(draft, write.channel, write.value); !posed) return posed;
    constexpr double kShown = 1e-4; // [m] a goal's usual tolerance
    if (result->distance > kShown)
        draft.say(Severity::Info,
                  "it stops " + smallLength(result->distance) + " short (" + statusName(result->status) + ")",
                  nameOf(draft.scene, joint->value), joint->value);
    return {};
}

/// The channels that a switch of a handle keys at one frame, each in the layer that is edited. Nothing changes at any
/// frame before: up to the switch the curves are as they were.
class SwitchKeying
{
public:
    SwitchKeying(Draft& draft, HandleId handle, double frame, bool toIk)
        : m_draft(draft), m_clip(draft.edit.currentClip), m_frame(frame), m_time(draft.scene.fps.timeOf(frame)),
          m_before(draft.scene.fps.timeOf(frame - 1)), m_blend{handle.value, Property::Blend}
    {
        const double blend = channelValue(draft, m_blend, m_before)[0];
        m_toIk = toIk;
        m_isWhole = toIk ? blend <= 0 : blend >= 1;
        const KeyList* blends = draft.clip() == nullptr ? nullptr : draft.clip()->find(m_blend);
        m_wasIk = blends == nullptr && blend > 0;
        for (std::size_t i = 0; blends != nullptr && i < blends->countUpTo(m_before); ++i)
            m_wasIk = m_wasIk || (*blends)[i].value[0] > 0;
    }

    /// What rules up to the switch, and is keyed so that it gets there whatever is keyed later.
    [[nodiscard]] Result<void> end(const std::map<ChannelId, ChannelValue>& values)
    {
        for (const auto& [channel, value] : values) {
            const ChannelId layered = inEditedLayer(m_draft, channel);
            if (const auto converted = useKindOf(m_draft, m_clip, layered); !converted) return converted;
            const KeyList* former = m_draft.clip()->find(layered);
            if (former == nullptr) {
                if (layered.layer == Layer::Keys) // up to here it went along with what carries it
                    if (const auto carried = keepCarried(m_draft, layered); !carried) return carried;
                if (const auto keyed = keyShown(m_draft, layered, m_frame, value); !keyed) return keyed;
                continue;
            }
            const bool isSplit = canBeSplit(*former, channel.property, m_time) &&
                                 !valueBetweenSpaces(m_draft, channel, m_time);
            if (!isSplit || former->at(m_time) != nullptr) continue;
            const KeyList shown = shownKeys(*m_draft.clip(), layered);
            KeyList keys = *former;
            keys.insertOrReplace(keyOnCurve(shown, channel.property, m_time));
            if (const auto put = replace(layered, withFormerCurve(keys, shown, channel.property, m_time, m_time)); !put)
                return put;
        }
        return {};
    }

    /// What rules from the switch on, keyed at the frame before as it was.
    [[nodiscard]] Result<void> begin(const std::map<ChannelId, ChannelValue>& values)
    {
        std::map<ChannelId, ChannelValue> unkeyed, seen = values;
        for (const auto& [channel, value] : values) {
            const ChannelId layered = inEditedLayer(m_draft, channel);
            if (const auto converted = useKindOf(m_draft, m_clip, layered); !converted) return converted;
            if (m_draft.clip()->find(layered) == nullptr) {
                unkeyed[layered] = channelValue(m_draft, channel, m_before);
                if (layered.layer == Layer::Keys && m_wasIk)
                    if (const auto carried = keepCarried(m_draft, layered); !carried) return carried;
            }
            if (layered.layer != Layer::Keys || !valueBetweenSpaces(m_draft, layered, m_before)) continue;
            const Handle& handle = *m_draft.scene.find(HandleId{channel.target});
            const ObjectId space = spaceOfValue(m_draft.scene, m_draft.clip(), handle, channel.property, m_before);
            const auto between = FormerPlace(m_draft, handle, channel.property).in(space, m_before);
            if (!between) return between.error();
            m_between[layered] = *between;
        }
        const bool hasBefore = m_frame > m_draft.scene.firstFrame;
        if (hasBefore)
            for (const auto& [channel, value] : unkeyed) // the first key is put into the keyed space, others are in it
                if (channel.layer == Layer::Keys) {
                    const auto inSpace = inKeyedSpace(m_draft, channel, values.at(channel), m_time);
                    if (!inSpace) return inSpace.error();
                    seen[channel] = *inSpace;
                }
        if (hasBefore)
            for (const auto& [channel, value] : unkeyed)
                if (const auto keyed = keyShown(m_draft, channel, m_frame - 1, value); !keyed) return keyed;
        const Clip former = *m_draft.clip();
        for (const auto& [channel, value] : seen)
            if (const auto keyed = keyShown(m_draft, inEditedLayer(m_draft, channel), m_frame, value); !keyed)
                return keyed;
        const auto channels = m_draft.clip()->channels;
        for (const auto& [channel, keys] : channels)
            if (const KeyList* was = former.find(channel); was != nullptr && !(*was == *keys))
                if (const auto put = replace(channel, asBefore(channel, *keys, shownKeys(former, channel))); !put)
                    return put;
        return {};
    }

private:
    [[nodiscard]] KeyList asBefore(ChannelId channel, KeyList keys, const KeyList& former) const
    {
        if (m_frame <= m_draft.scene.firstFrame && m_time <= former.front().time) return keys;
        Key before = keyOnCurve(former, channel.property, m_before);
        if (former.at(m_before) != nullptr && !isQuaternion(channel.property)) { // the key that comes moves no slope
            const Tangents was = tangentsAt(former, channel.property, former.countUpTo(m_before) - 1);
            before.tangents = TangentMode::Free;
            before.in = was.in, before.out = was.out;
        }
        if (const auto between = m_between.find(channel); between != m_between.end()) {
            before.value = between->second; // keys on both sides are in different spaces, so no curve has it
            before.tangents = TangentMode::Auto;
        }
        // A blend in between goes over, along with the pose that it shows a part of. The pose that nothing shows up to
        // the switch is held: a solve that begins at it would see it come.
        if (inLayer(channel, Layer::Keys) == m_blend)
            before.interpolation = m_isWhole ? Interpolation::Step : Interpolation::Linear;
        else if (m_isWhole && !m_toIk)
            before.interpolation = Interpolation::Step;
        keys.insertOrReplace(before);
        if (isQuaternion(channel.property))
            return withFormerTurn(keys, former, channel.property, m_before, m_draft.scene.fps);
        return withFormerCurve(keys, former, channel.property, m_before, m_time);
    }

    [[nodiscard]] Result<void> replace(ChannelId channel, const KeyList& keys)
    {
        return m_draft.take(replaceKeys(std::move(m_draft.scene), m_clip, channel, keys.toVector()));
    }

    Draft& m_draft;
    ClipId m_clip;
    double m_frame;
    Time m_time, m_before; ///< the switch; the frame before it
    ChannelId m_blend;
    std::map<ChannelId, ChannelValue> m_between; ///< at the frame before, of places that go from space to space there
    bool m_toIk = false;
    bool m_wasIk = false;   ///< some frame before the switch shows the handle
    bool m_isWhole = false; ///< one side alone rules up to the switch
};

/// Leaves the pole and the twist where they are if that shows the pose as well.
Result<void> keepPole(Draft& draft, const PendingValues& pending, Time time, HandleId handle, HandleSwitch& matched)
{
    constexpr double kSame = 1e-6; // [m], [rad]
    ChannelWrites others = matched.writes;
    std::erase_if(others, [](const ChannelWrite& write) {
        return write.channel.property == Property::Pole || write.channel.property == Property::Twist;
    });
    if (others.size() == matched.writes.size()) return {};
    auto kept = switchHandleWith(draft.poses, draft.scene, draft.clip(), pending, time, handle, std::move(others));
    if (!kept) return kept.error();
    if (kept->positionJump <= std::max(matched.positionJump, kSame) &&
        kept->rotationJump <= std::max(matched.rotationJump, kSame))
        matched = *std::move(kept);
    return {};
}

Result<void> switchOperation(Draft& draft, const Arguments& arguments)
{
    const auto id = handleIn(draft.scene, arguments, "handle");
    if (!id) return id.error();
    const double frame = arguments.number("frame", draft.edit.frame);
    if (std::abs(frame) > kMaxFrame)
        return Error{ErrorCode::LimitExceeded, "frames must be within 10 000 000 of 0", "frame"};
    const bool toIk = arguments.text("to") == "ik";
    const Handle handle = *draft.scene.find(*id);
    draft.text = (toIk ? "Switch to IK: " : "Switch to FK: ") + handle.name;

    const Time time = draft.scene.fps.timeOf(frame);
    const ChannelId blend{id->value, Property::Blend};
    if (toIk && channelValue(draft, blend, draft.scene.fps.timeOf(frame - 1))[0] >= 1 &&
        channelValue(draft, blend, time)[0] >= 1) {
        draft.say(Severity::Info, "it is in IK here already; nothing has changed", handle.name, id->value);
        return {};
    }
    const PendingValues pending = frame == draft.edit.frame ? draft.edit.pending : PendingValues{};
    auto matched = switchHandle(draft.poses, draft.scene, draft.clip(), pending, time, *id,
                                toIk ? SwitchTo::Ik : SwitchTo::Fk);
    if (!matched) return matched.error();
    if (toIk)
        if (const auto kept = keepPole(draft, pending, time, *id, *matched); !kept) return kept;
    std::string rulers; // that move its joints first
    for (const HandleId before : draft.poses.sharersOf(*id).before)
        if (channelValue(draft, {before.value, Property::Blend}, time)[0] > 0)
            rulers += (rulers.empty() ? "" : ", ") + inQuotes(nameOf(draft.scene, before.value));

    // Both sides are keyed: the handle's goal and blend, and the joints it moves.
    std::map<ChannelId, ChannelValue> ending, beginning;
    for (const ChannelWrite& write : matched->writes) beginning[write.channel] = write.value;
    const auto keep = [&](ChannelId channel) {
        const bool isPosed = pending.count(channel) != 0; // there by hand, so not on its curve
        if (beginning.count(channel) == 0)
            (isPosed ? beginning : ending).emplace(channel, channelValue(draft, channel, time));
    };
    for (const Property channel : targetChannels(handle)) keep({id->value, channel});
    if (toIk)
        for (const JointId joint : chain(draft.scene, handle.start, handle.end)) {
            const bool isPoint = handle.orientationWeight == 0 && (handle.offset.isZero() || handle.hasCurve());
            if (joint == handle.end && isPoint) continue; // the solve leaves it alone
            const bool isWhole = draft.scene.find(joint)->ball ||
                                 (draft.clip() != nullptr &&
                                  draft.clip()->find({joint.value, Property::Rotation}) != nullptr);
            if (isWhole && !hasAngleKeys(draft.clip(), joint.value))
                keep({joint.value, Property::Rotation});
            else
                for (const Property angle : kAngles) keep({joint.value, angle});
        }

    if (const auto clip = clipToKey(draft); !clip) return clip.error();
    SwitchKeying keying(draft, *id, frame, toIk);
    if (const auto keyed = keying.end(ending); !keyed) return keyed;
    if (const auto keyed = keying.begin(beginning); !keyed) return keyed;

    constexpr double kPop = 1e-4; // [m], [rad] what is seen as a jump
    if (matched->positionJump > kPop || matched->rotationJump > kPop)
        draft.say(Severity::Warning,
                  "the pose jumps by " +
                      (matched->positionJump > kPop ? smallLength(matched->positionJump) : std::string()) +
                      (matched->positionJump > kPop && matched->rotationJump > kPop ? " and " : "") +
                      (matched->rotationJump > kPop
                           ? QString::number(degrees(matched->rotationJump), 'g', 3).toStdString() + " degrees"
                           : std::string()) +
                      ": " +
                      (toIk || rulers.empty() ? "the handle cannot show it exactly"
                                              : "its joints are moved by " + rulers +
                                                    " before it, whatever their FK pose is; switch that to FK first"),
                  handle.name, id->value);
    return {};
}

Result<void> bakeClipOperation(Draft& draft, const Arguments& arguments)
{
    const auto clip = clipIn(draft.scene, arguments, "clip");
    if (!clip) return clip.error();
    const Clip& source = *draft.scene.find(*clip);
    if (!source.hasKeys())
        return Error{ErrorCode::InvalidArgument, "the clip " + inQuotes(source.name) + " has no keys to bake", "clip"};
    draft.text = "Bake clip " + source.name;
    const auto into = addBakedClip(draft, *clip, arguments.text("into"));
    if (!into) return into.error();
    selectClip(draft, *into);
    return {};
}

Result<void> notYet(Draft&, const Arguments&)
{
    return Error{ErrorCode::Unsupported, "not available yet in this version of Tendon", ""};
}

constexpr Field kDrag[] = {
    {"joint", Type::Joint, kRequired,
     "Joint to drag. If a handle drives it, the drag moves the handle's goal; a joint in the middle of a chain, such "
     "as "
     "a knee, swings the chain by its pole or twist, and the goal stays"},
    {"by", Type::Vector, kOptional, "Displacement in the world, in metres"},
    {"to", Type::Vector, kOptional, "New position of the joint's pivot in the world, in metres"},
    {"rotation", Type::Rotation, kOptional,
     "New rotation of the joint in the world. If a handle turns it, the handle's goal and pole turn about the joint, "
     "else the joint's own rotation changes"},
    {"mode", Type::Choice, kOptional,
     "ik (the default): joints above it bend to follow, joints below it keep their local pose. fk: only the joint and "
     "those below it move",
     "ik|fk"},
    {"terminationDepth", Type::Integer, kOptional,
     "Number of links above the joint at which this drag stops, as at a terminator"},
    {"solver", Type::String, kOptional,
     "Solver for this drag. Left out: hd where all that moves the joint slides, else the default solver"},
};
constexpr Field kSwitch[] = {
    {"handle", Type::Handle, kRequired, "Handle whose joints are switched"},
    {"to", Type::Choice, kRequired, "What drives the joints from this frame on", "ik|fk"},
    {"frame", Type::Number, kOptional, "Frame of the switch. Left out: the current frame"},
};
constexpr Field kBakeClip[] = {
    {"clip", Type::String, kRequired, "Clip to bake. It does not change"},
    {"into", Type::String, kRequired, "Name of the new clip, which becomes the current clip"},
};
constexpr Field kFitHandles[] = {
    {"clip", Type::String, kRequired, "Clip with joint keys"},
    {"handles", Type::Names, kRequired, "Handles to key"},
    {"into", Type::String, kRequired, "Name of the new clip"},
};

constexpr Operation kSolvedOperations[] = {
    {"drag", kDrag, true, "Drags a joint as the mouse does: interactive IK in any hierarchy.", dragOperation, nullptr,
     kTakesTime},
    {"switch", kSwitch, true,
     "Switches a handle's joints between IK and FK without a jump: matches the pose and keys both sides.",
     switchOperation, nullptr, kTakesTime},
    {"bakeClip", kBakeClip, true,
     "Bakes a clip into a new clip that has a joint key at every frame, and where the clip has a key between frames, "
     "and "
     "no handle keys. From the clip's first key to its last; where a curve goes on beyond its keys, in the range, too.",
     bakeClipOperation, nullptr, kTakesTime},
    {"fitHandles", kFitHandles, true, "Finds handle keys that reproduce the motion of a clip. Not available yet.",
     notYet},
};

} // namespace

std::span<const Operation> solvedOperations() { return kSolvedOperations; }

} // namespace tendon
