#include "solvers/plane_chain/ChainShape.h"

#include <tendon/kit/NearestInLimits.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {

using kit::Quaternion;
using kit::Vector3;

namespace {

constexpr double kHalfTurn = std::numbers::pi;
constexpr double kStraight = 1e-6;    ///< [rad] a smaller bend has no direction
constexpr double kCoincident = 1e-12; ///< of the chain's length: a shorter bone has no direction

Vector3 across(const Vector3& v, const Vector3& axis) { return v - axis * axis.dot(v); }

/// The angle from `from` to `to` about the unit `axis`, as seen along it.
double angleAbout(const Vector3& axis, const Vector3& from, const Vector3& to)
{
    return std::atan2(axis.dot(from.cross(to)), across(from, axis).dot(to));
}

} // namespace

void ChainShape::prepare(const sdk::Model& model)
{
    m_model = &model;
    m_joints.reserve(static_cast<std::size_t>(model.bodyCount));
    m_lengths.reserve(static_cast<std::size_t>(model.bodyCount) + 1);
    m_rest.assign(static_cast<std::size_t>(model.coordinateCount), 0);
}

void ChainShape::begin(const kit::SolverRun& run, int start, std::span<const int> turning, const Vector3& effector,
                       std::span<const double> q, std::span<const kit::Frame<double>> frames)
{
    m_locked = run.problem().locked;
    m_joints.clear();
    m_lengths.clear();
    std::copy(q.begin(), q.end(), m_rest.begin());

    // Joints at one point bend as one: the first of them. One on the effector bends nothing.
    double length = 0;
    int previous = start;
    for (const int body : turning) {
        length += (frames[body].position - frames[previous].position).norm();
        previous = body;
    }
    length += (effector - frames[previous].position).norm();
    previous = start;
    for (const int body : turning) {
        const Vector3& at = frames[body].position;
        const bool isApart = (at - frames[previous].position).norm() > kCoincident * length &&
                             (effector - at).norm() > kCoincident * length;
        if (!isApart) continue;
        addJoint(run, previous, body, q, frames);
        previous = body;
    }
    if (m_joints.empty()) {
        m_reach = (effector - frames[start].position).norm();
        return;
    }
    Joint& last = m_joints.back();
    last.after = frames[last.body].rotation.conjugate() * (effector - frames[last.body].position);
    for (std::size_t j = 0; j + 1 < m_joints.size(); ++j)
        m_joints[j].after = m_joints[j + 1].toPrevious * m_joints[j + 1].before;
    for (const Joint& joint : m_joints) m_lengths.push_back(joint.before.norm());
    m_lengths.push_back(last.after.norm());

    measureBends();
    if (!hasOneJoint() || !m_canFold || m_joints.front().axis.isZero(0)) { // else the bend has its axis and its side
        chooseAxes();
        chooseClosed();
    }

    // How far it reaches: straight, whatever limits say.
    for (Joint& joint : m_joints) std::swap(joint.now, joint.straight);
    m_reach = distance();
    for (Joint& joint : m_joints) std::swap(joint.now, joint.straight);
}

void ChainShape::addJoint(const kit::SolverRun& run, int previous, int body, std::span<const double> q,
                          std::span<const kit::Frame<double>> frames)
{
    const double* own = q.data() + m_model->qBegin[body];
    Joint joint;
    joint.body = body;
    joint.rest = joint.now = kit::motion(*m_model, body, own);
    const Quaternion before = frames[body].rotation * joint.rest.conjugate();
    joint.toPrevious = (frames[previous].rotation.conjugate() * before).normalized();
    joint.before = before.conjugate() * (frames[body].position - frames[previous].position);
    int free = 0;
    for (int v = m_model->vBegin[body]; v < m_model->vBegin[body + 1]; ++v) {
        if (!run.isMovable(v)) continue;
        ++free;
        joint.dof = v;
    }
    if (free != 1 || kit::traitsOf(*m_model, body).hasQuaternion) joint.dof = -1;
    if (joint.dof >= 0) {
        Quaternion turned = Quaternion::Identity();
        for (int v = m_model->vBegin[body]; v < joint.dof; ++v)
            if (m_model->dofKind[v] == sdk::DofKind::Turning)
                turned = turned * kit::turn(&m_model->axis[3 * v], own[v - m_model->vBegin[body]]);
        joint.axis = turned * kit::vectorAt(&m_model->axis[3 * joint.dof]);
    }
    m_joints.push_back(joint);
}

/// The bends of the configuration at begin(), and the proportion in which they grow: their own, or where the chain is
/// straight that of the preferred angles.
void ChainShape::measureBends()
{
    double largest = 0;
    for (Joint& joint : m_joints) {
        const Vector3 after = joint.rest * joint.after;
        if (joint.dof >= 0) {
            // A joint that turns about one of its bones, such as a forearm's roll, does not bend.
            const bool isRoll = across(joint.before, joint.axis).norm() <= kStraight * joint.before.norm() ||
                                across(after, joint.axis).norm() <= kStraight * after.norm();
            if (isRoll) joint.axis.setZero();
            joint.restAngle = isRoll ? 0 : angleAbout(joint.axis, joint.before, after);
        } else {
            const Vector3 normal = joint.before.cross(after);
            joint.restAngle = std::atan2(normal.norm(), joint.before.dot(after));
            const bool isBent = normal.norm() > 1e-9 * joint.before.norm() * after.norm();
            joint.axis = isBent ? Vector3(normal.normalized()) : Vector3(Vector3::Zero());
            if (!isBent && joint.restAngle < 1) joint.restAngle = 0;
        }
        joint.fold = joint.aimedAngle = joint.restAngle;
        joint.aimed = joint.rest;
        largest = std::max(largest, std::abs(joint.restAngle));
    }
    m_canFold = largest > kStraight;
    if (!m_canFold) choosePreferred();
    largest = 0;
    for (const Joint& joint : m_joints) largest = std::max(largest, std::abs(joint.fold));
    if (m_canFold)
        for (Joint& joint : m_joints) joint.fold *= kHalfTurn / largest;
    for (Joint& joint : m_joints) joint.straight = bent(joint, 0);
}

void ChainShape::choosePreferred()
{
    for (Joint& joint : m_joints) {
        const int begin = m_model->vBegin[joint.body];
        joint.fold = 0;
        if (joint.dof >= 0) {
            const double by = m_model->preferred[joint.dof] - m_rest[m_model->qBegin[joint.body] + joint.dof - begin];
            if (!joint.axis.isZero(0)) joint.fold = joint.restAngle + by;
        } else {
            double preferred[7] = {};
            for (int v = begin; v < m_model->vBegin[joint.body + 1]; ++v) preferred[v - begin] = m_model->preferred[v];
            if (kit::traitsOf(*m_model, joint.body).hasQuaternion) {
                double* turning = preferred + kit::singleDofs(*m_model, joint.body);
                kit::store(kit::expMap(kit::vectorAt(turning)), turning);
            }
            const Vector3 after = kit::motion(*m_model, joint.body, preferred) * joint.after;
            const Vector3 normal = joint.before.cross(after);
            joint.fold = std::atan2(normal.norm(), joint.before.dot(after));
            if (joint.fold > kStraight) joint.axis = normal.normalized();
        }
        m_canFold |= std::abs(joint.fold) > kStraight;
    }
}

/// The axis about which the straight chain closes: that about which its bends turn it most. A joint that is straight
/// and free to bend about any axis bends about this one.
void ChainShape::chooseAxes()
{
    Quaternion fromStart = Quaternion::Identity(); // to the space in which the joint turns
    Vector3 sum = Vector3::Zero(), first = Vector3::Zero();
    for (const Joint& joint : m_joints) {
        fromStart = fromStart * joint.toPrevious;
        const Vector3 axis = fromStart * joint.axis;
        sum += axis * joint.fold;
        if (first.isZero(0)) first = axis;
        fromStart = fromStart * joint.straight;
    }
    const Vector3 line = (m_joints[0].toPrevious * m_joints[0].before).normalized();
    Vector3 common = across(sum.norm() > kStraight ? sum : first, line);
    if (!(common.norm() > kStraight)) common = kit::anyPerpendicular(line);
    fromStart = Quaternion::Identity();
    for (Joint& joint : m_joints) {
        fromStart = fromStart * joint.toPrevious;
        joint.common = (fromStart.conjugate() * common).normalized();
        const bool isHinge = joint.dof >= 0;
        if (!isHinge && joint.axis.isZero(0)) joint.axis = joint.common;
        joint.closed = isHinge && joint.axis.dot(joint.common) < 0 ? -1 : 1;
        fromStart = fromStart * joint.straight;
    }
}

/// The bends of the polygon that the bones close: corners on one circle. Where one bone is longer than all others
/// together, these lie folded back along it.
void ChainShape::chooseClosed()
{
    const auto longest = static_cast<std::size_t>(std::max_element(m_lengths.begin(), m_lengths.end()) -
                                                  m_lengths.begin());
    double sum = 0;
    for (const double length : m_lengths) sum += length;
    const double rest = sum - m_lengths[longest];
    if (m_lengths[longest] >= rest * (1 - 1e-12)) {
        for (std::size_t j = 0; j < m_joints.size(); ++j)
            m_joints[j].closed *= j == longest || j + 1 == longest ? kHalfTurn : 0;
        return;
    }
    // half(i) = asin(length x) is half of what a bone takes of the circle of diameter 1 / x. All halves fill half a
    // turn; where the centre lies outside the polygon the longest bone's half is more than a quarter.
    const auto half = [&](std::size_t i, double x) { return std::asin(std::min(1.0, m_lengths[i] * x)); };
    const auto others = [&](double x) {
        double result = 0;
        for (std::size_t i = 0; i < m_lengths.size(); ++i)
            if (i != longest) result += half(i, x);
        return result;
    };
    const double widest = 1 / m_lengths[longest];
    const bool isCentreInside = others(widest) >= kHalfTurn / 2;
    double low = 0, high = widest;
    for (int i = 0; i < 60; ++i) {
        const double x = 0.5 * (low + high), own = half(longest, x);
        const bool isTooWide = isCentreInside ? others(x) + own > kHalfTurn : others(x) < own;
        (isTooWide ? high : low) = x;
    }
    const auto share = [&](std::size_t i) {
        return i == longest && !isCentreInside ? kHalfTurn - half(i, high) : half(i, high);
    };
    for (std::size_t j = 0; j < m_joints.size(); ++j) m_joints[j].closed *= share(j) + share(j + 1);
}

double ChainShape::distance() const
{
    if (m_joints.empty()) return m_reach;
    Vector3 point = m_joints.back().after;
    for (auto joint = m_joints.rbegin(); joint != m_joints.rend(); ++joint)
        point = joint->toPrevious * Vector3(joint->before + joint->now * point);
    return point.norm();
}

Vector3 ChainShape::bending(int body, const Vector3& point, std::span<const kit::Frame<double>> frames) const
{
    Vector3 sum = Vector3::Zero();
    for (const Joint& joint : m_joints) {
        if (joint.body > body) break;
        const Quaternion before = frames[joint.body].rotation * joint.now.conjugate();
        const Vector3 axis = before * Vector3(joint.axis * (m_canFold ? joint.fold : joint.closed));
        sum += axis.cross(point - frames[joint.body].position);
    }
    return sum;
}

/// The joint's motion when it bends about its own axis.
Quaternion ChainShape::bent(const Joint& joint, double angle) const
{
    return kit::expMap(Vector3(joint.axis * (angle - joint.restAngle))) * joint.rest;
}

double ChainShape::aim(Toward toward)
{
    double largest = 0;
    for (Joint& joint : m_joints) {
        joint.from = joint.aimed;
        joint.fromAngle = joint.aimedAngle;
        const double angle = toward == Toward::Straight ? 0 : toward == Toward::Fold ? joint.fold : joint.closed;
        const bool isRoll = joint.axis.isZero(0);
        joint.wayAngle = isRoll ? 0 : angle - joint.fromAngle;
        if (toward == Toward::Closed) {
            const Quaternion closed = kit::expMap(Vector3(joint.common * angle)) * joint.straight;
            joint.way = kit::logMap(Quaternion(closed * joint.from.conjugate()));
        } else {
            joint.way = joint.axis * joint.wayAngle;
        }
        largest = std::max(largest, joint.dof >= 0 ? std::abs(joint.wayAngle) : joint.way.norm());
    }
    return largest;
}

double ChainShape::bend(double at, std::span<double> q)
{
    for (Joint& joint : m_joints) {
        joint.aimedAngle = joint.fromAngle + at * joint.wayAngle;
        joint.aimed = kit::expMap(Vector3(joint.way * at)) * joint.from;
        turn(joint, q);
    }
    return distance();
}

/// Turns one joint to where it is aimed, within its limits; the motion at begin() gives back its coordinates to the
/// bit.
void ChainShape::turn(Joint& joint, std::span<double> q)
{
    const int begin = m_model->qBegin[joint.body], end = m_model->qBegin[joint.body + 1];
    std::copy(m_rest.begin() + begin, m_rest.begin() + end, q.begin() + begin);
    if (joint.dof >= 0) {
        double& value = q[begin + joint.dof - m_model->vBegin[joint.body]];
        const double by = std::remainder(joint.aimedAngle - joint.restAngle, 2 * kHalfTurn);
        value = std::clamp(value + by, m_model->lower[joint.dof], m_model->upper[joint.dof]);
    } else if (joint.aimed.coeffs() != joint.rest.coeffs()) {
        kit::nearestInLimits(*m_model, joint.body, m_locked, joint.aimed, q.data() + begin);
    }
    joint.now = kit::motion(*m_model, joint.body, q.data() + begin);
}

void ChainShape::turnTo(Joint& joint, double angle, std::span<double> q)
{
    joint.aimedAngle = angle;
    joint.aimed = bent(joint, angle);
    turn(joint, q);
}

void ChainShape::bendOnly(double wanted, std::span<double> q)
{
    // |before + R(axis, angle) after|^2 = |before|^2 + |after|^2 + 2 (along + width cos(angle))
    Joint& joint = m_joints.front();
    if (joint.axis.isZero(0)) return;
    const Vector3 after = joint.rest * joint.after;
    const double along = joint.axis.dot(joint.before) * joint.axis.dot(after);
    const double width = across(joint.before, joint.axis).norm() * across(after, joint.axis).norm();
    const double squares = joint.before.squaredNorm() + joint.after.squaredNorm();
    const double cosine = std::clamp(((wanted * wanted - squares) / 2 - along) / width, -1.0, 1.0);
    const double angle = std::copysign(std::acos(cosine), m_canFold ? joint.fold : joint.closed);
    turnTo(joint, angle, q);
    const double miss = std::abs(distance() - wanted);
    if (joint.dof < 0 || miss <= 1e-9 * m_reach) return;
    turnTo(joint, -angle, q); // the other side, where limits let it come nearer
    if (std::abs(distance() - wanted) >= miss - 1e-9 * m_reach) turnTo(joint, angle, q);
}

} // namespace tendon
