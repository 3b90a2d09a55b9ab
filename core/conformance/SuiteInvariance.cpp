#include "core/conformance/Suite.h"
#include "core/math/Convert.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace tendon::conformance {

namespace {

constexpr double kSamePose = 1e-6;  ///< [rad | m] rounding grows over the iterations of a solve
constexpr double kMayBranch = 0.02; ///< share of cases in which rounding may tip a decision (a limit reached or not)

/// Moves ground, targets, poles and curves by one rigid motion; or scales all lengths and tolerances by `factor`.
Trial moved(const Trial& trial, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& translation, double factor)
{
    Trial result = trial;
    const Eigen::Vector3d ground = translation +
                                   rotation * Eigen::Vector3d(trial.base[0], trial.base[1], trial.base[2]) * factor;
    const Eigen::Quaterniond turn =
        (rotation * Eigen::Quaterniond(trial.base[6], trial.base[3], trial.base[4], trial.base[5])).normalized();
    for (std::size_t k = 0; k < 3; ++k) result.base[k] = ground[static_cast<Eigen::Index>(k)];
    for (std::size_t k = 0; k < 4; ++k) result.base[3 + k] = turn.coeffs()[static_cast<Eigen::Index>(k)];
    result.base[7] *= factor;
    for (sdk::Goal& goal : result.goals) {
        Eigen::Map<Eigen::Vector3d> target(goal.targetPosition);
        target = goal.isDirection != 0 ? Eigen::Vector3d(rotation * target)
                                       : Eigen::Vector3d(translation + rotation * target * factor);
        const double* r = goal.targetRotation;
        const Eigen::Quaterniond wanted = (rotation * toQuaternion(r)).normalized();
        for (int k = 0; k < 4; ++k) goal.targetRotation[k] = wanted.coeffs()[k];
        goal.positionTolerance *= factor;
    }
    for (std::size_t i = 0; i < result.curvePoints.size(); i += 3) {
        Eigen::Map<Eigen::Vector3d> point(&result.curvePoints[i]);
        point = translation + rotation * point * factor;
    }
    return result;
}

} // namespace

void Suite::checkRepeatable()
{
    forEachCase(std::max(2, m_options.casesPerRig / 8), 5000, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = c.i % 2 == 0 ? sdk::Search::Follow : sdk::Search::Find;
        const Outcome first = solve(*c.solver, trial);
        if (first.status == sdk::Status::Unsupported) return;
        const auto expectSame = [&](const Outcome& again, const char* how) {
            m_verdicts.expect("repeatable", sameOutcome(first, again), [&] {
                return trial.label + ": " + how +
                       text(": %s after %d iterations, then %s after %d; or other bits", statusName(first.status),
                            first.iterations, statusName(again.status), again.iterations);
            });
        };
        const Prepared fresh = prepare(c.rig, c.set.kinds.size());
        if (fresh) expectSame(solve(*fresh, trial), "by a new solver");
        if (claims("history")) return;
        expectSame(solve(*c.solver, trial), "again");
        static_cast<void>(solve(*c.solver, makeTrial(c.rig, c.set, Distance::Far, c.number + 500)));
        expectSame(solve(*c.solver, trial), "after another problem");
        const Rig& other = m_rigs[(static_cast<std::size_t>(&c.rig - m_rigs.data()) + 1) % m_rigs.size()];
        static_cast<void>(c.solver.prepareFor(other, 2));
        if (c.solver.prepareFor(c.rig, c.set.kinds.size()) == sdk::Status::Converged)
            expectSame(solve(*c.solver, trial), "prepared for another model and back");
    });
    m_verdicts.skip("repeatable", "the solver accepts no rig of the suite");
}

void Suite::checkThreads()
{
    // Different instances may run at once: the answers must be those of one thread.
    if (claims("history"))
        return m_verdicts.skip("threads", "history is claimed: each answer depends on those before it");
    for (const Rig& rig : m_rigs) {
        if (m_sets.empty() || !enter(rig.name, m_sets.front().name)) continue;
        const GoalSet& set = m_sets.front();
        const Prepared a = prepare(rig, set.kinds.size()), b = prepare(rig, set.kinds.size());
        if (!a || !b) continue;
        std::vector<Trial> trials;
        for (std::uint64_t i = 0; i < 8; ++i) trials.push_back(makeTrial(rig, set, Distance::Far, i + 6000));
        std::vector<Outcome> serial, ofA(trials.size()), ofB(trials.size());
        for (const Trial& trial : trials) serial.push_back(attempt(*a, trial));
        const auto work = [&trials](sdk::Solver& solver, std::vector<Outcome>& outcomes) {
            for (std::size_t i = 0; i < trials.size(); ++i) outcomes[i] = conformance::run(solver, trials[i]);
        };
        std::thread second([&] { work(*b, ofB); });
        work(*a, ofA);
        second.join();
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (m_options.failed) m_latest = posedProblem(trials[i], &ofB[i]);
            m_verdicts.expect("threads", sameOutcome(serial[i], ofA[i]) && sameOutcome(serial[i], ofB[i]), [&] {
                return trials[i].label + ": two solvers at once answer otherwise than one alone";
            });
        }
    }
    m_verdicts.skip("threads", "the solver accepts no rig of the suite");
}

void Suite::compareMoved(const char* check, bool isScaled)
{
    int compared = 0, differing = 0;
    std::string first;
    Place firstAt = m_verdicts.place;
    double worst = 0;
    const auto compare = [&](sdk::Solver& solver, const Trial& trial, int i) {
        if (isScaled && !trial.rig->onlyTurns) return; // a slide's range would have to scale with it
        Random random(m_options.seed + static_cast<std::uint64_t>(i) * 41);
        const Eigen::Quaterniond rotation = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                                               random.uniform(-1, 1), random.uniform(-1, 1))
                                                .normalized();
        const Eigen::Vector3d translation(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2));
        const Trial other = isScaled ? moved(trial, Eigen::Quaterniond::Identity(), Eigen::Vector3d::Zero(),
                                             i % 2 == 0 ? 100 : 0.01)
                                     : moved(trial, rotation, translation, 1);
        const Outcome here = solve(solver, trial), there = solve(solver, other);
        if (here.status != sdk::Status::Converged && there.status != sdk::Status::Converged) return;
        ++compared;
        const bool bothSolved = here.status == there.status;
        const double difference = bothSolved ? largestDifference(*trial.rig, here.q, there.q) : INFINITY;
        if (difference <= kSamePose) {
            worst = std::max(worst, difference);
            return;
        }
        if (differing++ > 0) return;
        first = trial.label + text(": %s, and %s elsewhere, q differs by %.3g", statusName(here.status),
                                   statusName(there.status), difference);
        firstAt = m_verdicts.place;
    };
    forEachCase(m_options.casesPerRig, 7000,
                [&](const Case& c) { compare(*c.solver, makeTrial(c.rig, c.set, Distance::Near, c.number), c.i); });
    for (const Rig& rig : m_rigs) {
        if (!claims("curve") || !enter(rig.name, "curve")) continue;
        const Prepared solver = prepare(rig, 0);
        for (int i = 0; solver && i < m_options.casesPerRig; ++i)
            if (enter(rig.name, "curve", std::to_string(i)))
                compare(*solver, makeCurveTrial(rig, 7500 + static_cast<std::uint64_t>(i)), i);
    }
    if (compared == 0) return m_verdicts.skip(check, "nothing to compare");
    m_verdicts.place = firstAt;
    // One of some proves nothing, but repeated alone it has to show.
    const double allowed = compared > 10 ? std::max(1.0, kMayBranch * compared) : kMayBranch * compared;
    m_verdicts.expect(check, differing <= allowed,
                      [&] { return text("%d of %d differ; first: ", differing, compared) + first; });
    m_verdicts.note(check, text("%d compared, %d branched, others within %.2g", compared, differing, worst));
}

void Suite::checkEquivariance() { compareMoved("equivariance", false); }

void Suite::checkScale() { compareMoved("scale", true); }

void Suite::checkWeightZero()
{
    const auto visit = [this](const Case& c) {
        const Trial trial = makeTrial(c.rig, c.set, Distance::Near, c.number);
        Trial more = makeTrial(c.rig, c.set, Distance::Far, c.number + 500);
        more.goals[0].positionWeight = more.goals[0].rotationWeight = 0;
        more.goals.resize(1);
        more.goals.insert(c.i % 2 == 0 ? more.goals.end() : more.goals.begin(), trial.goals.begin(), trial.goals.end());
        more.seed = trial.seed;
        more.label = trial.label + ", and a goal of weight 0";
        const Outcome without = solve(*c.solver, trial), with = solve(*c.solver, more);
        m_verdicts.expect("weight-zero", sameOutcome(without, with), [&] {
            return more.label +
                   text(": %s instead of %s, or other bits", statusName(with.status), statusName(without.status));
        });
        // Nothing but absent goals: nothing is asked, so nothing moves.
        Trial nothing = trial;
        for (sdk::Goal& goal : nothing.goals) goal.positionWeight = goal.rotationWeight = 0;
        nothing.label += ", every weight 0";
        const Outcome idle = solve(*c.solver, nothing);
        m_verdicts.expect("weight-zero", idle.status == sdk::Status::Converged && sameBits(idle.q, nothing.seed),
                          [&] { return nothing.label + text(": %s, or q is not the seed", statusName(idle.status)); });
    };
    forEachCase(std::max(2, m_options.casesPerRig / 8), 8000, visit, 1);
    m_verdicts.skip("weight-zero", "the solver accepts no rig of the suite");
}

} // namespace tendon::conformance
