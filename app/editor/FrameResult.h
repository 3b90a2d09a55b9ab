#pragma once

#include "core/solve/SolveRecording.h"

#include <memory>
#include <vector>

namespace tendon::editor {

/// One handle at one frame as it is drawn: everything in the world.
struct HandleView
{
    HandleId handle;
    JointIndex start = -1, end = -1;    ///< in FrameResult::rig
    HandleTarget target;                ///< goal, pole, blend: what the handle asks for
    HandleResult result;                ///< status, errors, limit hits: what became of it
    Vector3 effector = Vector3::Zero(); ///< [m] the point that should meet the goal
    std::vector<Vector3> curve;         ///< [m] points along the curve that its chain follows, for drawing; else none
    double reach = 0;                   ///< [m] from the start to the effector, all bones stretched out
    bool isMissed = false; ///< active, and farther from its goal than the tolerance allows; not while it holds its pose
    bool showsFk = false;  ///< it holds, and no earlier frame of the clip has a pose to hold: its chain is in FK
    bool isSoft = false;   ///< short of its goal by what soft reach eases and no more; not missed

    /// Where the goal is missed: no position is asked for, or it is met, so what is missed is a rotation.
    [[nodiscard]] bool isOnlyTurned(const Handle& authored) const
    {
        return authored.aimAxis.has_value() || result.positionError <= 2 * authored.positionTolerance;
    }
};

/// Everything drawn of one frame: mesh, joints, handles, numbers of the HUD. The worker makes it, and it never changes
/// after that, so nothing on the screen mixes two frames. [any thread]
struct FrameResult
{
    std::uint64_t revision = 0; ///< of the document it was evaluated from
    std::uint64_t request = 0;  ///< number of the request; later requests have greater numbers
    std::int32_t frame = 1;
    bool isPlaying = false;
    bool isDragged = false; ///< during a gesture of the mouse
    bool isSettling =
        false; ///< the same as the frame before, but for the end of a gesture or a new solution of the clip

    std::shared_ptr<const Scene> scene;     ///< never null
    std::shared_ptr<const CompiledRig> rig; ///< null if the scene does not compile: see issues
    SolvedFrame solved;                     ///< local and model transforms (index: rig), handles in document order
    std::vector<HandleView> handles;        ///< in document order
    Issues issues;                          ///< problems of handles, or why there is no rig
    Issues faults;                          ///< solver plugins that have failed since the program was started

    double solveSeconds = 0;     ///< sampling, all solves, forward kinematics
    std::int32_t iterations = 0; ///< of all solves, each counted once
    double worstError = 0;       ///< [m] largest position error of the handles that are solved and do not hold
    std::int32_t limitHits = 0;

    std::shared_ptr<const SolveRecording> recording; ///< of the handle that the request watches; null = none

    [[nodiscard]] const HandleView* find(HandleId handle) const;
    /// World transform of a joint; null if it is not in this frame.
    [[nodiscard]] const Affine* worldFromJoint(JointId joint) const;
    /// [m] positions of a handle's joints, start first; empty if they form no chain in this frame.
    [[nodiscard]] std::vector<Vector3> chainOf(const HandleView& handle) const;
};

using FramePtr = std::shared_ptr<const FrameResult>;

/// The frame with some joints posed otherwise: `local[i]` is for `joints[i]`. What follows from the pose goes with it:
/// world transforms, effectors, what goals are missed by. The rest is the frame's. Precondition: it has a rig.
[[nodiscard]] FramePtr posedOtherwise(const FrameResult& frame, std::span<const JointIndex> joints,
                                      std::span<const LocalTransform> local);

} // namespace tendon::editor
