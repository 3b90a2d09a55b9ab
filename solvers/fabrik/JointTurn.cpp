#include "solvers/fabrik/JointTurn.h"

#include <tendon/kit/NearestInLimits.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace tendon::fabrik {

using kit::kInfinity;
using sdk::DofKind;
using sdk::JointKind;

namespace {

constexpr double kPrior = 0.02; ///< how much a joint of few axes minds being like its prior beside looking the right way

} // namespace

void Wish::aim(const Vector3& a, const Vector3& b, double weight)
{
    const double xx = weight * a[0] * b[0], xy = weight * a[0] * b[1], xz = weight * a[0] * b[2];
    const double yx = weight * a[1] * b[0], yy = weight * a[1] * b[1], yz = weight * a[1] * b[2];
    const double zx = weight * a[2] * b[0], zy = weight * a[2] * b[1], zz = weight * a[2] * b[2];
    m_n[0] += xx + yy + zz;
    m_n[1] += yz - zy;
    m_n[2] += zx - xz;
    m_n[3] += xy - yx;
    m_n[4] += xx - yy - zz;
    m_n[5] += xy + yx;
    m_n[6] += zx + xz;
    m_n[7] += yy - xx - zz;
    m_n[8] += yz + zy;
    m_n[9] += zz - xx - yy;
}

void Wish::liken(const Quaternion& p, double weight)
{
    const double k = 4 * weight;
    m_n[0] += k * p.w() * p.w();
    m_n[1] += k * p.w() * p.x();
    m_n[2] += k * p.w() * p.y();
    m_n[3] += k * p.w() * p.z();
    m_n[4] += k * p.x() * p.x();
    m_n[5] += k * p.x() * p.y();
    m_n[6] += k * p.x() * p.z();
    m_n[7] += k * p.y() * p.y();
    m_n[8] += k * p.y() * p.z();
    m_n[9] += k * p.z() * p.z();
}

void Wish::along(const Quaternion& u, const Quaternion& v, double& uu, double& uv, double& vv) const
{
    const double* n = m_n;
    const double w = n[0] * u.w() + n[1] * u.x() + n[2] * u.y() + n[3] * u.z();
    const double x = n[1] * u.w() + n[4] * u.x() + n[5] * u.y() + n[6] * u.z();
    const double y = n[2] * u.w() + n[5] * u.x() + n[7] * u.y() + n[8] * u.z();
    const double z = n[3] * u.w() + n[6] * u.x() + n[8] * u.y() + n[9] * u.z();
    uu = w * u.w() + x * u.x() + y * u.y() + z * u.z();
    uv = w * v.w() + x * v.x() + y * v.y() + z * v.z();
    vv = value(v);
}

double Wish::value(const Quaternion& m) const
{
    const double* n = m_n;
    const double w = m.w(), x = m.x(), y = m.y(), z = m.z();
    return n[0] * w * w + n[4] * x * x + n[7] * y * y + n[9] * z * z +
           2 * (w * (n[1] * x + n[2] * y + n[3] * z) + x * (n[5] * y + n[6] * z) + n[8] * y * z);
}

Quaternion Wish::best() const
{
    Eigen::Matrix4d n;
    n << m_n[0], m_n[1], m_n[2], m_n[3], m_n[1], m_n[4], m_n[5], m_n[6], m_n[2], m_n[5], m_n[7], m_n[8], m_n[3], m_n[6], m_n[8], m_n[9];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(n);
    const Eigen::Vector4d m = solver.eigenvectors().col(3);
    return Quaternion(m[0], m[1], m[2], m[3]).normalized();
}

void JointTurn::read(const kit::SolverRun& run, std::int32_t body)
{
    const sdk::Model& model = run.model();
    m_model = &model;
    m_body = body;
    m_kind = Kind::None;
    m_isLimited = true;
    m_turns = 0;
    m_slides = kit::slidingDofs(model, body);
    const std::int32_t begin = model.vBegin[body] + m_slides, end = model.vBegin[body + 1];
    int movable = 0;
    bool isRanged = false;
    for (std::int32_t v = begin; v < end; ++v) {
        movable += run.isMovable(v);
        isRanged |= !run.isMovable(v) || model.lower[v] > -kInfinity || model.upper[v] < kInfinity;
    }
    const JointKind kind = model.kind[body];
    if (kind == JointKind::Ball || kind == JointKind::Free) {
        if (movable < 3) return; // a ball turns whole or not at all
        const double* swing = &model.ballSwing[4 * body];
        const double* twist = &model.ballTwist[2 * body];
        m_isLimited = kind == JointKind::Ball &&
                      (std::any_of(swing, swing + 4, [](double s) { return s < kInfinity; }) || std::isfinite(twist[0]) || std::isfinite(twist[1]));
        m_kind = m_isLimited ? Kind::Ball : Kind::Any;
        if (!m_isLimited) return;
        m_twistAxis = static_cast<int>(model.ballAxis[body]);
        constexpr double kPi = std::numbers::pi;
        constexpr double kMargin = 1e-12; // [rad] this near to a limit, the full test decides
        const double least = std::min(kPi, *std::min_element(swing, swing + 4)) - kMargin;
        m_cosInside = least > 0 ? std::cos(0.5 * least) : 2;
        m_sinFrom = twist[0] <= -kPi ? -2 : twist[0] > kPi ? 2 : std::sin(0.5 * (twist[0] + kMargin));
        m_sinTo = twist[1] >= kPi ? 2 : twist[1] < -kPi ? -2 : std::sin(0.5 * (twist[1] - kMargin));
        return;
    }
    if (movable == 0) return;
    m_kind = Kind::Axes;
    m_turns = end - begin;
    for (int k = 0; k < m_turns; ++k) {
        const std::int32_t v = begin + k;
        const double now = run.q()[model.qBegin[body] + m_slides + k];
        const auto i = static_cast<std::size_t>(k);
        m_axis[i] = &model.axis[3 * v];
        m_isLocked[i] = !run.isMovable(v);
        m_lower[i] = m_isLocked[i] ? now : model.lower[v];
        m_upper[i] = m_isLocked[i] ? now : model.upper[v];
    }
    const auto areSquare = [&](std::size_t a, std::size_t b) { return std::abs(kit::vectorAt(m_axis[a]).dot(kit::vectorAt(m_axis[b]))) < 1e-9; };
    m_isLimited = isRanged || m_turns < 3 || !areSquare(0, 1) || !areSquare(1, 2);
}

void JointTurn::store(const Quaternion& motion, double* q) const
{
    double* own = q + m_slides;
    const double sign = motion.coeffs().dot(kit::quaternionAt(own).coeffs()) < 0 ? -1 : 1;
    for (int k = 0; k < 4; ++k) own[k] = sign * motion.coeffs()[k];
}

Quaternion JointTurn::nearest(const Quaternion& wished) const
{
    const double sign = wished.w() < 0 ? -1 : 1;
    const double w = sign * wished.w(), t = sign * wished.vec()[m_twistAxis];
    const double cosine = std::sqrt(w * w + t * t); // of half the swing; twist: tan(half) = t / w
    if (cosine >= m_cosInside && t >= cosine * m_sinFrom && t <= cosine * m_sinTo) return wished; // plainly inside: the usual case
    return kit::nearestInBall(*m_model, m_body, wished).normalized();
}

Quaternion JointTurn::aim(const Vector3& from, const Vector3& to, bool hasAim, const Quaternion& prior, double* q) const
{
    switch (m_kind) {
    case Kind::None: return kit::motion(*m_model, m_body, q);
    case Kind::Any:
    case Kind::Ball: {
        Quaternion wished = hasAim ? (kit::leastRotation(prior * from, to) * prior).normalized() : prior;
        if (m_kind == Kind::Ball) wished = nearest(wished);
        store(wished, q);
        return wished;
    }
    case Kind::Axes: break;
    }
    Wish wish;
    double weight = 0;
    if (hasAim) {
        weight = from.norm() * to.norm();
        if (weight > 0) wish.aim(from, to, 1 / weight);
    }
    wish.liken(prior, weight > 0 ? kPrior : 1);
    return ascend(wish, q);
}

Quaternion JointTurn::follow(const Wish& wish, const Quaternion& now, double* q) const
{
    switch (m_kind) {
    case Kind::None: return now;
    case Kind::Any:
    case Kind::Ball: {
        Quaternion wished = wish.best();
        if (m_kind == Kind::Ball) wished = nearest(wished);
        if (wish.value(wished) <= wish.value(now)) return now;
        store(wished, q);
        return wished;
    }
    case Kind::Axes: break;
    }
    return ascend(wish, q);
}

/// One angle at a time to its best: each is a sinusoid, so the best within a range is exact, and no turn makes it worse.
Quaternion JointTurn::ascend(const Wish& wish, double* q) const
{
    double* angles = q + m_slides;
    std::array<Quaternion, 3> turns{Quaternion::Identity(), Quaternion::Identity(), Quaternion::Identity()};
    for (int k = 0; k < m_turns; ++k) turns[static_cast<std::size_t>(k)] = kit::turn(m_axis[static_cast<std::size_t>(k)], angles[k]);
    const int rounds = m_turns == 1 ? 1 : 3;
    for (int round = 0; round < rounds; ++round) {
        double moved = 0;
        for (int k = 0; k < m_turns; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (m_isLocked[i]) continue;
            Quaternion before = Quaternion::Identity(), after = Quaternion::Identity();
            for (int j = 0; j < k; ++j) before = before * turns[static_cast<std::size_t>(j)];
            for (int j = k + 1; j < m_turns; ++j) after = after * turns[static_cast<std::size_t>(j)];
            const Quaternion axis(0, m_axis[i][0], m_axis[i][1], m_axis[i][2]);
            const Quaternion u = before * after, v = before * axis * after;
            double uu = 0, uv = 0, vv = 0;
            wish.along(u, v, uu, uv, vv);
            const double cosine = uu - vv, sine = 2 * uv;
            if (std::abs(cosine) + std::abs(sine) < 1e-12) continue; // any is as good
            const double angle = kit::nearestAngle(std::atan2(sine, cosine), m_lower[i], m_upper[i], angles[k]);
            moved = std::max(moved, std::abs(angle - angles[k]));
            if (angle == angles[k]) continue;
            angles[k] = angle;
            turns[i] = kit::turn(m_axis[i], angle);
        }
        if (moved < 1e-10) break;
    }
    return turns[0] * turns[1] * turns[2];
}

} // namespace tendon::fabrik
