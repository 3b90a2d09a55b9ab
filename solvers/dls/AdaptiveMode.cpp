#include "solvers/dls/DlsSolver.h"

#include <tendon/kit/NearestInLimits.h>
#include <tendon/kit/Steps.h>

#include <algorithm>
#include <cmath>
#include <numbers>

/// The adaptive mode: Levenberg-Marquardt steps in a box.
///
/// Damping follows the cost (Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt
/// method"): large far from the goals and near singularities that keep them off, vanishing quadratically on the way in.
namespace tendon {

using dls::Column;
using kit::Vector3;
using sdk::Status;

namespace {

constexpr double kFirstFactor = 0.1; ///< damping = factor * cost; measured best on the 6-axis arms, flat around
constexpr double kMinFactor = 1e-6;
constexpr double kMaxFactor = 1e8;
constexpr double kMinDamping = 1e-14; ///< keeps the system positive definite
constexpr double kMaxTurn = 1.0;      ///< [rad] a linear model of a rotation says nothing beyond
constexpr int kMaxNudges = 3;
constexpr int kPatience = 30;     ///< steps that crawl along the limits of a ball before it is enough
constexpr double kWorthIt = 0.98; ///< a pose found after a nudge must be this much better to be taken
constexpr double kNudge = 0.15;   ///< [rad] leaves the straight pose for good, before rounding could decide

} // namespace

void DlsSolver::runAdaptive(kit::SolverRun& run)
{
    m_tree.build(run);
    m_tasks.build(run, m_tree);
    const std::size_t columns = m_tree.columns().size();
    m_lower.resize(columns); // within the capacity of prepare()
    m_upper.resize(columns);
    m_y.resize(columns);
    m_dv.resize(columns);
    std::copy(run.q().begin(), run.q().end(), m_q.begin());
    applyMetric(run);
    const std::span<const double> reference = referenceOf(run.problem());
    if (!reference.empty()) startFrom(run, reference);
    m_trial = m_q;

    run.countStart();
    if (m_isNearest) {
        m_nearest.build(run, m_tree, m_tasks, m_q);
        m_nearest.approach(run, m_q);
    }
    if (m_tasks.hasArc() && !m_tasks.isLongArc()) leaveStraight(run);
    if (m_tasks.hasProjected() && m_tasks.taskCount() == 1) straighten(run);
    const bool maySearch = run.problem().search == sdk::Search::Find && run.stopWhen().maxStarts > 1 &&
                           !m_tasks.hasProjected();
    m_hasLimitedBall = std::any_of(run.bodies().begin(), run.bodies().end(),
                                   [&](std::int32_t b) { return kit::isLimitedBall(run.model(), b); });
    // Without limits there are hardly any dead ends: the first start is worth its time.
    bool hasLimits = false;
    for (const Column& column : m_tree.columns())
        hasLimits |= std::isfinite(column.lower) || std::isfinite(column.upper);
    const Status status = descend(run, run.stopWhen().maxIterations, maySearch && hasLimits);
    const bool isMet = run.offer(m_q);
    if (isMet && !reference.empty()) run.accept(m_q); // also where the seed meets the goals
    run.stop(isMet ? Status::Converged : status);
    if (!isMet && maySearch && (status == Status::Stalled || status == Status::IterationLimit)) search(run);
}

void DlsSolver::straighten(kit::SolverRun& run)
{
    if (run.iterations() >= run.stopWhen().maxIterations) return;
    const sdk::Model& model = run.model();
    const dls::Task& task = m_tasks.task(0);
    const sdk::Goal& goal = run.problem().goals[task.goal];
    m_tree.evaluate(m_q);
    m_tasks.evaluate(m_tree);
    const double before = m_tasks.cost();

    // From the root down, each joint turns what it carries rigidly (up to the next joint that turns) toward the target.
    findPath(task.link);
    std::copy(m_q.begin(), m_q.end(), m_trial.begin());
    int done = 0; // links that stand as those above them have been turned
    for (std::size_t k = m_path.size(); k-- > 0;) {
        const int next = k > 0 ? m_path[k - 1] : task.link;
        m_tree.evaluate(m_trial, done, next + 1);
        done = m_path[k]; // is about to turn
        const dls::Link& link = m_tree.link(m_path[k]);
        const dls::Link& tip = m_tree.link(task.link);
        const Vector3 carried = (k > 0 ? m_tree.link(next).position
                                       : Vector3(tip.position +
                                                 tip.rotation * (kit::vectorAt(goal.offset) * tip.scale))) -
                                link.position;
        const Vector3 wished = kit::vectorAt(goal.targetPosition) - link.position;
        if (carried.squaredNorm() == 0 || wished.squaredNorm() == 0) continue;
        const kit::Matrix3 above = (link.parent < 0 ? kit::Matrix3::Identity() : m_tree.link(link.parent).rotation) *
                                   link.baseRotation;
        const kit::Matrix3 turned = kit::leastRotation(carried, wished).toRotationMatrix() * link.rotation;
        kit::nearestInLimits(model, link.body, run.problem().locked, kit::Quaternion(above.transpose() * turned),
                             m_trial.data() + model.qBegin[link.body]);
    }
    m_tree.evaluate(m_trial);
    m_tasks.evaluate(m_tree);
    run.countIterations(1);
    const double norm = run.wantsTrace() ? run.residualNormAt(m_q) : 0;
    if (m_tasks.cost() < before) std::swap(m_q, m_trial);
    if (run.wantsTrace()) run.trace(norm, 0, -1, 1, m_q);
    std::copy(m_q.begin(), m_q.end(), m_trial.begin());
}

/// From a straight chain no step leads nearer to its start, and which way it bends would hang on how the first steps
/// come out. So the joints below the first begin with a bend, together up to kLeave, in the plane of the chain and its
/// goal, by the law of kit/PreferredBend.h, as far as the goal is beside the chain's line. A chain with a bend of its
/// own keeps that.
void DlsSolver::leaveStraight(const kit::SolverRun& run)
{
    constexpr double kLeave = 0.15;      // [rad]
    constexpr double kBeside = 0.2;      // sine of the angle to the line from which on the whole bend counts
    constexpr double kStraight = 1.5e-4; // of the reach: a chain that lacks more has a bend of its own
    const double shorter = 1 - std::cos(kLeave / 2);
    const dls::Task& task = m_tasks.task(0);
    m_tree.evaluate(m_q);
    const Vector3 from = m_tasks.effector(task, m_tree) - task.anchor, to = task.target - task.anchor;
    const double reach = run.reach(task.goal).outer, now = from.norm(), wanted = to.norm();
    if (!(now > 0) || !(wanted > 0)) return;
    const double share = std::clamp(1 - (reach - now) / (kStraight * reach), 0.0, 1.0) *
                         std::clamp((now - wanted) / (shorter * reach), 0.0, 1.0);
    const Vector3 axis = from.cross(to) / (now * wanted);
    if (!(share > 0) || !(axis.norm() > 0)) return;
    findPath(task.link);
    const std::size_t below = m_path.size() - 1; // joints
    const double each = kLeave * share * std::min(1.0, axis.norm() / kBeside) /
                        std::max(1.0, static_cast<double>(below));
    const Vector3 turn = each * axis.normalized();
    std::fill(m_dv.begin(), m_dv.end(), 0.0);
    for (std::size_t k = 0; k < below; ++k) {
        const dls::Link& link = m_tree.link(m_path[k]);
        for (int c = link.firstColumn; c < link.firstColumn + link.columnCount; ++c) {
            const auto column = static_cast<std::size_t>(c);
            m_dv[column] = turn.dot(m_tree.columns()[column].direction);
        }
    }
    m_tree.step(m_q, m_dv, m_trial);
    m_q = m_trial;
}

void DlsSolver::findPath(int tip)
{
    m_path.clear();
    for (int i = tip; i >= 0; i = m_tree.link(i).parent)
        for (int c = 0; c < m_tree.link(i).columnCount; ++c)
            if (m_tree.columns()[static_cast<std::size_t>(m_tree.link(i).firstColumn + c)].turns) {
                m_path.push_back(i); // within the capacity of prepare()
                break;
            }
}

/// What a chain lacks to its full length goes with the square of the angles between its bones and its chord, which a
/// linear step does not see: it bends the chain and comes out too short. Here those angles shrink, all by one factor,
/// so that the trial comes as far as the step was sent.
void DlsSolver::unbend()
{
    const dls::Task& task = m_tasks.task(0);
    findPath(task.link);
    if (m_path.empty()) return;
    const Vector3 root = m_tree.link(m_path.back()).position, tip = m_tasks.effector(task, m_tree), chord = tip - root;
    const auto bone = [&](std::size_t k) {
        return Vector3((k > 0 ? m_tree.link(m_path[k - 1]).position : tip) - m_tree.link(m_path[k]).position);
    };
    double length = 0, easiest = 0;
    for (std::size_t k = 0; k < m_path.size(); ++k) length += m_dv[k] = bone(k).norm(); // a path has no more joints
    for (const Column& column : m_tree.columns()) easiest = std::max(easiest, column.metric);
    const double got = chord.norm(), wanted = (task.next - root).norm();
    if (!(got > 0 && got < wanted && got < length)) return;
    const double kept = std::sqrt(std::max(0.0, length - wanted) / (length - got));
    const Vector3 pull = (1 - kept) / got * chord;

    // From the root down, each joint turns by what its axes have of what its bone still lacks.
    kit::Quaternion turned = kit::Quaternion::Identity(); // the bone above, in the world
    for (std::size_t k = m_path.size(); k-- > 0;) {
        const dls::Link& link = m_tree.link(m_path[k]);
        const std::span<const Column> columns = m_tree.columnsOf(link);
        const Vector3 from = bone(k), to = kept * from + m_dv[k] * pull;
        kit::Quaternion lacking = turned.conjugate() * kit::leastRotation(from, to);
        if (lacking.w() < 0) lacking.coeffs() *= -1;
        Vector3 own = Vector3::Zero();
        for (const Column& column : columns) {
            const double ease = column.metric / easiest; // a stiff joint leaves more to those below
            const double part = ease * ease * column.direction.dot(lacking.vec());
            own += part * column.direction;
            if (column.slot < 0) m_trial[column.coordinate] += 2 * part;
        }
        if (link.quaternion < 0) {
            turned = turned * kit::expMap(Vector3(2 * own));
            continue;
        }
        kit::Quaternion turn(lacking.w(), own[0], own[1], own[2]);
        turn.normalize();
        const Vector3 local = link.rotation.transpose() * turn.vec();
        double* q = m_trial.data() + columns.front().coordinate;
        kit::store((kit::quaternionAt(q) * kit::Quaternion(turn.w(), local[0], local[1], local[2])).normalized(), q);
        turned = turned * turn;
    }
    m_tree.evaluate(m_trial);
    m_tasks.evaluate(m_tree);
}

void DlsSolver::applyMetric(const kit::SolverRun& run)
{
    m_resistances.build(run, m_choice == kit::Choice::Outermost ? kit::Ranking::FromTip : kit::Ranking::ByHand);
    for (Column& column : m_tree.columns()) {
        const int body = m_tree.link(column.link).body;
        column.metric = 1 / std::sqrt(m_resistances.of(body, column.dof));
        if (!column.turns) column.metric *= m_tasks.length();
    }
}

/// The pose that the choice measures from, within limits; empty = the seed.
std::span<const double> DlsSolver::referenceOf(const sdk::Problem& problem) const
{
    if (m_choice == kit::Choice::Outermost) return problem.posture;
    if (m_choice == kit::Choice::Natural) return problem.natural;
    return {};
}

void DlsSolver::startFrom(const kit::SolverRun& run, std::span<const double> reference)
{
    for (const Column& column : m_tree.columns()) {
        if (column.slot > 0) continue;
        std::copy_n(reference.data() + column.coordinate, column.slot < 0 ? 1 : 4, m_q.data() + column.coordinate);
        const int body = m_tree.link(column.link).body;
        kit::clampBody(run.model(), body, run.problem().locked, m_q.data() + run.model().qBegin[body]);
    }
}

double DlsSolver::largestStep() const
{
    double largest = 0;
    for (const double x : m_dv) largest = std::max(largest, std::abs(x));
    return largest;
}

Status DlsSolver::descend(kit::SolverRun& run, int iterations, bool mayGiveUp)
{
    const std::span<Column> columns = m_tree.columns();
    double factor = kFirstFactor;
    double bestCost = kit::kInfinity, costBefore = kit::kInfinity;
    int nudges = 0, sinceProgress = 0;
    kit::Patience patience(kPatience, 0.5);

    m_tree.evaluate(m_q);
    m_tasks.evaluate(m_tree);
    bool isFresh = true; // the Jacobian is not yet that of q
    const int last = std::min(run.iterations() + iterations, run.stopWhen().maxIterations);
    while (true) {
        if (m_tasks.isMet()) return Status::Converged;
        if (run.isCancelled()) return Status::Cancelled;
        if (run.iterations() >= last) return Status::IterationLimit;
        if (run.isOutOfTime()) return Status::TimeLimit;
        if (m_hasLimitedBall && patience.isOver(std::sqrt(m_tasks.cost()))) return Status::Stalled;
        run.countIterations(1);

        if (isFresh) m_tasks.aimAlongArc(m_tree);
        const double cost = m_tasks.cost();
        if (isFresh) {
            m_tasks.differentiate(m_tree);
            for (std::size_t c = 0; c < columns.size(); ++c) { // the box around q, in step units
                const Column& column = columns[c];
                const double most = column.turns ? kMaxTurn : kit::kInfinity;
                const double q = column.slot < 0 ? m_q[column.coordinate] : 0;
                m_lower[c] = std::max(column.lower - q, -most) / column.metric;
                m_upper[c] = std::min(column.upper - q, most) / column.metric;
            }
            isFresh = false;
        }
        const double damping = factor * cost + kMinDamping;
        if (!m_boxStep.solve(m_tasks.jacobian(), m_tasks.filledRows(), m_tasks.residual(), damping, m_lower, m_upper,
                             m_y))
            return Status::NumericalFailure;
        for (std::size_t c = 0; c < columns.size(); ++c) m_dv[c] = m_y[c] * columns[c].metric;
        const double step = largestStep();

        const double norm = run.wantsTrace() ? run.residualNormAt(m_q) : 0;
        m_tree.step(m_q, m_dv, m_trial);
        m_tree.evaluate(m_trial);
        m_tasks.evaluate(m_tree);
        if (m_tasks.isLongArc()) unbend();
        const bool isBetter = m_tasks.cost() < cost;
        if (isBetter || m_tasks.isMet()) {
            std::swap(m_q, m_trial);
            factor = std::max(kMinFactor, factor * 0.3);
            isFresh = true;
        }
        if (run.wantsTrace()) run.trace(norm, step, damping, 0, m_q);
        if (isFresh && step > run.stopWhen().stall) {
            // When there are other starts to try, one that crawls is left.
            if (mayGiveUp) {
                sinceProgress = m_tasks.cost() > 0.5 * costBefore ? sinceProgress + 1 : 0;
                costBefore = m_tasks.cost();
                if (sinceProgress > static_cast<int>(3 + columns.size() / 8)) { // long chains turn slowly
                    return Status::Stalled;
                }
            }
            continue;
        }
        if (!isFresh) { // rejected: more damping, from where we were
            m_tree.evaluate(m_q);
            m_tasks.evaluate(m_tree);
            factor = std::max(factor, 1e-3) * 8;
            if (factor < kMaxFactor && step > run.stopWhen().stall) continue;
        }
        // Nothing moves any more. A straight chain with its goal on its line stands at such a point without being near
        // it.
        if (m_tasks.cost() < kWorthIt * bestCost) {
            bestCost = m_tasks.cost();
            m_best = m_q;
        }
        if (mayGiveUp || nudges >= kMaxNudges || !nudge(run, nudges)) {
            m_q = m_best;
            return Status::Stalled;
        }
        ++nudges;
        m_tree.evaluate(m_q);
        m_tasks.evaluate(m_tree);
        factor = kFirstFactor;
        isFresh = true;
    }
}

bool DlsSolver::isBlocked() const
{
    const std::span<const double> r = m_tasks.residual();
    const std::span<const Column> columns = m_tree.columns();
    double normSquared = 0;
    for (const double x : r) normSquared += x * x;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        if (column.slot >= 0) continue;
        const double q = m_q[column.coordinate];
        if (q > column.lower && q < column.upper) continue;
        double gradient = 0, squared = 0;
        for (std::size_t i = 0; i < r.size(); ++i) {
            const double j = m_tasks.jacobian()[c * r.size() + i];
            gradient += j * r[i];
            squared += j * j;
        }
        const double outward = q >= column.upper ? -gradient : gradient;
        if (outward > 1e-6 * std::sqrt(squared * normSquared)) return true;
    }
    return false;
}

bool DlsSolver::nudge(const kit::SolverRun& run, int attempt)
{
    if (isBlocked()) return false;
    kit::Random random(0x7e4d0 + static_cast<std::uint64_t>(attempt)); // the same for every problem
    const std::span<const Column> columns = m_tree.columns();
    bool moves = false;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Column& column = columns[c];
        const double sign = random.sign();
        const double size = kNudge * random.uniform(0.5, 1);
        m_dv[c] = 0;
        if (!column.turns) continue;
        m_dv[c] = sign * size;
        if (column.slot >= 0) {
            moves = true;
            continue;
        }
        const double q = m_q[column.coordinate], preferred = run.model().preferred[column.dof];
        if (preferred != 0 && preferred != q)
            m_dv[c] = std::clamp(preferred - q, -size, size);
        else if (q + m_dv[c] > column.upper || q + m_dv[c] < column.lower)
            m_dv[c] = -m_dv[c];
        moves |= column.upper > column.lower;
    }
    m_tree.step(m_q, m_dv, m_trial);
    std::swap(m_q, m_trial);
    return moves;
}

void DlsSolver::randomise(const sdk::Model& model, kit::Random& random)
{
    for (const Column& column : m_tree.columns()) {
        if (column.slot > 0) continue;
        if (column.slot == 0) { // brought into the limits
            kit::store(random.rotation(), m_q.data() + column.coordinate);
            const int body = m_tree.link(column.link).body;
            kit::clampBody(model, body, {}, m_q.data() + model.qBegin[body]);
        } else {
            m_q[column.coordinate] = random.within(column.lower, column.upper,
                                                   column.turns ? std::numbers::pi : m_tasks.length());
        }
    }
}

void DlsSolver::search(kit::SolverRun& run)
{
    const sdk::Stop& stop = run.stopWhen();
    kit::Random random(run.problem().randomSeed);
    for (int start = 1; start < stop.maxStarts && run.iterations() < stop.maxIterations; ++start) {
        randomise(run.model(), random);
        run.countStart();
        const Status status = descend(run, stop.maxIterations, true);
        const bool isMet = run.offer(m_q);
        if (isMet) {
            run.stop(Status::Converged);
            return;
        }
        if (status == Status::Cancelled || status == Status::TimeLimit || status == Status::NumericalFailure) {
            run.stop(status);
            return;
        }
        run.stop(run.iterations() >= stop.maxIterations ? Status::IterationLimit : Status::Stalled);
    }
}

} // namespace tendon
