#pragma once

#include "app/editor/CurrentJob.h"
#include "core/conformance/Benchmark.h"
#include "core/solve/ClipComparison.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendon::editor {

/// Measures solvers one after the other, each on all cases of a problem file as `tendon bench` does, or over the frames
/// of a clip as the tab Compare does: in a thread of its own. GUI thread.
class BenchmarkRun : public QObject
{
    Q_OBJECT
public:
    struct Task
    {
        std::vector<std::string> solvers; ///< aliases
        std::string problem;              ///< the file; empty: the clip counts
        Scene scene;
        ClipId clip;
        FrameRange range;
        HandleId handle;
    };
    /// What is known of one solver.
    struct Row
    {
        std::string solver;
        std::optional<Benchmark> benchmark; ///< on a problem
        std::optional<ClipScore> score;     ///< over a clip
        std::string trouble;                ///< why it has no figures, or not all; empty = none
    };

    explicit BenchmarkRun(QObject* parent = nullptr);

    /// Stops what runs, and starts anew.
    void start(Task task, const SolverRegistry& registry);
    void stop(); ///< the rows so far stay

    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    [[nodiscard]] bool isWhole() const { return m_isWhole; } ///< the last run was not stopped
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    [[nodiscard]] double done() const { return m_done; } ///< 0 ... 1
    /// Why there are no rows at all, such as a problem file that cannot be read; empty = nothing is wrong.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

signals:
    void changed();

private:
    struct Mail;
    static void work(const Task& task, const SolverRegistry& registry, Mail& mail, Job::Control& control);
    void collect();

    std::vector<Row> m_rows;
    std::string m_problem;
    double m_done = 0;
    bool m_isWhole = false;
    std::shared_ptr<Mail> m_mail; ///< with the thread
    CurrentJob m_job;
};

} // namespace tendon::editor
