#pragma once

#include "app/editor/CurrentJob.h"
#include "core/conformance/Examination.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendon::editor {

/// Runs the conformance suite on a plugin, and shows what fails: in processes of their own, watched from another
/// thread. Whatever the plugin does there, the editor goes on. GUI thread.
class ConformanceRun : public QObject
{
    Q_OBJECT
public:
    explicit ConformanceRun(QObject* parent = nullptr);

    /// Stops what runs, and examines a plugin's file. `options` has the seed, the cases and the program.
    void start(const std::string& plugin, conformance::ExaminationOptions options);
    /// Runs the problem of a failed check again. Precondition: nothing runs, and one of the results is meant.
    void show(const conformance::Check& check);
    void stop();   ///< the results so far stay
    void forget(); ///< stops, and drops the results
    /// [s] Without progress, after which a plugin counts as hanging: while it is examined, and on a single problem.
    void setPatience(double examined, double shown)
    {
        m_patience = examined;
        m_shownPatience = shown;
    }

    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    [[nodiscard]] bool isWhole() const { return m_isWhole; } ///< the last examination was not stopped
    [[nodiscard]] const std::vector<conformance::Check>& checks() const { return m_checks; }
    [[nodiscard]] const std::string& place() const { return m_place; } ///< that is examined now
    [[nodiscard]] double done() const;                                 ///< share of the groups, 0 ... 1

    /// The problem that show() has found; null: it does not fail again, or it fails without one.
    [[nodiscard]] const conformance::PosedProblem* problem() const { return m_problem ? &*m_problem : nullptr; }

signals:
    void changed(); ///< checks(), place(), isRunning()
    void shown();   ///< problem() is that of the check that was to be shown

private:
    struct Mail;
    void begin(std::function<void(Job::Control&)> work, std::function<void()> then);
    void collect();

    std::string m_plugin, m_place;
    conformance::ExaminationOptions m_options;
    std::vector<conformance::Check> m_checks;
    std::optional<conformance::PosedProblem> m_problem;
    bool m_isWhole = false;
    double m_patience = 30, m_shownPatience = 10;
    std::shared_ptr<Mail> m_mail; ///< with the thread
    CurrentJob m_job;
};

} // namespace tendon::editor
