#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/KeySampling.h"
#include "core/runtime/Pose.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tendon {

/// Values that rule over both keys and static values for the moment: what has been posed but not keyed.
using PendingValues = std::map<ChannelId, ChannelValue>;

/// The value of one channel: pending, else keyed, else static. For a single value now and then; whole poses come from
/// PoseSampler, which also knows how a joint's Rotation and Rx, Ry, Rz take each other's place.
[[nodiscard]] ChannelValue sampleChannel(const Scene& scene, const Clip* clip, const PendingValues& pending,
                                         ChannelId channel, Time time);

/// Samples all joints and handles of one rig. What the scene and clip say is laid out once as flat tables; a frame then
/// touches keyed joints only. Remembers where it last stood in each channel, which makes it quick and never changes
/// what comes out. One sampler belongs to one thread.
///
/// Rule for a joint's rotation: pending Rotation, else pending angles (those missing from what follows), else keyed
/// Rotation, else keyed angles (those missing from the static ones), else static Rotation, else static angles.
class PoseSampler
{
public:
    explicit PoseSampler(std::shared_ptr<const CompiledRig> rig);

    /// Takes up the scene's static values and a clip (null = none); must come before sampling. Costs next to nothing
    /// when neither has changed since the last call. A clip that is not one of scene.clips is copied at every call.
    void prepare(const Scene& scene, const Clip* clip);

    /// The FK pose. Sizes `pose`; allocates only then.
    void sample(const PendingValues& pending, Time time, LocalPose& pose);

    /// One property of handle `index` of rig.handles.
    [[nodiscard]] ChannelValue handleValue(std::size_t index, Property property, const PendingValues& pending,
                                           Time time);

private:
    struct Track
    {
        const KeyList* keys = nullptr;
        Property property = Property::Tx;
        KeySegment segment; ///< the last one sampled
        [[nodiscard]] ChannelValue at(Time time);
    };
    struct KeyedJoint
    {
        JointIndex joint = -1;
        std::size_t trackBegin = 0, trackEnd = 0; ///< in m_tracks, in order of property
    };
    struct HandleChannel
    {
        ChannelValue value{}; ///< static
        std::int32_t track = -1;
    };
    static constexpr std::size_t kHandleProperties = 6; ///< GoalPosition ... Weight

    void layOutStatics(const StaticValues& statics);
    void layOutKeys(const Clip* clip);
    void sampleKeyedJoint(const KeyedJoint& keyed, Time time, LocalPose& pose);
    void applyPending(const PendingValues& pending, LocalPose& pose) const;

    std::shared_ptr<const CompiledRig> m_rig;
    std::map<ObjectId, std::size_t> m_handleIndex;

    // What the tables were made from. Held, so that no other clip can come to stand at the same address.
    Shared<StaticValues> m_statics;
    std::optional<Shared<Clip>> m_clip;
    bool m_isPrepared = false;

    LocalPose m_staticPose;
    std::vector<Track> m_tracks;
    std::vector<KeyedJoint> m_keyedJoints;
    std::vector<HandleChannel> m_handleChannels; ///< (handles x kHandleProperties)
};

} // namespace tendon
