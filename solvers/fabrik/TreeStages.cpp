#include "solvers/fabrik/TreePasses.h"

#include <tendon/kit/Limits.h>

#include <algorithm>

/// The rows of "tendon.stages/1". Steps e to h happen at once in the solver, as one projection; here each is recorded
/// on its own.
namespace tendon::fabrik {

using sdk::Stage;

/// The edge that a joint ties: where its free end stands for a motion of the joint.
struct TreePasses::Edge
{
    bool isForward;
    std::int32_t body, other;
    Vector3 fixed;     ///< the end that stays
    Vector3 arm;       ///< in the inner node's frame
    Quaternion before; ///< forward: the joint's base; backward: the outer node's rotation
    Quaternion child;  ///< backward: the joint's base from the inner node

    [[nodiscard]] Candidate at(const Quaternion& motion) const
    {
        const Quaternion rotation = (isForward ? before * motion : before * (child * motion).conjugate()).normalized();
        return {fixed + rotation * Vector3(isForward ? arm : Vector3(-arm)), rotation};
    }
};

sdk::StageRow* TreePasses::newRow(Stage stage, bool isForward, std::int32_t body, std::int32_t other)
{
    sdk::StageRow* row = m_stages.append();
    if (row == nullptr) return nullptr;
    row->pass = m_pass;
    row->stage = stage;
    row->isForward = isForward ? 1 : 0;
    row->body = body;
    row->other = other;
    return row;
}

sdk::StageRow* TreePasses::record(Stage stage, bool isForward, std::int32_t body, std::int32_t other,
                                  const Vector3& position, const Quaternion& rotation, double weight)
{
    sdk::StageRow* row = newRow(stage, isForward, body, other);
    if (row == nullptr) return nullptr;
    std::copy(position.data(), position.data() + 3, row->position);
    kit::store(rotation, row->rotation);
    row->weight = weight;
    return row;
}

void TreePasses::recordLimits(const Edge& edge, const Node& joint, const Quaternion& wished, const Quaternion& kept)
{
    const sdk::Model& model = m_run->model();
    const sdk::Axis axis = model.ballAxis[joint.body];
    Quaternion swung = kept;
    if (kit::traitsOf(model, joint.body).hasSwingLimits) {
        kit::SwingTwist split = kit::splitSwingTwist(wished, axis);
        const double* semiAxes = &model.ballSwing[4 * joint.body];
        if (sdk::StageRow* row = newRow(Stage::Ellipse, edge.isForward, edge.body, edge.other)) {
            std::copy(semiAxes, semiAxes + 4, row->semiAxes);
            row->swing[0] = split.swingA;
            row->swing[1] = split.swingB;
            const Candidate at = edge.at(wished);
            std::copy(at.pivot.data(), at.pivot.data() + 3, row->position);
            kit::store(at.rotation, row->rotation);
        }
        const auto swing = kit::nearestInEllipse(split.swingA, split.swingB, semiAxes);
        split.swingA = swing[0];
        split.swingB = swing[1];
        swung = kit::joinSwingTwist(split, axis);
        if (m_stages.hasRoom()) {
            // The nearest point of the cone: the edge is shorter there, until the next step.
            const Candidate at = edge.at(swung);
            const Vector3 along = (at.pivot - edge.fixed).normalized();
            const double length = std::max(0.0, along.dot(edge.at(wished).pivot - edge.fixed));
            if (sdk::StageRow* row = record(Stage::IntoEllipse, edge.isForward, edge.body, edge.other,
                                            edge.fixed + length * along, at.rotation)) {
                std::copy(semiAxes, semiAxes + 4, row->semiAxes);
                row->swing[0] = swing[0];
                row->swing[1] = swing[1];
            }
        }
    }
    const Candidate whole = edge.at(swung), last = edge.at(kept);
    record(Stage::Length, edge.isForward, edge.body, edge.other, whole.pivot, whole.rotation);
    record(Stage::Twist, edge.isForward, edge.body, edge.other, last.pivot, last.rotation);
}

void TreePasses::recordBackward(const Node& node, const Node& child, const Vector3& line, const Vector3& arm,
                                const Quaternion& kept, bool isPlaced)
{
    const std::int32_t inner = static_cast<std::int32_t>(&node - m_tree->nodes().data()),
                       outer = static_cast<std::int32_t>(&child - m_tree->nodes().data());
    const Vector3& end = m_wishedPivot[outer];
    const Quaternion now = m_rotation[inner];
    const Quaternion look = isPlaced ? Quaternion(kit::leastRotation(now * arm, line) * now) : now;
    const Edge edge{false, node.body, child.body, end, arm, m_wishedRotation[outer], child.baseFromParent};
    record(Stage::Place, false, node.body, child.body, end - look * arm, now);
    record(Stage::Look, false, node.body, child.body, end - look * arm, look);
    recordLimits(edge, child, child.baseFromParent.conjugate() * look.conjugate() * m_wishedRotation[outer], kept);
}

/// In this direction it is the far end of the arm that is moved into the ellipse (D24).
void TreePasses::recordForward(const Node& node, const Arm& arm, const Quaternion& base, const Quaternion& prior,
                               const Vector3& line, bool isPlaced, const Quaternion& kept)
{
    const Vector3& pivot = m_pivot[static_cast<std::size_t>(&node - m_tree->nodes().data())];
    const std::int32_t moved = arm.child >= 0 ? m_tree->nodes()[arm.child].body : m_run->problem().goals[arm.goal].body;
    const Quaternion wished = isPlaced ? Quaternion(kit::leastRotation(prior * arm.vector, line) * prior) : prior;
    const Edge edge{true, moved, node.body, pivot, arm.vector, base, Quaternion::Identity()};
    const Candidate at = edge.at(wished);
    record(Stage::Place, true, moved, node.body, at.pivot, base * prior);
    record(Stage::Look, true, moved, node.body, at.pivot, at.rotation);
    if (node.turn.isLimited()) recordLimits(edge, node, wished, kept);
}

/// A node that turns for several arms at once: the limits are those of its joint, shown at the end of its longest arm.
void TreePasses::recordForwardOfArms(const Node& node, const Quaternion& base, const Quaternion& wished,
                                     const Quaternion& kept)
{
    const auto index = static_cast<std::size_t>(&node - m_tree->nodes().data());
    const bool isLimited = node.turn.isLimited() && kit::traitsOf(m_run->model(), node.body).hasSwingLimits;
    record(Stage::Look, true, node.body, node.body, m_pivot[index],
           isLimited ? Quaternion((base * wished).normalized()) : m_rotation[index]);
    if (!isLimited) return;
    const auto arms = m_tree->arms(node);
    const Arm& arm = *std::max_element(arms.begin(), arms.end(), [](const Arm& a, const Arm& b) {
        return a.vector.squaredNorm() < b.vector.squaredNorm();
    });
    const std::int32_t moved = arm.child >= 0 ? m_tree->nodes()[arm.child].body : m_run->problem().goals[arm.goal].body;
    recordLimits({true, moved, node.body, m_pivot[index], arm.vector, base, Quaternion::Identity()}, node, wished,
                 kept);
}

} // namespace tendon::fabrik
