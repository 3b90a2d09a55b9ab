#include "solvers/fabrik/TreePasses.h"

#include "solvers/fabrik/Rotations.h"

#include <algorithm>
#include <cmath>

namespace tendon::fabrik {

using sdk::Stage;

namespace {

constexpr double kJointPrior = 0.02; ///< as JointTurn's, for joints with several arms

} // namespace

void TreePasses::prepare(const sdk::Model& model, std::int32_t maxGoals)
{
    const auto n = static_cast<std::size_t>(model.bodyCount);
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_keptQ = m_backQ = m_result = m_q;
    m_half.assign(m_q.size(), {});
    m_keptHalf = m_backHalf = m_half;
    m_pivot.assign(n, Vector3::Zero());
    m_wishedPivot = m_pivot;
    m_rotation.assign(n, Quaternion::Identity());
    m_wishedRotation = m_rotation;
    m_goals.assign(static_cast<std::size_t>(maxGoals), {});
}

void TreePasses::begin(const kit::SolverRun& run, JointTree& tree, bool limitsBackward,
                       const kit::Recorder<sdk::StageRow>& stages)
{
    m_run = &run;
    m_tree = &tree;
    m_stages = stages;
    m_limitsBackward = limitsBackward;
    m_pass = 0;
    for (Effector& effector : m_goals) effector.node = -1;
    const auto nodes = tree.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const Arm& arm : tree.arms(nodes[i])) {
            if (arm.goal < 0) continue;
            const sdk::Goal& goal = run.problem().goals[arm.goal];
            Effector& effector = m_goals[arm.goal];
            effector.node = static_cast<std::int32_t>(i);
            effector.vector = arm.vector;
            effector.fromNode = arm.bodyFromNode;
            effector.target = kit::vectorAt(goal.targetPosition);
            effector.wanted = kit::quaternionAt(goal.targetRotation);
            effector.positionWeight = kit::asksPosition(goal.kind) ? goal.positionWeight : 0;
            effector.rotationWeight = kit::asksRotation(goal.kind) ? goal.rotationWeight : 0;
        }
    restart(run.q());
}

void TreePasses::restart(std::span<const double> q)
{
    std::copy(q.begin(), q.end(), m_q.begin());
    for (const Node& node : m_tree->nodes()) node.turn.begin(turned());
    stand();
}

void TreePasses::keep()
{
    std::copy(m_q.begin(), m_q.end(), m_keptQ.begin());
    std::copy(m_half.begin(), m_half.end(), m_keptHalf.begin());
}

void TreePasses::restore()
{
    std::copy(m_keptQ.begin(), m_keptQ.end(), m_q.begin());
    std::copy(m_keptHalf.begin(), m_keptHalf.end(), m_half.begin());
    stand();
}

std::span<const double> TreePasses::q()
{
    std::copy(m_q.begin(), m_q.end(), m_result.begin());
    for (const Node& node : m_tree->nodes()) node.turn.settle(turned(), m_result.data());
    return m_result;
}

/// Pivots, rotations and effectors from m_q and m_half.
void TreePasses::stand()
{
    const auto nodes = m_tree->nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        Vector3 above;
        Quaternion frame;
        frameAbove(node, above, frame);
        m_pivot[i] = above + frame * pivotOf(node);
        if (node.armOfParent >= 0) m_tree->arm(node.armOfParent).vector = pivotOf(node);
        m_rotation[i] = (frame * node.baseFromParent * node.turn.motion(turned())).normalized();
    }
    measure();
}

/// Of what a node stands on: its parent node's frame, or the model's.
void TreePasses::frameAbove(const Node& node, Vector3& position, Quaternion& rotation) const
{
    if (node.parent < 0) {
        position.setZero();
        rotation.setIdentity();
        return;
    }
    position = m_pivot[node.parent];
    rotation = m_rotation[node.parent];
}

/// [m] in the parent node's frame, with its slides at m_q.
Vector3 TreePasses::pivotOf(const Node& node) const
{
    Vector3 pivot = node.pivotInParent;
    for (int k = 0; k < node.slides; ++k) pivot += node.slideAxis[k] * m_q[node.slideAt[k]];
    return pivot;
}

/// Where the far end of an arm is wanted: at its goal, or where the backward pass put the child. False when nowhere.
bool TreePasses::wishedEnd(const Arm& arm, Vector3& end) const
{
    end = arm.child >= 0 ? m_wishedPivot[arm.child] : m_goals[arm.goal].target;
    return arm.weight > 0;
}

void TreePasses::backward()
{
    std::copy(m_half.begin(), m_half.end(), m_backHalf.begin());
    for (std::size_t i = m_tree->nodes().size(); i-- > 0;) backwardNode(static_cast<std::int32_t>(i));
}

/// Every arm says where it wants the node: one candidate each. The pivot goes to their weighted mean (D15).
void TreePasses::backwardNode(std::int32_t index)
{
    const Node& node = m_tree->nodes()[index];
    const auto arms = m_tree->arms(node);
    record(Stage::Start, false, node.body, -1, m_pivot[index], m_rotation[index]);
    Quaternion asked;
    if (node.askedBy >= 0) asked = (m_goals[node.askedBy].wanted * node.goalFromNode.conjugate()).normalized();
    const Quaternion* wanted = node.askedBy >= 0 ? &asked : nullptr;

    Vector3 sum = Vector3::Zero();
    double weights = 0;
    Eigen::Vector4d turned = Eigen::Vector4d::Zero();
    Candidate one{m_pivot[index], m_rotation[index]};
    for (const Arm& arm : arms) {
        one = arm.child < 0 ? fromGoal(index, arm, wanted) : fromChild(index, arm, wanted);
        if (arms.size() > 1)
            record(Stage::Candidate, false, node.body, arm.child < 0 ? -1 - arm.goal : m_tree->nodes()[arm.child].body,
                   one.pivot, one.rotation, arm.weight);
        sum += arm.weight * one.pivot;
        weights += arm.weight;
        const double sign = one.rotation.coeffs().dot(m_rotation[index].coeffs()) < 0 ? -1 : 1;
        turned += (arm.weight + 1e-6) * sign * one.rotation.coeffs();
    }
    if (arms.size() == 1) {
        m_wishedPivot[index] = arms[0].weight > 0 ? one.pivot : m_pivot[index];
        m_wishedRotation[index] = one.rotation;
        return;
    }
    m_wishedPivot[index] = weights > 0 ? Vector3(sum / weights) : m_pivot[index];
    m_wishedRotation[index] = m_rotation[index];
    if (wanted != nullptr)
        m_wishedRotation[index] = asked;
    else if (turned.norm() > 1e-6) {
        m_wishedRotation[index] = wishOfArms(node, m_wishedPivot[index], Quaternion(turned.normalized()),
                                             Quaternion::Identity())
                                      .best(m_rotation[index]);
    }
    record(Stage::SubBase, false, node.body, -1, m_wishedPivot[index], m_wishedRotation[index], weights);
}

/// Steps b to d at an end: the effector goes to its target, turned as asked, else looking there from where the joint
/// is.
TreePasses::Candidate TreePasses::fromGoal(std::int32_t index, const Arm& arm, const Quaternion* asked)
{
    const Node& node = m_tree->nodes()[index];
    const Effector& effector = m_goals[arm.goal];
    Candidate result{m_pivot[index], asked != nullptr ? *asked : m_rotation[index]};
    if (arm.weight > 0) {
        if (asked == nullptr && !node.turn.isLimited())
            result.rotation = nearUnit(looking(m_rotation[index] * arm.vector, effector.target - m_pivot[index]) *
                                       m_rotation[index]);
        result.pivot = effector.target - result.rotation * arm.vector;
        record(Stage::Goal, false, m_run->problem().goals[arm.goal].body, -1 - arm.goal, effector.target,
               result.rotation * effector.fromNode);
    }
    record(Stage::Place, false, node.body, -1 - arm.goal, result.pivot, m_rotation[index]);
    record(Stage::Look, false, node.body, -1 - arm.goal, result.pivot, result.rotation);
    return result;
}

/// Steps c to h at an edge: the child stays; this node goes onto the line to it and turns to look along it, as far as
/// the child's joint, which ties the two, allows (D24: the limit belongs to the edge).
TreePasses::Candidate TreePasses::fromChild(std::int32_t index, const Arm& arm, const Quaternion* asked)
{
    const Node& node = m_tree->nodes()[index];
    const Node& child = m_tree->nodes()[arm.child];
    const Vector3& end = m_wishedPivot[arm.child];
    const Quaternion& outer = m_wishedRotation[arm.child];
    const Vector3 line = end - m_pivot[index];

    // The child's slides take up what they can before this joint has to move.
    Vector3 vector = arm.vector;
    for (int k = 0; k < child.slides; ++k) {
        const Vector3& axis = child.slideAxis[k];
        const double now = m_q[child.slideAt[k]];
        const double by = axis.dot(m_rotation[index].conjugate() * line - vector) / axis.squaredNorm();
        const std::int32_t v = child.slideDof[k];
        const double then = std::clamp(now + by, m_run->model().lower[v], m_run->model().upper[v]);
        vector += axis * (then - now);
    }

    Candidate result;
    const bool isPlaced = arm.weight > 0;
    if (asked != nullptr) {
        result.rotation = *asked;
    } else if (!m_limitsBackward || !child.turn.isLimited()) {
        result.rotation = isPlaced ? nearUnit(looking(m_rotation[index] * vector, line) * m_rotation[index])
                                   : m_rotation[index];
    } else {
        const Quaternion prior = child.baseFromParent.conjugate() * m_rotation[index].conjugate() * outer;
        const Quaternion kept = child.turn.aim(outer.conjugate() * line, child.baseFromParent.conjugate() * vector,
                                               isPlaced, prior, {m_backQ.data(), m_backHalf.data()});
        result.rotation = nearUnit(outer * (child.baseFromParent * kept).conjugate());
        if (m_stages.isActive()) recordBackward(node, child, line, vector, kept, isPlaced);
        result.pivot = end - result.rotation * vector;
        return result;
    }
    result.pivot = end - result.rotation * vector;
    record(Stage::Place, false, node.body, child.body, result.pivot, m_rotation[index]);
    record(Stage::Look, false, node.body, child.body, result.pivot, result.rotation);
    return result;
}

/// What several arms of a node at `pivot` wish of its motion from `base`: to look at their wished ends (weighted
/// orthogonal Procrustes), and to be like `prior` as far as they leave it open.
Wish TreePasses::wishOfArms(const Node& node, const Vector3& pivot, const Quaternion& prior,
                            const Quaternion& base) const
{
    Wish wish;
    double sizes = 0;
    for (const bool isCounting : {true, false})
        for (const Arm& arm : m_tree->arms(node)) {
            Vector3 end;
            if (!wishedEnd(arm, end)) continue;
            const Vector3 to = end - pivot;
            if (isCounting)
                sizes += arm.weight * arm.vector.norm() * to.norm();
            else if (sizes > 0)
                wish.aim(arm.vector, base.conjugate() * to, arm.weight / sizes);
        }
    wish.liken((base.conjugate() * prior).normalized(), sizes > 0 ? kJointPrior : 1);
    return wish;
}

/// Stage two at one node: it slides and turns, within its limits, toward where the backward pass wants it and its arms'
/// ends, and carries its children's pivots with it: lengths are exact by construction.
void TreePasses::place(std::int32_t index)
{
    const Node& node = m_tree->nodes()[index];
    const auto arms = m_tree->arms(node);
    Vector3 above;
    Quaternion frame;
    frameAbove(node, above, frame);
    if (node.slides > 0) slideTo(index, frame.conjugate() * (m_wishedPivot[index] - above));
    m_pivot[index] = above + frame * pivotOf(node);
    const Quaternion base = frame * node.baseFromParent;
    if (node.parent < 0) record(Stage::Root, true, node.body, -1, m_pivot[index], m_rotation[index]);

    if (arms.size() == 1 || node.askedBy >= 0) {
        const Arm& arm = arms[0];
        Vector3 end, vector = arm.vector;
        const bool isPlaced = node.askedBy < 0 && wishedEnd(arm, end);
        Vector3 line = Vector3::Zero();
        if (isPlaced) {
            bendHinge(arm, m_pivot[index], vector, end);
            line = base.conjugate() * (end - m_pivot[index]);
        }
        const Quaternion prior = base.conjugate() * m_wishedRotation[index];
        const Quaternion kept = node.turn.aim(vector, line, isPlaced, prior, turned());
        m_rotation[index] = nearUnit(base * kept);
        if (m_stages.isActive()) recordForward(node, arm, base, prior, line, isPlaced, kept);
        return;
    }
    const Quaternion now = node.turn.motion(turned());
    Quaternion wished;
    const Quaternion kept = node.turn.follow(wishOfArms(node, m_pivot[index], m_wishedRotation[index], base), now,
                                             turned(), &wished);
    m_rotation[index] = (base * kept).normalized();
    if (m_stages.isActive()) recordForwardOfArms(node, base, wished, kept);
}

/// Two bones with a hinge between them: the hinge opens until the far end is as far from `pivot` as is wished of it
/// (two spheres, D13, for hinges that need not be square to the bones); what is to be aimed then is that far end.
/// Changes `vector` (the arm, in the inner node's frame) and `end` (where it is to point, model space), or leaves them.
void TreePasses::bendHinge(const Arm& arm, const Vector3& pivot, Vector3& vector, Vector3& end)
{
    if (arm.child < 0) return;
    const Node& child = m_tree->nodes()[arm.child];
    if (child.slides > 0 || child.armCount != 1 || child.askedBy >= 0) return;
    const Arm& outer = m_tree->arms(child)[0];
    Vector3 far;
    Vector3 h;
    Quaternion after;
    const int axis = child.turn.hinge(turned(), h, after);
    if (axis < 0 || !wishedEnd(outer, far)) return;

    // |a + B turn(h, x) b|^2 = c + 2 (A cos x + S sin x)
    const Vector3 a = child.baseFromParent.conjugate() * vector, b = after * outer.vector;
    const double both = a.dot(h) * b.dot(h), across = a.dot(b) - both, square = a.dot(h.cross(b));
    const double reach = std::hypot(across, square);
    if (!(reach > 1e-12 * (a.squaredNorm() + b.squaredNorm()))) return;
    const double wanted = (far - pivot).squaredNorm() - a.squaredNorm() - b.squaredNorm() - 2 * both;
    const double cosine = std::clamp(0.5 * wanted / reach, -1.0, 1.0), sine = std::sqrt(1 - cosine * cosine);
    const HalfAngle half = child.turn.openTo(axis, across / reach, square / reach, cosine, sine, turned());
    vector += child.baseFromParent *
              (Quaternion(half.cosine, half.sine * h[0], half.sine * h[1], half.sine * h[2]) * b);
    end = far;
}

/// Moves a node's slides so that its pivot comes nearest to `wished` (in the parent node's frame).
void TreePasses::slideTo(std::int32_t index, const Vector3& wished)
{
    const Node& node = m_tree->nodes()[index];
    const sdk::Model& model = m_run->model();
    for (int round = 0; round < 2; ++round) // once, if the axes are square
        for (int k = 0; k < node.slides; ++k) {
            const Vector3& axis = node.slideAxis[k];
            double& q = m_q[node.slideAt[k]];
            q = std::clamp(q + axis.dot(wished - pivotOf(node)) / axis.squaredNorm(), model.lower[node.slideDof[k]],
                           model.upper[node.slideDof[k]]);
        }
    if (node.armOfParent >= 0) m_tree->arm(node.armOfParent).vector = pivotOf(node);
}

void TreePasses::forward()
{
    for (std::size_t i = 0; i < m_tree->nodes().size(); ++i) place(static_cast<std::int32_t>(i));
    measure();
}

void TreePasses::stretch()
{
    for (std::size_t i = m_tree->nodes().size(); i-- > 0;) { // everyone is drawn to what hangs on it
        const Node& node = m_tree->nodes()[i];
        Vector3 sum = Vector3::Zero();
        double weights = 0;
        for (const Arm& arm : m_tree->arms(node)) {
            Vector3 end;
            if (!wishedEnd(arm, end)) continue;
            sum += arm.weight * end;
            weights += arm.weight;
        }
        m_wishedPivot[i] = weights > 0 ? Vector3(sum / weights) : m_pivot[i];
        m_wishedRotation[i] = m_rotation[i];
    }
    forward();
}

} // namespace tendon::fabrik
