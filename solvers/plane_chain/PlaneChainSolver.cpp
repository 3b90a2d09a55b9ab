#include "solvers/plane_chain/PlaneChainSolver.h"

#include <tendon/kit/NearestInLimits.h>
#include <tendon/kit/OtherStarts.h>
#include <tendon/kit/Steps.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendon {

using kit::Quaternion;
using kit::Vector3;
using sdk::Goal;
using sdk::GoalKind;

namespace {

constexpr double kSame =
    1e-7; ///< [rad] less than this off, an answer is the seed: what a straight chain's bends round to
constexpr double kExact = 1e-14;               ///< of the reach: a distance this near is met
constexpr double kStep = std::numbers::pi / 8; ///< [rad] largest bend between two looks along a path
constexpr int kGoldenSteps = 40;               ///< 0.618^40 = 4e-9 of an interval
constexpr double kGolden = 0.6180339887498949;
constexpr int kBisections = 45; ///< 2^-45 = 3e-14 of an interval

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

struct FreeDofs
{
    int turning = 0, sliding = 0;
};

FreeDofs freeDofs(const kit::SolverRun& run, int body)
{
    FreeDofs result;
    const sdk::Model& model = run.model();
    for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v)
        if (run.isMovable(v)) ++(model.dofKind[v] == sdk::DofKind::Sliding ? result.sliding : result.turning);
    return result;
}

/// The only DOF that turns a body, of a hinge; -1: the body turns about any axis.
int hingeOf(const kit::SolverRun& run, int body)
{
    const sdk::Model& model = run.model();
    if (kit::traitsOf(model, body).hasQuaternion || freeDofs(run, body).turning != 1) return -1;
    for (int v = model.vBegin[body]; v < model.vBegin[body + 1]; ++v)
        if (run.isMovable(v)) return v;
    return -1;
}

} // namespace

PlaneChainSolver::PlaneChainSolver(const PlaneChainRule& rule) : m_rule(rule)
{
    const std::uint32_t pole = rule.followsPole ? kit::bits(GoalKind::Pole) : 0;
    declare({.goalKinds = kit::bits(GoalKind::Position, GoalKind::Pose) | pole});
    if (rule.plane == PlaneChainRule::Plane::Chosen) declareEnum("swivelSpace", 0, 2);
}

sdk::Status PlaneChainSolver::onPrepare(const sdk::Model& model, std::int32_t maxGoals)
{
    (void)maxGoals;
    m_q.assign(static_cast<std::size_t>(model.coordinateCount), 0);
    m_reference = m_trial = m_q;
    m_step.assign(static_cast<std::size_t>(model.dofCount), 0);
    m_frames.assign(static_cast<std::size_t>(model.bodyCount), {});
    m_inner.reserve(static_cast<std::size_t>(model.bodyCount));
    m_shape.prepare(model);
    return sdk::Status::Converged;
}

bool PlaneChainSolver::findChain(const kit::SolverRun& run, Chain& chain) const
{
    for (const std::int32_t g : run.activeGoals()) {
        const Goal& goal = run.problem().goals[g];
        if (chain.end >= 0 && goal.body != chain.end) return false;
        chain.end = goal.body;
        int& slot = goal.kind == GoalKind::Pole ? chain.pole : chain.goal;
        if (slot >= 0) return false;
        slot = g;
    }
    if (chain.goal < 0) return false;
    const Goal& goal = run.problem().goals[chain.goal];
    if (!(goal.positionWeight > 0)) return false;

    // Joints that turn above the end, nothing that slides.
    const FreeDofs end = freeDofs(run, chain.end);
    if (end.sliding > 0) return false;
    for (int b = run.model().parent[chain.end]; b >= 0; b = run.model().parent[b]) {
        const FreeDofs dofs = freeDofs(run, b);
        if (dofs.sliding > 0) return false;
        if (dofs.turning == 0) continue;
        chain.turning += chain.start >= 0 ? 1 : 0;
        chain.start = b;
    }
    if (chain.start < 0 || (m_rule.bones > 0 && chain.turning + 1 != m_rule.bones)) return false;
    chain.turnsEnd = goal.kind == GoalKind::Pose && goal.rotationWeight > 0;
    if (chain.turnsEnd && end.turning == 0) return false;
    return chain.pole < 0 || run.problem().goals[chain.pole].startBody == chain.start;
}

bool PlaneChainSolver::supports(const kit::SolverRun& run) const
{
    Chain chain;
    return findChain(run, chain);
}

void PlaneChainSolver::listInner(const kit::SolverRun& run, const Chain& chain)
{
    m_inner.clear();
    for (int b = run.model().parent[chain.end]; b != chain.start; b = run.model().parent[b])
        if (freeDofs(run, b).turning > 0) m_inner.push_back(b);
    std::reverse(m_inner.begin(), m_inner.end());
}

/// The chain's joints above the end go to the reference pose: all that follows starts from there.
void PlaneChainSolver::takeReference(const kit::SolverRun& run, const Chain& chain)
{
    const sdk::Model& model = run.model();
    const std::span<const double> pose = m_rule.reference == PlaneChainRule::Reference::Posture ? run.problem().posture
                                         : m_rule.reference == PlaneChainRule::Reference::Natural
                                             ? run.problem().natural
                                             : std::span<const double>();
    if (!pose.empty()) {
        const auto take = [&](int body) {
            const int q = model.qBegin[body], v = model.vBegin[body], singles = kit::singleDofs(model, body);
            for (int k = 0; k < singles; ++k)
                if (run.isMovable(v + k)) m_q[q + k] = pose[q + k];
            if (v + singles < model.vBegin[body + 1] && run.isMovable(v + singles))
                std::copy_n(pose.begin() + q + singles, 4, m_q.begin() + q + singles);
            kit::clampBody(model, body, run.problem().locked, m_q.data() + q);
        };
        take(chain.start);
        for (const int body : m_inner) take(body);
        updateFrames(run, chain.start);
    }
    m_reference = m_q;
}

/// How far the goal has turned the end, and with it the whole chain, away from the reference pose; the identity where
/// the goal does not carry the plane.
Quaternion PlaneChainSolver::goalTurn(const kit::SolverRun& run, const Chain& chain) const
{
    const bool isCarried = m_rule.plane == PlaneChainRule::Plane::Goal ||
                           (m_rule.plane == PlaneChainRule::Plane::Chosen && parameter("swivelSpace") == 1);
    const Quaternion wanted = kit::quaternionAt(run.problem().goals[chain.goal].targetRotation);
    if (!isCarried || !(wanted.norm() > 0)) return Quaternion::Identity();
    return (wanted.normalized() * m_frames[chain.end].rotation.conjugate()).normalized();
}

void PlaneChainSolver::run(kit::SolverRun& run)
{
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    run.offer(m_q);
    if (run.isCancelled()) {
        run.stop(sdk::Status::Cancelled);
        return;
    }
    const double norm = run.residualNorm();
    std::copy(run.frames().begin(), run.frames().end(), m_frames.begin());
    Chain chain;
    (void)findChain(run, chain);
    listInner(run, chain);
    takeReference(run, chain);
    m_goalTurn = goalTurn(run, chain);

    // With a rotation asked, the end's origin must arrive where the turned offset leaves it; without one, the end keeps
    // its local rotation and the point arrives as it is.
    const Goal& goal = run.problem().goals[chain.goal];
    m_target = kit::vectorAt(goal.targetPosition);
    m_effector = kit::vectorAt(goal.offset);
    if (chain.turnsEnd) {
        m_target -= kit::quaternionAt(goal.targetRotation) * Vector3(m_effector * m_frames[chain.end].scale);
        m_effector.setZero();
    }
    const Vector3 effector = m_frames[chain.end].point(m_effector), start = m_frames[chain.start].position;
    m_line = effector - start;
    m_shape.begin(run, chain.start, m_inner, effector, m_q, m_frames);
    const double distance = (m_target - start).norm();
    reach(run, chain, distance);
    if (run.status() == sdk::Status::Cancelled) return;

    pose(run, chain);
    if (run.iterations() == 0) run.trace(norm, 0, -1, 0, m_q);
    approach(run, chain);
    if (run.status() == sdk::Status::Cancelled) return;
    settle(run);
    const bool isMet = run.accept(m_q);
    run.stop(isMet ? sdk::Status::Converged : run.status());
}

/// Bends the inner joints until the chain's ends are `wanted` apart, as nearly as its paths and limits allow.
void PlaneChainSolver::reach(kit::SolverRun& run, const Chain& chain, double wanted)
{
    if (m_shape.isEmpty() || !(m_shape.reach() > 0)) return;
    const double now = m_shape.distance();
    Search search{.wanted = wanted, .tolerance = kExact * m_shape.reach(), .norm = run.residualNorm()};
    if (std::abs(now - wanted) <= search.tolerance) return;
    if (m_shape.hasOneJoint()) {
        m_shape.bendOnly(wanted, m_q);
        return;
    }
    if (wanted > now) {
        follow(run, chain, search, ChainShape::Toward::Straight);
        return;
    }
    if (m_shape.canFold() && follow(run, chain, search, ChainShape::Toward::Fold)) return;
    follow(run, chain, search, ChainShape::Toward::Closed);
}

/// Goes along a path to where the ends first are as far apart as wanted, and leaves the joints there. False: nowhere,
/// and they are left where they came nearest; or the host stopped the solve.
bool PlaneChainSolver::follow(kit::SolverRun& run, const Chain& chain, Search& search, ChainShape::Toward toward)
{
    if (search.isStopped) return false;
    search.length = m_shape.aim(toward);
    search.last = search.nearest = 0;
    double before = m_shape.distance() - search.wanted;
    search.nearestMiss = std::abs(before);
    const int steps = std::max(1, static_cast<int>(std::ceil(search.length / kStep)));
    for (int k = 1; k <= steps; ++k) {
        const double from = (k - 1.0) / steps, to = static_cast<double>(k) / steps;
        const double miss = missAt(run, chain, search, to);
        if (search.isStopped) break;
        if ((before < 0) != (miss < 0) || miss == 0) {
            closeIn(run, chain, search, from, before, to, miss);
            return true;
        }
        before = miss;
    }
    const double nearest = search.nearest;
    if (!search.isStopped && nearest > 0 && nearest < 1)
        sharpen(run, chain, search, std::max(0.0, nearest - 1.0 / steps), std::min(1.0, nearest + 1.0 / steps));
    m_shape.bend(search.nearest, m_q);
    return search.nearestMiss <= search.tolerance;
}

/// The host wants no more of it; then the run has its status.
bool PlaneChainSolver::isStopped(kit::SolverRun& run)
{
    const bool isSpent = run.iterations() >= run.stopWhen().maxIterations;
    if (!run.isCancelled() && !isSpent && !run.isOutOfTime()) return false;
    run.stop(run.isCancelled() ? sdk::Status::Cancelled
             : isSpent         ? sdk::Status::IterationLimit
                               : sdk::Status::TimeLimit);
    return true;
}

/// Bends the joints to a point of the path: one iteration. Returns how much further apart than wanted the ends are.
double PlaneChainSolver::missAt(kit::SolverRun& run, const Chain& chain, Search& search, double at)
{
    search.isStopped = isStopped(run);
    if (search.isStopped) return 0;
    run.countIterations(1);
    const double miss = m_shape.bend(at, m_q) - search.wanted;
    if (std::abs(miss) < search.nearestMiss) {
        search.nearestMiss = std::abs(miss);
        search.nearest = at;
    }
    if (run.wantsTrace()) { // the whole pose, for those who watch
        pose(run, chain);
        run.trace(search.norm, std::abs(at - search.last) * search.length, -1, 0, m_q);
        search.norm = run.residualNormAt(m_q);
        search.last = at;
    }
    return miss;
}

/// The root between two points whose misses have different signs (T. R. Chandrupatla 1997, "A new hybrid
/// quadratic/bisection algorithm"): inverse quadratic interpolation where it is safe, else halves.
void PlaneChainSolver::closeIn(kit::SolverRun& run, const Chain& chain, Search& search, double a, double missA,
                               double b, double missB)
{
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    double c = a, missC = missA, share = 0.5;
    std::swap(a, b); // a: the newest point, b: beyond the root, c: the one before
    std::swap(missA, missB);
    while (search.nearestMiss > search.tolerance) {
        const double width = std::abs(b - a);
        if (width <= 4 * kEpsilon * std::max(std::abs(a), std::abs(b))) break;
        const double x = a + share * (b - a), miss = missAt(run, chain, search, x);
        if (search.isStopped) break;
        if ((miss < 0) == (missA < 0)) {
            c = a;
            missC = missA;
        } else {
            c = b;
            missC = missB;
            b = a;
            missB = missA;
        }
        a = x;
        missA = miss;
        const double xi = (a - b) / (c - b), phi = (missA - missB) / (missC - missB);
        const bool isSafe = phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
        share = isSafe ? missA / (missB - missA) * missC / (missB - missC) +
                             (c - a) / (b - a) * missA / (missC - missA) * missB / (missC - missB)
                       : 0.5;
        const double least = 2 * kEpsilon * std::max(std::abs(a), std::abs(b)) / std::max(width, kEpsilon);
        share = std::clamp(share, std::min(0.5, least), std::max(0.5, 1 - least));
    }
    m_shape.bend(search.nearest, m_q);
}

/// Where no point of a path is near enough: the nearest one between two others, by golden sections.
void PlaneChainSolver::sharpen(kit::SolverRun& run, const Chain& chain, Search& search, double from, double to)
{
    double left = to - kGolden * (to - from), right = from + kGolden * (to - from);
    double missLeft = missAt(run, chain, search, left), missRight = missAt(run, chain, search, right);
    for (int i = 0; i < kGoldenSteps && !search.isStopped; ++i) {
        if (std::abs(missLeft) < std::abs(missRight)) {
            to = right;
            right = left;
            missRight = missLeft;
            left = to - kGolden * (to - from);
            missLeft = missAt(run, chain, search, left);
        } else {
            from = left;
            left = right;
            missLeft = missRight;
            right = from + kGolden * (to - from);
            missRight = missAt(run, chain, search, right);
        }
    }
}

/// Start and end for the present bends: the start swings and swivels, the end takes the goal's rotation.
void PlaneChainSolver::pose(const kit::SolverRun& run, const Chain& chain)
{
    const sdk::Model& model = run.model();
    for (const int body : {chain.start, chain.end}) {
        const int begin = model.qBegin[body], end = model.qBegin[body + 1];
        std::copy(m_reference.begin() + begin, m_reference.begin() + end, m_q.begin() + begin);
    }
    updateFrames(run, chain.start);
    turnStart(run, chain);
    if (!chain.turnsEnd) return;
    updateFrames(run, chain.start);
    turnTo(run, chain.end, kit::quaternionAt(run.problem().goals[chain.goal].targetRotation));
}

/// Calls `visit` with each way in which the joints but `held` move at m_q: its first DOF, its direction among the
/// `count` DOFs from there, and the room to both sides [rad]. A ball among limits moves along and across them.
template <class Visit>
void PlaneChainSolver::forEachWay(const kit::SolverRun& run, int held, const Visit& visit) const
{
    const sdk::Model& model = run.model();
    for (const std::int32_t body : run.bodies()) {
        if (body == held) continue;
        const int begin = model.vBegin[body], end = model.vBegin[body + 1], singles = kit::singleDofs(model, body);
        const double* own = m_q.data() + model.qBegin[body];
        for (int v = begin; v < begin + singles; ++v)
            if (run.isMovable(v))
                visit(v, Vector3(Vector3::UnitX()), 1, model.lower[v] - own[v - begin],
                      model.upper[v] - own[v - begin]);
        if (begin + singles == end || !run.isMovable(end - 1)) continue;
        const bool isLimited = kit::isLimitedBall(model, body);
        const kit::BallWays ways = isLimited ? kit::ballWays(model, body, kit::quaternionAt(own + singles))
                                             : kit::BallWays();
        for (int k = 0; k < 3; ++k)
            visit(end - 3, isLimited ? Vector3(ways.turn.col(k)) : Vector3(Vector3::Unit(k)), 3,
                  isLimited ? ways.lowest[k] : -kit::kInfinity, isLimited ? ways.highest[k] : kit::kInfinity);
    }
}

/// Where limits keep the shape and the swing from the goal, a little of everything may still bring the end nearer: goes
/// downhill from there, and from the other starts of OtherStarts.h if that does not lead to the goal. A position that
/// is met stays, and so does its pole, whatever limits take from the rotation.
void PlaneChainSolver::approach(kit::SolverRun& run, const Chain& chain)
{
    const double tolerance = run.problem().goals[chain.goal].positionTolerance;
    run.residualNormAt(m_q);
    const double shortfall = run.shortfall(chain.goal);
    if (run.error(chain.goal).position - shortfall <= tolerance) return;
    m_reference = m_q; // not needed any more
    const int rows = chain.turnsEnd ? 6 : 3;
    if (descend(run, chain, rows)) return;
    if (chain.turnsEnd) { // then the position alone
        m_q = m_reference;
        if (descend(run, chain, 3)) return;
    }
    if (shortfall > 0 || !kit::hasLimits(run)) return;
    m_reference = m_q;
    kit::Random random(kit::kSeedOfOtherStarts);
    for (int start = 1; start < kit::kOtherStarts && !isStopped(run); ++start) {
        kit::moveTowardRandom(run, run.bodies(), kit::shareOfStart(start), random, m_q);
        if (descend(run, chain, rows)) return;
        m_q = m_reference;
    }
}

/// Goes downhill from m_q by damped least squares (Levenberg-Marquardt), within limits, toward the first `rows` of the
/// goal's residual: its position and, with 6, its rotation. The pole is not asked. True at the goal.
bool PlaneChainSolver::descend(kit::SolverRun& run, const Chain& chain, int rows)
{
    constexpr int kMaxSteps = 200, kPatience = 8;
    constexpr double kPressed = 1e-9;                                                // [rad] of room
    constexpr double kFarthest = 1;                                                  // [rad] of a step
    constexpr double kProgress = 1 - 1e-5, kLeastDamping = 1e-6, kMostDamping = 1e3; // of the trace
    const Goal& goal = run.problem().goals[chain.goal];
    const int held = rows == 6 ? -1 : chain.end; // which turns only to meet a rotation
    Eigen::Index row = 0;
    for (const std::int32_t g : run.activeGoals()) {
        if (g == chain.goal) break;
        row += kit::residualRows(run.problem().goals[g].kind);
    }
    // A length counts in chains' lengths beside an angle, so that the way does not depend on the unit.
    const double length = std::max(m_shape.reach(), m_line.norm());
    Column scale = Column::Ones(rows);
    if (length > 0) scale.head(3).setConstant(1 / length);
    const auto costAt = [&](std::span<const double> q) {
        run.residualNormAt(q);
        return run.residual().segment(row, rows).cwiseProduct(scale).norm();
    };
    double cost = costAt(m_q), damping = 1e-4;
    kit::Patience patience(kPatience, kProgress);
    for (int step = 0; step < kMaxSteps && damping < kMostDamping; ++step) {
        if (isStopped(run)) break;
        const auto jacobian = run.jacobian().middleRows(row, rows);
        const Column residual = run.residual().segment(row, rows).cwiseProduct(scale);
        const auto columnOf = [&](int dof, const Vector3& turn, int count) {
            Column column = jacobian.middleCols(dof, count) * turn.head(count);
            column.array() *= scale.array();
            return column;
        };
        Square square = Square::Zero(rows, rows);
        forEachWay(run, held, [&](int dof, const Vector3& turn, int count, double lowest, double highest) {
            const Column column = columnOf(dof, turn, count);
            const double slope = column.dot(residual);
            if (slope < 0 ? highest <= kPressed : lowest >= -kPressed) return; // a limit is in the way
            square += column * column.transpose();
        });
        square.diagonal().array() += damping * square.trace();
        const Column pull = square.ldlt().solve(residual);
        std::fill(m_step.begin(), m_step.end(), 0.0);
        forEachWay(run, held, [&](int dof, const Vector3& turn, int count, double lowest, double highest) {
            const Column column = columnOf(dof, turn, count);
            if (column.dot(residual) < 0 ? highest <= kPressed : lowest >= -kPressed) return;
            for (int k = 0; k < count; ++k) m_step[dof + k] -= turn[k] * column.dot(pull);
        });
        // What hardly moves the end would turn round and round for what nothing can reach.
        double farthest = 0;
        for (const double by : m_step) farthest = std::max(farthest, std::abs(by));
        if (farthest > kFarthest)
            for (double& by : m_step) by *= kFarthest / farthest;
        const double largest = kit::stepWithinLimits(run, m_step, m_trial);
        run.countIterations(1);
        const double now = costAt(m_trial);
        if (now < cost) {
            run.trace(cost, largest, damping, 1, m_trial);
            std::swap(m_q, m_trial);
            cost = now;
            damping = std::max(kLeastDamping, damping / 8);
            if (rows == 6 ? run.error(chain.goal).isWithin(goal)
                          : run.error(chain.goal).position <= goal.positionTolerance)
                return true;
            if (patience.isOver(cost)) break;
        } else {
            damping *= 8;
            run.trace(costAt(m_q), 0, damping, 1, m_q);
        }
    }
    return false;
}

void PlaneChainSolver::turnStart(const kit::SolverRun& run, const Chain& chain)
{
    const sdk::Model& model = run.model();
    const kit::Frame<double>& start = m_frames[chain.start];
    const Vector3 toEnd = m_frames[chain.end].point(m_effector) - start.position, toTarget = m_target - start.position;
    if (!(toEnd.squaredNorm() > 0)) return; // on the start's own pivot: no turn moves it

    if (const int v = hingeOf(run, chain.start); v >= 0) {
        // A hinge: the turn that brings the effector nearest to the target, seen along the axis.
        double* own = m_q.data() + model.qBegin[chain.start];
        Quaternion before = start.rotation * kit::motion(model, chain.start, own).conjugate();
        for (int u = model.vBegin[chain.start]; u < v; ++u)
            if (model.dofKind[u] == sdk::DofKind::Turning)
                before = before * kit::turn(&model.axis[3 * u], own[u - model.vBegin[chain.start]]);
        const Vector3 axis = before * kit::vectorAt(&model.axis[3 * v]);
        const Vector3 from = toEnd - axis * axis.dot(toEnd), to = toTarget - axis * axis.dot(toTarget);
        if (from.squaredNorm() > 0 && to.squaredNorm() > 0) {
            double& q = own[v - model.vBegin[chain.start]];
            q = kit::nearestAngle(q + std::atan2(axis.dot(from.cross(to)), from.dot(to)), model.lower[v],
                                  model.upper[v], q);
        }
        return;
    }

    // Back onto the reference pose's line, and with that line to the target: so the plane depends on the target's
    // direction alone, not on how far the chain is bent.
    Quaternion turned = kit::leastRotation(m_goalTurn * m_line, toTarget) * m_goalTurn *
                        kit::leastRotation(toEnd, m_line);
    if (chain.pole >= 0) turned = swivel(run, chain, turned, toEnd) * turned;
    turnTo(run, chain.start, swivelIntoLimits(run, chain, turned, toEnd) * turned * start.rotation);
}

/// The least turn about the line start -> target with which the start's limits let it point the effector there, once it
/// has turned by `turned`; where none does, the one that leaves the effector's direction nearest.
Quaternion PlaneChainSolver::swivelIntoLimits(const kit::SolverRun& run, const Chain& chain, const Quaternion& turned,
                                              const Vector3& toEnd) const
{
    constexpr int kSteps = 36; // to each side
    constexpr double kStepWidth = std::numbers::pi / kSteps, kMet = 1e-10;
    const kit::Frame<double>& start = m_frames[chain.start];
    const Vector3 line = (m_target - start.position).normalized(),
                  own = start.rotation.conjugate() * toEnd.normalized();
    const auto turnBy = [&](double angle) { return kit::expMap(Vector3(line * angle)); };
    const auto miss = [&](double angle) { // chord from the line to where the effector then is
        return (rotationWithinLimits(run, chain.start, turnBy(angle) * turned * start.rotation) * own - line).norm();
    };
    double best = 0, least = miss(0);
    const auto offer = [&](double angle, double at) {
        if (at < least) {
            best = angle;
            least = at;
        }
        return at <= kMet;
    };
    if (!(least > kMet)) return Quaternion::Identity();
    for (int k = 1; k <= kSteps; ++k) {
        double nearest = kit::kInfinity;
        for (const double side : {1.0, -1.0}) {
            double outside = side * (k - 1) * kStepWidth, inside = side * k * kStepWidth;
            if (!offer(inside, miss(inside))) continue;
            for (int i = 0; i < kBisections; ++i) {
                const double middle = 0.5 * (outside + inside);
                (miss(middle) > kMet ? outside : inside) = middle;
            }
            if (std::abs(inside) < std::abs(nearest)) nearest = inside;
        }
        if (std::isfinite(nearest)) return turnBy(nearest);
    }
    double from = best - kStepWidth, to = best + kStepWidth;
    for (int i = 0; i < kGoldenSteps; ++i) {
        const double left = to - kGolden * (to - from), right = from + kGolden * (to - from);
        (miss(left) < miss(right) ? to : from) = miss(left) < miss(right) ? right : left;
    }
    const double middle = 0.5 * (from + to);
    offer(middle, miss(middle));
    return turnBy(best);
}

/// The turn about the line start -> target that brings the bend into the pole's half plane, once the start has turned
/// by `turned`. That half plane begins at the line start -> effector, which is another line where the goal turns the
/// end about an offset.
Quaternion PlaneChainSolver::swivel(const kit::SolverRun& run, const Chain& chain, const Quaternion& turned,
                                    const Vector3& toEnd) const
{
    const Goal& pole = run.problem().goals[chain.pole];
    kit::PoleShape<double> shape = kit::poleShape<double>(run.model(), pole, m_frames);
    shape.span = turned * toEnd;
    const Vector3 line = shape.span.normalized();
    shape.bend = turned * shape.bend;
    if (chain.turnsEnd)
        shape.span += kit::quaternionAt(run.problem().goals[chain.goal].targetRotation) *
                      Vector3(kit::vectorAt(pole.offset) * m_frames[chain.end].scale);
    kit::PoleAngle<double> angle = kit::poleAngle(shape, pole.twist);
    if (!angle.isDefined) { // straight: where it would bend to
        shape.bend = turned * bendOfStraight(run, chain, toEnd);
        angle = kit::poleAngle(shape, pole.twist);
    }
    if (!angle.isDefined) return Quaternion::Identity();
    if (!chain.turnsEnd) // the two lines are one
        return kit::expMap(Vector3(angle.axis * -std::atan2(angle.sine, angle.cosine)));

    // In the half plane: normal . R(line, a) bend = 0, which is along + cosine cos(a) + sine sin(a) = 0, on its side.
    const Vector3 side = kit::expMap(Vector3(angle.axis * pole.twist)) *
                         Vector3(shape.pole - angle.axis * angle.axis.dot(shape.pole)).normalized();
    const Vector3 normal = angle.axis.cross(side), along = line * line.dot(shape.bend), across = shape.bend - along;
    const double cosine = normal.dot(across), sine = normal.dot(line.cross(across));
    const double size = std::hypot(cosine, sine);
    if (!(size > 0)) return Quaternion::Identity();
    const double half = std::acos(std::clamp(-normal.dot(along) / size, -1.0, 1.0));
    Quaternion best = Quaternion::Identity();
    double furthest = -kit::kInfinity;
    for (const double by : {std::atan2(sine, cosine) + half, std::atan2(sine, cosine) - half}) {
        const Quaternion turn = kit::expMap(Vector3(line * std::remainder(by, 2 * std::numbers::pi)));
        const double out = side.dot(turn * shape.bend);
        if (out <= furthest) continue;
        furthest = out;
        best = turn;
    }
    return best;
}

/// To where the bend (see Residuals.h) of a chain would grow that has none, from the line `toEnd` (start -> effector).
/// As long as `toEnd`, or 0: nowhere.
Vector3 PlaneChainSolver::bendOfStraight(const kit::SolverRun& run, const Chain& chain, const Vector3& toEnd) const
{
    const auto parentOf = [&](int body) { return run.model().parent[body]; };
    const Vector3 &start = m_frames[chain.start].position, line = toEnd.normalized();
    const Vector3 end = m_shape.bending(chain.end, start + toEnd, m_frames);
    int inner = 0;
    for (int b = parentOf(chain.end); b != chain.start; b = parentOf(b)) ++inner;
    int above = inner;
    Vector3 bend = Vector3::Zero();
    for (int b = parentOf(chain.end); b != chain.start; b = parentOf(b)) {
        const Vector3& at = m_frames[b].position;
        const double along = line.dot(at - start) / toEnd.norm(); // the line turns with the end
        bend += kit::bendWeight(--above) * (m_shape.bending(b, at, m_frames) - along * end);
    }
    bend -= line * line.dot(bend);
    constexpr double kNone = 1e-6; // of the line, where the largest bend grows by half a turn
    return bend.norm() > kNone * toEnd.norm() ? Vector3(bend.normalized() * toEnd.norm()) : Vector3(Vector3::Zero());
}

/// The rotation of a body's frame while the body's own joint does not turn.
Quaternion PlaneChainSolver::rotationBefore(const kit::SolverRun& run, int body) const
{
    const int parent = run.model().parent[body];
    const Quaternion base = kit::quaternionAt(run.problem().base.data() + kit::kBaseStride * body + 3);
    return parent >= 0 ? m_frames[parent].rotation * base : base;
}

/// Gives a body the rotation `world`, as nearly as its limits allow.
void PlaneChainSolver::turnTo(const kit::SolverRun& run, int body, const Quaternion& world)
{
    kit::nearestInLimits(run.model(), body, run.problem().locked,
                         (rotationBefore(run, body).conjugate() * world).normalized(),
                         m_q.data() + run.model().qBegin[body]);
}

/// What turnTo() would leave of a body's rotation `world`.
Quaternion PlaneChainSolver::rotationWithinLimits(const kit::SolverRun& run, int body, const Quaternion& world) const
{
    const sdk::Model& model = run.model();
    std::array<double, 7> own{}; // the most that a joint has
    std::copy(m_q.begin() + model.qBegin[body], m_q.begin() + model.qBegin[body + 1], own.begin());
    const Quaternion before = rotationBefore(run, body);
    kit::nearestInLimits(model, body, run.problem().locked, (before.conjugate() * world).normalized(), own.data());
    return before * kit::motion(model, body, own.data());
}

void PlaneChainSolver::updateFrames(const kit::SolverRun& run, int from)
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

/// An answer that is the seed but for rounding is the seed: not a bit moves.
void PlaneChainSolver::settle(kit::SolverRun& run)
{
    const std::span<const double> seed = run.best();
    for (std::size_t i = 0; i < m_q.size(); ++i)
        if (!(std::abs(m_q[i] - seed[i]) < kSame)) return;
    std::copy(seed.begin(), seed.end(), m_q.begin());
}

std::unique_ptr<sdk::Solver> makeTwoBoneSolver()
{
    return std::make_unique<PlaneChainSolver>(PlaneChainRule{.bones = 2});
}

std::unique_ptr<sdk::Solver> makeRotatePlaneSolver() { return std::make_unique<PlaneChainSolver>(PlaneChainRule{}); }

std::unique_ptr<sdk::Solver> makeSingleChainSolver()
{
    return std::make_unique<PlaneChainSolver>(
        PlaneChainRule{.plane = PlaneChainRule::Plane::Goal, .followsPole = false});
}

std::unique_ptr<sdk::Solver> makeSpringSolver()
{
    return std::make_unique<PlaneChainSolver>(PlaneChainRule{.reference = PlaneChainRule::Reference::Posture});
}

std::unique_ptr<sdk::Solver> makeLimbSolver()
{
    return std::make_unique<PlaneChainSolver>(PlaneChainRule{
        .reference = PlaneChainRule::Reference::Natural, .plane = PlaneChainRule::Plane::Chosen, .bones = 2});
}

std::unique_ptr<sdk::Solver> makeHiSolver()
{
    return std::make_unique<PlaneChainSolver>(
        PlaneChainRule{.reference = PlaneChainRule::Reference::Natural, .plane = PlaneChainRule::Plane::Chosen});
}

} // namespace tendon
