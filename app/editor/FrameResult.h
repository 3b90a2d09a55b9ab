#pragma once

#include "core/solve/Evaluator.h"

#include <memory>
#include <optional>
#include <vector>

namespace tendon::editor {

/// One handle at one frame as it is drawn: everything in the world.
struct HandleView
{
    HandleId handle;
    JointIndex start = -1, end = -1; ///< in FrameResult::rig
    Vector3 goal = Vector3::Zero();  ///< [m]
    Quaternion goalRotation = Quaternion::Identity();
    Vector3 effector = Vector3::Zero(); ///< [m] the point that should meet the goal
    double reach = 0;                   ///< [m] from the start to the effector, all bones stretched out
    std::optional<Vector3> pole;        ///< [m] none = the handle has no pole
    double blend = 1;                   ///< 0 FK ... 1 IK
    double weight = 1;
    tendon::HandleResult result; ///< status, errors, limit hits

    [[nodiscard]] bool isSolved() const { return blend > 0 && weight > 0; }
    /// The goal is asked for and not met: by more than the handle's tolerance.
    bool isMissed = false;
    /// Short of the goal by what soft reach eases and no more: meant so, and not missed.
    bool isSoft = false;
};

/// All that is drawn of one moment: mesh, joints, handles, figures of the HUD. Made by the worker, never changed after,
/// so that nothing on the screen mixes two moments. [any thread]
struct FrameResult
{
    std::uint64_t revision = 0; ///< of the document it was evaluated from
    std::uint64_t request = 0;  ///< counts requests; a later one has a greater number
    std::int32_t frame = 1;
    bool isPlaying = false;

    std::shared_ptr<const Scene> scene;     ///< never null
    std::shared_ptr<const CompiledRig> rig; ///< null when the scene does not compile: see issues
    tendon::FrameResult pose;               ///< local and model transforms (index: rig), handles in document order
    std::vector<HandleView> handles;        ///< in document order
    Issues issues;                          ///< what is wrong with handles, or why there is no rig

    double solveSeconds = 0;     ///< sampling, all solves, forward kinematics
    std::int32_t iterations = 0; ///< of all handles
    double worstError = 0;       ///< [m] largest position error of the handles that are solved
    std::int32_t limitHits = 0;

    [[nodiscard]] const HandleView* find(HandleId handle) const;
    /// World transform of a joint; null when it is not in this frame.
    [[nodiscard]] const Affine* worldFromJoint(JointId joint) const;
    /// [m] where a handle's joints stand, the start first; empty when they are no chain of this frame.
    [[nodiscard]] std::vector<Vector3> chainOf(const HandleView& handle) const;
};

using FramePtr = std::shared_ptr<const FrameResult>;

} // namespace tendon::editor
