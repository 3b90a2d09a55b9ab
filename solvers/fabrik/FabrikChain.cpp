#include "solvers/fabrik/FabrikSolver.h"

#include <tendon/kit/NearestInLimits.h>

#include <algorithm>
#include <cmath>

/// FABRIK proper: a chain whose joints take any rotation, one position goal. Joints are points; rotations are read off
/// at the end.
namespace tendon {

using fabrik::Node;
using sdk::Stage;
using sdk::Status;
using Vector3 = kit::Vector3;

namespace {

Vector3 unitOr(const Vector3& v, const Vector3& otherwise)
{
    const double length = v.norm();
    return length > 0 ? Vector3(v / length) : otherwise;
}

} // namespace

void FabrikSolver::readPoints(const kit::SolverRun& run)
{
    const auto nodes = m_tree.nodes();
    m_points.resize(nodes.size() + 1); // within what prepare() took
    m_lengths.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        m_points[i] = run.frames()[nodes[i].body].position;
        m_lengths[i] = m_tree.arms(nodes[i])[0].vector.norm();
    }
    const fabrik::Arm& last = m_tree.arms(nodes.back())[0];
    m_points[nodes.size()] = run.frames()[nodes.back().body].position +
                             run.frames()[nodes.back().body].rotation * last.vector;
}

/// Turns every joint by the least rotation that lays its arm along the points, into m_q; its twist stays the seed's.
void FabrikSolver::writePoints(const kit::SolverRun& run)
{
    const auto nodes = m_tree.nodes();
    const sdk::Model& model = run.model();
    std::copy(run.problem().seed.begin(), run.problem().seed.end(),
              m_q.begin()); // whoever turns has no limits: it is inside them
    Quaternion above = Quaternion::Identity();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = nodes[i];
        double* q = m_q.data() + model.qBegin[node.body];
        const Quaternion base = above * node.baseFromParent;
        const Quaternion before = base *
                                  kit::motion(model, node.body, run.problem().seed.data() + model.qBegin[node.body]);
        const Quaternion wished = kit::leastRotation(before * m_tree.arms(node)[0].vector,
                                                     m_points[i + 1] - m_points[i]) *
                                  before;
        kit::nearestInLimits(model, node.body, run.problem().locked, base.conjugate() * wished, q);
        above = (base * kit::motion(model, node.body, q)).normalized();
    }
}

/// A straight chain never bends toward a target on its own line (D10), and only slowly toward one near its root. It
/// begins on an arc to the target: bent to the side where it lies, else toward the preferred angles where there are
/// any, else to a side that follows from the root's frame, the same way every time.
void FabrikSolver::bendWhereStraight(const kit::SolverRun& run, const Vector3& target)
{
    const std::size_t n = m_lengths.size();
    const double whole = fabrik::reachOf(m_lengths);
    const Vector3 line = target - m_points[0];
    const double distance = line.norm();
    const Vector3 own = unitOr(m_points[n] - m_points[0], Vector3::UnitX());
    const Vector3 direction = unitOr(line, own);
    const auto awayFrom = [](const Vector3& axis, const Vector3& v) { return Vector3(v - axis * axis.dot(v)); };
    double off = 0;
    for (std::size_t i = 1; i <= n; ++i) off = std::max(off, awayFrom(own, m_points[i] - m_points[0]).norm());
    Vector3 aside = awayFrom(direction, own);
    const bool isOnLine = aside.norm() < 1e-6, isNear = distance < 0.1 * whole;
    if (off > 1e-6 * whole || !(isOnLine || isNear)) return;

    if (isOnLine) {
        const sdk::Model& model = run.model();
        aside.setZero();
        for (const Node& node : m_tree.nodes())
            for (std::int32_t v = model.vBegin[node.body]; v < model.vBegin[node.body + 1]; ++v) {
                const Vector3 axis = run.frames()[node.body].rotation * kit::vectorAt(&model.axis[3 * v]);
                aside -= m_preferred * model.preferred[v] * axis.cross(direction);
            }
        aside = awayFrom(direction, aside);
    }
    const Quaternion& root = m_tree.nodes()[0].baseFromParent;
    aside = aside.norm() > 1e-9 ? Vector3(aside.normalized())
                                : Vector3(root * kit::anyPerpendicular(root.conjugate() * direction));
    const Vector3 start = m_points[0];
    fabrik::bendToward(m_points, m_lengths, direction, distance, aside);
    fabrik::reachForward(m_points, m_lengths, start);
}

/// The last two links close on the target in one step, if they can (D13).
bool FabrikSolver::closeTriangle(const Vector3& target)
{
    const std::size_t n = m_lengths.size();
    const double a = m_lengths[n - 2], b = m_lengths[n - 1], distance = (target - m_points[n - 2]).norm();
    if (distance > a + b || distance < std::abs(a - b)) return false;
    m_points[n - 1] = fabrik::onTwoSpheres(m_points[n - 2], a, target, b, m_points[n - 1]);
    m_points[n] = fabrik::onLine(m_points[n - 1], target, b);
    return true;
}

/// Closes what a pass leaves of a gap of `error` [m], where that can be done at once.
void FabrikSolver::closeGap(const Vector3& target, double tolerance, double error)
{
    constexpr double kSlow = 0.7; // near full reach, passes get ever slower
    const std::size_t n = m_lengths.size();
    const double left = (m_points[n] - target).norm();
    if (left <= tolerance) return;
    // A small gap is for the last two bones: for a large one they would have to bend too sharply.
    const bool isSmall = left < 0.5 * std::min(m_lengths[n - 2], m_lengths[n - 1]);
    if (isSmall && closeTriangle(target)) return;
    if (left > kSlow * error) static_cast<void>(fabrik::straightenToward(m_points, m_lengths, target));
}

void FabrikSolver::recordPoints(Stage stage, bool isForward, std::int32_t pass)
{
    const auto nodes = m_tree.nodes();
    for (std::size_t k = 0; k < m_points.size(); ++k) {
        const std::size_t i = isForward ? k : m_points.size() - 1 - k;
        sdk::StageRow* next = m_stages.append();
        if (next == nullptr) return;
        sdk::StageRow& row = *next;
        const bool isEnd = i == nodes.size();
        row.pass = pass;
        row.stage = stage == Stage::Place && isEnd && !isForward   ? Stage::Goal
                    : stage == Stage::Place && i == 0 && isForward ? Stage::Root
                                                                   : stage;
        row.isForward = isForward ? 1 : 0;
        row.body = isEnd ? m_tree.arms(nodes.back())[0].goal : nodes[i].body;
        if (isEnd) row.other = -1 - row.body, row.body = -1;
        std::copy(m_points[i].data(), m_points[i].data() + 3, row.position);
    }
}

/// The passes, until the effector is there, nothing moves any more, or the host's limits are met.
Status FabrikSolver::passPoints(kit::SolverRun& run, const Vector3& target, double tolerance)
{
    const std::size_t n = m_lengths.size();
    const Vector3 root = m_points[0];
    const bool isRecorded = m_stages.isActive();
    const double still = run.stopWhen().stall * m_tree.size();
    double error = (m_points[n] - target).norm();
    for (int pass = 0; error > tolerance; ++pass) {
        if (run.isCancelled()) return Status::Cancelled;
        if (pass >= maxPasses(run)) return Status::IterationLimit;
        if (run.isOutOfTime()) return Status::TimeLimit;
        if (pass > 0) run.countIterations(1); // the first was counted when the run began
        if (isRecorded) recordPoints(Stage::Start, false, pass);

        const Vector3 before = m_points[n];
        fabrik::reachBackward(m_points, m_lengths, target);
        if (run.wantsTrace())
            run.trace(error * run.problem().goals[run.activeGoals()[0]].positionWeight, 0, -1, Backward);
        if (isRecorded) recordPoints(Stage::Place, false, pass);
        fabrik::reachForward(m_points, m_lengths, root);
        if (m_twoSpheres) closeGap(target, tolerance, error);
        if (isRecorded) recordPoints(Stage::Place, true, pass);

        const double moved = (m_points[n] - before).norm();
        error = (m_points[n] - target).norm();
        if (run.wantsTrace()) {
            writePoints(run);
            run.setConfiguration(m_q, moved, -1, Forward);
            run.evaluate();
        }
        if (moved <= still) return error <= tolerance ? Status::Converged : Status::Stalled;
    }
    return Status::Converged;
}

void FabrikSolver::runChain(kit::SolverRun& run)
{
    const sdk::Goal& goal = run.problem().goals[run.activeGoals()[0]];
    const Vector3 target = kit::vectorAt(goal.targetPosition);
    readPoints(run);

    const double distance = (target - m_points[0]).norm(), reach = fabrik::reachOf(m_lengths),
                 hole = fabrik::holeOf(m_lengths);
    const std::size_t n = m_lengths.size();
    const double tolerance = m_toleranceFactor * goal.positionTolerance *
                             (1 - 1e-9); // rotations read off lose a last digit
    Status status = Status::Stalled;
    if (run.wantsTrace()) run.trace(run.residualNorm(), 0, -1, Straight);
    if (distance >= reach) {
        fabrik::stretchToward(m_points, m_lengths, target);
    } else if (distance <= hole) { // too near: the longest points there, all others straight back
        const auto longest = std::max_element(m_lengths.begin(), m_lengths.end()) - m_lengths.begin();
        const Vector3 line = distance > 0 ? Vector3((target - m_points[0]) / distance) : Vector3::UnitX();
        for (std::size_t i = 0; i < n; ++i) {
            const bool isLongest = static_cast<std::ptrdiff_t>(i) == longest;
            m_points[i + 1] = m_points[i] + line * (isLongest ? m_lengths[i] : -m_lengths[i]);
        }
    } else if (n == 2) {
        static_cast<void>(closeTriangle(target));
    } else {
        bendWhereStraight(run, target);
        status = passPoints(run, target, tolerance);
    }
    writePoints(run);
    run.stop(run.offer(m_q) ? Status::Converged : status);
}

} // namespace tendon
