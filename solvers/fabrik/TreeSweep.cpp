#include "solvers/fabrik/TreePasses.h"

#include <algorithm>
#include <cmath>

/// What goals are missed by, and the sweeps that go on where passes do not.
namespace tendon::fabrik {

/// Reads where the effectors are, and how far they moved since.
void TreePasses::measure()
{
    m_moved = 0;
    for (Effector& effector : m_goals) {
        if (effector.node < 0) continue;
        const Vector3 position = m_pivot[effector.node] + m_rotation[effector.node] * effector.vector;
        const Quaternion rotation = m_rotation[effector.node] * effector.fromNode;
        if (effector.positionWeight > 0)
            m_moved = std::max(m_moved, (position - effector.position).norm() / m_tree->size());
        if (effector.rotationWeight > 0)
            m_moved = std::max(m_moved, kit::rotationAngle(rotation.conjugate() * effector.rotation));
        effector.position = position;
        effector.rotation = rotation;
    }
}

double TreePasses::miss() const
{
    double sum = 0;
    for (const Effector& effector : m_goals) {
        if (effector.node < 0) continue;
        if (effector.positionWeight > 0)
            sum += std::pow(effector.positionWeight * (effector.position - effector.target).norm() / m_tree->size(), 2);
        if (effector.rotationWeight > 0)
            sum += std::pow(
                effector.rotationWeight * kit::rotationAngle(effector.rotation.conjugate() * effector.wanted), 2);
    }
    return std::sqrt(sum);
}

bool TreePasses::isMet(double factor) const
{
    bool isMet = true;
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        const Effector& effector = m_goals[g];
        if (effector.node < 0) continue;
        const sdk::Goal& goal = m_run->problem().goals[g];
        if (effector.positionWeight > 0)
            isMet &= (effector.position - effector.target).norm() <= factor * goal.positionTolerance;
        if (effector.rotationWeight > 0)
            isMet &= kit::rotationAngle(effector.rotation.conjugate() * effector.wanted) <=
                     factor * goal.rotationTolerance;
    }
    return isMet;
}

void TreePasses::turn(std::int32_t index, const Quaternion& by)
{
    const Node& node = m_tree->nodes()[index];
    Vector3 above;
    Quaternion frame;
    frameAbove(node, above, frame);
    const Quaternion base = frame * node.baseFromParent,
                     wished = (base.conjugate() * by * m_rotation[index]).normalized();
    const auto arms = m_tree->arms(node);
    const bool hasAim = arms.size() == 1 && arms[0].vector.squaredNorm() > 0;
    const Vector3 from = hasAim ? arms[0].vector : Vector3(Vector3::Zero());
    static_cast<void>(node.turn.aim(from, wished * from, hasAim, wished, turned()));
    const double moved = m_moved;
    stand();
    m_moved = std::max({m_moved, moved, kit::rotationAngle(by)});
}

double TreePasses::offLine() const
{
    const Vector3& root = m_pivot[0];
    Vector3 direction = Vector3::Zero();
    for (const Effector& effector : m_goals)
        if (effector.node >= 0 && (effector.target - root).norm() > direction.norm())
            direction = effector.target - root;
    if (!(direction.norm() > 0)) return 1;
    direction.normalize();
    double most = 0;
    const auto offer = [&](const Vector3& point) {
        const Vector3 from = point - root;
        most = std::max(most, (from - direction * direction.dot(from)).norm());
    };
    for (std::size_t i = 0; i < m_tree->nodes().size(); ++i) offer(m_pivot[i]);
    for (const Effector& effector : m_goals) {
        if (effector.node < 0) continue;
        offer(effector.position);
        offer(effector.target);
    }
    return most / m_tree->size();
}

void TreePasses::sweep()
{
    for (std::size_t i = 0; i < m_tree->nodes().size(); ++i) sweepNode(static_cast<std::int32_t>(i));
    measure();
}

/// Effectors beyond a node move with it as one stiff body; those of nodes further down were carried along by those
/// above.
void TreePasses::sweepNode(std::int32_t index)
{
    const Node& node = m_tree->nodes()[index];
    if (node.slides > 0) sweepSlides(index);
    Vector3 above;
    Quaternion frame;
    frameAbove(node, above, frame);
    m_pivot[index] = above + frame * pivotOf(node);
    const Quaternion base = frame * node.baseFromParent;
    const Quaternion now = node.turn.motion(turned());
    const Quaternion rotation = base * now;

    const double size = m_tree->size();
    Wish wish;
    bool isWished = false;
    for (const Effector& effector : m_goals) {
        if (effector.node < 0 || !isBeyond(index, effector.node)) continue;
        isWished = true;
        const double place = effector.positionWeight * effector.positionWeight / (size * size);
        if (place > 0)
            wish.aim(rotation.conjugate() * (effector.position - m_pivot[index]),
                     base.conjugate() * (effector.target - m_pivot[index]), 2 * place);
        if (effector.rotationWeight > 0)
            wish.liken(base.conjugate() * effector.wanted * effector.rotation.conjugate() * rotation,
                       effector.rotationWeight * effector.rotationWeight);
    }
    m_rotation[index] = rotation.normalized();
    if (!isWished) return;
    m_rotation[index] = (base * node.turn.follow(wish, now, turned())).normalized();
    const Quaternion by = m_rotation[index] * rotation.conjugate();
    for (Effector& effector : m_goals) {
        if (effector.node < 0 || !isBeyond(index, effector.node)) continue;
        effector.position = m_pivot[index] + by * (effector.position - m_pivot[index]);
        effector.rotation = by * effector.rotation;
    }
}

/// Each slide goes to where the effectors beyond it are missed least.
void TreePasses::sweepSlides(std::int32_t index)
{
    const Node& node = m_tree->nodes()[index];
    const sdk::Model& model = m_run->model();
    Vector3 above;
    Quaternion frame;
    frameAbove(node, above, frame);
    for (int k = 0; k < node.slides; ++k) {
        const Vector3 axis = frame * node.slideAxis[k];
        double along = 0, weights = 0;
        for (const Effector& effector : m_goals) {
            if (effector.node < 0 || !isBeyond(index, effector.node)) continue;
            const double weight = effector.positionWeight * effector.positionWeight;
            along += weight * axis.dot(effector.target - effector.position);
            weights += weight * axis.squaredNorm();
        }
        if (!(weights > 0)) continue;
        double& q = m_q[node.slideAt[k]];
        const double then = std::clamp(q + along / weights, model.lower[node.slideDof[k]],
                                       model.upper[node.slideDof[k]]);
        for (Effector& effector : m_goals)
            if (effector.node >= 0 && isBeyond(index, effector.node)) effector.position += axis * (then - q);
        q = then;
    }
    if (node.armOfParent >= 0) m_tree->arm(node.armOfParent).vector = pivotOf(node);
}

bool TreePasses::isBeyond(std::int32_t index, std::int32_t node) const
{
    while (node > index) node = m_tree->nodes()[node].parent; // parents come before their children
    return node == index;
}

} // namespace tendon::fabrik
