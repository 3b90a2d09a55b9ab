#include "app/editor/ConformanceRun.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <utility>

namespace tendon::editor {
namespace {

constexpr int kCollect = 100; // [ms]

} // namespace

struct ConformanceRun::Mail
{
    std::mutex mutex;
    std::string place;
    std::vector<conformance::Check> checks;
    std::optional<conformance::PosedProblem> problem;
};

ConformanceRun::ConformanceRun(QObject* parent) : QObject(parent)
{
    m_job.tellEvery(kCollect, [this] {
        collect();
        emit changed();
    });
}

void ConformanceRun::start(const std::string& plugin, conformance::ExaminationOptions options)
{
    forget();
    m_plugin = plugin;
    m_options = std::move(options);
    m_options.patience = m_patience;
    begin(
        [mail = m_mail = std::make_shared<Mail>(), plugin, options = m_options](Job::Control& control) {
            conformance::Examination examination(plugin, options);
            examination.cancelled = &control.cancelled;
            examination.progress = [&mail](const std::string& place, const std::vector<conformance::Check>& checks) {
                const std::lock_guard lock(mail->mutex);
                mail->place = place;
                mail->checks = checks;
            };
            std::vector<conformance::Check> checks = examination.run();
            const std::lock_guard lock(mail->mutex);
            mail->checks = std::move(checks);
        },
        [this] { m_isWhole = true; });
}

void ConformanceRun::show(const conformance::Check& check)
{
    conformance::ExaminationOptions options = m_options;
    options.patience = m_shownPatience;
    m_problem.reset();
    m_mail = std::make_shared<Mail>();
    m_mail->place = check.place;
    m_mail->checks = m_checks;
    begin(
        [mail = m_mail, plugin = m_plugin, options, check](Job::Control& control) {
            conformance::Examination examination(plugin, options);
            examination.cancelled = &control.cancelled;
            auto problem = examination.show(check);
            const std::lock_guard lock(mail->mutex);
            mail->problem = std::move(problem);
        },
        [this] {
            m_problem = m_mail->problem;
            emit shown();
        });
}

void ConformanceRun::begin(std::function<void(Job::Control&)> work, std::function<void()> then)
{
    m_job.start(std::move(work), [this, then = std::move(then)] {
        collect();
        then();
        emit changed();
    });
    emit changed();
}

void ConformanceRun::collect()
{
    const std::lock_guard lock(m_mail->mutex);
    m_place = m_mail->place;
    m_checks = m_mail->checks;
}

void ConformanceRun::stop()
{
    if (!m_job.isRunning()) return;
    collect();
    m_job.letGo();
    emit changed();
}

void ConformanceRun::forget()
{
    stop();
    m_checks.clear();
    m_place.clear();
    m_problem.reset();
    m_isWhole = false;
    emit changed();
}

double ConformanceRun::done() const
{
    const std::vector<std::string> groups = conformance::groupNames();
    const auto now = std::find(groups.begin(), groups.end(), m_place.substr(0, m_place.find('/')));
    if (now == groups.end()) return m_isWhole ? 1 : 0;
    return static_cast<double>(std::distance(groups.begin(), now)) / static_cast<double>(groups.size());
}

} // namespace tendon::editor
