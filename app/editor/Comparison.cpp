#include "app/editor/Comparison.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace tendon::editor {

Comparison::Comparison(const SolverRegistry& solvers, QObject* parent) : QObject(parent), m_solvers(solvers)
{
    m_watch.setSingleShot(true);
    m_watch.setInterval(kHang);
    connect(&m_watch, &QTimer::timeout, this, &Comparison::giveUp);
}

void Comparison::setActive(bool isActive)
{
    if (m_isActive == isActive) return;
    m_isActive = isActive;
    m_isGivenUp = false;
    if (isActive) record();
    emit recorded();
}

void Comparison::setHandle(HandleId handle)
{
    if (m_handle == handle) return;
    m_handle = handle;
    m_isGivenUp = false;
    clear({});
    emit choiceChanged();
    record();
}

void Comparison::setOthers(std::vector<std::string> aliases)
{
    if (m_others == aliases) return;
    m_others = std::move(aliases);
    m_isGivenUp = false;
    emit choiceChanged();
    record();
}

void Comparison::setView(View view)
{
    if (m_view == view) return;
    m_view = view;
    emit choiceChanged();
}

bool Comparison::hasStages() const
{
    const RecordingPtr made = recording();
    return made != nullptr && std::any_of(made->solvers.begin(), made->solvers.end(),
                                          [](const SolverRecording& solver) { return !solver.stages.empty(); });
}

const SolverRecording* Comparison::staged() const
{
    if (!m_view.isStaged || !hasStages()) return nullptr;
    return &*std::find_if(m_recording->solvers.begin(), m_recording->solvers.end(),
                          [](const SolverRecording& solver) { return !solver.stages.empty(); });
}

const SolverRecording* Comparison::stagedAt(std::int32_t step) const
{
    const SolverRecording* solver = staged();
    return solver != nullptr && step <= static_cast<std::int32_t>(solver->stages.size()) ? solver : nullptr;
}

std::int32_t Comparison::lastStep() const
{
    const RecordingPtr made = recording();
    if (made == nullptr) return 0;
    const SolverRecording* solver = staged();
    if (solver == nullptr) return made->lastIteration();
    const std::int32_t more = made->lastIteration() - solver->stages.back().row.pass;
    return static_cast<std::int32_t>(solver->stages.size()) + std::max(0, more);
}

std::int32_t Comparison::iterationAt(std::int32_t step) const
{
    const SolverRecording* solver = staged();
    if (solver == nullptr) return step;
    const auto stages = static_cast<std::int32_t>(solver->stages.size());
    if (step <= 0) return 0;
    return step >= stages ? solver->stages.back().row.pass + step - stages
                          : solver->stages[static_cast<std::size_t>(step) - 1].row.pass - 1;
}

std::int32_t Comparison::stepAt(std::int32_t iteration) const
{
    const SolverRecording* solver = staged();
    if (solver == nullptr) return iteration;
    const auto after = std::find_if(solver->stages.begin(), solver->stages.end(),
                                    [&](const RecordedStage& stage) { return stage.row.pass > iteration; });
    const std::int32_t more = std::max(0, iteration - solver->stages.back().row.pass);
    return static_cast<std::int32_t>(after - solver->stages.begin()) + more;
}

void Comparison::setSource(const FrameRequest& source)
{
    m_source = source;
    if (!source.watched.isValid()) record();
}

/// Starts the recording, or notes that one is needed when the running one has ended.
void Comparison::record()
{
    if (!m_isActive || m_isGivenUp || !m_source) return;
    std::erase_if(m_hung, [](const auto& job) { return job->isOver(); });
    const Handle* handle = m_source->scene->find(m_handle);
    if (handle == nullptr) return clear({});
    if (m_job != nullptr) {
        m_isStale = true;
        return;
    }
    m_isStale = false;
    const auto made = std::make_shared<Result<SolveRecording>>(Error{});
    m_job = std::make_unique<Job>(
        [made, solvers = solversFor(*handle), source = *m_source, id = m_handle,
         &registry = m_solvers](Job::Control& control) {
            *made = recordSolve(*source.scene, source.scene->find(source.clip), source.pending,
                                source.scene->fps.timeOf(source.frame), id, solvers, registry, RecordTimes::Measured,
                                &control.cancelled);
        },
        [this, made, frame = m_source->frame] { take(made, frame); });
    m_watch.start();
}

std::vector<std::string> Comparison::solversFor(const Handle& handle) const
{
    std::vector<std::string> solvers = {handle.solver};
    const SolverInfo* own = m_solvers.find(handle.solver);
    for (const std::string& alias : m_others)
        if (own == nullptr || alias != own->alias) solvers.push_back(alias);
    return solvers;
}

std::vector<std::string> Comparison::recordedSolversFor(const Handle& handle) const
{
    std::vector<std::string> solvers = solversFor(handle);
    const auto isRecorded = [this](const std::string& alias) {
        return m_recording != nullptr &&
               std::any_of(m_recording->solvers.begin(), m_recording->solvers.end(),
                           [&](const SolverRecording& recorded) { return recorded.solver == alias; });
    };
    solvers.erase(std::remove_if(std::next(solvers.begin()), solvers.end(), std::not_fn(isRecorded)), solvers.end());
    return solvers;
}

void Comparison::setRecording(const FrameResult& frame)
{
    if (frame.recording == nullptr || frame.recording->handle != m_handle) return;
    m_recording = frame.recording;
    m_frame = frame.frame;
    m_problem.clear();
    emit recorded();
}

void Comparison::take(const std::shared_ptr<Result<SolveRecording>>& made, std::int32_t frame)
{
    m_watch.stop();
    m_job.release()->deleteLater(); // this runs inside it
    if (*made && (*made)->handle == m_handle) {
        m_recording = std::make_shared<const SolveRecording>(**made);
        m_frame = frame;
        m_problem.clear();
        emit recorded();
    } else if (!*made) {
        clear(QString::fromStdString(made->error().text()));
    }
    if (m_isStale) record();
}

void Comparison::giveUp()
{
    if (m_job == nullptr) return;
    m_job->letGo();
    m_hung.push_back(std::move(m_job));
    m_isGivenUp = true; // until something else is asked for
    clear(tr("A solver did not return within %1 s. Choose other solvers to compare").arg(kHang / 1000));
}

void Comparison::clear(const QString& problem)
{
    m_recording = nullptr;
    m_problem = problem;
    emit recorded();
}

void Comparison::finish()
{
    while (m_job != nullptr && m_job->waitFor(kHang)) {}
}

} // namespace tendon::editor
