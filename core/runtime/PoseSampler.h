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

/// The value of one channel as it is shown: pending, else keyed with the clip's corrections on top, else static with
/// them. Of a correction, its own keys alone. For a single value now and then. Not for a joint's rotation and angles,
/// which replace each other: those come from sampleJoint(). Between two spaces no corrections are added.
[[nodiscard]] ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                         ChannelId channel, Time time);

/// What a channel of Layer::Keys is made of, apart from pending values: see scene/Corrections.h.
struct ChannelLayers
{
    ChannelValue base{}, correction{};
    double weight = 0;          ///< 0 ... 1, and 0 where corrections are off
    bool hasCorrection = false; ///< keys of the correction
};
[[nodiscard]] ChannelLayers sampleLayers(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                         ChannelId channel, Time time);

/// The same of a joint.
struct JointLayers
{
    JointPose base;
    JointChannels corrections;
    double weight = 0;
};
[[nodiscard]] JointLayers sampleLayers(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                       const Joint& joint, Time time);

/// How much of a clip's corrections is shown: 0 ... 1, and 0 where they are off.
[[nodiscard]] double correctionsWeight(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time);

/// One joint as its own channels pose it, before handles: to the bit what PoseSampler makes of it.
[[nodiscard]] JointPose sampleJoint(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                    const Joint& joint, Time time);

/// Samples all joints and handles of one rig. Lays out the values of the scene and the clip as flat tables once; each
/// frame then touches keyed joints only. Remembers the last segment of each channel for speed; this never changes
/// the values. One sampler belongs to one thread.
///
/// Static values are applied first, then keys, then corrections, then what is pending; posed() in scene/JointPose.h is
/// the rule for rotations, corrected() in scene/Corrections.h that for corrections.
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
        /// What is still to be added to both ends of the segment, each in its own space.
        ChannelValue correction{};
        double weight = 0;
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
        std::size_t correctionEnd = 0;            ///< the tracks of its corrections begin at trackEnd
    };
    void layOutStatics(const StaticValues& statics);
    void separateSpaces(std::size_t handle);
    [[nodiscard]] Track* handleTrack(std::size_t index, Property property);      ///< null = no keys
    [[nodiscard]] Track* handleCorrection(std::size_t index, Property property); ///< null = no keys
    [[nodiscard]] double weightOfCorrections(const PendingValues& pending, Time time);
    [[nodiscard]] ChannelValue baseOfHandle(std::size_t index, Property property, Time time);
    void layOutKeys(const Clip* clip);
    void apply(const JointChannels& channels, JointIndex joint, LocalPose& pose) const;
    void correct(const JointChannels& corrections, double weight, JointIndex joint, LocalPose& pose) const;
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
    std::vector<std::int32_t> m_handleCorrections;     ///< the same of their corrections
    bool m_hasCorrections = false;                     ///< that are on
    std::int32_t m_weightTrack = -1;                   ///< of the weight of the corrections, -1 = no keys
    std::vector<std::unique_ptr<KeyList>> m_separated; ///< keys whose tangents differ from those of the clip
};

} // namespace tendon
