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

namespace detail {

/// Adds outer(i) . inner(j) for each pair of DOFs that carry `body` and move, i being the outer one or j itself. Both
/// functions get the DOF and its body, and give vectors.
template <class Outer, class Inner>
void addPairs(const Tangent& tangent, int body, Outer&& outer, Inner&& inner, MatrixRef& matrix)
{
    const Model& model = tangent.model();
    for (std::int32_t b = body; b >= 0; b = model.parent[b]) {
        const int end = model.vBegin[b + 1], ball = traitsOf(model, b).hasQuaternion ? end - 3 : end;
        for (std::int32_t j = model.vBegin[b]; j < end; ++j) {
            const int column = tangent.indexOf(j);
            if (column < 0) continue;
            const auto byInner = inner(j, b);
            const auto add = [&](int i, int owner, double share) {
                const int row = tangent.indexOf(i);
                if (row < 0) return;
                const double value = share * tangent.unitOf(i) * tangent.unitOf(j) * outer(i, owner).dot(byInner);
                matrix(row, column) += value;
                if (row != column) matrix(column, row) += value;
            };
            for (std::int32_t i = model.vBegin[b]; i < (j < ball ? j + 1 : end); ++i)
                add(i, b, i >= ball && i != j ? 0.5 : 1); // pairs of one ball come in both orders
            for (std::int32_t above = model.parent[b]; above >= 0; above = model.parent[above])
                for (std::int32_t i = model.vBegin[above]; i < model.vBegin[above + 1]; ++i) add(i, above, 1);
        }
    }
}

/// Adds force . (a_i x effect(j)) for each such pair.
template <class Effect>
void addTurned(const Tangent& tangent, std::span<const DofMotion> motions, int body, const Vector3& force,
               Effect&& effect, MatrixRef& matrix)
{
    addPairs(
        tangent, body, [&](int i, int) { return motions[i].angular(); },
        [&](int j, int) { return Vector3(effect(motions[j]).cross(force)); }, matrix);
}

} // namespace detail

/// Of half the squared angle of a rotation vector: the symmetric part of the inverse Jacobian of SO(3).
inline Matrix3 squaredAngleHessian(const Vector3& turn)
{
    const Matrix3 inverse = leftJacobianInverse(turn);
    return 0.5 * (inverse + inverse.transpose());
}

/// Of a point that `body` carries.
inline void addPointCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                              const Vector3& point, const Vector3& force, MatrixRef matrix)
{
    detail::addTurned(
        tangent, motions, body, force, [&](const DofMotion& dof) { return dof.velocity(point); }, matrix);
}

/// Of a direction that `body` carries.
inline void addDirectionCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                                  const Vector3& direction, const Vector3& force, MatrixRef matrix)
{
    detail::addTurned(
        tangent, motions, body, force, [&](const DofMotion& dof) { return Vector3(dof.angular().cross(direction)); },
        matrix);
}

/// Of the rotation vector from a target to `body`, where it is 0; elsewhere off by as much as it is long.
inline void addRotationCurvature(const Tangent& tangent, std::span<const DofMotion> motions, int body,
                                 const Vector3& force, MatrixRef matrix)
{
    detail::addTurned(
        tangent, motions, body, force, [](const DofMotion& dof) { return Vector3(0.5 * dof.angular()); }, matrix);
}

namespace detail {

/// What a pole's angle depends on: the ways from the chain's start to its end, to the weighted mean of its inner joints
/// and to the pole, in this order.
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
    second = (0.5 * (second + second.transpose())).eval();

    // The points themselves: end, inner joints and start, as far as each carries the ways.
    const Vector3 start = frames[goal.startBody].position, end = effectorPoint(goal, frames);
    const Vector3 bySpan = slope.head<3>(), byBend = slope.segment<3>(3),
                  byPole = goal.isDirection != 0 ? Vector3(Vector3::Zero()) : Vector3(slope.tail<3>());
    addPointCurvature(tangent, motions, goal.body, end, bySpan, matrix);
    addPointCurvature(tangent, motions, goal.startBody, start, -(bySpan + byBend + byPole), matrix);
    int above = shape.inner;
    for (int b = model.parent[goal.body]; b >= 0 && b != goal.startBody; b = model.parent[b])
        addPointCurvature(tangent, motions, b, frames[b].position, bendWeight(--above) / shape.weight * byBend, matrix);

    const auto wayOf = [&](int dof, int owner) { // d(ways)/d(dof)
        const DofMotion& motion = motions[dof];
        const Vector3 moved = owner <= goal.startBody ? motion.velocity(start) : Vector3(Vector3::Zero());
        double carried = 0; // of the inner joints, by what they count
        Vector3 mean = Vector3::Zero();
        int before = shape.inner;
        for (int b = model.parent[goal.body]; b >= owner && b > goal.startBody; b = model.parent[b]) {
            const double share = bendWeight(--before) / shape.weight;
            carried += share;
            mean += share * frames[b].position;
        }
        const Vector3 bend = motion.turns ? Vector3(motion.direction.cross(mean - carried * motion.pivot))
                                          : Vector3(carried * motion.direction);
        detail::PoleWays way;
        way << motion.velocity(end) - moved, bend - moved,
            goal.isDirection != 0 ? Vector3(Vector3::Zero()) : Vector3(-moved);
        return way;
    };
    detail::addPairs(
        tangent, goal.body, wayOf, [&](int dof, int owner) { return detail::PoleWays(second * wayOf(dof, owner)); },
        matrix);
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
    detail::addPairs(
        tangent, goal.body, [&](int i, int) { return motions[i].velocity(point); },
        [&](int j, int) { return Vector3(second * motions[j].velocity(point)); }, matrix);
}

} // namespace tendon::kit
