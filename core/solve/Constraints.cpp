#include "core/solve/Constraints.h"

#include "core/math/Convert.h"
#include "core/math/Interpolate.h"
#include "core/math/SmoothStep.h"
#include "core/scene/Constraint.h"
#include "core/solve/JointLimits.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace tendon {
namespace {

using Matrix3 = Eigen::Matrix3d;

constexpr double kAtLimit = 1e-9; // [rad] or [m] a value this near to a limit is held by it
constexpr double kDirection = 1e-12;
/// Within twice this angle [rad] of the up direction an aim tilts "up" aside, by up to this angle: see rollTo().
constexpr double kUpTilt = std::numbers::pi / 18;

/// What the moment gives a constraint, in the space of the joint's parent unless said otherwise.
struct ConstrainedMoment
{
    ConstrainedMoment(const CompiledRig& rig, const Handle& of, const HandleTarget& at_, const LocalPose& local,
                      const ModelPose& model)
        : handle(of), target(at_), joint(rig.authored[at(rig.index(of.end))]), axes(constrainedAxes(of))
    {
        const JointIndex index = rig.index(handle.end), parent = rig.parent[at(index)];
        if (parent >= 0) worldFromParent = model.modelFromJoint[at(parent)];
        parentFromWorld = worldFromParent.linear().inverse();
        restScale = rig.rest[at(index)].scale;
        fk = {local.joints[at(index)], local.angles[at(index)], local.isReadOff[at(index)] != 0};
    }

    [[nodiscard]] Vector3 pivot() const { return worldFromParent * fk.local.translation; } ///< [m, world]
    [[nodiscard]] Vector3 scaled(const Vector3& inJoint) const { return fk.local.scale.cwiseProduct(inJoint); }
    /// The translation that brings the effector to the goal when the joint is turned so.
    [[nodiscard]] Vector3 wantedTranslation(const Quaternion& rotation) const
    {
        const bool isLocal = copiesLocally(handle); // then the goal has been placed by the scale of the rest pose
        const Vector3 effector = rotation *
                                 (isLocal ? Vector3(restScale.cwiseProduct(handle.offset)) : scaled(handle.offset));
        return worldFromParent.inverse() * target.goal.position - effector;
    }
    /// The local rotation with which rotationOf() the joint in the world is the goal's. That makes the first axis of
    /// the joint point along the goal's, and the second one beside it (decompose()), so it is found from these two.
    [[nodiscard]] Quaternion wantedRotation() const
    {
        Vector3 signs = Vector3::Ones(); // of a goal that is a copied local rotation there is no scale in it
        if (!copiesLocally(handle)) signs = fk.local.scale.unaryExpr([](double s) { return s < 0 ? -1.0 : 1.0; });
        const Similarity parent = nearestSimilarity(worldFromParent);
        if (parent.isExact && (signs.array() > 0).all())
            return (parent.rotation.conjugate() * target.goal.rotation).normalized();
        const bool isMirrored = worldFromParent.linear().determinant() * signs.prod() < 0;
        const Matrix3 goal = target.goal.rotation.toRotationMatrix();
        Matrix3 turned;
        turned.col(0) = (parentFromWorld * goal.col(0)).normalized() * (isMirrored ? -signs.x() : signs.x());
        const Vector3 second = parentFromWorld * goal.col(1) * signs.y();
        turned.col(1) = (second - second.dot(turned.col(0)) * turned.col(0)).normalized();
        turned.col(2) = turned.col(0).cross(turned.col(1));
        return Quaternion(turned);
    }

    const Handle& handle;
    const HandleTarget& target;
    const Joint& joint;
    ConstrainedAxes axes;
    Affine worldFromParent = Affine::Identity();
    Matrix3 parentFromWorld = Matrix3::Identity(); ///< of directions
    JointPose fk;
    Vector3 restScale;
};

/// Where an aim has to turn a direction of the joint: `body` (joint space, scaled) to `way` (parent space), both unit;
/// none where the goal is at the joint, so that there is no direction to it. All is measured in the parent's space, so
/// it holds in the world however the parent is mirrored, stretched or sheared.
struct Aim
{
    Vector3 body, way;
};
std::optional<Aim> aimOf(const ConstrainedMoment& m)
{
    const Vector3 way = m.parentFromWorld * (m.target.goal.position - m.pivot());
    const double distance = way.norm();
    if (!((m.target.goal.position - m.pivot()).norm() > m.handle.positionTolerance)) return std::nullopt;
    // The point of the ray from the effector along the axis that is as far from the pivot as the goal.
    const Vector3 axis = m.scaled(m.handle.aimAxis.value_or(Vector3::UnitX())).normalized();
    const Vector3 effector = m.scaled(m.handle.offset);
    const double along = effector.dot(axis);
    const double rest = along * along + distance * distance - effector.squaredNorm();
    const Vector3 body = effector + (std::sqrt(std::max(rest, 0.0)) - along) * axis;
    if (!(body.norm() > kDirection)) return std::nullopt;
    return Aim{body.normalized(), way / distance};
}

Vector3 across(const Vector3& of, const Vector3& direction) { return of - of.dot(direction) * direction; }

/// [rad] about the aim that turns the up axis, now `upNow` in the space of the parent, toward `up`. No rule for it is
/// continuous for all aims (a ball cannot be combed), and the plain one flips where the aim passes through `up`. So the
/// up direction is tilted near there toward a direction that the joint's FK pose gives, halfway between its aim and its
/// side: what passes overhead from the front or from a side turns round on its way, and only an aim at the tilted
/// direction itself leaves the roll open.
double rollTo(const Aim& aim, const Vector3& up, const Vector3& upNow, const Vector3& upAxis, const Quaternion& fk)
{
    const double reach = 2 * std::sin(kUpTilt), u = std::min(across(up, aim.way).norm() / reach, 1.0);
    const double tilt = std::sin(kUpTilt) * (1 - smoothStep(u));
    const Vector3 aside = fk * (aim.body + aim.body.cross(upAxis)).normalized();
    const Vector3 wanted = across(up + tilt * aside, aim.way), is = across(upNow, aim.way);
    if (!(wanted.norm() > kDirection) || !(is.norm() > kDirection)) return 0;
    return std::atan2(aim.way.dot(is.cross(wanted)), is.dot(wanted));
}

Quaternion aimed(const ConstrainedMoment& m, const Aim& aim)
{
    const Quaternion& fk = m.fk.local.rotation;
    const Quaternion swung = (shortestRotation(fk * aim.body, aim.way) * fk).normalized();
    double roll = m.target.twist;
    const auto upAxis = upAxisOf(m.handle);
    const Vector3 axis = upAxis ? Vector3(m.scaled(*upAxis).normalized()) : Vector3(Vector3::Zero());
    if (across(axis, aim.body).norm() > kDirection) {
        Vector3 up = m.target.pole ? Vector3(*m.target.pole - m.pivot()) : Vector3(Vector3::UnitY());
        up = m.parentFromWorld * up;
        if (up.norm() > kDirection) roll += rollTo(aim, up.normalized(), swung * axis, axis, fk);
    }
    return (Quaternion(Eigen::AngleAxisd(roll, aim.way)) * swung).normalized();
}

/// Turns axes one after the other to where each brings the rotation R nearest to what is asked: to the greatest sum of
/// the products of `asked` and R, which is a cosine of each angle. The sum never falls, and limits hold at each step.
void approach(const Joint& joint, const std::array<bool, 3>& mayTurn, const Matrix3& asked, Vector3& angles)
{
    constexpr int kMaxRounds = 64;
    constexpr double kSettled = 1e-12, kFlat = 1e-14, kQuarter = std::numbers::pi / 2;
    const auto gain = [&](int axis, double angle) {
        Vector3 turned = angles;
        turned[axis] = angle;
        return asked.cwiseProduct(localRotation(joint, turned).toRotationMatrix()).sum();
    };
    double moved = 1;
    for (int round = 0; round < kMaxRounds && moved > kSettled; ++round) {
        moved = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (!mayTurn[static_cast<std::size_t>(axis)]) continue;
            const AxisFreedom& freedom = joint.turning[static_cast<std::size_t>(axis)];
            const double none = gain(axis, 0), half = gain(axis, 2 * kQuarter), quarter = gain(axis, kQuarter);
            const double mean = (none + half) / 2, cosine = (none - half) / 2, sine = quarter - mean;
            if (!(std::hypot(cosine, sine) > kFlat)) continue;
            const double best = std::atan2(sine, cosine), before = angles[axis];
            const auto turns = [&](double near) {
                return best + 4 * kQuarter * std::round((near - best) / (4 * kQuarter));
            };
            double next = turns(before);
            if (freedom.limited) {
                const double lower = freedom.lower(), upper = freedom.upper(), middle = (lower + upper) / 2;
                if (next < lower || next > upper) next = turns(middle); // the one that is most inside
                if (next < lower || next > upper) {
                    const auto gainAt = [&](double angle) { return cosine * std::cos(angle) + sine * std::sin(angle); };
                    next = gainAt(lower) > gainAt(upper)   ? lower
                           : gainAt(upper) > gainAt(lower) ? upper
                                                           : std::clamp(before, lower, upper);
                }
            }
            moved = std::max(moved, std::abs(next - before));
            angles[axis] = next;
        }
    }
}

bool isFree(const Joint& joint)
{
    return std::all_of(joint.turning.begin(), joint.turning.end(),
                       [](const AxisFreedom& axis) { return axis.active && !axis.limited; });
}

/// A joint turned to a whole rotation, as the angles of one are told (LocalPose::isReadOff).
void setWhole(const Joint& joint, const Quaternion& rotation, JointPose& pose)
{
    pose.local.rotation = rotation.normalized();
    pose.angles = anglesOf(joint, pose.local.rotation, Vector3::Zero());
    pose.isReadOff = true;
}

void turnBall(const ConstrainedMoment& m, const Quaternion& wanted, const std::optional<Aim>& aim, JointPose& pose,
              AxisHits& hits)
{
    const Quaternion rest = m.joint.rest.rotation.normalized();
    const auto within = [&](const Quaternion& local) {
        return Quaternion(rest * turnWithin(*m.joint.ball, kit::logMap(Quaternion(rest.conjugate() * local))));
    };
    Quaternion turned = within(wanted);
    if (aim) { // its roll may give way to the aim
        constexpr int kMaxRounds = 32;
        const auto miss = [&](const Quaternion& local) { return (local * aim->body - aim->way).norm(); };
        for (int round = 0; round < kMaxRounds && miss(turned) > kAtLimit; ++round) {
            const Quaternion next = within(shortestRotation(turned * aim->body, aim->way) * turned);
            if (!(miss(next) < miss(turned))) break;
            turned = next;
        }
    }
    const JointPose asked{{Vector3::Zero(), wanted, Vector3::Ones()}, Vector3::Zero(), true};
    for (const PassedLimit& passed : passedTurningLimits(m.joint, asked)) {
        const auto twist = static_cast<std::size_t>(passed.axis);
        if (passed.kind == PassedLimit::Kind::Twist) hits[3 + twist] = true;
        if (passed.kind == PassedLimit::Kind::Swing) hits[3 + (twist + 1) % 3] = hits[3 + (twist + 2) % 3] = true;
    }
    setWhole(m.joint, turned, pose);
}

/// Turns the joint to `wanted`, or as near as its axes and their limits let it: to the aim, if there is one.
void turn(const ConstrainedMoment& m, const Quaternion& wanted, const std::optional<Aim>& aim, JointPose& pose,
          AxisHits& hits)
{
    const bool isWhole = m.axes.allTurn();
    Vector3 angles = anglesOf(m.joint, wanted, m.fk.angles);
    if (!isWhole)
        for (std::size_t i = 0; i < 3; ++i)
            if (!m.axes.turns[i]) angles[static_cast<Eigen::Index>(i)] = m.fk.angles[static_cast<Eigen::Index>(i)];
    if (m.joint.ball) return turnBall(m, isWhole ? wanted : localRotation(m.joint, angles), aim, pose, hits);
    if (isWhole && isFree(m.joint)) return setWhole(m.joint, wanted, pose);

    std::array<bool, 3> mayTurn{};
    Vector3 held = angles;
    for (std::size_t i = 0; i < 3; ++i) {
        const AxisFreedom& axis = m.joint.turning[i];
        const auto k = static_cast<Eigen::Index>(i);
        mayTurn[i] = m.axes.turns[i] && axis.active;
        if (!mayTurn[i])
            held[k] = m.fk.angles[k];
        else if (axis.limited)
            held[k] = std::clamp(held[k], axis.lower(), axis.upper());
    }
    if (isWhole && held != angles) {
        const Matrix3 asked = aim ? Matrix3(aim->way * aim->body.transpose()) : wanted.toRotationMatrix();
        approach(m.joint, mayTurn, asked, held);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const AxisFreedom& axis = m.joint.turning[i];
        const auto k = static_cast<Eigen::Index>(i);
        hits[3 + i] = held != angles && mayTurn[i] && axis.limited &&
                      (held[k] <= axis.lower() + kAtLimit || held[k] >= axis.upper() - kAtLimit);
    }
    pose.angles = held;
    pose.local.rotation = localRotation(m.joint, held);
}

void slide(const ConstrainedMoment& m, JointPose& pose, AxisHits& hits)
{
    const Vector3 wanted = m.wantedTranslation(pose.local.rotation);
    const bool slides = std::any_of(m.joint.sliding.begin(), m.joint.sliding.end(),
                                    [](const AxisFreedom& axis) { return axis.active; });
    for (std::size_t i = 0; i < 3; ++i) {
        const AxisFreedom& axis = m.joint.sliding[i];
        const auto k = static_cast<Eigen::Index>(i);
        if (!m.axes.slides[i] || (slides && !axis.active)) continue;
        const bool isLimited = axis.active && axis.limited;
        pose.local.translation[k] = isLimited ? std::clamp(wanted[k], axis.lower(), axis.upper()) : wanted[k];
        hits[i] = isLimited && pose.local.translation[k] != wanted[k];
    }
}

bool isFinite(const JointPose& pose)
{
    return pose.local.translation.allFinite() && pose.local.rotation.coeffs().allFinite() && pose.angles.allFinite();
}

} // namespace

ConstrainedJoint constrained(const CompiledRig& rig, const Handle& handle, const HandleTarget& target,
                             const LocalPose& local, const ModelPose& model, AxisHits& hits)
{
    const ConstrainedMoment m(rig, handle, target, local, model);
    hits = {};
    ConstrainedJoint made{m.fk, sdk::Status::Converged};
    if (constraintOf(handle) == Constraint::Aim) {
        if (const auto aim = aimOf(m)) turn(m, aimed(m, *aim), aim, made.pose, hits);
    } else {
        if (m.axes.anyTurns()) turn(m, m.wantedRotation(), std::nullopt, made.pose, hits);
        if (m.axes.anySlides()) slide(m, made.pose, hits);
    }
    if (!isFinite(made.pose)) // a parent that is flattened has no inverse
        made = {m.fk, sdk::Status::NumericalFailure};
    return made;
}

JointPose blended(const Joint& joint, const JointPose& from, const JointPose& to, double share)
{
    if (share >= 1) return to;
    JointPose mixed = from;
    mixed.local.translation += share * (to.local.translation - from.local.translation);
    const bool turnsAnyWay = joint.ball || std::all_of(joint.turning.begin(), joint.turning.end(),
                                                       [](const AxisFreedom& axis) { return axis.active; });
    if (turnsAnyWay) {
        const Quaternion way = slerp(from.local.rotation, to.local.rotation, share);
        if (joint.ball || isFree(joint)) {
            setWhole(joint, way, mixed);
            const Quaternion rest = joint.rest.rotation.normalized();
            if (joint.ball && passedTurningLimits(joint, from).empty()) // what is between two poses may be beyond
                setWhole(joint, rest * turnWithin(*joint.ball, kit::logMap(Quaternion(rest.conjugate() * way))), mixed);
            return mixed;
        }
        const Vector3 near = from.angles + share * (to.angles - from.angles);
        mixed.angles = anglesOf(joint, way, near);
    } else { // it keeps to its axes
        constexpr double kTurn = 2 * std::numbers::pi;
        for (int axis = 0; axis < 3; ++axis) {
            const double difference = to.angles[axis] - from.angles[axis];
            const bool isLimited = joint.turning[static_cast<std::size_t>(axis)].limited;
            mixed.angles[axis] += share *
                                  (isLimited ? difference : difference - kTurn * std::round(difference / kTurn));
        }
    }
    for (int axis = 0; axis < 3; ++axis) { // no farther beyond a limit than FK is
        const AxisFreedom& freedom = joint.turning[static_cast<std::size_t>(axis)];
        if (freedom.active && freedom.limited)
            mixed.angles[axis] = std::clamp(mixed.angles[axis], std::min(freedom.lower(), from.angles[axis]),
                                            std::max(freedom.upper(), from.angles[axis]));
    }
    mixed.local.rotation = localRotation(joint, mixed.angles);
    return mixed;
}

ConstraintMiss missOfConstraint(const CompiledRig& rig, const Handle& handle, const HandleTarget& target,
                                const LocalPose& local, const ModelPose& model)
{
    const ConstrainedMoment m(rig, handle, target, local, model);
    ConstraintMiss miss;
    if (constraintOf(handle) == Constraint::Aim) {
        const auto aim = aimOf(m);
        if (!aim) return miss;
        const Vector3 now = m.worldFromParent.linear() * (m.fk.local.rotation * aim->body),
                      way = m.worldFromParent.linear() * aim->way;
        miss.rotation = std::atan2(now.cross(way).norm(), now.dot(way));
        return miss;
    }
    if (m.axes.anyTurns()) {
        Quaternion wanted = m.wantedRotation();
        if (!m.axes.allTurn()) {
            Vector3 angles = anglesOf(m.joint, wanted, m.fk.angles);
            for (int axis = 0; axis < 3; ++axis)
                if (!m.axes.turns[static_cast<std::size_t>(axis)]) angles[axis] = m.fk.angles[axis];
            wanted = localRotation(m.joint, angles);
        }
        miss.rotation = m.fk.local.rotation.angularDistance(wanted);
    }
    Vector3 way = m.wantedTranslation(m.fk.local.rotation) - m.fk.local.translation;
    for (int axis = 0; axis < 3; ++axis)
        if (!m.axes.slides[static_cast<std::size_t>(axis)]) way[axis] = 0;
    miss.position = (m.worldFromParent.linear() * way).norm();
    return miss;
}

} // namespace tendon
