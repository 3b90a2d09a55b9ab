#include "app/editor/Preparer.h"

#include "core/solve/SolvedPoses.h"

namespace tendon::editor {

Preparer::State Preparer::state() const
{
    if (m_job == nullptr) return State::Idle;
    return m_job->isRunning() ? State::Preparing : State::Prepared;
}

double Preparer::progress() const { return m_job == nullptr ? -1 : m_job->done(); }

void Preparer::start(const Scene& scene, const EditState& edit, const QJsonObject& operation, Services services,
                     std::function<void()> then)
{
    if (m_poses == nullptr) m_poses = std::make_shared<SolvedPoses>(m_solvers);
    m_step = std::make_shared<Result<PreparedStep>>(Error{ErrorCode::Internal, "was not prepared", {}});
    m_then = std::move(then);
    m_job = std::make_unique<Job>(
        [scene, edit, operation, services = std::move(services), poses = m_poses, step = m_step,
         solvers = &m_solvers](Job::Control& control) mutable {
            services.cancelled = &control.cancelled;
            services.progress = [&control](double done) { control.done = done; };
            control.done = -1; // until the operation tells
            *step = prepare(scene, edit, *solvers, services, *poses, operation);
        },
        [this] {
            if (const auto call = std::exchange(m_then, {})) call();
        });
}

bool Preparer::waitFor(int milliseconds)
{
    if (m_job == nullptr) return false;
    auto then = std::exchange(m_then, {});
    if (m_job->waitFor(milliseconds)) return true;
    m_then = std::move(then);
    return false;
}

Result<PreparedStep> Preparer::take()
{
    m_job.reset();
    return std::move(*std::exchange(m_step, {}));
}

void Preparer::abandon()
{
    std::erase_if(m_abandoned, [](const auto& job) { return job->isOver(); });
    if (state() == State::Preparing) {
        m_job->letGo();
        m_abandoned.push_back(std::move(m_job));
        m_poses.reset(); // the abandoned thread still uses them
    }
    m_job.reset();
    m_step.reset();
    m_then = {};
}

} // namespace tendon::editor
