#pragma once

#include "solvers/fabrik/JointTurn.h"

#include <span>
#include <vector>

namespace tendon::fabrik {

/// One joint that moves in this solve, as FABRIK sees it: a pivot, and rigid arms from it to the next pivots and to
/// goals.
struct Node
{
    std::int32_t body = -1;         ///< whose joint it is; of hinges through one point, the first
    std::int32_t parent = -1;       ///< node above, -1 = stands on the fixed base
    Vector3 pivotInParent{0, 0, 0}; ///< [m] in the parent node's frame, slides at zero; of a root: in model space
    Quaternion baseFromParent{1, 0, 0, 0}; ///< R = R_parent * baseFromParent * motion(q); of a root R_parent = 1
    std::int32_t firstArm = 0, armCount = 0;
    std::int32_t armOfParent = -1;          ///< the parent's arm that ends here
    std::int32_t askedBy = -1;              ///< the goal that asks for this node's rotation; -1 = none
    Quaternion goalFromNode{1, 0, 0, 0};    ///< rotation of that goal's body in this node's frame
    int slides = 0;                         ///< sliding DOFs that move
    std::array<Vector3, 3> slideAxis;       ///< [m per q] in the parent node's frame
    std::array<std::int32_t, 3> slideDof{}; ///< index into the model's DOFs ...
    std::array<std::int32_t, 3> slideAt{};  ///< ... and into q
    JointTurn turn;
};

/// A rigid arm of a node: to a child's pivot or to a goal's effector.
struct Arm
{
    Vector3 vector{0, 0, 0};             ///< [m] in the node's frame; a child's slides change it
    std::int32_t child = -1;             ///< node, or -1 for a goal
    std::int32_t goal = -1;              ///< index into problem().goals
    Quaternion bodyFromNode{1, 0, 0, 0}; ///< of a goal's body
    double weight = 1;                   ///< in a centroid; 0 = nothing is asked of where its end is
};

/// The bodies of a solve with all that cannot move folded away. Lengths are this solve's. [sized by prepare()]
class JointTree
{
public:
    void prepare(const sdk::Model& model, std::int32_t maxGoals);

    /// Reads model, base, locks and goals of the run at its present q. Call once per solve. `byWeight`: in a centroid a
    /// branch counts by the weights of its goals, else every branch counts the same.
    void build(const kit::SolverRun& run, bool byWeight);

    [[nodiscard]] std::span<const Node> nodes() const { return {m_nodes.data(), m_nodeCount}; }
    [[nodiscard]] std::span<const Arm> arms(const Node& node) const
    {
        return {m_arms.data() + node.firstArm, static_cast<std::size_t>(node.armCount)};
    }
    [[nodiscard]] Arm& arm(std::int32_t index) { return m_arms[static_cast<std::size_t>(index)]; }

    /// The node that a body belongs to: itself, or the nearest above that moves; -1 = the fixed base.
    [[nodiscard]] std::int32_t nodeOf(std::int32_t body) const { return m_nodeOf[static_cast<std::size_t>(body)]; }

    /// True when every node has one arm and no slides, and one position goal stands at the end: points say it all.
    [[nodiscard]] bool isChain() const { return m_isChain; }
    /// True when no joint has a rotation that it cannot take.
    [[nodiscard]] bool isUnlimited() const { return m_isUnlimited; }

    /// [m] the longest way from a root to a goal along the arms; what errors are measured by.
    [[nodiscard]] double size() const { return m_size; }

private:
    void addNode(const kit::SolverRun& run, std::int32_t body);
    [[nodiscard]] bool join(const kit::SolverRun& run, std::int32_t body, const Vector3& position,
                            const Quaternion& rotation);
    void countArms(const kit::SolverRun& run);
    void addArms(const kit::SolverRun& run, bool byWeight);
    void measure(const kit::SolverRun& run);

    std::vector<Node> m_nodes;
    std::vector<Arm> m_arms;
    std::vector<std::int32_t> m_nodeOf;       ///< (n)
    std::vector<Vector3> m_positionInNode;    ///< (n) of bodies folded into a node
    std::vector<Quaternion> m_rotationInNode; ///< (n)
    std::vector<double> m_scale;              ///< (n) world scale
    std::vector<std::int32_t> m_hanging;      ///< (n) how many goals and involved children a body has
    std::vector<double> m_way;                ///< (nodes) [m] from the root
    std::size_t m_nodeCount = 0;
    double m_size = 0;
    bool m_isChain = false, m_isUnlimited = false;
};

} // namespace tendon::fabrik
