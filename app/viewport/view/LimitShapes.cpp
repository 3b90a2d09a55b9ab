#include "app/viewport/view/LimitShapes.h"

#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon::viewport {
namespace {

constexpr double kFarthestSlide = 1e3; // [m] that a slide's end is dragged
constexpr int kArcPoints = 72;
constexpr double kReached = 2e-3; // [rad] or share of the range: so near counts as at the limit

/// The frame a joint's limits are counted in: its parent's, turned by the rest pose, standing at the joint. Without
/// scale.
struct Frame
{
    Vector3 origin;
    Quaternion worldFromRest;
};

Frame frameOf(const CompiledRig& rig, const ModelPose& model, JointIndex index)
{
    const auto i = static_cast<std::size_t>(index);
    const JointIndex parent = rig.parent[i];
    const Quaternion worldFromParent = parent < 0 ? Quaternion::Identity()
                                                  : rotationOf(model.modelFromJoint[static_cast<std::size_t>(parent)]);
    return {model.modelFromJoint[i].translation(), worldFromParent * rig.rest[i].rotation};
}

bool isAtEnd(double value, double lower, double upper)
{
    const double hair = kReached * std::max(1.0, upper - lower);
    return value <= lower + hair || value >= upper - hair;
}

/// Both ends of a range; neither goes past the other.
void addGrips(LimitShape& shape, double least, double most, const std::function<Vector3(double)>& at)
{
    shape.grips = {{.end = 0, .value = shape.from, .least = least, .most = shape.to, .at = at},
                   {.end = 1, .value = shape.to, .least = shape.from, .most = most, .at = at}};
}

LimitShape turnShape(const CompiledRig& rig, const LocalPose& local, const Frame& frame, JointIndex index, int axis,
                     double size)
{
    const auto i = static_cast<std::size_t>(index);
    const AxisFreedom& freedom = rig.authored[i].turning[static_cast<std::size_t>(axis)];
    // The way of the bone's end as this angle runs over its range and the others stay. Along the axis itself the end
    // would not move: then a pointer beside the bone.
    Vector3 pointer = boneDirection(rig.authored, rig.authored[i]);
    if (std::abs(pointer[axis]) > 0.94) pointer = Vector3::Unit((axis + 1) % 3);
    const auto at = [=, now = local.angles[i], order = rig.order[i]](double angle) {
        Vector3 angles = now;
        angles[axis] = angle;
        return Vector3(frame.origin + size * (frame.worldFromRest * (rotationFromAngles(angles, order) * pointer)));
    };
    LimitShape shape{.kind = LimitShape::Kind::Turn, .axis = axis, .centre = frame.origin};
    shape.from = freedom.lower();
    shape.to = freedom.upper();
    shape.value = local.angles[i][axis];
    const double span = std::min(shape.to - shape.from, 2 * std::numbers::pi);
    for (int k = 0; k <= kArcPoints; ++k) shape.rim.push_back(at(shape.from + span * k / kArcPoints));
    shape.now = at(shape.value);
    shape.isReached = isAtEnd(shape.value, shape.from, shape.to);
    addGrips(shape, -2 * std::numbers::pi, 2 * std::numbers::pi, at);
    return shape;
}

LimitShape slideShape(const CompiledRig& rig, const LocalPose& local, const ModelPose& model, JointIndex index,
                      int axis)
{
    const auto i = static_cast<std::size_t>(index);
    const AxisFreedom& freedom = rig.authored[i].sliding[static_cast<std::size_t>(axis)];
    const JointIndex parent = rig.parent[i];
    const Affine worldFromParent = parent < 0 ? Affine::Identity()
                                              : model.modelFromJoint[static_cast<std::size_t>(parent)];
    const auto at = [=, now = local.joints[i].translation](double value) {
        Vector3 translation = now;
        translation[axis] = value;
        return Vector3(worldFromParent * translation);
    };
    LimitShape shape{.kind = LimitShape::Kind::Slide, .axis = axis};
    shape.from = freedom.lower();
    shape.to = freedom.upper();
    shape.value = local.joints[i].translation[axis];
    shape.centre = at(0);
    shape.rim = {at(shape.from), at(shape.to)};
    shape.now = at(shape.value);
    shape.isReached = isAtEnd(shape.value, shape.from, shape.to);
    addGrips(shape, -kFarthestSlide, kFarthestSlide, at);
    return shape;
}

/// Swing and twist of a rotation as the solvers split it: rotation = swing * twist.
struct Split
{
    double a, b, twist;
    Quaternion swing;
};

Split splitBall(const Quaternion& rotation, int axis)
{
    const double sign = rotation.w() < 0 ? -1 : 1, w = sign * rotation.w(), v = sign * rotation.vec()[axis];
    Quaternion twist = Quaternion::Identity();
    if (const double norm = std::hypot(w, v); norm > 1e-12) {
        twist.w() = w / norm;
        twist.vec()[axis] = v / norm;
    }
    const Quaternion swing = rotation * twist.conjugate();
    const Eigen::AngleAxisd turn(swing);
    const double angle = std::remainder(turn.angle(), 2 * std::numbers::pi);
    return {angle * turn.axis()[(axis + 1) % 3], angle * turn.axis()[(axis + 2) % 3], 2 * std::atan2(v, w), swing};
}

void addBallShapes(std::vector<LimitShape>& shapes, const CompiledRig& rig, const LocalPose& local, const Frame& frame,
                   JointIndex index, double size)
{
    const auto i = static_cast<std::size_t>(index);
    const BallLimits& ball = *rig.authored[i].ball;
    const int axis = ball.twistAxis, a = (axis + 1) % 3, b = (axis + 2) % 3;
    const Split now = splitBall(rig.rest[i].rotation.conjugate() * local.joints[i].rotation, axis);
    const Vector3 bone = boneDirection(rig.authored, rig.authored[i]),
                  pointer = bone[axis] < 0 ? Vector3(-Vector3::Unit(axis)) : Vector3(Vector3::Unit(axis));
    const auto swung = [a, b](double byA, double byB) {
        const double angle = std::hypot(byA, byB);
        if (angle < 1e-12) return Quaternion::Identity();
        Vector3 about = Vector3::Zero();
        about[a] = byA / angle;
        about[b] = byB / angle;
        return Quaternion(Eigen::AngleAxisd(angle, about));
    };
    if (ball.swing) {
        const std::array<double, 4>& semi = *ball.swing;
        LimitShape shape{
            .kind = LimitShape::Kind::Swing, .axis = axis, .centre = frame.origin, .from = semi[0], .to = semi[1]};
        for (int k = 0; k < kArcPoints; ++k) {
            const double turn = 2 * std::numbers::pi * k / kArcPoints, x = std::cos(turn), y = std::sin(turn);
            const Quaternion swing = swung(x * semi[x < 0 ? 1 : 0], y * semi[y < 0 ? 3 : 2]);
            shape.rim.push_back(frame.origin + size * (frame.worldFromRest * (swing * pointer)));
        }
        shape.now = frame.origin + size * (frame.worldFromRest * (now.swing * pointer));
        const double x = now.a / std::max(semi[now.a < 0 ? 1 : 0], 1e-9),
                     y = now.b / std::max(semi[now.b < 0 ? 3 : 2], 1e-9);
        shape.value = std::hypot(x, y);
        shape.isReached = shape.value > 1 - kReached;
        for (int end = 0; end < 4; ++end) {
            const auto at = [=](double angle) {
                const double signedAngle = end % 2 == 0 ? angle : -angle;
                const Quaternion swing = end < 2 ? swung(signedAngle, 0) : swung(0, signedAngle);
                return Vector3(frame.origin + size * (frame.worldFromRest * (swing * pointer)));
            };
            shape.grips.push_back({.end = end,
                                   .value = semi[static_cast<std::size_t>(end)],
                                   .least = 0,
                                   .most = std::numbers::pi,
                                   .at = at});
        }
        shapes.push_back(shape);
    }
    if (ball.twist) {
        LimitShape shape{.kind = LimitShape::Kind::Twist,
                         .axis = axis,
                         .centre = frame.origin,
                         .from = (*ball.twist)[0],
                         .to = (*ball.twist)[1],
                         .value = now.twist};
        const auto at = [=](double twist) {
            const Quaternion turned(Eigen::AngleAxisd(twist, Vector3::Unit(axis)));
            return Vector3(frame.origin +
                           0.45 * size * (frame.worldFromRest * (now.swing * (turned * Vector3::Unit(a)))));
        };
        for (int k = 0; k <= kArcPoints; ++k)
            shape.rim.push_back(at(shape.from + (shape.to - shape.from) * k / kArcPoints));
        shape.now = at(shape.value);
        shape.isReached = isAtEnd(shape.value, shape.from, shape.to);
        addGrips(shape, -std::numbers::pi, std::numbers::pi, at);
        shapes.push_back(shape);
    }
}

} // namespace

double boneLength(const CompiledRig& rig, const ModelPose& model, JointIndex index)
{
    const auto place = [&](JointIndex joint) {
        return model.modelFromJoint[static_cast<std::size_t>(joint)].translation();
    };
    for (std::size_t child = 0; child < rig.jointCount(); ++child)
        if (rig.parent[child] == index && rig.rest[child].translation.norm() > 1e-6)
            return (place(static_cast<JointIndex>(child)) - place(index)).norm();
    const JointIndex parent = rig.parent[static_cast<std::size_t>(index)];
    return parent < 0 ? 0 : (place(index) - place(parent)).norm();
}

std::vector<LimitShape> limitShapes(const CompiledRig& rig, const LocalPose& local, const ModelPose& model,
                                    JointIndex index, double size)
{
    std::vector<LimitShape> shapes;
    const Joint& joint = rig.authored[static_cast<std::size_t>(index)];
    const Frame frame = frameOf(rig, model, index);
    if (joint.ball)
        addBallShapes(shapes, rig, local, frame, index, size);
    else
        for (int axis = 0; axis < 3; ++axis)
            if (const AxisFreedom& f = joint.turning[static_cast<std::size_t>(axis)]; f.active && f.limited)
                shapes.push_back(turnShape(rig, local, frame, index, axis, size * (1 - 0.12 * axis)));
    for (int axis = 0; axis < 3; ++axis)
        if (const AxisFreedom& f = joint.sliding[static_cast<std::size_t>(axis)]; f.active && f.limited)
            shapes.push_back(slideShape(rig, local, model, index, axis));
    return shapes;
}

std::optional<LimitGripHit> pickLimitGrip(const std::vector<LimitShape>& shapes, const View& view, const Vector2& pixel,
                                          double reach)
{
    std::optional<LimitGripHit> best;
    double nearest = reach;
    for (const LimitShape& shape : shapes)
        for (const LimitGrip& grip : shape.grips) {
            const View::Projected at = view.project(grip.at(grip.value));
            if (!at.isInFront || (at.pixel - pixel).norm() >= nearest) continue;
            nearest = (at.pixel - pixel).norm();
            best = {{shape.kind, shape.axis, grip.end}, nearest};
        }
    return best;
}

const LimitGrip* findGrip(const std::vector<LimitShape>& shapes, const LimitGripName& name)
{
    for (const LimitShape& shape : shapes)
        for (const LimitGrip& grip : shape.grips)
            if (LimitGripName{shape.kind, shape.axis, grip.end} == name) return &grip;
    return nullptr;
}

LimitDrag::LimitDrag(const LimitGrip& grip, const View& view, const Vector2& pixel)
    : m_grip(grip), m_offset(pixel - view.project(grip.at(grip.value)).pixel), m_reached(grip.value),
      m_value(grip.value)
{
}

void LimitDrag::moveTo(const View& view, const Vector2& pixel, double step)
{
    // Gauss-Newton on one number: its place on the screen toward the pointer, in strides short enough to stay on this
    // turn.
    constexpr double kHair = 1e-4, kStride = 0.4;
    const Vector2 wanted = pixel - m_offset;
    for (int i = 0; i < 30; ++i) {
        const View::Projected here = view.project(m_grip.at(m_reached)),
                              beside = view.project(m_grip.at(m_reached + kHair));
        if (!here.isInFront || !beside.isInFront) break;
        const Vector2 slope = (beside.pixel - here.pixel) / kHair;
        if (slope.squaredNorm() < 1) break; // seen end on: the pointer says nothing
        const double stride = std::clamp(slope.dot(wanted - here.pixel) / slope.squaredNorm(), -kStride, kStride);
        m_reached = std::clamp(m_reached + stride, m_grip.least, m_grip.most);
        if (std::abs(stride) < 1e-7) break;
    }
    m_value = step > 0 ? std::clamp(step * std::round(m_reached / step), m_grip.least, m_grip.most) : m_reached;
}

} // namespace tendon::viewport
