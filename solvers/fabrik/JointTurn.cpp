#include "solvers/fabrik/JointTurn.h"

#include "solvers/fabrik/Rotations.h"

#include <tendon/kit/NearestInLimits.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::fabrik {

using kit::kInfinity;
using sdk::DofKind;
using sdk::JointKind;

namespace {

constexpr double kPrior =
    0.02; ///< how much a joint of few axes minds being like its prior beside looking the right way

HalfAngle halfOf(double angle)
{
    return std::isfinite(angle) ? HalfAngle{std::cos(0.5 * angle), std::sin(0.5 * angle)} : HalfAngle{};
}

Quaternion about(const Vector3& axis, const HalfAngle& half)
{
    return {half.cosine, half.sine * axis[0], half.sine * axis[1], half.sine * axis[2]};
}

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

Quaternion Wish::best(const Quaternion& near) const
{
    // One direction that should look somewhere leaves the turn about it open: a whole plane of quaternions is as good.
    constexpr double kLikeness = 1e-5; // of the whole: too little to matter elsewhere
    Eigen::Matrix4d n;
    n << m_n[0], m_n[1], m_n[2], m_n[3], m_n[1], m_n[4], m_n[5], m_n[6], m_n[2], m_n[5], m_n[7], m_n[8], m_n[3], m_n[6],
        m_n[8], m_n[9];
    const Eigen::Vector4d here(near.w(), near.x(), near.y(), near.z());
    n += kLikeness * n.norm() * here * here.transpose();
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
    const int slides = kit::slidingDofs(model, body);
    const std::int32_t begin = model.vBegin[body] + slides, end = model.vBegin[body + 1];
    const std::int32_t at = model.qBegin[body] + slides;
    m_still = kit::motion(model, body, run.q().data() + model.qBegin[body]);
    int movable = 0;
    for (std::int32_t v = begin; v < end; ++v) movable += run.isMovable(v);
    const sdk::JointTraits& joint = kit::traitsOf(model, body);
    if (joint.hasQuaternion) {
        if (movable < 3) return; // a ball turns whole or not at all
        m_at[0] = at;
        const double* swing = &model.ballSwing[4 * body];
        const double* twist = &model.ballTwist[2 * body];
        m_isLimited = joint.hasSwingLimits && (std::any_of(swing, swing + 4, [](double s) { return s < kInfinity; }) ||
                                               std::isfinite(twist[0]) || std::isfinite(twist[1]));
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
    for (std::int32_t v = begin; v < end; ++v) addAxis(run, v, at + v - begin, Quaternion::Identity());
    judgeAxes();
}

bool JointTurn::append(const kit::SolverRun& run, std::int32_t body, const Quaternion& rotation)
{
    const sdk::Model& model = run.model();
    const std::int32_t begin = model.vBegin[body], end = model.vBegin[body + 1];
    const bool isAxes = end > begin && !kit::traitsOf(model, body).hasQuaternion && kit::slidingDofs(model, body) == 0;
    if (m_kind != Kind::Axes || !isAxes || m_turns + end - begin > 3) return false;
    for (std::int32_t v = begin; v < end; ++v) addAxis(run, v, model.qBegin[body] + v - begin, rotation);
    judgeAxes();
    return true;
}

void JointTurn::addAxis(const kit::SolverRun& run, std::int32_t dof, std::int32_t at, const Quaternion& rotation)
{
    const sdk::Model& model = run.model();
    const auto i = static_cast<std::size_t>(m_turns++);
    m_axis[i] = rotation * kit::vectorAt(&model.axis[3 * dof]);
    m_dof[i] = dof;
    m_at[i] = at;
    m_isLocked[i] = !run.isMovable(dof);
    m_lower[i] = m_isLocked[i] ? run.q()[at] : model.lower[dof];
    m_upper[i] = m_isLocked[i] ? run.q()[at] : model.upper[dof];
    m_lowerHalf[i] = halfOf(m_lower[i]);
    m_upperHalf[i] = halfOf(m_upper[i]);
    const double middle = 0.5 * (m_lower[i] + m_upper[i]), width = 0.5 * (m_upper[i] - m_lower[i]);
    const bool isOpen = !(width < std::numbers::pi); // with one end only, some turn of 360 degrees always fits
    m_cosRange[i] = isOpen ? -2 : std::cos(width);
    m_cosMiddle[i] = isOpen ? 1 : std::cos(middle);
    m_sinMiddle[i] = isOpen ? 0 : std::sin(middle);
}

/// Three square axes without limits take any rotation; all others are limited.
void JointTurn::judgeAxes()
{
    m_isLimited = m_turns < 3 || std::abs(m_axis[0].dot(m_axis[1])) > 1e-9 || std::abs(m_axis[1].dot(m_axis[2])) > 1e-9;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_turns); ++i)
        m_isLimited |= m_lower[i] > -kInfinity || m_upper[i] < kInfinity;
}

void JointTurn::begin(Turned at) const
{
    if (m_kind != Kind::Axes) return;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_turns); ++i) at.half[m_at[i]] = halfOf(at.q[m_at[i]]);
}

void JointTurn::settle(Turned at, double* result) const
{
    if (m_kind != Kind::Axes) return;
    constexpr double kRounding = 1e-12; // [rad] this near to a limit, it is meant
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_turns); ++i) {
        if (m_isLocked[i]) continue;
        const HalfAngle& half = at.half[m_at[i]];
        double& angle = result[m_at[i]];
        angle = kit::nearestAngle(2 * std::atan2(half.sine, half.cosine), m_lower[i], m_upper[i], at.q[m_at[i]]);
        if (std::abs(angle - m_lower[i]) < kRounding) angle = m_lower[i];
        if (std::abs(angle - m_upper[i]) < kRounding) angle = m_upper[i];
    }
}

Quaternion JointTurn::motion(Turned at) const
{
    if (m_kind == Kind::None) return m_still;
    if (m_kind != Kind::Axes) return kit::quaternionAt(at.q + m_at[0]);
    Quaternion result = about(m_axis[0], at.half[m_at[0]]);
    for (std::size_t i = 1; i < static_cast<std::size_t>(m_turns); ++i)
        result = result * about(m_axis[i], at.half[m_at[i]]);
    return result;
}

void JointTurn::store(const Quaternion& motion, double* q) const
{
    double* own = q + m_at[0];
    const double sign = motion.coeffs().dot(kit::quaternionAt(own).coeffs()) < 0 ? -1 : 1;
    for (int k = 0; k < 4; ++k) own[k] = sign * motion.coeffs()[k];
}

Quaternion JointTurn::nearest(const Quaternion& wished) const
{
    const double sign = wished.w() < 0 ? -1 : 1;
    const double w = sign * wished.w(), t = sign * wished.vec()[m_twistAxis];
    const double cosine = std::sqrt(w * w + t * t); // of half the swing; twist: tan(half) = t / w
    if (cosine >= m_cosInside && t >= cosine * m_sinFrom && t <= cosine * m_sinTo)
        return wished; // plainly inside: the usual case
    return kit::nearestInBall(*m_model, m_body, wished).normalized();
}

Quaternion JointTurn::aim(const Vector3& from, const Vector3& to, bool hasAim, const Quaternion& prior, Turned at) const
{
    switch (m_kind) {
    case Kind::None: return m_still;
    case Kind::Any:
    case Kind::Ball: {
        Quaternion wished = hasAim ? nearUnit(looking(prior * from, to) * prior) : prior;
        if (m_kind == Kind::Ball) wished = nearest(wished);
        store(wished, at.q);
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
    return ascend(wish, at);
}

Quaternion JointTurn::follow(const Wish& wish, const Quaternion& now, Turned at, Quaternion* before) const
{
    if (before != nullptr) *before = now;
    switch (m_kind) {
    case Kind::None: return now;
    case Kind::Any:
    case Kind::Ball: {
        // Nearest to the best is not the best of what is allowed: where it is worse than now, go part of the way.
        Quaternion wished = wish.best(now);
        if (wished.coeffs().dot(now.coeffs()) < 0) wished.coeffs() = -wished.coeffs();
        Quaternion kept = now;
        double most = wish.value(now);
        for (const double part : {1.0, 0.5, 0.25, 0.06}) {
            const Quaternion way((now.coeffs() * (1 - part) + wished.coeffs() * part).normalized());
            const Quaternion there = m_kind == Kind::Ball ? nearest(way) : way;
            const double value = wish.value(there);
            if (value <= most) continue;
            most = value;
            kept = there;
            if (before != nullptr) *before = way;
            if (m_kind == Kind::Any) break;
        }
        if (kept.coeffs() != now.coeffs()) store(kept, at.q);
        return kept;
    }
    case Kind::Axes: break;
    }
    return ascend(wish, at);
}

/// The angle of this direction (cosine, sine, not both 0), or the nearer end of its range.
HalfAngle JointTurn::within(std::size_t axis, double cosine, double sine) const
{
    const double k = 1 / std::sqrt(cosine * cosine + sine * sine), c = cosine * k, s = sine * k;
    if (c * m_cosMiddle[axis] + s * m_sinMiddle[axis] < m_cosRange[axis])
        return s * m_cosMiddle[axis] - c * m_sinMiddle[axis] >= 0 ? m_upperHalf[axis] : m_lowerHalf[axis];
    if (c >= 0) {
        const double half = std::sqrt(0.5 * (1 + c));
        return {half, 0.5 * s / half};
    }
    const double half = std::copysign(std::sqrt(0.5 * (1 - c)), s);
    return {0.5 * s / half, half};
}

int JointTurn::hinge(Turned at, Vector3& axis, Quaternion& after) const
{
    if (m_kind != Kind::Axes) return -1;
    int found = -1;
    after = Quaternion::Identity();
    for (int i = 0; i < m_turns; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (m_isLocked[k]) {
            after = after * about(m_axis[k], at.half[m_at[k]]);
        } else if (found >= 0) {
            return -1;
        } else {
            found = i;
            axis = after * m_axis[k];
        }
    }
    return found;
}

HalfAngle JointTurn::openTo(int axis, double middleCosine, double middleSine, double cosine, double sine,
                            Turned at) const
{
    HalfAngle& half = at.half[m_at[static_cast<std::size_t>(axis)]];
    const double side = 2 * half.cosine * half.sine * middleCosine -
                        (half.cosine * half.cosine - half.sine * half.sine) * middleSine;
    HalfAngle best = half;
    double least = kInfinity;
    for (const double sign : {side >= 0 ? 1.0 : -1.0, side >= 0 ? -1.0 : 1.0}) {
        const HalfAngle there = within(static_cast<std::size_t>(axis), middleCosine * cosine - sign * middleSine * sine,
                                       middleSine * cosine + sign * middleCosine * sine);
        const double off = std::abs((there.cosine * there.cosine - there.sine * there.sine) * middleCosine +
                                    2 * there.cosine * there.sine * middleSine - cosine);
        if (off >= least - 1e-9) continue; // the side where it is comes first
        least = off;
        best = there;
    }
    half = best;
    return best;
}

/// One angle at a time to its best: each is a sinusoid, so the best within a range is exact, and no turn makes it
/// worse.
Quaternion JointTurn::ascend(const Wish& wish, Turned at) const
{
    const auto count = static_cast<std::size_t>(m_turns);
    std::array<Quaternion, 3> turns;
    for (std::size_t i = 0; i < count; ++i) turns[i] = about(m_axis[i], at.half[m_at[i]]);
    const int rounds = count == 1 ? 1 : 2;
    for (int round = 0; round < rounds; ++round) {
        double moved = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (m_isLocked[i]) continue;
            Quaternion u = Quaternion::Identity(), v(0, m_axis[i][0], m_axis[i][1], m_axis[i][2]);
            for (std::size_t j = i; j-- > 0;) {
                u = turns[j] * u;
                v = turns[j] * v;
            }
            for (std::size_t j = i + 1; j < count; ++j) {
                u = u * turns[j];
                v = v * turns[j];
            }
            double uu = 0, uv = 0, vv = 0;
            wish.along(u, v, uu, uv, vv);
            const double cosine = uu - vv, sine = 2 * uv;
            if (std::abs(cosine) + std::abs(sine) < 1e-12) continue; // any is as good
            HalfAngle& half = at.half[m_at[i]];
            const HalfAngle best = within(i, cosine, sine);
            moved = std::max(moved, std::abs(best.sine * half.cosine - best.cosine * half.sine));
            half = best;
            turns[i] = about(m_axis[i], best);
        }
        if (moved < 1e-10) break;
    }
    Quaternion result = turns[0];
    for (std::size_t i = 1; i < count; ++i) result = result * turns[i];
    return result;
}

} // namespace tendon::fabrik
