#pragma once

#include <tendon/kit/Tangent.h>

/// Second derivatives of what goals and objectives ask, by the tangent: for methods of Newton. Each function adds
/// d2(force . what)/dy dy to a symmetric matrix, whose rows and columns are those of the tangent. A configuration moves
/// as integrate() moves it.
///
/// What an outer DOF i does turns along with it whatever an inner DOF j does:
///
///     point      d2p/didj = a_i x dp/dj      (0 where i slides)
///     direction  d2f/didj = a_i x (a_j x f)
///     rotation   d2r/didj = 1/2 a_i x a_j    near r = 0 (Baker, Campbell and Hausdorff)
///
/// The three DOFs of one ball are a rotation vector, of which none is the outer: there the two orders are averaged.
namespace tendon::kit {

using MatrixRef = Eigen::Ref<Eigen::MatrixXd>;

namespace detail {

/// Calls pair(i, j, isOneBall) for the DOFs that carry `body` and move: each i with all j that it carries, and itself.
template <class Pair>
void forEachPair(const Tangent& tangent, int body, Pair&& pair)
{
    const Model& model = tangent.model();
    for (std::int32_t inner = body; inner >= 0; inner = model.parent[inner])
        for (std::int32_t j = model.vBegin[inner]; j < model.vBegin[inner + 1]; ++j) {
            if (tangent.indexOf(j) < 0) continue;
            for (std::int32_t outer = inner; outer >= 0; outer = model.parent[outer]) {
                const int last = outer == inner ? j + 1 : model.vBegin[outer + 1];
                for (std::int32_t i = model.vBegin[outer]; i < last; ++i) {
                    if (tangent.indexOf(i) < 0) continue;
                    pair(i, j, outer == inner && traitsOf(model, inner).hasQuaternion);
                }
            }
        }
}

inline void addPair(const Tangent& tangent, int i, int j, double value, MatrixRef& matrix)
{
    const double scaled = value * tangent.unitOf(i) * tangent.unitOf(j);
    matrix(tangent.indexOf(i), tangent.indexOf(j)) += scaled;
    if (i != j) matrix(tangent.indexOf(j), tangent.indexOf(i)) += scaled;
}

} // namespace detail

/// Of a point that `body` carries.
inline void addPointCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                              const Vector3& point, const Vector3& force, MatrixRef matrix)
{
    detail::forEachPair(tangent, body, [&](int i, int j, bool isOneBall) {
        if (!motions[i].turns) return;
        double value = force.dot(motions[i].direction.cross(motions[j].velocity(point)));
        if (isOneBall && motions[j].turns)
            value = 0.5 * (value + force.dot(motions[j].direction.cross(motions[i].velocity(point))));
        detail::addPair(tangent, i, j, value, matrix);
    });
}

/// Of a direction that `body` carries.
inline void addDirectionCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                                  const Vector3& direction, const Vector3& force, MatrixRef matrix)
{
    detail::forEachPair(tangent, body, [&](int i, int j, bool isOneBall) {
        if (!motions[i].turns || !motions[j].turns) return;
        const Vector3 &outer = motions[i].direction, &inner = motions[j].direction;
        double value = force.dot(outer.cross(inner.cross(direction)));
        if (isOneBall) value = 0.5 * (value + force.dot(inner.cross(outer.cross(direction))));
        detail::addPair(tangent, i, j, value, matrix);
    });
}

/// Of the rotation vector from a target to `body`, where it is 0; elsewhere off by as much as it is long.
inline void addRotationCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                                 const Vector3& force, MatrixRef matrix)
{
    detail::forEachPair(tangent, body, [&](int i, int j, bool isOneBall) {
        if (isOneBall || i == j || !motions[i].turns || !motions[j].turns) return;
        const double value = 0.5 * force.dot(motions[i].direction.cross(motions[j].direction));
        detail::addPair(tangent, i, j, value, matrix);
    });
}

namespace detail {

/// What a pole's angle depends on: the ways from the chain's start to its end, to the mean of its inner joints and to
/// the pole, in this order.
using PoleWays = Eigen::Matrix<double, 9, 1>;

/// d(angle)/d(ways).
inline PoleWays poleSlope(const PoleWays& ways)
{
    const Vector3 span = ways.head<3>(), b = ways.segment<3>(3), p = ways.tail<3>();
    const double length = span.norm();
    const Vector3 a = span / length;
    const double c = p.dot(b) - a.dot(p) * a.dot(b), s = a.dot(p.cross(b)), squared = c * c + s * s;
    const Vector3 byAxis = c * p.cross(b) + s * (p * a.dot(b) + b * a.dot(p)); // of c ds - s dc
    PoleWays slope;
    slope << (byAxis - a * a.dot(byAxis)) / length, c * a.cross(p) - s * (p - a * a.dot(p)),
        c * b.cross(a) - s * (b - a * a.dot(b));
    return slope / squared;
}

} // namespace detail

/// Of a pole's angle times `force`. What the angle makes of the ways between three points is differenced numerically,
/// what the joints make of the points is exact.
inline void addPoleCurvature(const Tangent& tangent, std::span<const DofMotion> motions,
                             std::span<const Frame<double>> frames, const Goal& goal, double force, MatrixRef matrix)
{
    constexpr double kStep = 1e-5; // of the span
    const Model& model = tangent.model();
    const PoleShape<double> shape = poleShape(model, goal, frames);
    if (!poleAngle(shape, goal.twist).isDefined) return;
    detail::PoleWays ways;
    ways << shape.span, shape.bend, shape.pole;
    const detail::PoleWays slope = force * detail::poleSlope(ways);
    Eigen::Matrix<double, 9, 9> second;
    const double by = kStep * shape.span.norm();
    for (int k = 0; k < 9; ++k) {
        const detail::PoleWays aside = by * detail::PoleWays::Unit(k);
        second.col(k) = force * (detail::poleSlope(ways + aside) - detail::poleSlope(ways - aside)) / (2 * by);
    }

    // The points themselves: end, inner joints and start, as far as each carries the ways.
    const Vector3 start = frames[goal.startBody].position, bySpan = slope.head<3>(), byBend = slope.segment<3>(3),
                  byPole = goal.isDirection != 0 ? Vector3(Vector3::Zero()) : Vector3(slope.tail<3>());
    addPointCurvature(tangent, motions, goal.body, effectorPoint(goal, frames), bySpan, matrix);
    addPointCurvature(tangent, motions, goal.startBody, start, -(bySpan + byBend + byPole), matrix);
    for (int b = model.parent[goal.body]; b >= 0 && b != goal.startBody; b = model.parent[b])
        addPointCurvature(tangent, motions, b, frames[b].position, byBend / shape.inner, matrix);

    const auto wayOf = [&](int dof, int owner) { // d(ways)/d(dof)
        const auto carries = [&](int body) {
            while (body > owner) body = model.parent[body];
            return body == owner;
        };
        const Vector3 moved = carries(goal.startBody) ? motions[dof].velocity(start) : Vector3(Vector3::Zero());
        Vector3 bend = Vector3::Zero();
        for (int b = model.parent[goal.body]; b >= 0 && b != goal.startBody; b = model.parent[b])
            if (carries(b)) bend += motions[dof].velocity(frames[b].position);
        detail::PoleWays way;
        way << motions[dof].velocity(effectorPoint(goal, frames)) - moved, bend / shape.inner - moved,
            goal.isDirection != 0 ? Vector3(Vector3::Zero()) : Vector3(-moved);
        return way;
    };
    for (int inner = goal.body; inner >= 0; inner = model.parent[inner])
        for (int j = model.vBegin[inner]; j < model.vBegin[inner + 1]; ++j) {
            if (tangent.indexOf(j) < 0) continue;
            const detail::PoleWays bent = second * wayOf(j, inner);
            for (int outer = inner; outer >= 0; outer = model.parent[outer])
                for (int i = model.vBegin[outer]; i < (outer == inner ? j + 1 : model.vBegin[outer + 1]); ++i)
                    if (tangent.indexOf(i) >= 0) detail::addPair(tangent, i, j, wayOf(i, outer).dot(bent), matrix);
        }
}

/// Of a goal's residual (unweighted, as residual() writes it); `force` has a number for each of its rows. Exact for
/// positions, aims and poles, and for rotations as addRotationCurvature() says.
inline void addGoalCurvature(const Tangent& tangent, std::span<const DofMotion> motions,
                             std::span<const Frame<double>> frames, const Goal& goal, const double* force,
                             MatrixRef matrix)
{
    const Vector3 point = effectorPoint(goal, frames);
    const Vector3 first = goal.kind == GoalKind::Pole ? Vector3(Vector3::Zero()) : vectorAt(force);
    if (asksPosition(goal.kind)) addPointCurvature(tangent, motions, goal.body, point, first, matrix);
    if (asksRotation(goal.kind))
        addRotationCurvature(tangent, motions, goal.body, vectorAt(force + (asksPosition(goal.kind) ? 3 : 0)), matrix);
    if (goal.kind == GoalKind::Pole) addPoleCurvature(tangent, motions, frames, goal, *force, matrix);
    if (goal.kind != GoalKind::Aim) return;

    const Vector3 looking = frames[goal.body].rotation * vectorAt(goal.axis);
    const Vector3 wanted = vectorAt(goal.targetPosition) - (goal.isDirection != 0 ? Vector3(Vector3::Zero()) : point);
    const double distance = wanted.norm();
    if (!(distance > 0)) return;
    addDirectionCurvature(tangent, motions, goal.body, looking, first, matrix);
    if (goal.isDirection != 0) return;
    // -force . u, where u = (target - point) / distance: its gradient and second derivative by the point, chained.
    const Vector3 u = wanted / distance;
    const Matrix3 across = Matrix3::Identity() - u * u.transpose();
    const Vector3 bent = across * first;
    const Matrix3 second = (u.dot(first) * across + u * bent.transpose() + bent * u.transpose()) /
                           (distance * distance);
    addPointCurvature(tangent, motions, goal.body, point, bent / distance, matrix);
    detail::forEachPair(tangent, goal.body, [&](int i, int j, bool) {
        detail::addPair(tangent, i, j, motions[i].velocity(point).dot(second * motions[j].velocity(point)), matrix);
    });
}

} // namespace tendon::kit
