#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/Candidates.h"
#include "core/clip/ClipPath.h"
#include "core/clip/Crew.h"
#include "core/clip/Rates.h"

#include <vector>

namespace tendon {

/// Chooses among the branches of a clip whose goals leave no direction open, or one: finds answers from many starts in
/// blocks of frames, sparsely where they move slowly, and takes the best path through all of them.
class BranchSearch
{
public:
    /// `own` holds the solver's own answers.
    BranchSearch(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew, const ClipPath& own);

    /// The path through the whole clip. Where the task is cancelled, the own answers.
    [[nodiscard]] ClipPath run();

    /// [rad] Steps by more than this and twice the usual step are jumps: neighbours along an open direction are not.
    static constexpr double kLeap = 1.6 * CandidateFinder::kSpacing;

private:
    struct Block
    {
        std::vector<int> frames; ///< that are looked at; where blocks meet, both have the frame
        std::vector<Candidates> found;
        int stride = 1;
        bool isSearched = false;
    };

    /// True if answers are countable and chosen with regard to rates, frame by frame.
    [[nodiscard]] bool isOfRates() const { return !m_isOpen && !m_rates.isEmpty(); }
    [[nodiscard]] ClipPath sweep(int by);
    [[nodiscard]] int strideOf(int block) const;
    void lay(int block, int stride);
    void join();
    void takeBest();
    void refine();
    [[nodiscard]] bool fill();
    [[nodiscard]] bool fillBetween(CandidateFinder& finder, std::size_t place);

    const ClipTask& m_task;
    const AnswerSpace& m_space;
    const Rates& m_rates;
    Crew& m_crew;
    const ClipPath& m_own;
    ClipPath m_path;
    bool m_isOpen;                  ///< the goals leave something open wherever the answer is
    std::vector<ClipPath> m_sweeps; ///< through the whole clip, from its first and from its last frame
    std::vector<Block> m_blocks;
    std::vector<int> m_frames;       ///< of all blocks
    std::vector<Candidates> m_found; ///< (m_frames)
    std::vector<double> m_allowance; ///< (m_frames) [rad] of the step to it
};

} // namespace tendon
