#pragma once

#include "app/editor/Job.h"
#include "core/document/PreparedStep.h"

#include <QJsonObject>

#include <functional>
#include <memory>
#include <vector>

namespace tendon::editor {

/// Prepares one operation at a time in another thread, and keeps that thread's evaluators from one to the next. All
/// functions are for the GUI thread.
class Preparer
{
public:
    enum class State {
        Idle,
        Preparing, ///< the other thread is at work
        Prepared,  ///< take() has the result
    };

    /// `solvers` outlives the preparer.
    explicit Preparer(const SolverRegistry& solvers) : m_solvers(solvers) {}

    [[nodiscard]] State state() const;
    [[nodiscard]] double progress() const; ///< 0 to 1; negative = not known

    /// Starts to prepare `operation` from a scene and an editing state. `then` is called when it is prepared, unless
    /// waitFor() was there first. Precondition: not Preparing.
    void start(const Scene& scene, const EditState& edit, const QJsonObject& operation, Services services,
               std::function<void()> then);

    /// Waits without serving events. Returns true once the state is Prepared; `then` is not called in that case.
    [[nodiscard]] bool waitFor(int milliseconds);

    /// The prepared step, or why there is none. Precondition: Prepared. The state becomes Idle.
    [[nodiscard]] Result<PreparedStep> take();

    /// Cancels. The thread is left to end by itself; the state becomes Idle.
    void abandon();

private:
    const SolverRegistry& m_solvers;
    std::shared_ptr<SolvedPoses> m_poses; ///< the other thread's while it is at work
    std::shared_ptr<Result<PreparedStep>> m_step;
    std::function<void()> m_then;
    std::unique_ptr<Job> m_job;                    ///< null = Idle
    std::vector<std::unique_ptr<Job>> m_abandoned; ///< until their threads have ended
};

} // namespace tendon::editor
