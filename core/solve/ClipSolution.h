#pragma once

#include "core/base/Id.h"
#include "core/base/JumpReason.h"
#include "core/base/RateKind.h"
#include "core/scene/Time.h"

#include <tendon/sdk/Model.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tendon {

/// Frames at which the pose does not follow from that of the frame before, though the goals do.
struct PoseJump
{
    std::int32_t frame = 0; ///< the first one after the jump
    std::int32_t last = 0;  ///< the one at which it is over; often the same
    double size = 0;        ///< [rad] by which the joint turns; slides: in units of 0.3 of the chain's length
    JumpReason reason = JumpReason::Branch;
    JumpCause cause = JumpCause::Motion;
    HandleId handle; ///< the first of those that are solved together
    JointId joint;   ///< that goes farthest

    bool operator==(const PoseJump&) const = default;
};

/// Frames at which a joint is beyond one of its rate limits, as the goals leave no other way; jumps are none of them.
struct PoseHaste
{
    std::int32_t first = 0, last = 0; ///< frames; of speed, those that the steps beyond the limit lead to
    std::int32_t worst = 0;           ///< where it is farthest beyond
    JointId joint;
    RateKind kind = RateKind::Speed;
    double stretch = 1; ///< the time has to be so many times as long for the joint to keep to its limit
    HandleId handle;    ///< the first of those that are solved together

    bool operator==(const PoseHaste&) const = default;
};

/// A clip solved as a whole (core/clip): at each of its frames, for each group of handles, the answer that its solve
/// begins from. Immutable; a function of a scene and a clip. Where the answer of the frame alone is the best one, which
/// is nearly everywhere, nothing is kept, and the frame is solved from its FK pose.
struct ClipSolution
{
    /// Of one group of handles.
    struct Path
    {
        std::vector<HandleId> handles;
        std::size_t coordinates = 0;       ///< nq
        std::vector<double> q;             ///< (frames x nq)
        std::vector<std::uint8_t> isOwn;   ///< (frames) 1 = the frame is solved from its FK pose
        std::vector<std::uint8_t> isBreak; ///< (frames) 1 = no way leads there from the frame before

        bool operator==(const Path&) const = default;
    };

    FrameRate fps;
    std::int32_t firstFrame = 0;
    std::int32_t frames = 0;
    std::vector<Path> paths;       ///< of the groups that have frames with an answer of their own
    std::vector<PoseJump> jumps;   ///< by frame
    std::vector<PoseHaste> hastes; ///< by first frame

    /// Null: each frame of these handles is solved from its FK pose.
    [[nodiscard]] const Path* pathOf(std::span<const HandleId> handles) const;

    /// The answer to begin from at a moment, on a frame or between two, into q (nq). False: begin from the FK pose.
    [[nodiscard]] bool sample(const Path& path, const sdk::Model& model, Time time, std::span<double> q) const;

    bool operator==(const ClipSolution&) const = default;
};

using ClipSolutionPtr = std::shared_ptr<const ClipSolution>;

} // namespace tendon
