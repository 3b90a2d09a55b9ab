#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"

#include <optional>
#include <span>
#include <vector>

namespace tendon {

/// The local transforms of a chain's joints at one moment.
struct ChainPose
{
    std::vector<JointIndex> joints;
    LocalPose local; ///< (joints)

    explicit ChainPose(std::vector<JointIndex> chain) : joints(std::move(chain)) { local.resize(joints.size()); }
    void readFrom(const LocalPose& whole);
    /// Writes the chain into a whole pose, `blend` of the way from what is there.
    void writeTo(const CompiledRig& rig, double blend, LocalPose& whole) const;
};

/// The handles that hold, by index; none = it does not hold, null = it holds the FK pose.
using HeldChains = std::vector<std::optional<const ChainPose*>>;

/// The pose that one handle with the policy Hold keeps while its goal is beyond reach: that of the latest earlier frame
/// of the clip at which it is in reach. What was looked at is remembered while the clip stays the same; it changes how
/// soon the answer is there, not the answer.
class HeldPose
{
public:
    explicit HeldPose(std::vector<JointIndex> chain) : m_pose(std::move(chain)) {}

    /// Looks for the pose from frame `last` down to `first`. `isInReach(frame)` says whether the goal is in reach
    /// there; `poseAt(frame)` gives the solved pose. Null: it is in reach at none of them.
    template <class IsInReach, class PoseAt>
    const ChainPose* find(int first, int last, const IsInReach& isInReach, const PoseAt& poseAt);

    void forget() { m_known.reset(); }

private:
    struct Known
    {
        int first, last;          ///< what was looked through
        std::optional<int> found; ///< the latest frame of it that is in reach
    };
    std::optional<Known> m_known;
    ChainPose m_pose; ///< of the frame found
};

template <class IsInReach, class PoseAt>
const ChainPose* HeldPose::find(int first, int last, const IsInReach& isInReach, const PoseAt& poseAt)
{
    const bool isKnownBelow = m_known && m_known->first == first && m_known->last <= last;
    const bool isInside = m_known && m_known->first == first && m_known->last > last &&
                          m_known->found.value_or(first - 1) <= last;
    if (isInside) return m_known->found ? &m_pose : nullptr;
    const int end = isKnownBelow ? m_known->last : first - 1; // frames above it have not been looked at
    for (int frame = last; frame > end; --frame) {
        if (!isInReach(frame)) continue;
        m_pose.readFrom(poseAt(frame));
        m_known = Known{first, last, frame};
        return &m_pose;
    }
    if (isKnownBelow)
        m_known->last = last;
    else
        m_known = Known{first, last, std::nullopt};
    return m_known->found ? &m_pose : nullptr;
}

} // namespace tendon
