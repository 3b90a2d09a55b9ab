#include "solvers/fabrik/JointTree.h"

#include <algorithm>
#include <cmath>

namespace tendon::fabrik {

using sdk::DofKind;
using sdk::GoalKind;
using sdk::JointKind;

void JointTree::prepare(const sdk::Model& model, std::int32_t maxGoals)
{
    const auto n = static_cast<std::size_t>(model.bodyCount);
    m_nodes.assign(n, {});
    m_arms.assign(n + static_cast<std::size_t>(maxGoals), {});
    m_nodeOf.assign(n, -1);
    m_positionInNode.assign(n, Vector3::Zero());
    m_rotationInNode.assign(n, Quaternion::Identity());
    m_scale.assign(n, 1);
    m_hanging.assign(n, 0);
    m_way.assign(n, 0);
}

void JointTree::build(const kit::SolverRun& run, bool byWeight)
{
    m_nodeCount = 0;
    m_isChain = m_isUnlimited = true;
    for (const std::int32_t body : run.bodies()) m_hanging[body] = 0;
    for (const std::int32_t g : run.activeGoals()) ++m_hanging[run.problem().goals[g].body];
    for (const std::int32_t g : run.activeGoals()) m_isChain &= run.problem().goals[g].kind == GoalKind::Position;
    for (const std::int32_t body : run.bodies())
        if (run.model().parent[body] >= 0) ++m_hanging[run.model().parent[body]];
    for (const std::int32_t body : run.bodies()) addNode(run, body);
    countArms(run);
    addArms(run, byWeight);
    measure(run);
}

void JointTree::addNode(const kit::SolverRun& run, std::int32_t body)
{
    const sdk::Model& model = run.model();
    const double* base = run.problem().base.data() + kit::kBaseStride * body;
    const double* q = run.q().data() + model.qBegin[body];
    const std::int32_t above = model.parent[body];
    const double scaleAbove = above < 0 ? 1 : m_scale[above];
    const Vector3 positionAbove = above < 0 ? Vector3(Vector3::Zero()) : m_positionInNode[above];
    const Quaternion rotationAbove = above < 0 ? Quaternion::Identity() : m_rotationInNode[above];

    Node& node = m_nodes[m_nodeCount];
    node = {};
    node.body = body;
    node.parent = above < 0 ? -1 : m_nodeOf[above];
    node.turn.read(run, body);

    // Slides that do not move are part of the base.
    Vector3 still = kit::vectorAt(base) + kit::slide(model, body, q);
    for (std::int32_t v = model.vBegin[body], k = 0; v < model.vBegin[body + 1] && model.dofKind[v] == DofKind::Sliding;
         ++v, ++k) {
        if (!run.isMovable(v) || node.slides == 3) continue;
        const Vector3 axis = kit::vectorAt(&model.axis[3 * v]);
        still -= axis * q[k];
        const auto at = static_cast<std::size_t>(node.slides++);
        node.slideAxis[at] = rotationAbove * Vector3(axis * scaleAbove);
        node.slideDof[at] = v;
        node.slideAt[at] = model.qBegin[body] + k;
    }
    const Vector3 position = positionAbove + rotationAbove * Vector3(still * scaleAbove);
    const Quaternion rotation = rotationAbove * kit::quaternionAt(base + 3);
    m_scale[body] = scaleAbove * base[7];

    if (node.turn.kind() == JointTurn::Kind::None && node.slides == 0) { // rigid: belongs to the node above
        m_nodeOf[body] = node.parent;
        m_positionInNode[body] = position;
        m_rotationInNode[body] = rotation * kit::motion(model, body, q);
        return;
    }
    if (join(run, body, position, rotation)) return;
    node.pivotInParent = position;
    node.baseFromParent = rotation;
    m_isUnlimited &= !node.turn.isLimited();
    m_isChain &= node.slides == 0;
    m_nodeOf[body] = static_cast<std::int32_t>(m_nodeCount++);
    m_positionInNode[body].setZero();
    m_rotationInNode[body].setIdentity();
}

/// A body whose joint turns about the point that the node above turns about, with nothing else between, is one joint
/// with it. The pivot of a single hinge may lie anywhere on its axis, so it moves to where the next one is.
bool JointTree::join(const kit::SolverRun& run, std::int32_t body, const Vector3& position, const Quaternion& rotation)
{
    const std::int32_t above = run.model().parent[body];
    if (above < 0 || m_nodeOf[above] < 0) return false;
    Node& node = m_nodes[m_nodeOf[above]];
    for (std::int32_t b = above;; b = run.model().parent[b]) { // no goal, no branch on the way
        if (m_hanging[b] != 1) return false;
        if (b == node.body) break;
    }
    constexpr double kThere = 1e-12;
    const Vector3& axis = node.turn.firstAxis();
    const bool isOnAxis = node.turn.axisCount() == 1 &&
                          (position - axis * axis.dot(position)).norm() <= kThere * position.norm();
    if (position.norm() > 0 && !isOnAxis) return false;
    if (!node.turn.append(run, body, rotation)) return false;
    node.pivotInParent += node.baseFromParent * position;
    m_nodeOf[body] = m_nodeOf[above];
    m_positionInNode[body].setZero();
    m_rotationInNode[body] = rotation;
    m_isChain = false;
    return true;
}

/// Room for each node's arms: one per child, one per goal.
void JointTree::countArms(const kit::SolverRun& run)
{
    const std::span<Node> nodes(m_nodes.data(), m_nodeCount);
    m_isChain &= !nodes.empty() && nodes[0].parent < 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        m_isChain &= nodes[i].parent == static_cast<std::int32_t>(i) - 1;
        if (nodes[i].parent >= 0) ++nodes[nodes[i].parent].armCount;
    }
    for (const std::int32_t g : run.activeGoals()) {
        const std::int32_t node = m_nodeOf[run.problem().goals[g].body];
        if (node >= 0 && run.problem().goals[g].kind != GoalKind::Pole) ++nodes[node].armCount;
    }
    std::int32_t used = 0;
    for (Node& node : nodes) {
        m_isChain &= node.armCount == 1;
        node.firstArm = used;
        used += node.armCount;
        node.armCount = 0;
    }
}

void JointTree::addArms(const kit::SolverRun& run, bool byWeight)
{
    const std::span<Node> nodes(m_nodes.data(), m_nodeCount);
    const auto newArm = [&](Node& node) -> Arm& { return m_arms[node.firstArm + node.armCount++] = {}; };
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        if (m_nodeOf[goal.body] < 0 || goal.kind == GoalKind::Pole)
            continue; // nothing that moves it; no place of its own
        Node& node = nodes[m_nodeOf[goal.body]];
        Arm& arm = newArm(node);
        arm.vector = m_positionInNode[goal.body] +
                     m_rotationInNode[goal.body] * Vector3(kit::vectorAt(goal.offset) * m_scale[goal.body]);
        arm.goal = g;
        arm.bodyFromNode = m_rotationInNode[goal.body];
        const bool isPlaced = kit::asksPosition(goal.kind) && goal.positionWeight > 0;
        arm.weight = !isPlaced ? 0 : byWeight ? goal.positionWeight : 1;
        const bool isAsked = kit::asksRotation(goal.kind) && goal.rotationWeight > 0;
        if (!isAsked || node.askedBy >= 0) continue;
        node.askedBy = g;
        node.goalFromNode = m_rotationInNode[goal.body];
    }
    // Children last to first, so that a sub-base counts for as much as hangs on it.
    for (std::size_t i = nodes.size(); i-- > 0;) {
        Node& node = nodes[i];
        if (node.parent < 0) continue;
        Node& parent = nodes[node.parent];
        node.armOfParent = parent.firstArm + parent.armCount;
        Arm& arm = newArm(parent);
        arm.vector = node.pivotInParent;
        for (int k = 0; k < node.slides; ++k) arm.vector += node.slideAxis[k] * run.q()[node.slideAt[k]];
        arm.child = static_cast<std::int32_t>(i);
        arm.weight = 0;
        for (const Arm& beyond : arms(node))
            arm.weight = byWeight ? arm.weight + beyond.weight : std::max(arm.weight, beyond.weight);
    }
}

void JointTree::measure(const kit::SolverRun& run)
{
    m_size = 0;
    for (std::size_t i = 0; i < m_nodeCount; ++i) {
        const Node& node = m_nodes[i];
        m_way[i] = node.parent < 0 ? 0 : m_way[node.parent] + m_arms[node.armOfParent].vector.norm();
        for (const Arm& arm : arms(node)) m_size = std::max(m_size, m_way[i] + arm.vector.norm());
    }
    // Nothing has a length: measure by how far the goals are.
    for (const std::int32_t g : run.activeGoals())
        if (m_size == 0) m_size = run.error(g).position;
    if (!(m_size > 0)) m_size = 1;
}

} // namespace tendon::fabrik
