#pragma once

#include "core/base/Result.h"
#include "core/solve/ChannelWrite.h"
#include "core/solve/SolverRegistry.h"

#include <tendon/sdk/Report.h>

#include <memory>
#include <optional>
#include <string>

namespace tendon {

enum class DragMode {
    Ik, ///< what is above follows by inverse kinematics, what is below keeps its local transforms
    Fk, ///< the joint itself is moved; only what is below comes along
};

struct DragRequest
{
    JointId joint;
    DragMode mode = DragMode::Ik;
    /// Only for this drag: the ancestor this many links up stays put, with all above it. 1 = the parent, so nothing
    /// moves.
    std::optional<int> terminationDepth = std::nullopt;
    std::string solver = std::string(SolverRegistry::kDefaultAlias);
};

/// What a drag comes to.
struct DragResult
{
    ChannelWrites writes; ///< what to set; empty when nothing may move
    HandleId movedGoal;   ///< the handle whose goal was moved instead of joints; none = joints moved
    sdk::Status status = sdk::Status::Converged;
    std::int32_t iterations = 0;
    double distance = 0; ///< [m] from where the joint was dragged to; a moved goal counts as met
};

/// Dragging one joint about with the mouse, or once by an operation, in a hierarchy that needs no handle.
///
/// - A joint that a handle moves (blend above 0) moves that handle's goal.
/// - A root, or a terminator, is moved as it is: all below comes along rigidly.
/// - Otherwise, by Ik: the joints above it turn and slide as far as they are free, up to the lowest terminator, the
///   termination depth or a joint that a handle moves, whichever comes first. That joint and all above it stay put.
///   Pinned handles of chains that hang from what moves hold on to their goals as well as they can.
/// - By Fk: its own translation changes.
/// - The goal of every pinned handle that follows a joint is rewritten so that it holds its place in the world.
///
/// Where a drag ends depends on the pose it began with and on the target, not on the way between: dragging on from the
/// same beginning to the same place gives the same values to the bit.
class InteractiveDrag
{
public:
    /// Takes up the pose at `time`. Errors: no such joint, a termination depth below 1, a solver that is not there or
    /// cannot take the chain, a scene that does not compile.
    [[nodiscard]] static Result<std::unique_ptr<InteractiveDrag>> begin(const Scene& scene, const Clip* clip,
                                                                        const PendingValues& pending, Time time,
                                                                        const SolverRegistry& registry,
                                                                        const DragRequest& request);
    ~InteractiveDrag();

    [[nodiscard]] Vector3 origin() const; ///< [m] where the joint stood at the beginning, in the world

    /// The joints that this drag may move, top first: the dragged one last, or alone.
    [[nodiscard]] std::vector<JointId> movedJoints() const;

    /// Errors: a target that is not finite; a solver that failed.
    [[nodiscard]] Result<DragResult> to(const Vector3& worldTarget);

private:
    struct Impl;
    explicit InteractiveDrag(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// begin() and to() in one.
[[nodiscard]] Result<DragResult> drag(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                                      const SolverRegistry& registry, const DragRequest& request,
                                      const Vector3& worldTarget);

} // namespace tendon
