#include "solvers/ceres/Space.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace tendon::ceres_ik {

using kit::Quaternion;
using kit::Vector3;
using sdk::DofKind;
using sdk::JointKind;

namespace {

constexpr double kAtLimit = 1e-9; ///< share of the swing ellipse; the projection ends up closer

/// dq/dv of q * exp(v) for the quaternion's xyzw at v = 0, times 2: its columns are of length 1 and at right angles.
Eigen::Matrix<double, 4, 3> quaternionTangent(const double* xyzw)
{
    const double x = xyzw[0], y = xyzw[1], z = xyzw[2], w = xyzw[3];
    Eigen::Matrix<double, 4, 3> result;
    result << w, -z, y, z, w, -x, -y, x, w, -x, -y, -z;
    return result;
}

/// d(twist angle)/dv of R * exp(v). Zero where the twist cannot be told.
Vector3 twistGradient(const Quaternion& rotation, int t)
{
    const double w = rotation.w(), vt = rotation.vec()[t], squared = w * w + vt * vt;
    if (squared < 1e-20) return Vector3::Zero();
    const Vector3 dw = -0.5 * rotation.vec();
    const Vector3 dvt = 0.5 * (w * Vector3::Unit(t) + kit::skew(rotation.vec()).row(t).transpose());
    return 2 * (w * dvt - vt * dw) / squared;
}

/// The direction in v in which R * exp(v) makes slope . swing grow most quickly; `slope` is perpendicular to the twist
/// axis.
///
/// A turn w = R v of the parent's space is J d(swing) + (exp(swing) e) d(twist), J the left Jacobian of SO(3) and e the
/// twist axis: take the twist that leaves the swing perpendicular to e, and d(swing) is what remains of J^-1 w.
Vector3 swingGradient(const Quaternion& rotation, int t, const Vector3& swing, const Vector3& slope)
{
    const kit::Matrix3 inverse = kit::leftJacobianInverse(swing);
    const Vector3 twisting = inverse * (kit::expMap(swing) * Vector3(Vector3::Unit(t)));
    const double share = std::abs(twisting[t]) > 1e-9 ? slope.dot(twisting) / twisting[t] : 0;
    const Vector3 gradient = inverse.transpose() * slope - share * inverse.row(t).transpose();
    return (rotation.conjugate() * gradient).normalized();
}

} // namespace

void Space::prepare(const kit::Model& model)
{
    m_model = &model;
    m_parts.reserve(static_cast<std::size_t>(model.dofCount));
    m_firstOf.assign(static_cast<std::size_t>(model.bodyCount) + 1, 0);
    m_resistances.prepare(model);
}

void Space::addPart(const kit::SolverRun& run, std::int32_t body, int coordinate, int dof, bool isRotation)
{
    const kit::Model& model = run.model();
    Part part;
    part.body = body;
    part.coordinate = coordinate;
    part.dof = dof;
    part.ambient = m_ambient;
    part.tangent = m_tangent;
    part.isRotation = isRotation;
    part.slides = model.dofKind[dof] == DofKind::Sliding;
    part.lower = isRotation ? -kit::kInfinity : model.lower[dof];
    part.upper = isRotation ? kit::kInfinity : model.upper[dof];
    m_ambient += isRotation ? 4 : 1;
    m_tangent += isRotation ? 3 : 1;
    m_parts.push_back(part);
}

void Space::build(const kit::SolverRun& run, double length)
{
    const kit::Model& model = run.model();
    m_parts.clear();
    m_length = length;
    m_ambient = m_tangent = 0;
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        m_firstOf[b] = static_cast<std::int32_t>(m_parts.size());
        const int begin = model.vBegin[b], end = model.vBegin[b + 1];
        const bool hasRotation = kit::traitsOf(model, b).hasQuaternion;
        const int singles = begin + kit::singleDofs(model, b);
        for (int v = begin, q = model.qBegin[b]; v < singles; ++v, ++q)
            if (run.isMovable(v) && model.lower[v] < model.upper[v]) addPart(run, b, q, v, false);
        // As everywhere, a ball with a locked DOF does not turn.
        if (hasRotation && run.isMovable(end - 3) && run.isMovable(end - 2) && run.isMovable(end - 1))
            addPart(run, b, model.qBegin[b + 1] - 4, end - 3, true);
    }
    m_firstOf[model.bodyCount] = static_cast<std::int32_t>(m_parts.size());
    applyMetric(run);
}

void Space::applyMetric(const kit::SolverRun& run)
{
    m_resistances.build(run, kit::Ranking::ByHand);
    for (Part& part : m_parts) {
        part.reluctance = std::sqrt(kit::Resistances::alone(run.model(), part.dof));
        part.metric = (part.slides ? m_length : 1) / std::sqrt(m_resistances.of(part.body, part.dof));
    }
}

std::span<const Space::Part> Space::partsOf(std::int32_t body) const
{
    const auto first = static_cast<std::size_t>(m_firstOf[body]), last = static_cast<std::size_t>(m_firstOf[body + 1]);
    return parts().subspan(first, last - first);
}

void Space::gather(std::span<const double> q, double* x) const
{
    for (const Part& part : m_parts) std::copy_n(q.data() + part.coordinate, part.isRotation ? 4 : 1, x + part.ambient);
}

void Space::scatter(const double* x, std::span<double> q) const
{
    for (const Part& part : m_parts) std::copy_n(x + part.ambient, part.isRotation ? 4 : 1, q.data() + part.coordinate);
}

void Space::plus(const double* x, const double* y, double* result) const
{
    for (const Part& part : m_parts) {
        const double* from = x + part.ambient;
        double* to = result + part.ambient;
        if (!part.isRotation) {
            to[0] = std::clamp(from[0] + part.metric * y[part.tangent], part.lower, part.upper);
            continue;
        }
        const Vector3 turning = part.metric * kit::vectorAt(y + part.tangent);
        if (turning.isZero(0)) {
            std::copy_n(from, 4, to);
            continue;
        }
        Quaternion turned = (kit::quaternionAt(from) * kit::expMap(turning)).normalized();
        if (kit::traitsOf(*m_model, part.body).hasSwingLimits)
            turned = kit::nearestInBall(*m_model, part.body, turned).normalized();
        kit::store(turned, to);
    }
}

void Space::plusJacobian(const double* x, double* jacobian) const
{
    std::fill_n(jacobian, m_ambient * m_tangent, 0.0);
    for (const Part& part : m_parts) {
        double* block = jacobian + part.ambient * m_tangent + part.tangent;
        if (!part.isRotation) {
            *block = part.metric;
            continue;
        }
        const Eigen::Matrix<double, 4, 3> turning = 0.5 * part.metric * quaternionTangent(x + part.ambient);
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k) block[i * m_tangent + k] = turning(i, k);
    }
}

void Space::toAmbient(const double* x, const double* dof, double* ambient) const
{
    for (const Part& part : m_parts) {
        if (!part.isRotation) {
            ambient[part.ambient] = dof[part.tangent];
            continue;
        }
        const Eigen::Vector4d row = 2 * quaternionTangent(x + part.ambient) * kit::vectorAt(dof + part.tangent);
        std::copy_n(row.data(), 4, ambient + part.ambient);
    }
}

void Space::addNormal(const Part& part, const Vector3& outward, const double* gradient)
{
    if (!(kit::vectorAt(gradient + part.tangent).dot(outward) < 0)) return; // the descent leads inward
    Vector3 direction = outward;
    for (const Normal& before : m_normals)
        if (before.tangent == part.tangent) direction -= before.direction * before.direction.dot(direction);
    const double norm = direction.norm();
    if (norm > 1e-6) m_normals.push_back({part.tangent, direction / norm});
}

void Space::findHeldBall(const Part& part, const double* x, const double* gradient)
{
    const Quaternion rotation = kit::quaternionAt(x + part.ambient);
    const sdk::Axis axis = m_model->ballAxis[part.body];
    const double* semiAxes = &m_model->ballSwing[4 * part.body];
    const double from = m_model->ballTwist[2 * part.body], to = m_model->ballTwist[2 * part.body + 1];
    const kit::SwingTwist split = kit::splitSwingTwist(rotation, axis);
    const int t = static_cast<int>(axis), a = (t + 1) % 3, b = (t + 2) % 3;
    Vector3 swing = Vector3::Zero(), slope = Vector3::Zero();
    swing[a] = split.swingA;
    swing[b] = split.swingB;
    if (kit::ellipseLevel(split.swingA, split.swingB, semiAxes) >= 1 - kAtLimit) {
        const double alongA = semiAxes[split.swingA >= 0 ? 0 : 1], alongB = semiAxes[split.swingB >= 0 ? 2 : 3];
        slope[a] = alongA > 0 ? split.swingA / (alongA * alongA) : 0; // 0 for a free one, too
        slope[b] = alongB > 0 ? split.swingB / (alongB * alongB) : 0;
        addNormal(part, swingGradient(rotation, t, swing, slope), gradient);
    }
    for (int k = 0; k < 4; ++k) { // a semi-axis of 0 stops what stands in the middle
        const int along = k < 2 ? a : b;
        if (semiAxes[k] > 0 || std::abs(swing[along]) > kAtLimit) continue;
        addNormal(part,
                  swingGradient(rotation, t, swing, k % 2 == 0 ? Vector3::Unit(along) : Vector3(-Vector3::Unit(along))),
                  gradient);
    }
    if (split.twist >= to - kAtLimit) addNormal(part, twistGradient(rotation, t).normalized(), gradient);
    if (split.twist <= from + kAtLimit) addNormal(part, -twistGradient(rotation, t).normalized(), gradient);
}

void Space::findHeld(const double* x, const double* gradient)
{
    m_held.clear();
    m_normals.clear();
    for (const Part& part : m_parts) {
        if (part.isRotation) {
            if (kit::traitsOf(*m_model, part.body).hasSwingLimits) findHeldBall(part, x, gradient);
            continue;
        }
        const double at = x[part.ambient], down = -gradient[part.tangent];
        if ((at >= part.upper && down > 0) || (at <= part.lower && down < 0)) m_held.push_back(part.tangent);
    }
}

void Space::project(double* row) const
{
    for (const std::int32_t tangent : m_held) row[tangent] = 0;
    for (const Normal& normal : m_normals) {
        const Vector3 along = normal.direction * normal.direction.dot(kit::vectorAt(row + normal.tangent));
        for (int k = 0; k < 3; ++k) row[normal.tangent + k] -= along[k];
    }
}

void Space::randomise(kit::Random& random, std::span<double> q) const
{
    for (const Part& part : m_parts) {
        double* own = q.data() + part.coordinate;
        if (part.isRotation) {
            Quaternion turned = random.rotation();
            if (kit::traitsOf(*m_model, part.body).hasSwingLimits)
                turned = kit::nearestInBall(*m_model, part.body, turned).normalized();
            kit::store(turned, own);
        } else {
            *own = random.within(part.lower, part.upper, part.slides ? m_length : std::numbers::pi);
        }
    }
}

double Space::largestChange(std::span<const double> from, std::span<const double> to) const
{
    double largest = 0;
    for (const Part& part : m_parts) {
        const double *a = from.data() + part.coordinate, *b = to.data() + part.coordinate;
        const double change = part.isRotation
                                  ? kit::rotationAngle(kit::quaternionAt(a).conjugate() * kit::quaternionAt(b))
                                  : std::abs(*b - *a);
        largest = std::max(largest, change);
    }
    return largest;
}

} // namespace tendon::ceres_ik
