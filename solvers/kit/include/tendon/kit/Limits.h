#pragma once

#include <tendon/kit/Kinematics.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

/// Limits of every joint kind: clamping, the split into swing and twist, the swing ellipse, and the projection of a
/// rotation onto the limits of a ball.
namespace tendon::kit {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A rotation as swing * twist: twist about one axis, swing about an axis perpendicular to it.
struct SwingTwist
{
    double swingA = 0; ///< [rad] rotation vector of the swing along the axis that follows the twist axis cyclically
    double swingB = 0; ///< [rad] and along the next one
    double twist = 0;  ///< [rad] -pi ... pi
};

inline SwingTwist splitSwingTwist(const Quaternion& rotation, sdk::Axis axis)
{
    const int t = static_cast<int>(axis), a = (t + 1) % 3, b = (t + 2) % 3;
    const double sign = rotation.w() < 0 ? -1 : 1;
    const double w = sign * rotation.w(), vt = sign * rotation.vec()[t];
    const double norm = std::sqrt(w * w + vt * vt);
    SwingTwist split;
    Quaternion twist = Quaternion::Identity(); // a swing by half a turn leaves the twist undetermined: take none
    if (norm > 1e-12) {
        split.twist = 2 * std::atan2(vt, w);
        twist.w() = w / norm;
        twist.vec()[t] = vt / norm;
    }
    const Vector3 swing = logMap(Quaternion(rotation * twist.conjugate()));
    split.swingA = swing[a];
    split.swingB = swing[b];
    return split;
}

inline Quaternion joinSwingTwist(const SwingTwist& split, sdk::Axis axis)
{
    const int t = static_cast<int>(axis);
    Vector3 swing = Vector3::Zero(), twist = Vector3::Zero();
    swing[(t + 1) % 3] = split.swingA;
    swing[(t + 2) % 3] = split.swingB;
    twist[t] = split.twist;
    return expMap(swing) * expMap(twist);
}

/// How far out (x, y) lies in the ellipse of the four semi-axes +a, -a, +b, -b: at most 1 inside. An infinite semi-axis
/// is free; a semi-axis of 0 allows nothing.
inline double ellipseLevel(double x, double y, const double* semiAxes)
{
    const double ax = x >= 0 ? semiAxes[0] : semiAxes[1], ay = y >= 0 ? semiAxes[2] : semiAxes[3];
    const double u = x == 0 || std::isinf(ax) ? 0 : std::abs(x) / ax,
                 v = y == 0 || std::isinf(ay) ? 0 : std::abs(y) / ay;
    return std::sqrt(u * u + v * v);
}

/// The point of the filled ellipse nearest to (x, y), by its multiplier (Eberly 2013, "Distance from a point
/// to an ellipse"). Each quadrant is convex, so the nearest point is in the same one. Points inside keep every bit.
inline std::array<double, 2> nearestInEllipse(double x, double y, const double* semiAxes)
{
    if (ellipseLevel(x, y, semiAxes) <= 1) return {x, y};
    const double ax = x >= 0 ? semiAxes[0] : semiAxes[1], ay = y >= 0 ? semiAxes[2] : semiAxes[3];
    const double sx = x >= 0 ? 1 : -1, sy = y >= 0 ? 1 : -1;
    const double px = std::abs(x), py = std::abs(y);
    if (std::isinf(ax) || std::isinf(ay) || ax == 0 || ay == 0) // a strip, or flat
        return {sx * std::min(px, ax), sy * std::min(py, ay)};

    // nearest = (ax^2 px / (t + ax^2), ay^2 py / (t + ay^2)), where t >= 0 is the root of a convex, decreasing
    // function: Newton's steps from 0 approach it from below.
    double nx = px, ny = py, t = 0;
    for (int i = 0; i < 80; ++i) {
        const double ux = ax / (t + ax * ax), uy = ay / (t + ay * ay);
        nx = ax * ux * px;
        ny = ay * uy * py;
        const double gx = ux * px, gy = uy * py, level = gx * gx + gy * gy;
        const double slope = 2 * (gx * gx / (t + ax * ax) + gy * gy / (t + ay * ay));
        const double by = (level - 1) / slope;
        if (!(by > 1e-16 * t)) break;
        t += by;
    }
    const double inward = 1 - 1e-15; // so that the result itself is inside, whatever rounding did
    while (ellipseLevel(sx * nx, sy * ny, semiAxes) > 1) {
        nx *= inward;
        ny *= inward;
    }
    return {sx * nx, sy * ny};
}

/// The value within [lower, upper] that is nearest to `angle` on the circle. If several turns of 360 degrees fit, the
/// one nearest to `near`.
inline double nearestAngle(double angle, double lower, double upper, double near)
{
    constexpr double kTurn = 2 * std::numbers::pi;
    const double closest = angle + kTurn * std::round((near - angle) / kTurn);
    if (closest >= lower && closest <= upper) return closest;
    if (std::isfinite(lower)) { // the first turn at or above the lower end
        const double up = angle + kTurn * std::ceil((lower - angle) / kTurn);
        const double down = std::isfinite(upper) ? angle + kTurn * std::floor((upper - angle) / kTurn) : kInfinity;
        const bool upFits = up >= lower && up <= upper, downFits = down >= lower && down <= upper;
        if (upFits && downFits) return std::abs(up - near) <= std::abs(down - near) ? up : down;
        if (upFits) return up;
        if (downFits) return down;
    } else { // no lower end: the last turn at or below the upper one
        return std::min(upper, angle + kTurn * std::floor((upper - angle) / kTurn));
    }
    const double overUpper = std::remainder(angle - upper, kTurn), overLower = std::remainder(angle - lower, kTurn);
    return std::abs(overUpper) < std::abs(overLower) ? upper : lower;
}

/// True for a ball joint that may not take every rotation.
inline bool isLimitedBall(const Model& model, int body)
{
    if (!traitsOf(model, body).hasSwingLimits) return false;
    const double *swing = &model.ballSwing[4 * body], *twist = &model.ballTwist[2 * body];
    const auto isFinite = [](double limit) { return std::isfinite(limit); };
    return std::any_of(swing, swing + 4, isFinite) || std::any_of(twist, twist + 2, isFinite);
}

/// The rotation within the limits of a ball joint that is nearest to `rotation` in (swing, twist) coordinates. A
/// rotation inside keeps every bit.
inline Quaternion nearestInBall(const Model& model, int body, const Quaternion& rotation)
{
    const double* semiAxes = &model.ballSwing[4 * body];
    const double from = model.ballTwist[2 * body], to = model.ballTwist[2 * body + 1];
    if (!isLimitedBall(model, body)) return rotation;
    const SwingTwist split = splitSwingTwist(rotation, model.ballAxis[body]);
    SwingTwist kept = split;
    kept.twist = split.twist >= from && split.twist <= to ? split.twist
                                                          : nearestAngle(split.twist, from, to, split.twist);
    const auto swing = nearestInEllipse(split.swingA, split.swingB, semiAxes);
    kept.swingA = swing[0];
    kept.swingB = swing[1];
    if (kept.twist == split.twist && kept.swingA == split.swingA && kept.swingB == split.swingB) return rotation;

    // A hair inside, so that splitting the result again finds it inside in spite of rounding.
    constexpr double kHair = 1e-12; // [rad]
    if (kept.twist != split.twist && to - from > 2 * kHair)
        kept.twist = std::clamp(kept.twist, from + kHair, to - kHair);
    if (kept.swingA != split.swingA) kept.swingA *= 1 - kHair;
    if (kept.swingB != split.swingB) kept.swingB *= 1 - kHair;
    return joinSwingTwist(kept, model.ballAxis[body]);
}

/// How far a ball's rotation is outside its limits [rad]; 0 inside. For checks, which must allow for rounding.
inline double ballViolation(const Model& model, int body, const Quaternion& rotation)
{
    const SwingTwist split = splitSwingTwist(rotation, model.ballAxis[body]);
    const double from = model.ballTwist[2 * body], to = model.ballTwist[2 * body + 1];
    const auto swing = nearestInEllipse(split.swingA, split.swingB, &model.ballSwing[4 * body]);
    const double twist = std::max({0.0, from - split.twist, split.twist - to});
    return std::max(twist, std::hypot(split.swingA - swing[0], split.swingB - swing[1]));
}

/// The three ways in which a ball moves, as its limits count them: it swings outward or along its ellipse, and twists.
struct BallWays
{
    Matrix3 turn;                 ///< columns: the step in the turned frame by which one of them changes by 1 rad
    double lowest[3], highest[3]; ///< [rad] the room on each, to first order; lowest <= 0 <= highest
    int dof[3];                   ///< which of the ball's DOFs each is most about
};

/// The ways of a ball at `rotation`, which is within its limits.
inline BallWays ballWays(const Model& model, int body, const Quaternion& rotation)
{
    constexpr double kMiddle = 0.5; // of the ellipse: nearer to its centre each axis has its own room
    const int t = static_cast<int>(model.ballAxis[body]), a = (t + 1) % 3, b = (t + 2) % 3;
    const double* semiAxes = &model.ballSwing[4 * body];
    const SwingTwist split = splitSwingTwist(rotation, model.ballAxis[body]);
    BallWays ways;
    for (int k = 0; k < 3; ++k) {
        ways.lowest[k] = -kInfinity;
        ways.highest[k] = kInfinity;
    }
    Vector3 outward = Vector3::Unit(a), along = Vector3::Unit(b);
    const double level = ellipseLevel(split.swingA, split.swingB, semiAxes);
    if (level < kMiddle || *std::min_element(semiAxes, semiAxes + 4) <= 0) {
        ways.lowest[0] = std::min(0.0, -semiAxes[1] - split.swingA);
        ways.highest[0] = std::max(0.0, semiAxes[0] - split.swingA);
        ways.lowest[1] = std::min(0.0, -semiAxes[3] - split.swingB);
        ways.highest[1] = std::max(0.0, semiAxes[2] - split.swingB);
    } else {
        const double alongA = semiAxes[split.swingA >= 0 ? 0 : 1], alongB = semiAxes[split.swingB >= 0 ? 2 : 3];
        const double slopeA = split.swingA / (alongA * alongA), slopeB = split.swingB / (alongB * alongB);
        const double slope = std::hypot(slopeA, slopeB);
        outward = (slopeA * Vector3::Unit(a) + slopeB * Vector3::Unit(b)) / slope;
        along = Vector3::Unit(t).cross(outward);
        ways.highest[0] = std::max(0.0, (1 - level) * level / slope);
    }
    ways.dof[0] = std::abs(outward[a]) >= std::abs(outward[b]) ? a : b;
    ways.dof[1] = ways.dof[0] == a ? b : a;
    ways.dof[2] = t;
    ways.lowest[2] = std::min(0.0, model.ballTwist[2 * body] - split.twist);
    ways.highest[2] = std::max(0.0, model.ballTwist[2 * body + 1] - split.twist);

    // The rotation is exp(swing) exp(twist e): a turn of the parent's space by w changes the swing by J^-1 w, where J
    // is the left Jacobian, and a step about e changes the twist alone (Sola et al. 2018).
    Vector3 swing = Vector3::Zero();
    swing[a] = split.swingA;
    swing[b] = split.swingB;
    const Matrix3 jacobian = leftJacobianInverse(swing).inverse();
    ways.turn.col(0) = rotation.conjugate() * Vector3(jacobian * outward);
    ways.turn.col(1) = rotation.conjugate() * Vector3(jacobian * along);
    ways.turn.col(2) = Vector3::Unit(t);
    return ways;
}

/// Brings one body's coordinates into its limits by moving each DOF as little as possible; coordinates inside keep
/// every bit. DOFs marked in `locked` (whole array, may be empty) are left alone; a ball with any locked DOF likewise.
/// Returns true when something moved. `q`: the body's own coordinates.
inline bool clampBody(const Model& model, int body, std::span<const std::uint8_t> locked, double* q)
{
    const auto isLocked = [locked](int v) { return !locked.empty() && locked[v] != 0; };
    const int begin = model.vBegin[body], end = model.vBegin[body + 1], singles = singleDofs(model, body);
    bool moved = false;
    for (int k = 0; k < singles; ++k) {
        const int v = begin + k;
        if (isLocked(v)) continue;
        const double kept = std::clamp(q[k], model.lower[v], model.upper[v]);
        moved |= kept != q[k];
        q[k] = kept;
    }
    if (!traitsOf(model, body).hasSwingLimits) return moved;
    for (int v = begin + singles; v < end; ++v)
        if (isLocked(v)) return moved;
    const Quaternion rotation = quaternionAt(q + singles);
    const Quaternion kept = nearestInBall(model, body, rotation);
    if (kept.coeffs() == rotation.coeffs()) return moved;
    store(kept, q + singles);
    return true;
}

/// The limit hits of a ball with the rotation `rotation`: swing on its axes a and b (each that has a share in reaching
/// the ellipse), twist on the twist axis. Writes the hits of its three turning DOFs.
inline void ballLimitHits(const Model& model, int body, const Quaternion& rotation, std::int8_t* hits)
{
    constexpr double kNear = 1e-9; // [rad] the projection lands this close to the ellipse
    constexpr double kShare = 0.1; // of the way out to the semi-axis; less is not what stops the swing
    const int t = static_cast<int>(model.ballAxis[body]);
    const SwingTwist split = splitSwingTwist(rotation, model.ballAxis[body]);
    const double* semiAxes = &model.ballSwing[4 * body];
    if (ellipseLevel(split.swingA, split.swingB, semiAxes) >= 1 - kNear) {
        if (ellipseLevel(split.swingA, 0, semiAxes) > kShare) hits[(t + 1) % 3] = split.swingA > 0 ? 1 : -1;
        if (ellipseLevel(0, split.swingB, semiAxes) > kShare) hits[(t + 2) % 3] = split.swingB > 0 ? 1 : -1;
    }
    if (split.twist >= model.ballTwist[2 * body + 1] - kNear)
        hits[t] = 1;
    else if (split.twist <= model.ballTwist[2 * body] + kNear)
        hits[t] = -1;
}

/// -1 at the lower, +1 at the upper limit, 0 free, for each DOF of a body. `q`: own coordinates, `hits`: own DOFs.
inline void limitHits(const Model& model, int body, const double* q, std::int8_t* hits)
{
    const int begin = model.vBegin[body], end = model.vBegin[body + 1], singles = singleDofs(model, body);
    for (int k = 0; k < end - begin; ++k) hits[k] = 0;
    for (int k = 0; k < singles; ++k) {
        if (q[k] >= model.upper[begin + k])
            hits[k] = 1;
        else if (q[k] <= model.lower[begin + k])
            hits[k] = -1;
    }
    if (traitsOf(model, body).hasSwingLimits) ballLimitHits(model, body, quaternionAt(q + singles), hits + singles);
}

} // namespace tendon::kit
