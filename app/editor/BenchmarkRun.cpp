#include "app/editor/BenchmarkRun.h"

#include <mutex>
#include <utility>

namespace tendon::editor {
namespace {

constexpr int kCollectBenchmark = 100; // [ms]

} // namespace

struct BenchmarkRun::Mail
{
    std::mutex mutex;
    std::vector<Row> rows;
    std::string problem;
};

BenchmarkRun::BenchmarkRun(QObject* parent) : QObject(parent)
{
    m_job.tellEvery(kCollectBenchmark, [this] {
        collect();
        emit changed();
    });
}

/// In the other thread.
void BenchmarkRun::work(const Task& task, const SolverRegistry& registry, Mail& mail, Job::Control& control)
{
    std::optional<SolverProblem> problem;
    if (!task.problem.empty()) {
        auto read = readSolverProblem(task.problem);
        if (!read) {
            const std::lock_guard lock(mail.mutex);
            mail.problem = read.error().text();
            return;
        }
        problem = *std::move(read);
    }
    const auto count = static_cast<double>(task.solvers.size());
    for (std::size_t i = 0; i < task.solvers.size() && !control.cancelled; ++i) {
        const auto progress = [&](double share) { control.done = (static_cast<double>(i) + share) / count; };
        Row row;
        row.solver = task.solvers[i];
        if (problem) {
            auto made = runBenchmark(*problem, {.solver = row.solver}, registry, progress, &control.cancelled);
            if (!made) row.trouble = made.error().text();
            if (made && made->fault) row.trouble = made->fault->text();
            if (made) row.benchmark = *std::move(made);
        } else {
            auto made = compareOverClip(task.scene, task.scene.find(task.clip), task.range, task.handle,
                                        std::span(&row.solver, 1), registry, progress, &control.cancelled);
            if (!made) row.trouble = made.error().text();
            if (made && !made->empty()) row.score = std::move(made->front());
            if (row.score) row.trouble = row.score->problem;
        }
        if (control.cancelled) return; // half of a solver's figures say nothing
        const std::lock_guard lock(mail.mutex);
        mail.rows.push_back(std::move(row));
    }
}

void BenchmarkRun::start(Task task, const SolverRegistry& registry)
{
    stop();
    m_rows.clear();
    m_problem.clear();
    m_done = 0;
    m_isWhole = false;
    m_mail = std::make_shared<Mail>();
    m_job.start([mail = m_mail, task = std::move(task),
                 registry](Job::Control& control) { work(task, registry, *mail, control); },
                [this] {
                    collect();
                    m_isWhole = true;
                    m_done = 1;
                    emit changed();
                });
    emit changed();
}

void BenchmarkRun::collect()
{
    const std::lock_guard lock(m_mail->mutex);
    m_rows = m_mail->rows;
    m_problem = m_mail->problem;
    m_done = m_job.done();
}

void BenchmarkRun::stop()
{
    if (!m_job.isRunning()) return;
    collect();
    m_job.letGo();
    emit changed();
}

} // namespace tendon::editor
