#pragma once

#include <tendon/kit/Jacobian.h>
#include <tendon/sdk/Goal.h>

#include <algorithm>
#include <limits>

/// What a goal asks, as residual rows r(q) with derivatives. A residual is current minus target, unweighted, in metres
/// or radians, in model space:
///
///   position     point - target                                              3 rows
///   orientation  rotation vector of current * target^-1                      3 rows
///   pose         both, position first                                        6 rows
///   aim          looking direction - wanted direction (a chord of length 2 sin(angle / 2))   3 rows
///   pole         angle of the bend from the half plane, about start -> end, less the twist   1 row
///
/// The bend of a chain is where the mean of its inner joints, weighed by bendWeight(), lies, seen from the line start
/// -> end.
namespace tendon::kit {

using sdk::Goal;
using sdk::GoalKind;

inline constexpr int kMaxRows = 6;

constexpr int residualRows(GoalKind kind) { return kind == GoalKind::Pose ? 6 : kind == GoalKind::Pole ? 1 : 3; }

constexpr bool asksPosition(GoalKind kind) { return kind == GoalKind::Position || kind == GoalKind::Pose; }
constexpr bool asksRotation(GoalKind kind) { return kind == GoalKind::Orientation || kind == GoalKind::Pose; }

/// The weight of row `row` of a goal's residual.
constexpr double rowWeight(const Goal& goal, int row)
{
    return asksPosition(goal.kind) && row < 3 ? goal.positionWeight : goal.rotationWeight;
}

/// False for a goal that is as good as absent.
constexpr bool isActive(const Goal& goal)
{
    return (asksPosition(goal.kind) && goal.positionWeight > 0) ||
           (goal.kind != GoalKind::Position && goal.rotationWeight > 0);
}

template <class T>
Vec3<T> effectorPoint(const Goal& goal, std::span<const Frame<T>> frames)
{
    return frames[goal.body].point(Vec3<T>{T(goal.offset[0]), T(goal.offset[1]), T(goal.offset[2])});
}

template <class T>
Vec3<T> rotationResidual(const Goal& goal, const Frame<T>& frame)
{
    const double* t = goal.targetRotation;
    const Quat<T> inverseTarget{T(t[3]), T(-t[0]), T(-t[1]), T(-t[2])};
    return logMap(Quat<T>(frame.rotation * inverseTarget));
}

/// What an inner joint counts in the bend, with `above` other inner joints of the chain above it: 1, 1/2, 1/3 ... down
/// the chain. Were they equals, the bend of a zigzag that is symmetric to its middle would be none.
constexpr double bendWeight(int above) { return 1.0 / (above + 1); }

/// What the pole residual is made of: start, end and mean inner joint of the chain, relative to the start.
template <class T>
struct PoleShape
{
    Vec3<T> span;      ///< start -> end
    Vec3<T> bend;      ///< start -> weighted mean of the inner joints
    Vec3<T> pole;      ///< start -> pole, or the pole's direction
    double weight = 0; ///< of all inner joints
    int inner = 0;     ///< number of inner joints; 0 = nothing to turn
};

template <class T>
PoleShape<T> poleShape(const Model& model, const Goal& goal, std::span<const Frame<T>> frames)
{
    PoleShape<T> shape;
    const Vec3<T> start = frames[goal.startBody].position;
    shape.span = effectorPoint(goal, frames) - start;
    shape.bend = Vec3<T>::Zero();
    for (int b = model.parent[goal.body]; b >= 0 && b != goal.startBody; b = model.parent[b]) ++shape.inner;
    int above = shape.inner;
    for (int b = model.parent[goal.body]; b >= 0 && b != goal.startBody; b = model.parent[b]) {
        const double weight = bendWeight(--above);
        shape.bend += (frames[b].position - start) * T(weight);
        shape.weight += weight;
    }
    if (shape.inner > 0) shape.bend /= T(shape.weight);
    const Vec3<T> target{T(goal.targetPosition[0]), T(goal.targetPosition[1]), T(goal.targetPosition[2])};
    shape.pole = goal.isDirection != 0 ? target : Vec3<T>(target - start);
    return shape;
}

/// Cosine and sine parts (not normalised) of the angle from the pole to the bend about the span.
template <class T>
struct PoleAngle
{
    Vec3<T> axis;
    T cosine, sine;
    bool isDefined = false; ///< false when the chain is straight or the pole lies on its line: then nothing is asked
};

template <class T>
PoleAngle<T> poleAngle(const PoleShape<T>& shape, double twist)
{
    using std::cos;
    using std::sin;
    using std::sqrt;
    PoleAngle<T> angle;
    angle.axis = Vec3<T>::Zero();
    angle.cosine = angle.sine = T(0);
    const T spanSquared = shape.span.squaredNorm();
    if (shape.inner == 0 || !(spanSquared > T(0))) return angle;
    angle.axis = shape.span / sqrt(spanSquared);
    const T bendAlong = angle.axis.dot(shape.bend), poleAlong = angle.axis.dot(shape.pole);
    const T c = shape.pole.dot(shape.bend) - poleAlong * bendAlong;
    const T s = angle.axis.dot(shape.pole.cross(shape.bend));
    // Relative 1e-6: below it the direction of bend or pole is mostly rounding.
    const T bendAcross = shape.bend.squaredNorm() - bendAlong * bendAlong;
    const T poleAcross = shape.pole.squaredNorm() - poleAlong * poleAlong;
    angle.isDefined = bendAcross > spanSquared * T(1e-12) && poleAcross > shape.pole.squaredNorm() * T(1e-12);
    angle.cosine = c * T(cos(twist)) + s * T(sin(twist));
    angle.sine = s * T(cos(twist)) - c * T(sin(twist));
    return angle;
}

/// The unweighted residual of a goal: residualRows(kind) numbers.
template <class T>
void residual(const Model& model, const Goal& goal, std::span<const Frame<T>> frames, T* out)
{
    using std::atan2;
    using std::sqrt;
    const Frame<T>& frame = frames[goal.body];
    if (asksPosition(goal.kind)) {
        const Vec3<T> point = effectorPoint(goal, frames);
        for (int i = 0; i < 3; ++i) *out++ = point[i] - T(goal.targetPosition[i]);
    }
    if (asksRotation(goal.kind)) {
        const Vec3<T> turned = rotationResidual(goal, frame);
        for (int i = 0; i < 3; ++i) *out++ = turned[i];
    }
    if (goal.kind == GoalKind::Aim) {
        const Vec3<T> looking = frame.rotation * Vec3<T>{T(goal.axis[0]), T(goal.axis[1]), T(goal.axis[2])};
        Vec3<T> wanted{T(goal.targetPosition[0]), T(goal.targetPosition[1]), T(goal.targetPosition[2])};
        if (goal.isDirection == 0) wanted -= effectorPoint(goal, frames);
        const T squared = wanted.squaredNorm();
        const bool isDefined = squared > T(0); // a target on the eye asks nothing
        for (int i = 0; i < 3; ++i) out[i] = isDefined ? T(looking[i] - wanted[i] / sqrt(squared)) : T(0);
    }
    if (goal.kind == GoalKind::Pole) {
        const PoleAngle<T> angle = poleAngle(poleShape(model, goal, frames), goal.twist);
        *out = angle.isDefined ? T(atan2(angle.sine, angle.cosine)) : T(0);
    }
}

/// The derivative of one goal's residual with respect to the DOFs, found column by column. Make one per goal and
/// configuration, then ask for the columns of the DOFs of the goal's body and its ancestors; all others are zero.
class ResidualDerivative
{
public:
    ResidualDerivative(const Model& model, const Goal& goal, std::span<const Frame<double>> frames)
        : m_model(&model), m_goal(&goal), m_frames(frames), m_point(effectorPoint(goal, frames))
    {
        if (asksRotation(goal.kind)) m_log = leftJacobianInverse(rotationResidual(goal, frames[goal.body]));
        if (goal.kind == GoalKind::Aim) prepareAim();
        if (goal.kind == GoalKind::Pole) {
            m_shape = poleShape(model, goal, frames);
            m_angle = poleAngle(m_shape, goal.twist);
        }
    }

    /// Writes residualRows(kind) numbers: d(residual)/d(dof) of a DOF of body `owner` (the goal's or an ancestor of
    /// it).
    void column(const DofMotion& dof, int owner, double* out) const
    {
        const GoalKind kind = m_goal->kind;
        if (asksPosition(kind)) {
            write(dof.velocity(m_point), out);
            out += 3;
        }
        if (asksRotation(kind)) write(dof.turns ? Vector3(m_log * dof.direction) : Vector3(Vector3::Zero()), out);
        if (kind == GoalKind::Aim) {
            if (m_wantedLength > 0)
                write(dof.angular().cross(m_looking) + m_acrossOverLength * dof.velocity(m_point), out);
            else
                write(Vector3::Zero(), out);
        }
        if (kind == GoalKind::Pole) *out = poleColumn(dof, owner);
    }

private:
    static void write(const Vector3& v, double* out)
    {
        for (int i = 0; i < 3; ++i) out[i] = v[i];
    }

    void prepareAim()
    {
        m_looking = m_frames[m_goal->body].rotation * vectorAt(m_goal->axis);
        Vector3 wanted = vectorAt(m_goal->targetPosition);
        if (m_goal->isDirection == 0) wanted -= m_point;
        m_wantedLength = wanted.norm();
        m_acrossOverLength.setZero(); // d(-wanted/|wanted|) = (I - u u') d(eye) / |wanted|
        if (m_goal->isDirection != 0 || !(m_wantedLength > 0)) return;
        const Vector3 u = wanted / m_wantedLength;
        m_acrossOverLength = (Matrix3::Identity() - u * u.transpose()) / m_wantedLength;
    }

    double poleColumn(const DofMotion& dof, int owner) const
    {
        if (!m_angle.isDefined) return 0;
        // A DOF of the start body turns about the start; one further down carries only the inner joints below it.
        Vector3 start = Vector3::Zero(), bend = Vector3::Zero();
        bool carriesStart = false;
        for (int b = m_goal->startBody; b >= 0; b = m_model->parent[b]) carriesStart |= b == owner;
        if (carriesStart) start = dof.velocity(m_frames[m_goal->startBody].position);
        bool isCarried = carriesStart || owner != m_goal->body;
        int above = m_shape.inner;
        for (int b = m_model->parent[m_goal->body]; b >= 0 && b != m_goal->startBody; b = m_model->parent[b]) {
            const double share = bendWeight(--above) / m_shape.weight;
            if (isCarried) bend += share * dof.velocity(m_frames[b].position);
            if (b == owner) isCarried = carriesStart;
        }
        bend -= start;
        const Vector3 span = dof.velocity(m_point) - start;
        const Vector3 pole = m_goal->isDirection != 0 ? Vector3(Vector3::Zero()) : Vector3(-start);

        // The angle is atan2(s, c) - twist; a, b, p = axis, bend, pole and d* their changes.
        const Vector3 &a = m_angle.axis, &b = m_shape.bend, &p = m_shape.pole;
        const Vector3 da = (span - a * a.dot(span)) / m_shape.span.norm();
        const double c = p.dot(b) - a.dot(p) * a.dot(b), s = a.dot(p.cross(b));
        const double dc = pole.dot(b) + p.dot(bend) - (da.dot(p) + a.dot(pole)) * a.dot(b) -
                          a.dot(p) * (da.dot(b) + a.dot(bend));
        const double ds = da.dot(p.cross(b)) + a.dot(pole.cross(b) + p.cross(bend));
        return (c * ds - s * dc) / (c * c + s * s);
    }

    const Model* m_model;
    const Goal* m_goal;
    std::span<const Frame<double>> m_frames;
    Vector3 m_point;
    Matrix3 m_log = Matrix3::Identity();
    Vector3 m_looking = Vector3::Zero();
    Matrix3 m_acrossOverLength = Matrix3::Zero();
    double m_wantedLength = 0;
    PoleShape<double> m_shape;
    PoleAngle<double> m_angle;
};

/// Human errors of a goal: [m] and [rad]. A pole that cannot be told (straight chain, pole on its line) has error 0.
struct GoalError
{
    double position = 0;
    double rotation = 0;

    [[nodiscard]] bool isWithin(const Goal& goal) const
    {
        const bool positionMet = !asksPosition(goal.kind) || !(goal.positionWeight > 0) ||
                                 position <= goal.positionTolerance;
        const bool rotationMet = goal.kind == GoalKind::Position || !(goal.rotationWeight > 0) ||
                                 rotation <= goal.rotationTolerance;
        return positionMet && rotationMet;
    }
};

/// The errors that the residual (unweighted, as `residual` writes it) stands for.
inline GoalError goalError(const Goal& goal, const double* r)
{
    GoalError error;
    if (asksPosition(goal.kind)) error.position = Vector3(r[0], r[1], r[2]).norm();
    if (asksRotation(goal.kind)) {
        const double* turned = r + (asksPosition(goal.kind) ? 3 : 0);
        error.rotation = Vector3(turned[0], turned[1], turned[2]).norm();
    }
    if (goal.kind == GoalKind::Aim)
        error.rotation = 2 * std::asin(std::min(1.0, 0.5 * Vector3(r[0], r[1], r[2]).norm()));
    if (goal.kind == GoalKind::Pole) error.rotation = std::abs(r[0]);
    return error;
}

} // namespace tendon::kit
