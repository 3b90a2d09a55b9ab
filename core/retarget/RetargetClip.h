#pragma once

#include "core/base/SharedMap.h"
#include "core/retarget/Retargeter.h"

#include <atomic>
#include <functional>

namespace tendon {

/// A joint of the character that turns much farther from one frame to the next than the motion does.
struct RetargetJump
{
    JointId joint;
    double frame = 0; ///< at the motion's rate
    double angle = 0; ///< [rad]
};

/// A motion on the character's joints.
struct RetargetedClip
{
    std::vector<Time> times;                        ///< of its keys
    SharedMap<ChannelId, Shared<KeyList>> channels; ///< keys at each time; fewer where nothing moves
    std::vector<RetargetJump> jumps;
};

/// The whole frames of a rate within a clip; of one that lies between two of them the nearest.
[[nodiscard]] std::vector<Time> wholeFrames(const Clip& clip, FrameRate fps);

/// Retargets a clip: one key at each of these times, which are about a frame of `fps` apart. The same bytes whatever
/// ran before. Error: Cancelled.
[[nodiscard]] Result<RetargetedClip> retargetClip(Retargeter& retargeter, const std::vector<Time>& times, FrameRate fps,
                                                  const std::function<void(double)>& progress = {},
                                                  const std::atomic<bool>* cancelled = nullptr);

/// Keys of joints' local transforms by time, one list a channel; a channel that does not change gets one key, or, where
/// none does, its first and last. Signs of quaternions follow from key to key.
class JointKeys
{
public:
    void add(JointId joint, Time time, const Quaternion& rotation);
    void add(JointId joint, Time time, const Vector3& translation);
    void addScale(JointId joint, Time time, const Vector3& scale);
    void writeInto(SharedMap<ChannelId, Shared<KeyList>>& channels) const;

private:
    void push(ChannelId channel, Time time, const ChannelValue& value);
    std::map<ChannelId, std::vector<Key>> m_keys;
};

} // namespace tendon
