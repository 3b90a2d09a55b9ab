#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/Pose.h"
#include "core/scene/JointPose.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tendon {

/// What has been posed but not keyed: values that replace both keys and static values for the moment.
using PendingValues = std::map<ChannelId, ChannelValue>;

/// The value of one channel: pending, else keyed, else static. For a single value now and then. Not for a joint's
/// rotation and angles, which replace each other: those come from sampleJoint().
[[nodiscard]] ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                         ChannelId channel, Time time);

/// One joint as its own channels pose it, before handles: to the bit what PoseSampler makes of it.
[[nodiscard]] JointPose sampleJoint(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                    const Joint& joint, Time time);

/// Samples all joints and handles of one rig. Lays out the values of the scene and the clip as flat tables once; each
/// frame then touches keyed joints only. Remembers the last segment of each channel for speed; this never changes
/// the values. One sampler belongs to one thread.
///
/// Static values are applied first, then keys, then what is pending; posed() in scene/JointPose.h is the rule for
/// rotations.
class PoseSampler
{
public:
    explicit PoseSampler(std::shared_ptr<const CompiledRig> rig);

    /// Sets the scene's static values and a clip (null = none); call it before sampling. Lays out again only what
    /// changed since the last call, and returns whether anything did. A clip that is not one of scene.clips is copied
    /// at every call.
    bool prepare(const Scene& scene, const Clip* clip);

    /// The FK pose. Allocates only when it has to resize `pose`.
    void sample(const PendingValues& pending, Time time, LocalPose& pose);

    /// One property of handle `index` of rig.handles. Precondition: it is a handle's, and of a curve's points one that
    /// the handle has.
    [[nodiscard]] ChannelValue handleValue(std::size_t index, Property property, const PendingValues& pending,
                                           Time time);

    /// A goal, pole or point of a curve as it stands at a moment, with the space that it is in.
    struct Place
    {
        ObjectId space = 0;   ///< a joint or handle, 0 = the world; of the key before, if it goes to another space
        ChannelValue value{}; ///< unless it goes to another space
        /// The next key is in another space: the place goes from key to key in the world, along `segment`.
        bool isBetween = false;
        ObjectId nextSpace = 0;
        KeySegment segment;
        Time inside; ///< of the segment
    };
    /// Each key is in the space that is keyed at its own time; a value without keys is in Handle::follow or poleFollow.
    /// Precondition: isPlace(property), and as handleValue().
    [[nodiscard]] Place handlePlace(std::size_t index, Property property, const PendingValues& pending, Time time);

    /// What goal or pole follows at a moment as far as their values there are concerned.
    [[nodiscard]] ObjectId handleSpace(std::size_t index, Property place, const PendingValues& pending, Time time);

    /// True if the clip has keys of that property.
    [[nodiscard]] bool isHandleKeyed(std::size_t index, Property property) const;

private:
    struct Track
    {
        const KeyList* keys = nullptr;
        Property property = Property::Tx;
        KeySegment segment; ///< the segment sampled last
        [[nodiscard]] ChannelValue at(Time time);
    };
    struct KeyedJoint
    {
        JointIndex joint = -1;
        std::size_t trackBegin = 0, trackEnd = 0; ///< range in m_tracks, in the order of properties
    };
    void layOutStatics(const StaticValues& statics);
    void separateSpaces(std::size_t handle);
    [[nodiscard]] Track* handleTrack(std::size_t index, Property property); ///< null = no keys
    void layOutKeys(const Clip* clip);
    void apply(const JointChannels& channels, JointIndex joint, LocalPose& pose) const;
    /// Index into the two tables of handles' channels; none: the handle has no such channel.
    [[nodiscard]] std::optional<std::size_t> handleChannel(std::size_t handle, Property property) const;

    std::shared_ptr<const CompiledRig> m_rig;
    std::vector<std::size_t> m_handleBegin; ///< (handles + 1) where the channels of each begin: GoalPosition, ...

    // The tables are made from these. Kept alive, so that no other clip can get the same address.
    Shared<StaticValues> m_statics;
    std::optional<Shared<Clip>> m_clip;
    bool m_isPrepared = false;

    // of the static values
    LocalPose m_staticPose;
    std::vector<ChannelValue> m_staticHandles; ///< by handleChannel()

    // of the clip
    std::vector<Track> m_tracks;
    std::vector<KeyedJoint> m_keyedJoints;
    std::vector<std::int32_t> m_handleTracks;          ///< by handleChannel(): index into m_tracks, -1 = no keys
    std::vector<std::unique_ptr<KeyList>> m_separated; ///< keys whose tangents differ from those of the clip
};

} // namespace tendon
