#pragma once

#include "app/editor/BendRate.h"
#include "app/editor/FrameResult.h"

#include <optional>

namespace tendon::editor {

/// What the quality strip says of one frame.
struct FrameQuality
{
    double error = 0;        ///< [m] by which the worst goal is missed; 0 = every goal is met
    bool isAtLimit = false;  ///< a joint is held by a limit
    bool isSoft = false;     ///< soft reach keeps a goal from being met
    bool isCautious = false; ///< a small move of a goal would throw the pose elsewhere
    bool operator==(const FrameQuality&) const = default;
};

[[nodiscard]] FrameQuality qualityOf(const FrameResult& frame);

/// What is kept of a solved frame: enough for the quality strip, ghosts and motion trails. Immutable. [any thread]
struct RangeFrame
{
    using JointPlace = Eigen::Matrix<float, 3, 4, Eigen::DontAlign>; ///< world from joint

    /// Where a handle's controls are in the world. [m]
    struct HandlePlace
    {
        HandleId handle;
        Vector3 goal = Vector3::Zero();
        Vector3 effector = Vector3::Zero();
        std::optional<Vector3> pole = {};
        /// The directions that values of the goal, and of the pole, are given in.
        Eigen::Matrix3d goalAxes = Eigen::Matrix3d::Identity(), poleAxes = Eigen::Matrix3d::Identity();
    };

    FrameQuality quality;
    Bends bends;
    std::shared_ptr<const CompiledRig> rig; ///< null: the scene did not compile
    std::vector<JointPlace> joints;         ///< (joints of the rig) empty: not kept
    std::vector<HandlePlace> handles;       ///< without those that follow a curve

    [[nodiscard]] const HandlePlace* find(HandleId handle) const;
    /// The pose, as the renderer takes it. Precondition: joints are kept.
    void copyTo(ModelPose& pose) const;
};

using RangeFramePtr = std::shared_ptr<const RangeFrame>;

/// `keepsPose`: false leaves out the joints, which take most of the memory.
[[nodiscard]] RangeFramePtr rangeFrameOf(const FrameResult& frame, bool keepsPose = true);

} // namespace tendon::editor
