#pragma once

#include "solvers/fabrik/JointTree.h"

#include <tendon/kit/Recorder.h>
#include <tendon/sdk/Stages.h>

namespace tendon::fabrik {

/// Forward and backward reaching where points alone do not do: trees, orientations, limits, slides. Every node keeps a
/// pivot and a rotation; in both directions a wished rotation is brought into the joint's limits before the pivot on
/// its other side is placed, so that arms keep their lengths and joints their limits in every pass.
class TreePasses
{
public:
    void prepare(const sdk::Model& model, std::int32_t maxGoals);

    /// Stands at the run's q. `tree` is the caller's, built for this run, and lives on. `stages` may be null.
    void begin(const kit::SolverRun& run, JointTree& tree, bool limitsBackward,
               const kit::Recorder<sdk::StageRow>& stages);

    /// Stands at another configuration (nq).
    void restart(std::span<const double> q);

    /// Where the effector of goal `g` is to go, if not to its target: the nearest point within reach.
    void setTarget(std::int32_t goal, const Vector3& target)
    {
        m_goals[static_cast<std::size_t>(goal)].target = target;
    }

    /// Stage one, tips to root: where the nodes should be.
    void backward();

    /// Stage two, root to tips: where they can be. Sets q.
    void forward();

    /// One pass, root to tips: every arm looks at its goal's target; what lies out of reach is pointed at (D4).
    void stretch();

    /// One pass, root to tips: every joint in turn moves to where all goals beyond it are missed least, the others
    /// stiff (cyclic coordinate descent). Never makes the miss larger.
    void sweep();

    /// Turns a node, and all that hangs on it, by a rotation (model space) as far as its limits allow.
    void turn(std::int32_t node, const Quaternion& by);

    /// [relative to the tree's size, and rad] root of the summed squares of what all goals are missed by, weighted.
    [[nodiscard]] double miss() const;

    /// Whether all goals' targets are met within `factor` of their tolerances.
    [[nodiscard]] bool isMet(double factor) const;

    /// [relative to the size, and rad] how far effectors moved since the last forward() or sweep().
    [[nodiscard]] double moved() const { return m_moved; }

    /// [relative to the size] how far anything lies off the line from the root to its farthest target.
    [[nodiscard]] double offLine() const;

    /// The configuration (nq).
    [[nodiscard]] std::span<const double> q();

    /// Remembers where it stands; stands there again.
    void keep();
    void restore();

    [[nodiscard]] const Vector3& pivot(std::size_t node) const { return m_pivot[node]; }
    void setPass(std::int32_t pass) { m_pass = pass; }

private:
    struct Effector
    {
        std::int32_t node = -1; ///< -1 = nothing moves it, or no active goal
        Vector3 vector;         ///< [m] in the node's frame
        Quaternion fromNode;    ///< rotation of the goal's body in the node's frame
        Vector3 target;         ///< [m] where it is to go
        Quaternion wanted;      ///< how the body is to stand
        double positionWeight = 0, rotationWeight = 0;
        Vector3 position;    ///< [m] where it is
        Quaternion rotation; ///< how the body stands
    };

    struct Candidate
    {
        Vector3 pivot;
        Quaternion rotation;
    };

    void backwardNode(std::int32_t index);
    Candidate fromGoal(std::int32_t index, const Arm& arm, const Quaternion* asked);
    Candidate fromChild(std::int32_t index, const Arm& arm, const Quaternion* asked);
    [[nodiscard]] Wish wishOfArms(const Node& node, const Vector3& pivot, const Quaternion& prior,
                                  const Quaternion& base) const;
    void place(std::int32_t index);
    void bendHinge(const Arm& arm, const Vector3& pivot, Vector3& vector, Vector3& end);
    void slideTo(std::int32_t index, const Vector3& wished);
    void sweepNode(std::int32_t index);
    void sweepSlides(std::int32_t index);
    void frameAbove(const Node& node, Vector3& position, Quaternion& rotation) const;
    [[nodiscard]] Vector3 pivotOf(const Node& node) const;
    [[nodiscard]] bool wishedEnd(const Arm& arm, Vector3& end) const;
    void stand();
    void measure();
    [[nodiscard]] Turned turned() { return {m_q.data(), m_half.data()}; }
    [[nodiscard]] bool isBeyond(std::int32_t index, std::int32_t node) const;

    // TreeStages.cpp: records for those who watch; they change nothing
    sdk::StageRow* record(sdk::Stage stage, bool isForward, std::int32_t body, std::int32_t other,
                          const Vector3& position, const Quaternion& rotation, double weight = 0);
    struct Edge;
    void recordLimits(const Edge& edge, const Node& joint, const Quaternion& wished, const Quaternion& kept);
    void recordBackward(const Node& node, const Node& child, const Vector3& line, const Vector3& arm,
                        const Quaternion& kept, bool isPlaced);
    void recordForward(const Node& node, const Arm& arm, const Quaternion& base, const Quaternion& prior,
                       const Vector3& line, bool isPlaced, const Quaternion& kept);
    void recordForwardOfArms(const Node& node, const Quaternion& base, const Quaternion& wished,
                             const Quaternion& kept);
    sdk::StageRow* newRow(sdk::Stage stage, bool isForward, std::int32_t body, std::int32_t other);

    const kit::SolverRun* m_run = nullptr;
    JointTree* m_tree = nullptr;
    kit::Recorder<sdk::StageRow> m_stages;
    std::int32_t m_pass = 0;
    bool m_limitsBackward = true;
    double m_moved = 0;
    std::vector<double> m_q, m_keptQ;          ///< (nq) balls and slides as they are, axes as they began
    std::vector<HalfAngle> m_half, m_keptHalf; ///< (nq)
    std::vector<double> m_result;              ///< (nq)
    std::vector<double> m_backQ;               ///< (nq) of the backward pass; balls leave what nobody reads
    std::vector<HalfAngle> m_backHalf;         ///< (nq) and what axes have there
    std::vector<Vector3> m_pivot;              ///< (nodes) after the forward pass
    std::vector<Quaternion> m_rotation;        ///< (nodes) after the forward pass
    std::vector<Vector3> m_wishedPivot;        ///< (nodes) after the backward pass
    std::vector<Quaternion> m_wishedRotation;  ///< (nodes)
    std::vector<Effector> m_goals;             ///< (maxGoals)
};

} // namespace tendon::fabrik
