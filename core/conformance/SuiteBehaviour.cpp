#include "core/conformance/Reference.h"
#include "core/conformance/Suite.h"
#include "core/solve/StatusNames.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace tendon::conformance {

namespace {

std::int32_t percentile(std::vector<std::int32_t>& values, double share)
{
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

/// The share solved on the rig that went worst.
std::string worstOf(const std::map<std::string, std::pair<int, int>>& byRig)
{
    std::string name;
    double worst = 2;
    for (const auto& [rig, counts] : byRig)
        if (const double share = static_cast<double>(counts.first) / counts.second; share < worst) {
            worst = share;
            name = rig;
        }
    return text("%.1f %% on ", 100 * worst) + name;
}

// What holds where solver.json promises less, or nothing: no one is helped by a solver that mostly misses.
constexpr double kMinSolved = 0.25;
constexpr std::int32_t kMaxMedian = 100, kMax95 = 600;

/// Takes a bone its length.
void shrink(Trial& trial, std::size_t body)
{
    for (std::size_t k = 0; k < 3; ++k) trial.base[kBaseStride * body + k] = 0;
}

} // namespace

void Suite::checkSolvedStays()
{
    forEachCase(std::max(1, m_options.casesPerRig / 4), 0, [this](const Case& c) {
        const Trial trial = makeTrial(c.rig, c.set, Distance::Solved, c.number);
        const Outcome outcome = solve(*c.solver, trial);
        if (outcome.status == sdk::Status::Unsupported) return;
        m_verdicts.expect(
            "solved-stays", outcome.status == sdk::Status::Converged && sameBits(outcome.q, trial.seed), [&] {
                return trial.label +
                       text(": the seed meets the goals; status %s, moved by up to %.3g", statusName(outcome.status),
                            sdk::isUsable(outcome.status) ? largestDifference(c.rig, outcome.q, trial.seed) : 0.0);
            });
    });
}

void Suite::solveReachable(const char* check, Distance distance, sdk::Search search)
{
    std::vector<std::int32_t> iterations;
    std::map<std::string, std::pair<int, int>> byRig;
    std::string firstMiss;
    Place missedAt = m_verdicts.place;
    std::optional<PosedProblem> shown; // the first miss, else the one that took the most iterations
    std::int32_t most = -1;
    int solved = 0, tried = 0;
    forEachCase(m_options.casesPerRig, search == sdk::Search::Follow ? 0 : 500, [&](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, distance, c.number);
        trial.policy.search = search;
        const Outcome outcome = solve(*c.solver, trial);
        if (outcome.status == sdk::Status::Unsupported) return;
        m_verdicts.expect("honest-status", outcome.status != sdk::Status::Unreachable,
                          [&] { return trial.label + ": unreachable, though a pose within limits meets the goals"; });
        const bool isSolved = outcome.status == sdk::Status::Converged;
        ++tried;
        solved += isSolved ? 1 : 0;
        auto& counts = byRig[c.rig.name + ", " + c.set.name];
        counts.first += isSolved ? 1 : 0;
        ++counts.second;
        if (isSolved) iterations.push_back(outcome.iterations);
        if (firstMiss.empty() && (!isSolved || outcome.iterations > most)) {
            most = outcome.iterations;
            shown = m_latest;
        }
        if (isSolved || !firstMiss.empty()) return;
        firstMiss = trial.label + ": " + statusName(outcome.status);
        missedAt = m_verdicts.place;
    });
    if (tried == 0) return m_verdicts.skip(check, "the solver accepts no rig and goal of the suite");

    const SolverInfo::Promises& promises = m_subject.info.promises;
    const double wanted = std::max(promises.solved, kMinSolved);
    const std::int32_t wantedMedian = promises.iterationsMedian > 0 ? promises.iterationsMedian : kMaxMedian;
    const std::int32_t wanted95 = promises.iterations95 > 0 ? promises.iterations95 : kMax95;
    const double share = static_cast<double>(solved) / tried;
    const std::int32_t median = percentile(iterations, 0.5), high = percentile(iterations, 0.95);
    const std::string figures =
        text("%d of %d solved (%.2f %%; %.2f %% required), iterations median %d, 95th percentile %d; worst ", solved,
             tried, 100 * share, 100 * wanted, median, high) +
        worstOf(byRig);
    m_verdicts.place = missedAt;
    m_latest = shown;
    m_verdicts.expect(check, share >= wanted, [&] { return figures + "; first missed: " + firstMiss; });
    const bool isQuick = median <= wantedMedian && high <= wanted95;
    m_verdicts.expect(check, isQuick || distance == Distance::Far, [&] {
        return figures + text("; at most %d and %d iterations are in order", wantedMedian, wanted95);
    });
    m_verdicts.note(check, figures);
}

void Suite::checkReachable()
{
    solveReachable("reachable-near", Distance::Near, sdk::Search::Follow);
    solveReachable("reachable-far", Distance::Far, sdk::Search::Find);
}

void Suite::checkUnreachable()
{
    double worst = 0;
    for (const Rig& rig : m_rigs) {
        const GoalSet set = {"position out of reach", {sdk::GoalKind::Position}};
        if (!rig.straightens || !claims("position-goal") || !enter(rig.name, set.name)) continue;
        const Prepared solver = prepare(rig, 1);
        for (int i = 0; solver && i < m_options.casesPerRig; ++i) {
            if (!enter(rig.name, set.name, std::to_string(i))) continue;
            Trial trial = makeTrial(rig, set, Distance::Near, static_cast<std::uint64_t>(i));
            Random random(m_options.seed + static_cast<std::uint64_t>(i) * 77);
            const double angle = random.uniform(-3.1, 3.1), tilt = rig.isPlanar ? 0 : random.uniform(-1.5, 1.5);
            const Eigen::Vector3d root(0, 0.1, 0); // where makeRigs puts the first joint
            const Eigen::Vector3d direction(std::sin(angle) * std::cos(tilt), std::cos(angle) * std::cos(tilt),
                                            std::sin(tilt));
            sdk::Goal& goal = trial.goals[0];
            std::fill(std::begin(goal.offset), std::end(goal.offset), 0.0);
            Eigen::Map<Eigen::Vector3d>(goal.targetPosition) = root + direction * rig.reach * random.uniform(1.02, 2);
            const Outcome outcome = solve(*solver, trial);
            if (outcome.status == sdk::Status::Unsupported) continue;
            m_verdicts.expect("unreachable-told",
                              outcome.status != sdk::Status::Converged && sdk::isUsable(outcome.status),
                              [&] { return trial.label + ": status " + statusName(outcome.status); });
            if (!sdk::isUsable(outcome.status)) continue;
            const auto frames = referenceFrames(rig.model(), trial.base, outcome.q);
            const double off = (effector(goal, frames) - (root + direction * rig.reach)).norm() / rig.reach;
            worst = std::max(worst, off);
            m_verdicts.expect("unreachable-straightens", off <= 0.01, [&] {
                return trial.label +
                       text(": the effector is %.2f %% of the reach away from the nearest point, status ", 100 * off) +
                       statusName(outcome.status);
            });

            trial.policy.unreachable = sdk::Unreachable::Hold;
            const Outcome held = solve(*solver, trial);
            const bool isHeld = sdk::isUsable(held.status) && held.status != sdk::Status::Converged &&
                                sameBits(held.q, trial.seed);
            m_verdicts.expect("unreachable-holds", isHeld || held.status == sdk::Status::Unsupported, [&] {
                return trial.label + ": policy Hold, status " + statusName(held.status) + ", and q is not the seed";
            });
        }
    }
    m_verdicts.skip("unreachable-told", "the solver accepts no rig with a known reach");
    m_verdicts.note("unreachable-straightens",
                    text("at worst %.3f %% of the reach away from the nearest point", 100 * worst));
}

void Suite::checkLimits()
{
    if (!claims("hard-limits"))
        return m_verdicts.skip("limits-kept", "hard-limits is not claimed; limited models must be refused");
    int tried = 0;
    forEachCase(m_options.casesPerRig, 1000, [&](const Case& c) {
        if (!c.rig.isLimited) return;
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        Random random(m_options.seed + static_cast<std::uint64_t>(c.i) * 13);
        // Away from what limits allow, so that they have to hold; every third from a seed beyond them.
        for (double& each : trial.goals[0].targetPosition) each += random.uniform(-1, 1);
        const Eigen::Quaterniond turned =
            Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.1).normalized();
        for (int k = 0; k < 4; ++k) trial.goals[0].targetRotation[k] = turned.coeffs()[k];
        trial.policy.stop.maxIterations = 100;
        if (c.i % 3 == 2) {
            Rig free = c.rig;
            std::fill(free.arrays.lower.begin(), free.arrays.lower.end(), -4.0);
            std::fill(free.arrays.upper.begin(), free.arrays.upper.end(), 4.0);
            std::fill(free.arrays.ballSwing.begin(), free.arrays.ballSwing.end(), INFINITY);
            trial.seed = randomConfiguration(free, random);
            trial.label += ", seed beyond limits";
        }
        tried += sdk::isUsable(solve(*c.solver, trial).status) ? 1 : 0; // verify() looks at the limits
    });
    if (tried == 0 && m_only.rig.empty() && !m_sets.empty()) // a solver of curves alone: see checkCurve()
        m_verdicts.expect("limits-kept", false,
                          [] { return std::string("hard-limits is claimed, but no limited rig is taken"); });
}

void Suite::checkLocked()
{
    forEachCase(std::max(2, m_options.casesPerRig / 4), 2000, [this](const Case& c) {
        const Rig& rig = c.rig;
        Trial trial = makeTrial(rig, c.set, Distance::Near, c.number);
        Random random(m_options.seed + static_cast<std::uint64_t>(c.i) * 29);
        const double share = c.i == 0 ? 1.0 : 0.4; // the first with everything locked
        for (std::size_t b = 0; b < rig.arrays.kind.size(); ++b) {
            const bool isWhole = sdk::traits(rig.arrays.kind[b]).hasQuaternion;
            const bool bodyLocked = random.chance(share);
            for (std::int32_t v = rig.arrays.vBegin[b]; v < rig.arrays.vBegin[b + 1]; ++v)
                trial.locked.push_back((isWhole ? bodyLocked : random.chance(share)) ? 1 : 0);
        }
        static_cast<void>(solve(*c.solver, trial));
    });
    m_verdicts.skip("locked-stay", "the solver accepts no rig of the suite");
}

void Suite::checkDegenerate()
{
    struct Bent
    {
        const char* what;
        void (*bend)(Trial&, Random&);
        bool isStuck = false; ///< no move changes a position that is asked: the pose must stay as it is
    };
    static const Bent cases[] = {
        {"a bone without length",
         [](Trial& t, Random& random) {
             shrink(t, 2 + static_cast<std::size_t>(random.index(t.rig->bodyCount() - 2)));
         }},
        {"no bone has a length",
         [](Trial& t, Random&) {
             for (std::size_t b = 0; b < t.base.size() / kBaseStride; ++b) shrink(t, b);
             for (sdk::Goal& goal : t.goals) std::fill(std::begin(goal.offset), std::end(goal.offset), 0.0);
         },
         true},
        {"joints coincide",
         [](Trial& t, Random&) {
             for (std::size_t b = 2; b < t.base.size() / kBaseStride; b += 2) shrink(t, b);
         }},
        {"the goal is on the root",
         [](Trial& t, Random&) {
             for (std::size_t k = 0; k < 3; ++k) t.goals[0].targetPosition[k] = t.base[kBaseStride + k];
         }},
        {"the goal is at the first pivot",
         [](Trial& t, Random&) {
             t.goals.resize(1);
             t.goals[0].body = t.rig->start;
             std::fill(std::begin(t.goals[0].offset), std::end(t.goals[0].offset), 0.0);
         },
         true},
        {"the goal is far off", [](Trial& t, Random&) { t.goals[0].targetPosition[0] = 1e9; }},
        {"no tolerance",
         [](Trial& t, Random&) {
             for (sdk::Goal& goal : t.goals) goal.positionTolerance = goal.rotationTolerance = 0;
         }},
        {"straight, the goal on its line",
         [](Trial& t, Random&) {
             t.seed = restConfiguration(*t.rig);
             const auto frames = referenceFrames(t.rig->model(), t.base, t.seed);
             const Eigen::Vector3d root = frames[static_cast<std::size_t>(t.rig->start)].position;
             Eigen::Map<Eigen::Vector3d>(t.goals[0].targetPosition) = 0.5 * (root + effector(t.goals[0], frames));
         }},
        {"half a turn away",
         [](Trial& t, Random&) {
             const auto frames = referenceFrames(t.rig->model(), t.base, t.seed);
             const Eigen::Quaterniond now(frames[static_cast<std::size_t>(t.goals[0].body)].rotation);
             const Eigen::Quaterniond opposite = now * Eigen::Quaterniond(0, 0, 1, 0);
             for (int k = 0; k < 4; ++k) t.goals[0].targetRotation[k] = opposite.normalized().coeffs()[k];
         }},
        {"tiny scale", [](Trial& t, Random&) { t.base[7] = 1e-6; }},
    };
    constexpr int kEach = 3;
    forEachCase(static_cast<int>(std::size(cases)) * kEach, 3000, [&](const Case& c) {
        const Bent& each = cases[c.i / kEach];
        Trial trial = makeTrial(c.rig, c.set, Distance::Near, c.number);
        trial.policy.stop.maxIterations = 50;
        trial.label += std::string(", ") + each.what;
        Random random(m_options.seed + static_cast<std::uint64_t>(c.i % kEach));
        each.bend(trial, random);
        const Outcome outcome = solve(*c.solver, trial);
        const bool isFinite = std::all_of(outcome.q.begin(), outcome.q.end(),
                                          [](double x) { return std::isfinite(x); });
        m_verdicts.expect("degenerate", sdk::isUsable(outcome.status) ? isFinite : outcome.isUntouched, [&] {
            return trial.label + ": status " + statusName(outcome.status) + " and q is neither whole nor untouched";
        });
        const bool isStuck = each.isStuck && c.rig.onlyTurns && c.set.kinds[0] == sdk::GoalKind::Position;
        if (isStuck && sdk::isUsable(outcome.status))
            m_verdicts.expect("stuck-stays", sameBits(outcome.q, trial.seed), [&] {
                return trial.label + ": no move changes anything, and q has other bits than the seed; status " +
                       statusName(outcome.status);
            });
    });
    m_verdicts.skip("degenerate", "the solver accepts no rig of the suite");
}

void Suite::checkMovingBases()
{
    // Lengths belong to the problem: a solver prepared once must answer like one prepared for each.
    forEachCase(std::max(2, m_options.casesPerRig / 8), 4000, [this](const Case& c) {
        Random random(m_options.seed + static_cast<std::uint64_t>(c.i) * 31);
        // The usual base first, for it to be remembered by whoever remembers.
        static_cast<void>(solve(*c.solver, makeTrial(c.rig, c.set, Distance::Near, c.number)));
        Rig moved = c.rig;
        for (std::size_t b = 0; b < moved.base.size() / kBaseStride; ++b) {
            const double factor = random.uniform(0.5, 2);
            for (std::size_t k = 0; k < 3; ++k) moved.base[kBaseStride * b + k] *= factor;
            if (random.chance(0.2)) moved.base[kBaseStride * b + 7] = random.uniform(0.5, 2);
        }
        const Trial trial = makeTrial(moved, c.set, Distance::Near, c.number);
        const Outcome outcome = solve(*c.solver, trial);
        const Prepared other = prepare(moved, c.set.kinds.size());
        if (!other || outcome.status == sdk::Status::Unsupported) return;
        const Outcome fresh = solve(*other, trial);
        m_verdicts.expect("moving-bases", outcome.status == fresh.status && sameBits(outcome.q, fresh.q), [&] {
            return trial.label + ": another base than before gives another answer than to a new solver";
        });
    });
    m_verdicts.skip("moving-bases", "the solver accepts no rig of the suite");
}

} // namespace tendon::conformance
