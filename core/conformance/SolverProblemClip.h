#pragma once

#include "core/clip/ClipTask.h"
#include "core/conformance/SolverProblemFile.h"

#include <functional>
#include <memory>
#include <vector>

namespace tendon {

/// A trajectory problem as one clip: its cases are the frames, and its start is the reference of each.
class SolverProblemClip
{
public:
    /// `makeSolver` as in ClipTask. `problem` and `model` outlive this.
    SolverProblemClip(const SolverProblem& problem, const SolverProblemModel& model,
                      std::function<std::unique_ptr<sdk::Solver>(const sdk::Model& model)> makeSolver);
    SolverProblemClip(const SolverProblemClip&) = delete;
    SolverProblemClip& operator=(const SolverProblemClip&) = delete;

    ClipTask task;

    /// What the frames are solved with beside the solver's own defaults; also where each starts from.
    std::vector<std::vector<double>> references; ///< (frames) in the solver's coordinates, or one for all
    sdk::Stop stop;

    /// The answer of a frame in the file's coordinates.
    [[nodiscard]] std::vector<double> inFile(const ClipAnswer& answer, std::size_t frame) const;

private:
    const SolverProblemModel& m_model;
    std::vector<std::vector<sdk::Goal>> m_goals;
};

} // namespace tendon
