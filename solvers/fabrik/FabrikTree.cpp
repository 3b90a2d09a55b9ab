#include "solvers/fabrik/FabrikSolver.h"

#include <tendon/kit/OtherStarts.h>

#include <algorithm>
#include <cmath>
#include <numbers>

/// FABRIK where points alone do not do: what is repeated, when it is given up, and what is tried then.
namespace tendon {

using fabrik::JointTurn;
using fabrik::Node;
using sdk::Status;

namespace {

// Passes or sweeps in a row that gained next to nothing: they are stuck.
constexpr int kPatience = 6, kPatienceOfSweeps = 4;

} // namespace

void FabrikSolver::runTree(kit::SolverRun& run)
{
    m_passCount = m_passesOfStart = 0;
    m_ending = Status::Stalled;
    m_passes.begin(run, m_tree, m_limitsBackward, m_stages);
    clampTargets(run);
    std::copy(run.q().begin(), run.q().end(), m_start.begin());
    m_passes.keep();
    m_poleMiss = 0;
    m_hasPoles = false;
    for (const std::int32_t g : run.activeGoals()) {
        if (run.problem().goals[g].kind != sdk::GoalKind::Pole) continue;
        m_hasPoles = true;
        m_poleMiss = std::hypot(m_poleMiss, run.problem().goals[g].rotationWeight * run.error(g).rotation);
    }
    m_bestMiss = miss();
    if (run.wantsTrace()) run.trace(run.residualNorm(), 0, -1, Forward); // where it begins

    Ending ending = follow(run);
    m_passes.restore();
    const std::span<const double> best = m_passes.q();
    std::copy(best.begin(), best.end(), m_answer.begin());
    const bool isFind = run.problem().search == sdk::Search::Find;
    if (m_isReachable && (ending == Ending::Stuck ? isFind || m_sweeps : ending == Ending::Capped && isFind))
        ending = tryOtherStarts(run, ending);
    if (ending == Ending::Met) return static_cast<void>(run.stop(Status::Converged));
    if (ending != Ending::Stopped) m_ending = ending == Ending::Capped ? Status::IterationLimit : Status::Stalled;
    run.stop(run.offer(m_answer) ? Status::Converged : m_ending);
}

/// A goal proved to be beyond reach is replaced by the nearest point that is not.
void FabrikSolver::clampTargets(const kit::SolverRun& run)
{
    m_isReachable = true;
    for (const std::int32_t g : run.activeGoals()) {
        if (!(run.shortfall(g) > 0)) continue;
        m_isReachable = false;
        m_passes.setTarget(g, run.reach(g).nearest(kit::vectorAt(run.problem().goals[g].targetPosition)));
    }
}

/// A chain with a pole turns about the line from its start to its effector, which stay, until its bend faces the pole.
void FabrikSolver::turnToPoles(kit::SolverRun& run)
{
    m_poleMiss = 0;
    if (!m_hasPoles) return;
    for (const std::int32_t g : run.activeGoals()) {
        const sdk::Goal& goal = run.problem().goals[g];
        if (goal.kind != sdk::GoalKind::Pole) continue;
        for (const bool isTurning : {true, false}) {
            static_cast<void>(run.residualNormAt(m_passes.q()));
            const auto angle = kit::poleAngle(kit::poleShape(run.model(), goal, run.frames()), goal.twist);
            if (!angle.isDefined) break;
            const double off = std::atan2(angle.sine, angle.cosine);
            const std::int32_t node = m_tree.nodeOf(goal.startBody);
            if (!isTurning)
                m_poleMiss = std::hypot(m_poleMiss, goal.rotationWeight * off);
            else if (node >= 0)
                m_passes.turn(node, Quaternion(Eigen::AngleAxisd(-off, angle.axis)));
        }
    }
}

double FabrikSolver::miss() const { return m_hasPoles ? std::hypot(m_passes.miss(), m_poleMiss) : m_passes.miss(); }

/// True when the host ends the solve.
bool FabrikSolver::isOver(const kit::SolverRun& run)
{
    if (run.isCancelled())
        m_ending = Status::Cancelled;
    else if (m_passCount >= run.stopWhen().maxIterations)
        m_ending = Status::IterationLimit;
    else if (run.isOutOfTime())
        m_ending = Status::TimeLimit;
    else
        return false;
    return true;
}

void FabrikSolver::countPass(kit::SolverRun& run)
{
    if (m_passCount > 0) run.countIterations(1); // the first was counted when the run began
    m_passes.setPass(m_passCount++);
    ++m_passesOfStart;
}

void FabrikSolver::keepIfBest()
{
    const double miss = this->miss();
    if (!(miss < m_bestMiss)) return;
    m_bestMiss = miss;
    m_passes.keep();
}

void FabrikSolver::traceStep(kit::SolverRun& run, TraceStage stage)
{
    if (!run.wantsTrace()) return;
    const double residual = run.residualNorm();
    static_cast<void>(run.residualNormAt(m_passes.q()));
    run.trace(residual, m_passes.moved(), -1, stage);
}

/// From the seed: passes, and when they are stuck, a nudge and passes again.
FabrikSolver::Ending FabrikSolver::follow(kit::SolverRun& run)
{
    constexpr int kNudges = 3;
    if (!m_isReachable) {
        if (isOver(run)) return Ending::Stopped;
        countPass(run);
        m_passes.stretch();
        turnToPoles(run);
        traceStep(run, Straight);
        keepIfBest();
        if (m_passes.isMet(1) && !m_hasPoles) return Ending::Stuck; // as near as lengths allow
        return settle(run);
    }
    if (isStraight()) nudge(run, 0);
    for (int attempt = 1;; ++attempt) {
        const Ending ending = settle(run);
        if (ending != Ending::Stuck || attempt > kNudges) return ending;
        m_passes.restore();
        nudge(run, attempt);
    }
}

/// Passes until they are stuck; then sweeps, as long as those help; then steps of all joints at once, which also end
/// what passes have brought near when their number is used up.
FabrikSolver::Ending FabrikSolver::settle(kit::SolverRun& run)
{
    Ending ending = repeat(run, Forward, kPatience);
    if (!m_sweeps) return ending;
    if (ending == Ending::Stuck) {
        m_passes.restore();
        ending = repeat(run, Sweep, kPatienceOfSweeps);
    }
    const bool mayDescend = m_isReachable && (ending == Ending::Stuck || ending == Ending::Capped);
    if (!mayDescend) return ending;
    const Ending descended = descend(run);
    return descended == Ending::Stuck ? ending : descended;
}

/// Steps of all joints at once until they end, at most as many as a method like Newton's needs.
FabrikSolver::Ending FabrikSolver::descend(kit::SolverRun& run)
{
    constexpr int kMaxSteps = 40;
    m_passes.restore();
    m_descent.begin(run, m_passes.q(), m_tree.size());
    for (int step = 0; step < kMaxSteps; ++step) {
        if (isOver(run)) return Ending::Stopped;
        countPass(run);
        const bool isEnd = !m_descent.step(run);
        if (run.wantsTrace()) static_cast<void>(run.residualNormAt(m_passes.q())); // before the step
        m_passes.restart(m_descent.q());
        turnToPoles(run);
        traceStep(run, Descend);
        keepIfBest();
        if (m_passes.isMet(m_toleranceFactor * (1 - 1e-9)) && run.offer(m_passes.q())) return Ending::Met;
        if (isEnd) break;
    }
    return Ending::Stuck;
}

/// Passes or sweeps until all is met, nothing moves, `patience` of them in a row gained next to nothing, or it is over.
FabrikSolver::Ending FabrikSolver::repeat(kit::SolverRun& run, TraceStage what, int patience)
{
    double least = miss();
    for (int idle = 0; idle < patience;) {
        if (isOver(run)) return Ending::Stopped;
        if (m_passesOfStart >= m_passesLimit) return Ending::Capped;
        countPass(run);
        if (what == Sweep) {
            m_passes.sweep();
        } else {
            m_passes.backward();
            if (run.wantsTrace()) run.trace(run.residualNorm(), 0, -1, Backward);
            m_passes.forward();
        }
        turnToPoles(run);
        traceStep(run, what);
        const double now = miss();
        keepIfBest();
        if (m_passes.isMet(m_toleranceFactor * (1 - 1e-9))) {
            if (!m_isReachable && m_poleMiss == 0) return Ending::Stuck;
            if (run.offer(m_passes.q())) return Ending::Met;
        }
        if (m_passes.moved() <= run.stopWhen().stall) return Ending::Stuck;
        idle = now < least * (1 - 2e-2) ? 0 : idle + 1;
        least = std::min(least, now);
    }
    return Ending::Stuck;
}

/// Other starts until one leads to the goals: near the pose first, then farther away, anywhere within limits. Find
/// takes the best of them if none does; Follow does not leave its pose for another that misses, too. `ending`: how the
/// first start ended.
FabrikSolver::Ending FabrikSolver::tryOtherStarts(kit::SolverRun& run, Ending ending)
{
    const bool isFind = run.problem().search == sdk::Search::Find;
    kit::Random random(isFind ? run.problem().randomSeed : kit::kSeedOfOtherStarts);
    double least = m_bestMiss;
    for (int start = 1; start < (isFind ? run.stopWhen().maxStarts : kit::kOtherStarts); ++start) {
        run.countStart();
        m_passesOfStart = 0;
        std::copy(m_start.begin(), m_start.end(), m_q.begin());
        kit::moveTowardRandom(run, run.bodies(), kit::shareOfStart(start), random, m_q);
        m_passes.restart(m_q);
        turnToPoles(run);
        m_passes.keep();
        m_bestMiss = miss();
        const Ending now = settle(run);
        if (isFind && m_bestMiss < least) {
            m_passes.restore();
            std::copy(m_passes.q().begin(), m_passes.q().end(), m_answer.begin());
            least = m_bestMiss;
        }
        if (now == Ending::Met) return now;
        // What Follow tries in addition may use up the iterations; why the goals are missed is known without it.
        if (now == Ending::Stopped) return isFind || m_ending != Status::IterationLimit ? now : ending;
    }
    return ending;
}

/// Whether all pivots, effectors and targets lie on one line: passes would never leave it (D10).
bool FabrikSolver::isStraight() const { return m_passes.offLine() < 1e-6; }

/// Bends every joint a little: toward its preferred angle where it has one, else to a side that depends on its number
/// alone. Limits and locks are kept.
void FabrikSolver::nudge(kit::SolverRun& run, int attempt)
{
    const sdk::Model& model = run.model();
    const std::span<const double> now = m_passes.q();
    std::copy(now.begin(), now.end(), m_q.begin());
    kit::Random random(0x7E4D07ull + static_cast<std::uint64_t>(attempt)); // the same for every problem
    const double size = 0.1 * std::max(1, attempt);
    for (const Node& node : m_tree.nodes()) {
        if (node.turn.kind() == JointTurn::Kind::Axes) {
            for (int k = 0; k < node.turn.axisCount(); ++k) {
                const double by = size * random.uniform(0.5, 1) * random.sign();
                if (node.turn.isLocked(k)) continue;
                const std::int32_t v = node.turn.dofOf(k);
                double& angle = m_q[node.turn.placeOf(k)];
                const double toward = m_preferred * (model.preferred[v] - angle);
                const bool isPreferred = attempt <= 1 && model.preferred[v] != 0 && std::abs(toward) > 1e-3;
                const double there = angle + (isPreferred ? toward : by);
                angle = isPreferred || (there >= model.lower[v] && there <= model.upper[v]) ? there : angle - by;
                angle = std::clamp(angle, model.lower[v], model.upper[v]);
            }
        } else if (node.turn.kind() != JointTurn::Kind::None) {
            double by[3];
            for (double& each : by) each = random.uniform(-size, size);
            const std::int32_t v = model.vBegin[node.body + 1] - 3;
            for (std::int32_t k = 0; k < 3; ++k)
                if (attempt <= 1 && model.preferred[v + k] != 0) by[k] = 0.5 * m_preferred * model.preferred[v + k];
            double* own = m_q.data() + node.turn.quaternionPlace();
            Quaternion turned = kit::quaternionAt(own) * kit::expMap(kit::vectorAt(by));
            if (node.turn.kind() == JointTurn::Kind::Ball) turned = node.turn.nearest(turned.normalized());
            kit::store(turned.normalized(), own);
        }
    }
    m_passes.restart(m_q);
    m_passesOfStart = 0;
    traceStep(run, Nudge);
}

} // namespace tendon
