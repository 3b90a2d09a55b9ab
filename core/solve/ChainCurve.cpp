#include "core/solve/ChainCurve.h"

#include "core/math/Convert.h"
#include "core/solve/ChainBend.h"

#include <cmath>
#include <numbers>

namespace tendon {

ChainCurve::ChainCurve(const CompiledRig& rig, const Handle& handle, std::span<const JointIndex> joints,
                       const ProblemBuilder& builder, const ModelPose& rest)
    : m_points(3 * static_cast<std::size_t>(handle.curvePoints), 0.0),
      m_length(chainLength(rest, joints, rest.modelFromJoint[at(joints.back())].translation()).reach)
{
    m_curve.startBody = builder.firstBodyOf(joints.front());
    m_curve.endBody = builder.bodyOf(joints.back());
    m_curve.points = m_points;
    const auto facing = [&](std::size_t i, JointId up) {
        Facing result{builder.bodyOf(joints[i]), builder.bodyOf(joints[i + 1])};
        if (!up.isValid()) return result;
        const Affine& joint = rest.modelFromJoint[at(joints[i])];
        const Vector3 way = rest.modelFromJoint[at(rig.index(up))].translation() - joint.translation();
        result.side = rotationOf(joint).conjugate() * way;
        return result;
    };
    m_start = facing(0, handle.startUp);
    m_end = facing(joints.size() - 2, handle.endUp);
}

void ChainCurve::set(const HandleTarget& target)
{
    for (std::size_t i = 0; i < target.curve.size(); ++i) writeNumbers(target.curve[i], &m_points[3 * i]);
    m_nearUp.reset();
    const bool facesSomething = target.startUp || target.endUp;
    m_curve.startTwist = facesSomething ? 0 : target.roll;
    m_curve.endTwist = facesSomething ? 0 : target.roll + target.twist;
}

/// By how much the side has to turn about the bone to face `place` [rad]; 0 where it is on the bone's line.
double ChainCurve::angleTo(const Facing& facing, const Vector3& place, std::span<const kit::Frame<double>> frames)
{
    const kit::Frame<double>& joint = frames[static_cast<std::size_t>(facing.body)];
    const Vector3 bone = frames[static_cast<std::size_t>(facing.next)].position - joint.position;
    if (!(bone.norm() > 0)) return 0;
    const auto near = nearPole(joint.position, joint.position + bone, place, m_length);
    if (near && (!m_nearUp || *near < *m_nearUp)) m_nearUp = near;
    const Vector3 axis = bone.normalized();
    const auto across = [&](const Vector3& way) {
        const Vector3 part = way - way.dot(axis) * axis;
        return part.norm() > 1e-9 * way.norm() ? part : Vector3(Vector3::Zero());
    };
    const Vector3 from = across(joint.rotation * facing.side), to = across(place - joint.position);
    return std::atan2(axis.dot(from.cross(to)), from.dot(to)); // 0 if either has no length
}

bool ChainCurve::faceUps(const HandleTarget& target, std::span<const kit::Frame<double>> frames)
{
    if (!target.startUp && !target.endUp) return false;
    const double start = target.startUp ? angleTo(m_start, *target.startUp, frames) : 0;
    const double end = target.endUp ? angleTo(m_end, *target.endUp, frames) : start;
    m_curve.startTwist = start + target.roll;
    m_curve.endTwist = start + std::remainder(end - start, 2 * std::numbers::pi) + target.roll + target.twist;
    return true;
}

} // namespace tendon
