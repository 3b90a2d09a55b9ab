#pragma once

#include "core/base/Result.h"
#include "core/solve/ChannelWrite.h"
#include "core/solve/Evaluator.h"

#include <tendon/sdk/Report.h>

#include <memory>
#include <optional>
#include <string>

namespace tendon {

enum class DragMode {
    Ik, ///< joints above it follow by inverse kinematics, joints below it keep their local transforms
    Fk, ///< only the joint itself and the joints below it move
};

struct DragRequest
{
    JointId joint;
    DragMode mode = DragMode::Ik;
    /// For this drag only: the ancestor this many links up stays in place, with all joints above it. 1 = the parent, so
    /// nothing moves.
    std::optional<int> terminationDepth = std::nullopt;
    /// None = that for sliding where all that moves the joint slides, else the default one.
    std::optional<std::string> solver = std::nullopt;

    bool operator==(const DragRequest&) const = default;
};

/// The result of a drag to one target.
struct DragResult
{
    ChannelWrites writes; ///< the values to write; empty if nothing may move
    HandleId movedGoal;   ///< the handle whose goal, pole or twist changed instead of joints; none = joints moved
    sdk::Status status = sdk::Status::Converged;
    std::int32_t iterations = 0;
    double distance = 0; ///< [m] between the joint and the target; 0 if a goal moved
};

/// Drags one joint, by the mouse or by an operation, in a hierarchy that needs no handle.
///
/// - If a handle moves the joint (blend above 0), the drag moves the handle's goal. A joint in the middle of a chain
///   that can swivel, such as a knee or an elbow, swings the chain instead, and the goal stays: see DrivenDrag.h. The
///   first joint of a chain is moved by what is above it.
/// - A root or a terminator is translated; all joints below it move rigidly with it.
/// - Ik: a joint right below the root that carries chains of handles, as a pelvis does, is translated as well, and the
///   handles hold feet and hands where they are; so it is when the first joint of such a chain is dragged. Only
///   one that turns about all axes and does not slide: hinges of machines stay on what they hang on.
/// - Ik: otherwise, the joints above it turn and slide as far as they are free, up to the lowest terminator, the
///   termination depth or a joint that a handle moves, whichever comes first. That joint and all above it stay in
///   place. Pinned handles of chains below the moving joints keep meeting their goals as well as they can.
/// - Fk: otherwise, its own translation changes.
/// - The goal of every pinned handle that follows a joint is changed so that it stays in place in the world.
///
/// The result depends on the pose at the beginning and on the target, not on the moves between: the same target gives
/// the same values to the bit.
class InteractiveDrag
{
public:
    /// Prepares a drag from the pose at `time` of a clip of the scene (or of none), which has this solution (or none).
    /// `evaluator` fits the scene and is used by one thread with the drag. Errors: no such joint, a termination depth
    /// below 1, a solver that is missing or cannot take the chain. SolvedPoses::drag() keeps what this prepares.
    [[nodiscard]] static Result<std::unique_ptr<InteractiveDrag>>
    begin(const Scene& scene, ClipId clip, const PendingValues& pending, Time time,
          std::shared_ptr<Evaluator> evaluator, ClipSolutionPtr solution, const SolverRegistry& registry,
          const DragRequest& request);
    ~InteractiveDrag();

    [[nodiscard]] Vector3 origin() const; ///< [m] position of the joint at the beginning, in the world

    /// The joints that this drag may move, top first. The dragged joint is the last, or the only one; where what
    /// carries it is translated in its place, that is the only one.
    [[nodiscard]] std::vector<JointId> movedJoints() const;

    /// Moves the joint to a target [m]. Errors: the target is not finite, the solver failed.
    [[nodiscard]] Result<DragResult> to(const Vector3& worldTarget);

    /// Turns the joint to a rotation in the world, with all that is below it. Where a handle turns it, the handle's
    /// goal and pole turn about the joint, else the joint's own rotation changes. Errors: the handle follows a curve or
    /// aims.
    [[nodiscard]] Result<DragResult> turnTo(const Quaternion& world);

private:
    struct Impl;
    explicit InteractiveDrag(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon
