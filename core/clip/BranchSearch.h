#pragma once

#include "core/clip/AnswerSpace.h"
#include "core/clip/BestPath.h"
#include "core/clip/Candidates.h"
#include "core/clip/ClipPath.h"
#include "core/clip/Crew.h"
#include "core/clip/Rates.h"

#include <deque>
#include <span>
#include <vector>

namespace tendon {

/// Chooses among the branches of a clip whose goals leave no direction open, or one: finds answers from many starts in
/// blocks of frames, sparsely where they move slowly, and takes the best path through all of them.
class BranchSearch
{
public:
    /// `own` holds the solver's own answers, `isStill` (frames) says where what is asked stands.
    BranchSearch(const ClipTask& task, const AnswerSpace& space, const Rates& rates, Crew& crew, const ClipPath& own,
                 std::span<const char> isStill);

    /// The path through the whole clip. Where the task is cancelled, the own answers.
    [[nodiscard]] ClipPath run();

    /// True if a frame of the path has the same pose as others that ask the same, to the bit: it is to stay as it is.
    [[nodiscard]] bool isTied(int frame) const { return m_isTied[static_cast<std::size_t>(frame)] != 0; }

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
    [[nodiscard]] std::vector<PathFrame> stepsOf(std::span<const Candidates> found) const;
    [[nodiscard]] ClipPath sweep(int by);
    [[nodiscard]] int strideOf(int block) const;
    void lay(int block, int stride);
    [[nodiscard]] bool passOn();
    void join();
    [[nodiscard]] bool findPath(double slack);
    void takeBest(double slack);
    [[nodiscard]] int hurried() const;
    [[nodiscard]] double cost() const;
    void findPlaces(std::span<const char> isStill);
    [[nodiscard]] std::vector<std::size_t> tieEqualFrames(std::vector<PathFrame>& steps, std::vector<std::size_t> path,
                                                          double slack);
    [[nodiscard]] bool comesAgain(int frame) const { return m_comesAgain[static_cast<std::size_t>(frame)] != 0; }
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
    std::vector<int> m_firstEqual;  ///< (frames) the first one that asks the same
    std::vector<char> m_comesAgain; ///< (frames) it is a place where others ask the same
    std::vector<char> m_isTied;     ///< (frames) of m_path
    std::vector<ClipPath> m_sweeps; ///< through the whole clip, from its first and from its last frame
    std::vector<Block> m_blocks;
    std::vector<int> m_frames;       ///< of all blocks
    std::vector<Candidates> m_found; ///< (m_frames)
    std::vector<double> m_allowance; ///< (m_frames) [rad] of the step to it
    std::deque<Candidates> m_chosen; ///< the one pose of frames that are tied
};

} // namespace tendon
