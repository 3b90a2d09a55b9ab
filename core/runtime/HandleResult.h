#pragma once

#include "core/base/Id.h"
#include "core/base/JumpReason.h"
#include "core/base/RateKind.h"
#include "core/scene/Channel.h"

#include <tendon/sdk/Report.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tendon {

/// The outcome of one handle's solve at one frame.
struct HandleResult
{
    HandleId handle;
    sdk::Status status = sdk::Status::InvalidProblem;
    std::int32_t iterations = 0;
    double positionError = 0;   ///< [m]
    double rotationError = 0;   ///< [rad]
    double shortfall = 0;       ///< [m] distance of the goal beyond reach
    double softened = 0;        ///< [m] how far short of the goal soft reach holds the end; part of positionError
    bool isHeld = false;        ///< the goal is beyond reach, and the handle holds an earlier pose
    bool canHold = false;       ///< the policy Hold has an effect on the chain
    bool canStretch = false;    ///< Handle::stretch has an effect on the chain, and so has Handle::squash
    double stretch = 1;         ///< factor by which the chain's bones are longer, below 1 shorter
    std::optional<double> pull; ///< how hard the goal pulls (sdk::GoalResult::multiplier); empty = not reported
    /// [rad] between the pole and the line from the chain's start to its end, where so little that the bend may swing
    /// (see ChainBend.h); empty = the pole is clear of that line, or there is none. A caution, whatever the status.
    std::optional<double> nearPole;
    /// [rad] by which the bend swings when the goal or the pole moves by 1 % of the reach, where limits keep the bend
    /// from its pole and that is much (kMaxSwing in ChainBend.h); else empty. A caution, too.
    std::optional<double> poleSwing;
    /// The chain bends so evenly to both sides of its line that the bend which faces the pole may swing. A caution,
    /// too.
    bool isBendFaint = false;
    struct GoalSwing
    {
        double angle = 0; ///< [rad] by which a joint turns
        /// Of a handle without a pole: the goal is near the place at which the chain's way round to it is open, and
        /// moves by 1 % of the reach. Else it moves by 5 %.
        bool isWayOpen = false;
        bool operator==(const GoalSwing&) const = default;
    };
    /// Where a small move of the goal turns a joint far (swingOf() in GroupSolver; kMaxSwing and kMaxGoalSwing in
    /// ChainBend.h); else empty. A caution, too.
    std::optional<GoalSwing> goalSwing;
    /// [rad] between an up joint of a curve and the bone that it turns, where so little that the bone may twist; else
    /// empty. A caution, too.
    std::optional<double> nearUp;
    struct Jump
    {
        std::int32_t frame = 0; ///< of the clip: the first one after the jump
        double size = 0;        ///< [rad] by which the joint turns
        JumpReason reason = JumpReason::Branch;
        JumpCause cause = JumpCause::Motion;
        JointId joint; ///< that goes farthest
        bool operator==(const Jump&) const = default;
    };
    /// Where the pose does not follow from that of the frame before, though the goals do: the clip has no continuous
    /// solution here. Said of the first of the handles that are solved together; else empty. A caution, too.
    std::optional<Jump> jump;
    struct TooFast
    {
        JointId joint;
        RateKind kind = RateKind::Speed;
        double stretch = 1; ///< the clip's time has to be so many times as long for the joint to keep to its limit
        bool operator==(const TooFast&) const = default;
    };
    /// Where the goals ask more speed or acceleration of a joint than its limit allows: the worst here. Said of the
    /// first of the handles that are solved together; else empty. A caution, too.
    std::optional<TooFast> tooFast;
    JointId blockedBy; ///< joint whose limit keeps the end from the goal most; invalid if there is none
    /// Where a goal within reach is missed: the handle of the highest priority that moves joints of the chain and has a
    /// higher one than this handle; invalid if there is none.
    HandleId yieldsTo;
    /// Where a goal is missed: a handle of the same priority in the same solve whose goal contradicts this one's. Each
    /// goal alone is met or nearly so, and together neither is; invalid if there is none.
    HandleId pullsAgainst;
    struct LimitHit
    {
        JointId joint;
        Property axis = Property::Rx;
        bool operator==(const LimitHit&) const = default;
    };
    std::vector<LimitHit> limitHits;

    bool operator==(const HandleResult&) const = default;
};

} // namespace tendon
