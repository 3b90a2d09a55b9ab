#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/Candidates.h"
#include "core/clip/ClipTask.h"
#include "core/clip/Landing.h"
#include "core/clip/SelfMotion.h"

#include <tendon/kit/Residuals.h>

#include <memory>
#include <span>
#include <vector>

namespace tendon {

/// Finds answers to frames of a task. One thread.
class CandidateFinder
{
public:
    CandidateFinder(const ClipTask& task, const AnswerSpace& space);

    /// The solver's own answer to a frame, from its reference.
    [[nodiscard]] sdk::Status solve(int frame, double* q);

    /// The answer nearest to a configuration: one local solve from it.
    [[nodiscard]] sdk::Status follow(int frame, const double* from, double* q);

    /// The answer to a frame that follows from the answer to another: one local solve from where the reference's own
    /// way takes it.
    [[nodiscard]] sdk::Status followOn(int before, const double* from, int frame, double* q);

    /// True if q, which a solve of a frame ended at with this status, is an answer to it: it meets the goals, or, where
    /// the solver's own answer (ClipTask::own) misses some, comes as near to each, but for the goal's tolerance.
    [[nodiscard]] bool isAnswer(int frame, sdk::Status status, const double* q);

    /// How many directions the goals of a frame leave open at q.
    [[nodiscard]] int freedom(int frame, const double* q);

    /// True if q is next to a singular configuration of a frame's goals.
    [[nodiscard]] bool isSingular(int frame, const double* q);

    /// How many directions the goals of a frame leave open wherever q is, at least.
    [[nodiscard]] int leastFreedom(int frame) { return m_motion.leastFreedom(m_task->problem(frame)); }

    /// True if the goals of a frame leave something open wherever q is.
    [[nodiscard]] bool isOpen(int frame) { return leastFreedom(frame) > 0; }

    /// Adds the answers that lie by `distance` to either side of the first along the open direction, if there is just
    /// one.
    void addBeside(int frame, double distance, Candidates& to);

    /// Adds answers to `frames` (ascending; `found` has one entry for each, which holds the solver's own): those that
    /// follow from the own answers of the first, the middle and the last. `withOthers`: also from other starts there;
    /// and where the goals leave one direction open, along it, at a fixed spacing.
    /// `isExact`: all on their goals exactly, and apart already if they differ a little. `isDense`: along an open
    /// direction also those that are near to others.
    void search(std::span<const int> frames, bool withOthers, std::vector<Candidates>& found, bool isExact = false,
                bool isDense = false);

    /// Adds the answers that follow from `starts` at the first of `frames`, or at the last (`isBack`), through to the
    /// other end, and along open directions. `found` has what is known.
    void lead(std::span<const int> frames, bool isBack, const Candidates& starts, std::vector<Candidates>& found,
              bool isExact, bool isDense);

    static constexpr double kSpacing = 0.2; ///< of answers along an open direction

private:
    [[nodiscard]] bool isAsNear(int frame, const double* q, const double* other);
    [[nodiscard]] bool add(const double* q, sdk::Status status, double apart, Candidates& to) const;
    [[nodiscard]] double same() const;
    [[nodiscard]] bool land(int frame, double* q);
    void addOthers(int frame, Candidates& to);
    void randomise(const sdk::Problem& problem, std::uint64_t number);
    void sweep(std::span<const int> frames, std::ptrdiff_t from, std::ptrdiff_t to, const Candidates& starts,
               bool withOthers, std::vector<Candidates>& found);
    void spread(int frame, Candidates& candidates);
    void walk(int frame, const double* from, double sign, Candidates& to);

    const ClipTask* m_task;
    const AnswerSpace* m_space;
    std::unique_ptr<sdk::Solver> m_solver;
    SelfMotion m_motion;
    Landing m_landing;
    bool m_isExact = false, m_isDense = false; ///< of the search
    bool m_isOpen = false;                     ///< the last frame that was spread has one open direction
    std::vector<double> m_q, m_seed, m_now, m_own, m_direction, m_way;
    std::vector<kit::Frame<double>> m_frames;
    std::vector<kit::GoalError> m_errors;
};

} // namespace tendon
