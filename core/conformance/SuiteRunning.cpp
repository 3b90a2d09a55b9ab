#include "core/conformance/Reference.h"
#include "core/conformance/Suite.h"
#include "core/conformance/TripWire.h"
#include "core/solve/StatusNames.h"

#include <tendon/sdk/Stages.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <vector>

namespace tendon::conformance {

namespace {

/// |r| of all weighted residuals at q; -1 where a goal's residual is not a plain distance or angle.
double residualNorm(const Trial& trial, const std::vector<double>& q)
{
    const sdk::Model model = trial.rig->model();
    const auto frames = referenceFrames(model, trial.base, q);
    double squared = 0;
    for (const sdk::Goal& goal : trial.goals) {
        if (goal.kind > sdk::GoalKind::Pose) return -1;
        const ReferenceError error = referenceError(model, goal, frames);
        squared += std::pow(goal.positionWeight * error.position, 2) +
                   std::pow(goal.rotationWeight * error.rotation, 2);
    }
    return std::sqrt(squared);
}

using Clock = std::chrono::steady_clock;

/// Of the last three errors above rounding; none where fewer were seen. e' = c e^p makes ln(e''/e') / ln(e'/e) = p.
std::optional<double> orderOf(const Outcome& traced)
{
    constexpr double kRounding = 1e-12;
    std::vector<double> errors;
    for (std::int32_t r = 0; r < traced.traceRows; ++r) {
        const double error = traced.trace[static_cast<std::size_t>(r)].residual;
        if (error > kRounding && (errors.empty() || error < errors.back())) errors.push_back(error);
    }
    const std::size_t n = errors.size();
    if (n < 3) return std::nullopt;
    return std::log(errors[n - 1] / errors[n - 2]) / std::log(errors[n - 2] / errors[n - 3]);
}

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

} // namespace

void Suite::checkTrace()
{
    forEachCase(6, 12000, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.stop.maxIterations = 60;
        const std::int32_t room = c.i % 3 == 0 ? 3 : 4000;
        const Outcome plain = solve(*c.solver, trial), traced = solve(*c.solver, trial, {.traceRows = room});
        if (!sdk::isUsable(plain.status)) return;
        m_verdicts.expect("trace-changes-nothing", sameOutcome(plain, traced),
                          [&] { return trial.label + ": with a trace the answer is another"; });
        const std::int32_t rows = traced.traceRows;
        m_verdicts.expect("trace-length", rows >= 0 && rows <= room && rows >= std::min(room, traced.iterations), [&] {
            return trial.label + text(": %d rows for %d iterations, with room for %d", rows, traced.iterations, room);
        });
        verifyTrace(trial, traced);
    });
    m_verdicts.skip("trace-length", "the solver accepts no rig of the suite");
}

void Suite::checkConvergence()
{
    constexpr double kTolerance = 1e-13, kShare = 0.8; // of the promised order: few errors lie between far and rounding
    constexpr std::int32_t kRows = 3000;
    const double promised = m_subject.info.promises.convergenceOrder;
    if (promised == 0) return m_verdicts.skip("convergence-order", "not promised");
    std::vector<double> orders;
    forEachCase(std::max(2, m_options.casesPerRig / 8), 12800, [&](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Near, c.number);
        for (sdk::Goal& goal : trial.goals) goal.positionTolerance = goal.rotationTolerance = kTolerance;
        trial.policy.stop.maxIterations = kRows;
        trial.policy.stop.stall = 0;
        const Outcome traced = solve(*c.solver, trial, {.traceRows = kRows});
        if (traced.status != sdk::Status::Converged) return;
        if (const auto order = orderOf(traced)) orders.push_back(*order);
    });
    if (orders.empty()) return m_verdicts.skip("convergence-order", "no solve took three steps");
    const auto middle = orders.begin() + std::ssize(orders) / 2;
    std::nth_element(orders.begin(), middle, orders.end());
    const std::string figures = text("%.2f in the median of %zu solves; %g is promised", *middle, orders.size(),
                                     promised);
    m_verdicts.expect("convergence-order", *middle >= kShare * promised, [&] { return figures; });
    m_verdicts.note("convergence-order", figures);
}

void Suite::verifyTrace(const Trial& trial, const Outcome& traced)
{
    const auto nq = trial.seed.size();
    std::int32_t last = 0;
    for (std::int32_t r = 0; r < std::min(traced.traceRows, static_cast<std::int32_t>(traced.trace.size())); ++r) {
        const sdk::TraceRow& row = traced.trace[static_cast<std::size_t>(r)];
        const bool isSane = row.iteration >= last && row.iteration <= traced.iterations &&
                            std::isfinite(row.residual) && row.residual >= 0 && std::isfinite(row.step) &&
                            row.step >= 0 && std::isfinite(row.damping);
        m_verdicts.expect("trace-content", isSane, [&] {
            return trial.label + text(": row %d: iteration %d, residual %g, step %g, damping %g", r, row.iteration,
                                      row.residual, row.step, row.damping);
        });
        last = row.iteration;
        const auto q = traced.traceConfigurations.begin() +
                       static_cast<std::ptrdiff_t>(static_cast<std::size_t>(r) * nq);
        m_verdicts.expect(
            "trace-content",
            std::all_of(q, q + static_cast<std::ptrdiff_t>(nq), [](double x) { return std::abs(x) < 1e6; }),
            [&] { return trial.label + text(": row %d has no whole configuration", r); });
    }
    // The first row stands before the first step: its residual is that of the seed.
    if (traced.traceRows < 1) return;
    const double wanted = residualNorm(trial, trial.seed), told = traced.trace[0].residual;
    m_verdicts.expect("trace-content", wanted < 0 || std::abs(told - wanted) <= 1e-6 * (1 + wanted), [&] {
        return trial.label + text(": the first row's residual is %.9g, the seed's is %.9g", told, wanted);
    });
}

void Suite::checkStages()
{
    if (!claims("stages")) return m_verdicts.skip("stages", "not claimed");
    forEachCase(4, 12500, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.stop.maxIterations = 20;
        std::vector<sdk::StageRow> rows(c.i % 2 == 0 ? 3 : 4000);
        sdk::Extension stages = sdk::makeExtension(sdk::kStages, std::span(rows));
        const Outcome plain = solve(*c.solver, trial), watched = solve(*c.solver, trial, {.extension = &stages});
        if (!sdk::isUsable(plain.status) || plain.iterations == 0) return;
        m_verdicts.expect("stages", sameOutcome(plain, watched),
                          [&] { return trial.label + ": the answer differs while stages are recorded"; });
        m_verdicts.expect("stages", stages.used > 0 && stages.used <= static_cast<std::int32_t>(rows.size()), [&] {
            return trial.label +
                   text(": %d rows in %d iterations, with room for %zu", stages.used, plain.iterations, rows.size());
        });
        const auto isSane = [](const sdk::StageRow& row) {
            return std::all_of(std::begin(row.position), std::end(row.position),
                               [](double x) { return std::isfinite(x); });
        };
        const std::size_t used = std::min(rows.size(), static_cast<std::size_t>(std::max(0, stages.used)));
        m_verdicts.expect("stages", std::all_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(used), isSane),
                          [&] { return trial.label + ": a row with a position that is not finite"; });
    });
    need("stages", "stages");
}

void Suite::checkCancel()
{
    if (!claims("cancellable")) return m_verdicts.skip("cancel", "cancellable is not claimed");
    const std::atomic<bool> cancelled = true;
    forEachCase(8, 11000, [&](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = c.i % 2 == 0 ? sdk::Search::Follow : sdk::Search::Find;
        const Outcome whole = solve(*c.solver, trial);
        if (!sdk::isUsable(whole.status)) return;
        const Outcome outcome = solve(*c.solver, trial, {.cancelled = &cancelled});
        const bool mayBeOver = whole.iterations <= 1 && outcome.status == whole.status;
        m_verdicts.expect("cancel", (outcome.status == sdk::Status::Cancelled || mayBeOver) && outcome.iterations <= 1,
                          [&] {
                              return trial.label + text(": cancelled from the start, and %s after %d iterations",
                                                        statusName(outcome.status), outcome.iterations);
                          });
    });
    need("cancel", "cancellable");
}

void Suite::checkCancelInTheMidst()
{
    if (!claims("cancellable")) return m_verdicts.skip("cancel-midway", "cancellable is not claimed");
    static constexpr std::int32_t kRows = 64;
    static constexpr std::int32_t kLate = 2; // the iteration that ends with the row, and one in which the flag is seen
    forEachCase(8, 11200, [this](const Case& c) {
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = c.i % 2 == 0 ? sdk::Search::Follow : sdk::Search::Find;
        if (c.i % 4 > 1)
            for (sdk::Goal& goal : trial.goals)
                goal.positionTolerance = goal.rotationTolerance = 0; // to the end of its wits
        const Outcome whole = solve(*c.solver, trial, {.traceRows = kRows});
        if (!sdk::isUsable(whole.status)) return;
        // The last row, of those there is room for, that leaves something to cancel; on the way to it, one in the
        // middle.
        std::int32_t row = std::min(whole.traceRows, kRows) - 1;
        while (row >= 0 && whole.trace[static_cast<std::size_t>(row)].iteration + kLate >= whole.iterations) --row;
        if (row < 0) return;
        for (const std::int32_t at : {row, row / 2}) {
            TripWire wire(kRows, static_cast<std::size_t>(at));
            const Outcome outcome = solve(*c.solver, trial, {.wire = &wire, .cancelled = &wire.flag()});
            const std::int32_t iteration = whole.trace[static_cast<std::size_t>(at)].iteration;
            const bool isTold = outcome.status == sdk::Status::Cancelled ||
                                outcome.status == sdk::Status::Converged; // there by then
            m_verdicts.expect("cancel-midway", isTold && outcome.iterations <= iteration + kLate, [&] {
                return trial.label +
                       text(": cancelled as it wrote row %d of its trace, in iteration %d of %d, and %s after %d", at,
                            iteration, whole.iterations, statusName(outcome.status), outcome.iterations);
            });
        }
    });
    m_verdicts.skip("cancel-midway", "every solve was over in a few iterations");
}

void Suite::checkCancelInTime()
{
    if (!claims("cancellable")) return m_verdicts.skip("cancel-in-time", "cancellable is not claimed");
    // From another thread, as an editor does it. A solver that has nothing to do for so long is left alone.
    constexpr double kWorthwhile = 0.02,
                     kBack = 1;     // [s] of the whole solve; from the flag to the return, on a busy machine
    constexpr double kEnough = 1.5; // [s] spent on this check
    constexpr int kAttempts = 5;
    double slowest = 0, spent = 0;
    forEachCase(1, 11400, [&](const Case& c) {
        if (spent > kEnough) return;
        Trial trial = makeTrial(c.rig, c.set, Distance::Far, c.number);
        trial.policy.search = sdk::Search::Find;
        trial.policy.stop = {.maxIterations = 2000, .maxStarts = 2000, .stall = 0};
        for (sdk::Goal& goal : trial.goals) goal.positionTolerance = goal.rotationTolerance = 0;
        auto begin = Clock::now();
        const Outcome whole = solve(*c.solver, trial);
        double needed = secondsSince(begin);
        spent += 2 * needed;
        if (!sdk::isUsable(whole.status) || needed < kWorthwhile) return;
        // A busy machine stretches any one of these times: a solve that was over all the same is tried again, with the
        // time it took now. One that never looks at the flag is over by itself each time.
        for (int attempt = 1; attempt <= kAttempts; ++attempt) {
            std::atomic<bool> cancelled = false;
            Clock::time_point raised;
            const double wait = needed / 8;
            std::thread host([&] {
                std::this_thread::sleep_for(std::chrono::duration<double>(wait));
                raised = Clock::now();
                cancelled = true;
            });
            begin = Clock::now();
            const Outcome outcome = solve(*c.solver, trial, {.cancelled = &cancelled});
            const bool wasOver = !cancelled;
            const Clock::time_point returned = Clock::now();
            host.join();
            if (wasOver) return; // this time it was quicker than the host
            const double took = std::chrono::duration<double>(returned - raised).count();
            const bool isCancelled = outcome.status == sdk::Status::Cancelled;
            if (!isCancelled && attempt < kAttempts) {
                needed = std::min(needed, std::chrono::duration<double>(returned - begin).count());
                if (needed < kWorthwhile) return; // it only looked like enough, as the machine was busy
                continue;
            }
            slowest = std::max(slowest, took);
            m_verdicts.expect("cancel-in-time", isCancelled && took < kBack + needed / outcome.iterations * 4, [&] {
                return trial.label + text(": cancelled after %.3f s of %.3f s, and %s %.3f s later", wait, needed,
                                          statusName(outcome.status), took);
            });
            return;
        }
    });
    m_verdicts.skip("cancel-in-time", "no solve lasts long enough to be cancelled");
    m_verdicts.note("cancel-in-time", slowest < 0.01 ? "back within 10 ms" : text("back within %.2g s", slowest));
}

} // namespace tendon::conformance
