#pragma once

#include "core/solve/ProblemBuilder.h"
#include "core/solve/SolveRecording.h"

#include <chrono>

namespace tendon {

/// Records the solves of one group at one frame: makes room for what a solver traces, and turns it into poses. Belongs
/// to one thread. Recording does not change the answer.
class SolveRecorder
{
public:
    enum class Detail {
        Times, ///< how long the solver takes: nothing is traced
        Steps, ///< every pose, and stages
    };
    static constexpr std::size_t kMaxRows = 4000;
    static constexpr std::size_t kMaxStages = 40'000;

    /// Adds to `recording`, which outlives this.
    SolveRecorder(SolverRecording& recording, Detail detail) : m_recording(recording), m_detail(detail) {}

    /// To be called right before and right after the solver. A frame may take two solves: the second goes on from the
    /// answer of the first. `fk` is the frame before the answer is written into it.
    void begin(sdk::Control& control, const sdk::Model& model);
    void end(const CompiledRig& rig, const ProblemBuilder& builder, const sdk::Problem& problem,
             const sdk::Solution& solution, std::span<const double> blend, const SolvedFrame& fk);

    /// To be called when the group's answer is written, with its bones lengthened: the last step becomes that pose.
    void finish(const LocalPose& answer);

    [[nodiscard]] double seconds() const { return m_seconds; } ///< of all solves so far

private:
    struct Source; ///< what the rows of one solve refer to
    void describe(const Source& source);
    void addStep(const Source& source, std::span<const double> q, std::span<const double> stretch, SolveStep step);
    void addMove(const Source& source, std::span<const double> q, std::int32_t iteration);
    [[nodiscard]] std::vector<LocalTransform> poseOf(const Source& source, std::span<const double> q,
                                                     std::span<const double> stretch) const;
    void addStages(const Source& source);
    static void measure(const Source& source, std::span<const double> q, SolveStep& step);

    SolverRecording& m_recording;
    Detail m_detail;
    std::vector<sdk::TraceRow> m_rows;
    std::vector<double> m_configurations;
    std::vector<sdk::StageRow> m_stageRows;
    sdk::Extension m_stages;
    std::int32_t m_iterationsBefore = 0; ///< of the solves that are over
    std::chrono::steady_clock::time_point m_begin;
    double m_seconds = 0;
};

} // namespace tendon
