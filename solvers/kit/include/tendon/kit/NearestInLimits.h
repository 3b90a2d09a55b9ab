#pragma once

#include <tendon/kit/Limits.h>

#include <array>
#include <span>

/// The projection of a rotation onto what a joint allows. It makes a position-based solver respect every kind of joint.
namespace tendon::kit {

namespace detail {

/// A turning DOF with its limits; a locked one has lower == upper == its value.
struct Turn
{
    const double* axis;
    double lower, upper, near;
};

/// The angle of the rotation about `axis` that comes nearest to `rotation`, -pi ... pi.
inline double twistAngle(const Quaternion& rotation, const double* axis)
{
    return 2 * std::atan2(rotation.vec().dot(vectorAt(axis)), rotation.w());
}

inline double nearestTurn(const Quaternion& rotation, const Turn& turn)
{
    const double along = rotation.vec().dot(vectorAt(turn.axis));
    if (std::abs(along) + std::abs(rotation.w()) < 1e-12)
        return std::clamp(turn.near, turn.lower, turn.upper); // every angle is equally near
    return nearestAngle(2 * std::atan2(along, rotation.w()), turn.lower, turn.upper, turn.near);
}

inline bool fits(double& angle, const Turn& turn)
{
    const double value = nearestAngle(angle, turn.lower, turn.upper, turn.near);
    const bool isSame = std::abs(std::remainder(value - angle, 2 * std::numbers::pi)) < 1e-14;
    angle = value;
    return isSame;
}

/// The pair (q0, q1) whose rotation turn(q0) * turn(q1) comes nearest to `wanted`, exactly. The quaternion product with
/// `wanted` is bilinear in the half-angle vectors, f = u0' M u1; its maximum is M's largest singular value, and on an
/// edge of the box one angle is known and the other one-dimensional. Returns |f|, the cosine of half the remaining
/// angle.
inline double nearestPair(const Quaternion& wanted, const Turn& first, const Turn& second, double& q0, double& q1)
{
    const Vector3 a = vectorAt(first.axis), b = vectorAt(second.axis), v = wanted.vec();
    const double m00 = wanted.w(), m01 = v.dot(b), m10 = v.dot(a), m11 = v.dot(a.cross(b)) - wanted.w() * a.dot(b);
    const auto value = [&](double x, double y) {
        const double cx = std::cos(0.5 * x), sx = std::sin(0.5 * x), cy = std::cos(0.5 * y), sy = std::sin(0.5 * y);
        return std::abs(cx * (m00 * cy + m01 * sy) + sx * (m10 * cy + m11 * sy));
    };
    const double dc = m00 + m11, ds = m10 - m01, sc = m00 - m11, ss = m10 + m01;
    constexpr double kFlat = 1e-12; // a ridge: all values are equally near, so stay near the present one
    const double difference = std::hypot(dc, ds) > kFlat ? std::atan2(ds, dc) : 0.5 * (first.near - second.near);
    const double sum = std::hypot(sc, ss) > kFlat ? std::atan2(ss, sc) : 0.5 * (first.near + second.near);
    q0 = sum + difference;
    q1 = sum - difference;
    const bool fits0 = fits(q0, first), fits1 = fits(q1, second);
    if (fits0 && fits1) return value(q0, q1);

    double best = -1;
    const auto offer = [&](double x, double y) {
        const double at = value(x, y);
        if (at <= best) return;
        best = at;
        q0 = x;
        q1 = y;
    };
    for (const double x : {first.lower, first.upper}) {
        if (std::isinf(x)) continue;
        const double c = std::cos(0.5 * x), s = std::sin(0.5 * x);
        offer(x, nearestAngle(2 * std::atan2(c * m01 + s * m11, c * m00 + s * m10), second.lower, second.upper,
                              second.near));
    }
    for (const double y : {second.lower, second.upper}) {
        if (std::isinf(y)) continue;
        const double c = std::cos(0.5 * y), s = std::sin(0.5 * y);
        offer(nearestAngle(2 * std::atan2(m10 * c + m11 * s, m00 * c + m01 * s), first.lower, first.upper, first.near),
              y);
    }
    return best;
}

/// The three angles of R = turn(q0) turn(q1) turn(q2) for a middle axis perpendicular to the outer ones (every Euler
/// and Tait-Bryan order); `branch` 0 or 1 picks one of the two solutions.
inline std::array<double, 3> eulerAngles(const Quaternion& rotation, const std::array<Turn, 3>& turns, int branch)
{
    const Vector3 a0 = vectorAt(turns[0].axis), a1 = vectorAt(turns[1].axis), a2 = vectorAt(turns[2].axis);
    const Vector3 image = rotation * a2; // = turn(q0) turn(q1) a2, so a0 . image is a function of q1 alone
    const double c = a0.dot(a2), s = a0.dot(a1.cross(a2)), amplitude = std::hypot(c, s);
    std::array<double, 3> q{};
    const double offset = amplitude > 0 ? std::acos(std::clamp(a0.dot(image) / amplitude, -1.0, 1.0)) : 0;
    q[1] = std::atan2(s, c) + (branch == 0 ? offset : -offset);
    const Vector3 before = turn(turns[1].axis, q[1]) * a2;
    const Vector3 from = before - a0 * a0.dot(before), to = image - a0 * a0.dot(image);
    q[0] = from.squaredNorm() > 1e-20 ? std::atan2(a0.dot(from.cross(to)), from.dot(to))
                                      : turns[0].near; // else gimbal lock
    const Quaternion rest = turn(turns[1].axis, -q[1]) * turn(turns[0].axis, -q[0]) * rotation;
    q[2] = twistAngle(rest, turns[2].axis);
    return q;
}

/// The triple nearest to `wanted`. On each face of the box one angle is known and the others are a pair, solved
/// exactly; inside, square axes reach every rotation exactly, and others are improved pair by pair.
inline std::array<double, 3> nearestTriple(const Quaternion& wanted, const std::array<Turn, 3>& turns)
{
    std::array<std::array<double, 3>, 3> starts;
    int exact = -1;
    double nearest = kInfinity;
    bool isSquare = false; // the axes reach every rotation: what lies outside the box is nearest to one of its faces
    for (int branch = 0; branch < 2; ++branch) {
        std::array<double, 3>& q = starts[branch];
        q = eulerAngles(wanted, turns, branch);
        const Quaternion made = turn(turns[0].axis, q[0]) * turn(turns[1].axis, q[1]) * turn(turns[2].axis, q[2]);
        bool fit = rotationAngle(made.conjugate() * wanted) < 1e-9;
        isSquare = isSquare || fit;
        double way = 0;
        for (int k = 0; k < 3; ++k) {
            fit &= fits(q[k], turns[k]);
            way += std::abs(q[k] - turns[k].near);
        }
        if (!fit || way >= nearest) continue;
        nearest = way;
        exact = branch;
    }
    if (exact >= 0) return starts[exact];

    std::array<double, 3> best = starts[0];
    double bestValue = -1;
    const auto offer = [&](const std::array<double, 3>& q, double value) {
        if (value <= bestValue + 1e-15) return;
        bestValue = value;
        best = q;
    };
    const auto pairWithout = [&](int known, std::array<double, 3>& q) {
        const Quaternion inverse = turn(turns[known].axis, -q[known]);
        if (known == 0) return nearestPair(inverse * wanted, turns[1], turns[2], q[1], q[2]);
        if (known == 2) return nearestPair(wanted * inverse, turns[0], turns[1], q[0], q[1]);
        // turn(a, x) R turn(c, z) = turn(a, x) turn(R c, z) R
        const Vector3 carried = inverse.conjugate() * vectorAt(turns[2].axis);
        Turn last = turns[2];
        last.axis = carried.data();
        return nearestPair(wanted * inverse, turns[0], last, q[0], q[2]);
    };
    for (int known = 0; known < 3; ++known)
        for (const double value : {turns[known].lower, turns[known].upper}) {
            if (std::isinf(value)) continue;
            std::array<double, 3> q{};
            q[known] = value;
            const double reached = pairWithout(known, q);
            offer(q, reached);
        }
    if (isSquare) return best;
    starts[2] = {turns[0].near, turns[1].near, turns[2].near};
    for (std::array<double, 3> q : starts) {
        double value = -1;
        for (int round = 0; round < 40; ++round) {
            const double before = value;
            pairWithout(2, q);
            value = pairWithout(0, q);
            if (value - before < 1e-15) break;
        }
        offer(q, value);
    }
    return best;
}

} // namespace detail

/// Sets the turning coordinates of one body to those within its limits whose rotation (its motion, in the space after
/// the base) is nearest to `wanted`. Slides and locked DOFs keep their bits; a ball with a locked DOF does not turn.
/// Among several such values, takes the one nearest to the present value. `q`: the body's own coordinates;
/// `locked`: whole array, may be empty. Never allocates.
///
/// Exact in the angle between rotations for one, two and three square axes; for skew triples inside their limits the
/// best of two searches; for balls nearest in swing and twist.
inline void nearestInLimits(const Model& model, int body, std::span<const std::uint8_t> locked,
                            const Quaternion& wanted, double* q)
{
    const sdk::JointTraits& joint = traitsOf(model, body);
    const int begin = model.vBegin[body], end = model.vBegin[body + 1];
    const auto isLocked = [&](int v) { return !locked.empty() && locked[v] != 0; };
    if (joint.hasQuaternion) {
        double* quaternion = q + singleDofs(model, body);
        for (int v = end - 3; v < end; ++v)
            if (isLocked(v)) return;
        Quaternion kept = (joint.hasSwingLimits ? nearestInBall(model, body, wanted) : wanted).normalized();
        if (kept.coeffs().dot(quaternionAt(quaternion).coeffs()) < 0) kept.coeffs() = -kept.coeffs();
        store(kept, quaternion);
        return;
    }
    const int slides = slidingDofs(model, body), turning = end - begin - slides;
    if (turning == 0) return;
    std::array<detail::Turn, 3> turns{};
    std::array<bool, 3> keep{};
    double* angles = q + slides;
    for (int k = 0; k < turning; ++k) {
        const int v = begin + slides + k;
        keep[k] = isLocked(v);
        turns[k] = {&model.axis[3 * v], keep[k] ? angles[k] : model.lower[v], keep[k] ? angles[k] : model.upper[v],
                    angles[k]};
    }
    bool isInside = true;
    for (int k = 0; k < turning; ++k) isInside &= angles[k] >= turns[k].lower && angles[k] <= turns[k].upper;
    if (isInside && rotationAngle(motion(model, body, q).conjugate() * wanted) < 1e-12)
        return; // there: not a bit moves

    std::array<double, 3> result{};
    if (turning == 1) {
        result[0] = detail::nearestTurn(wanted, turns[0]);
    } else if (turning == 2) {
        detail::nearestPair(wanted, turns[0], turns[1], result[0], result[1]);
    } else if (turning == 3) {
        result = detail::nearestTriple(wanted, turns);
    }
    for (int k = 0; k < turning; ++k)
        if (!keep[k]) angles[k] = result[k];
}

} // namespace tendon::kit
