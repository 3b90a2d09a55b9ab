#include "solvers/two_bone/TwoBoneSolver.h"

#include <tendon/kit/NearestInLimits.h>
#include <tendon/sdk/SoftReach.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {

using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;

namespace {

struct FreeDofs
{
    int turning = 0, sliding = 0, lastTurning = -1;
};

FreeDofs freeDofs(const kit::SolverRun& run, int body)
{
    FreeDofs result;
    const sdk::Model& model = run.model();
    for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v) {
        if (!run.isMovable(v)) continue;
        if (model.dofKind[v] == sdk::DofKind::Sliding) {
            ++result.sliding;
        } else {
            ++result.turning;
            result.lastTurning = v;
        }
    }
    return result;
}

constexpr double kStraight = 1e-9; ///< sine of the bend below which its direction is rounding

/// The value of a hinge, now `q` and bent by `now`, that bends by `bend` to one side or the other. Of two that fit the
/// limits, the side it is bent to, or the preferred one when it is straight; when none fits, the limit that comes
/// nearest.
double chooseHinge(double q, double now, double bend, double preferred, double lower, double upper)
{
    double best = q, bestMiss = kit::kInfinity, bestWay = kit::kInfinity;
    const bool isStraight = std::abs(std::sin(now)) < 1e-6;
    for (const double side : {1.0, -1.0}) {
        const double wished = q + std::remainder(side * bend - now, 2 * std::numbers::pi);
        const double value = kit::nearestAngle(wished, lower, upper, q);
        const double miss = std::abs(std::cos(now + value - q) - std::cos(bend));
        const double way = std::abs(value - (isStraight && preferred != 0 ? preferred : q));
        const bool isBetter = miss < bestMiss - 1e-12 || (miss < bestMiss + 1e-12 && way < bestWay - 1e-12);
        if (!isBetter) continue;
        best = value;
        bestMiss = miss;
        bestWay = way;
    }
    return best;
}

} // namespace

TwoBoneSolver::TwoBoneSolver()
{
    declare({.goalKinds = kit::bits(GoalKind::Position, GoalKind::Orientation, GoalKind::Pose, GoalKind::Pole),
             .soft = true});
}

sdk::Status TwoBoneSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    (void)maxGoals;
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_frames.assign(static_cast<std::size_t>(model.bodyCount), {});
    return sdk::Status::Converged;
}

bool TwoBoneSolver::findChain(const kit::SolverRun& run, Chain& chain)
{
    for (const std::int32_t g : run.activeGoals()) {
        const Goal& goal = run.problem().goals[g];
        if (chain.end >= 0 && goal.body != chain.end) return false;
        chain.end = goal.body;
        int& slot = goal.kind == GoalKind::Pole    ? chain.pole
                    : kit::asksPosition(goal.kind) ? chain.position
                                                   : chain.orientation;
        if (slot >= 0) return false;
        slot = g;
        if (goal.kind != GoalKind::Pose || goal.rotationWeight <= 0) continue;
        if (chain.orientation >= 0) return false;
        chain.orientation = g;
    }
    if (chain.position < 0 || run.problem().goals[chain.position].positionWeight <= 0) return false;

    // Two turning joints above the end, nothing else that moves.
    const FreeDofs end = freeDofs(run, chain.end);
    chain.endTurns = end.turning > 0;
    if (end.sliding > 0) return false;
    for (int b = run.model().parent[chain.end]; b >= 0; b = run.model().parent[b]) {
        const FreeDofs dofs = freeDofs(run, b);
        if (dofs.sliding > 0) return false;
        if (dofs.turning == 0) continue;
        if (chain.middle < 0)
            chain.middle = b;
        else if (chain.start < 0)
            chain.start = b;
        else
            return false;
    }
    if (chain.start < 0) return false;
    if (chain.orientation >= 0 && !chain.endTurns) return false;
    return chain.pole < 0 || run.problem().goals[chain.pole].startBody == chain.start;
}

bool TwoBoneSolver::supports(const kit::SolverRun& run) const
{
    Chain chain;
    return findChain(run, chain);
}

void TwoBoneSolver::updateFrames(const kit::SolverRun& run, int from)
{
    // Bodies are in order, so all that hangs on `from` comes after it.
    static const kit::Frame<double> kWorld;
    const sdk::Model& model = run.model();
    for (const std::int32_t b : run.bodies()) {
        if (b < from) continue;
        const int parent = model.parent[b];
        m_frames[b] = kit::bodyFrame(model, b, parent < 0 ? kWorld : m_frames[parent], run.problem().base, m_q.data());
    }
}

Vector3 TwoBoneSolver::hingeAxis(const kit::SolverRun& run, int body, int dof) const
{
    const sdk::Model& model = run.model();
    const int parent = model.parent[body];
    Quaternion before = kit::quaternionAt(run.problem().base.data() + kit::kBaseStride * body + 3);
    if (parent >= 0) before = m_frames[parent].rotation * before;
    for (int v = model.vBegin[body]; v < dof; ++v)
        if (model.dofKind[v] == sdk::DofKind::Turning)
            before = before * kit::turn(&model.axis[3 * v], m_q[model.qBegin[body] + v - model.vBegin[body]]);
    return before * kit::vectorAt(&model.axis[3 * dof]);
}

Quaternion TwoBoneSolver::motionFromWorld(const kit::SolverRun& run, int body, const Quaternion& world) const
{
    const int parent = run.model().parent[body];
    const Quaternion base = kit::quaternionAt(run.problem().base.data() + kit::kBaseStride * body + 3);
    const Quaternion before = parent < 0 ? base : Quaternion(m_frames[parent].rotation * base);
    return (before.conjugate() * world).normalized();
}

void TwoBoneSolver::run(kit::SolverRun& run)
{
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    const bool isMet = run.offer(m_q);
    if (run.isCancelled()) {
        run.stop(sdk::Status::Cancelled);
        return;
    }
    Chain chain;
    (void)findChain(run, chain);
    const Goal& goal = run.problem().goals[chain.position];
    if (isMet && goal.soft == 0) { // already there: not a bit moves
        run.stop(sdk::Status::Converged);
        return;
    }
    std::copy(run.frames().begin(), run.frames().end(), m_frames.begin());
    const double norm = run.residualNorm();

    // With an orientation asked, the end's origin must arrive where the turned offset leaves it; without one, the end
    // keeps its local rotation and the point arrives as it is.
    Vector3 target = kit::vectorAt(goal.targetPosition);
    m_effector = kit::vectorAt(goal.offset);
    if (chain.orientation >= 0) {
        const Quaternion turned = kit::quaternionAt(run.problem().goals[chain.orientation].targetRotation);
        target -= turned * Vector3(m_effector * m_frames[chain.end].scale);
        m_effector.setZero();
    }
    const double distance = (target - m_frames[chain.start].position).norm();
    bendMiddle(run, chain, distance);
    turnStart(run, chain, target);
    if (chain.orientation >= 0) turnEnd(run, chain);

    run.trace(norm, 0, -1, 0, m_q);
    run.stop(run.accept(m_q) ? sdk::Status::Converged : sdk::Status::Stalled);
}

void TwoBoneSolver::bendMiddle(const kit::SolverRun& run, const Chain& chain, double distance)
{
    const sdk::Model& model = run.model();
    const Vector3 joint = m_frames[chain.middle].position;
    const Vector3 upper = joint - m_frames[chain.start].position, lower = m_frames[chain.end].point(m_effector) - joint;
    const FreeDofs dofs = freeDofs(run, chain.middle);
    const bool isHinge = dofs.turning == 1 && !kit::traitsOf(model, chain.middle).hasQuaternion;

    // The bend axis: a hinge's own, or square to the two bones as they stand; straight bones bend toward the pole.
    Vector3 axis;
    double preferred = 0;
    if (isHinge) {
        axis = hingeAxis(run, chain.middle, dofs.lastTurning);
        preferred = model.preferred[dofs.lastTurning];
    } else {
        axis = upper.cross(lower);
        if (axis.norm() <= kStraight * upper.norm() * lower.norm()) { // any, but the same one however the rig stands
            const Quaternion& start = m_frames[chain.start].rotation;
            axis = start * kit::anyPerpendicular(start.conjugate() * upper);
        }
        axis.normalize();
    }

    // |upper + R(axis, turn) lower|^2 = |upper|^2 + |lower|^2 + 2 (along + across cos(angle)), angle from the one to
    // the other about the axis, both seen along it.
    const double upperAlong = axis.dot(upper), lowerAlong = axis.dot(lower);
    const Vector3 upperAcross = upper - axis * upperAlong, lowerAcross = lower - axis * lowerAlong;
    const double across = upperAcross.norm() * lowerAcross.norm(), along = upperAlong * lowerAlong;
    if (!(across > 0)) return; // a bone without length: no bend changes the distance
    const double squares = upper.squaredNorm() + lower.squaredNorm();
    const double reach = std::sqrt(std::max(0.0, squares + 2 * (along + across)));
    const double wished = sdk::softReach(distance, reach, run.problem().goals[chain.position].soft);
    const double cosine = std::clamp(((wished * wished - squares) / 2 - along) / across, -1.0, 1.0);
    const double bend = std::acos(cosine);
    const double now = std::atan2(axis.dot(upperAcross.cross(lowerAcross)), upperAcross.dot(lowerAcross));

    double* own = m_q.data() + model.qBegin[chain.middle];
    if (isHinge) {
        const int v = dofs.lastTurning;
        double& q = own[v - model.vBegin[chain.middle]];
        q = chooseHinge(q, now, bend, preferred, model.lower[v], model.upper[v]);
    } else {
        const double side = now < 0 ? -1 : 1;
        const Quaternion turned = kit::expMap(Vector3(axis * (side * bend - now))) * m_frames[chain.middle].rotation;
        kit::nearestInLimits(model, chain.middle, run.problem().locked, motionFromWorld(run, chain.middle, turned),
                             own);
    }
    updateFrames(run, chain.middle);
}

void TwoBoneSolver::turnStart(const kit::SolverRun& run, const Chain& chain, const Vector3& target)
{
    const sdk::Model& model = run.model();
    const Vector3 origin = m_frames[chain.start].position;
    const Vector3 toEnd = m_frames[chain.end].point(m_effector) - origin, toTarget = target - origin;
    if (!(toEnd.squaredNorm() > 0)) return; // on the start's own pivot: no turn moves it
    double* own = m_q.data() + model.qBegin[chain.start];
    const FreeDofs dofs = freeDofs(run, chain.start);
    if (dofs.turning == 1 && !kit::traitsOf(model, chain.start).hasQuaternion) {
        // A hinge: the turn that brings the end nearest to the target, seen along the axis.
        const int v = dofs.lastTurning;
        const Vector3 axis = hingeAxis(run, chain.start, v);
        const Vector3 from = toEnd - axis * axis.dot(toEnd), to = toTarget - axis * axis.dot(toTarget);
        if (from.squaredNorm() > 0 && to.squaredNorm() > 0) {
            double& q = own[v - model.vBegin[chain.start]];
            q = kit::nearestAngle(q + std::atan2(axis.dot(from.cross(to)), from.dot(to)), model.lower[v],
                                  model.upper[v], q);
        }
        updateFrames(run, chain.start);
        return;
    }

    Quaternion turned = kit::leastRotation(toEnd, toTarget);
    if (chain.pole >= 0) { // then about the line to the target, until the bend faces the pole
        const Goal& pole = run.problem().goals[chain.pole];
        kit::PoleShape<double> shape = kit::poleShape<double>(model, pole, m_frames);
        shape.span = turned * toEnd;
        shape.bend = turned * shape.bend;
        const kit::PoleAngle<double> angle = kit::poleAngle(shape, pole.twist);
        if (angle.isDefined) turned = kit::expMap(Vector3(angle.axis * -std::atan2(angle.sine, angle.cosine))) * turned;
    }
    const Quaternion world = turned * m_frames[chain.start].rotation;
    kit::nearestInLimits(model, chain.start, run.problem().locked, motionFromWorld(run, chain.start, world), own);
    updateFrames(run, chain.start);
}

void TwoBoneSolver::turnEnd(const kit::SolverRun& run, const Chain& chain)
{
    const Quaternion world = kit::quaternionAt(run.problem().goals[chain.orientation].targetRotation);
    kit::nearestInLimits(run.model(), chain.end, run.problem().locked, motionFromWorld(run, chain.end, world),
                         m_q.data() + run.model().qBegin[chain.end]);
}

std::unique_ptr<sdk::Solver> makeTwoBoneSolver() { return std::make_unique<TwoBoneSolver>(); }

} // namespace tendon
