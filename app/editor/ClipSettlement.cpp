#include "app/editor/ClipSettlement.h"

namespace tendon::editor {

ClipSettlement::ClipSettlement(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_solvers(solvers), m_settler(std::make_shared<ClipSettler>(solvers))
{
}

bool ClipSettlement::isSettled() const
{
    const Clip* wanted = clip();
    return wanted == nullptr || m_isGivenUp || (m_latest != nullptr && m_latest->isOf(*m_scene, *wanted));
}

void ClipSettlement::setSource(std::shared_ptr<const Scene> scene, ClipId clip)
{
    const bool wasSettled = isSettled();
    m_scene = std::move(scene);
    m_clip = clip;
    begin();
    if (wasSettled != isSettled()) emit stateChanged();
}

void ClipSettlement::hold(bool isHeld)
{
    if (isHeld && !m_isHeld && m_job != nullptr) m_job->cancel();
    m_isHeld = isHeld;
    if (!isHeld) begin();
}

void ClipSettlement::begin()
{
    if (isSettled()) return;
    if (m_job != nullptr) {
        const bool isIts = m_jobScene == m_scene && m_jobClip == m_clip;
        if (!isIts) m_job->cancel(); // take() begins again
        return;
    }
    if (m_isHeld) return;
    std::erase_if(m_left, [](const auto& job) { return job->isOver(); });
    const auto made = std::make_shared<SettledClipPtr>();
    m_jobScene = m_scene;
    m_jobClip = m_clip;
    m_job = std::make_unique<Job>(
        [made, settler = m_settler, scene = m_scene, id = m_clip](Job::Control& control) {
            if (auto settled = settler->settle(*scene, *scene->find(id), 0, &control.cancelled))
                *made = *std::move(settled);
        },
        [this, made] { take(*made); });
}

void ClipSettlement::take(const SettledClipPtr& made)
{
    const bool wasCancelled = m_job->isCancelled();
    m_job.release()->deleteLater(); // this runs inside it
    if (made != nullptr) {
        if (!m_isHeld) m_latest = made; // else it would change what a drag goes on from
    } else if (!wasCancelled) {         // what does not compile is told by the frame
        const Clip* failed = m_jobScene->find(m_jobClip);
        m_latest = std::make_shared<const SettledClip>(*m_jobScene, *failed, std::make_shared<const ClipSolution>());
    }
    m_jobScene.reset();
    if (!isSettled()) return begin();
    if (clip() != nullptr && m_latest != nullptr) emit settled();
    emit stateChanged();
}

void ClipSettlement::giveUp()
{
    m_isGivenUp = true;
    m_latest.reset();
    if (m_job != nullptr) {
        m_job->letGo();
        m_left.push_back(std::move(m_job));
        m_settler = std::make_shared<ClipSettler>(m_solvers); // the thread keeps the old one
    }
    emit stateChanged();
}

void ClipSettlement::takeUp()
{
    m_isGivenUp = false;
    begin();
}

void ClipSettlement::settleAgain()
{
    if (m_job != nullptr) {
        m_job->letGo();
        m_left.push_back(std::move(m_job));
        m_settler = std::make_shared<ClipSettler>(m_solvers);
    }
    m_isGivenUp = false;
    m_latest.reset();
    begin();
    emit stateChanged();
}

void ClipSettlement::finish()
{
    constexpr int kTooLong = 60'000; // [ms]
    while (!isSettled() && !m_isHeld) {
        begin();
        if (m_job == nullptr || !m_job->waitFor(kTooLong)) return;
    }
}

} // namespace tendon::editor
