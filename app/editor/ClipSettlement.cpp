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
    if (isHeld && !m_isHeld) m_job.cancel();
    m_isHeld = isHeld;
    if (!isHeld) begin();
}

void ClipSettlement::begin()
{
    if (isSettled()) return;
    if (m_job.isRunning()) {
        const bool isIts = m_jobScene == m_scene && m_jobClip == m_clip;
        if (!isIts) m_job.cancel(); // take() begins again
        return;
    }
    if (m_isHeld) return;
    const auto made = std::make_shared<SettledClipPtr>();
    m_jobScene = m_scene;
    m_jobClip = m_clip;
    m_job.start(
        [made, settler = m_settler, scene = m_scene, id = m_clip](Job::Control& control) {
            if (auto settled = settler->settle(*scene, *scene->find(id), 0, &control.cancelled))
                *made = *std::move(settled);
        },
        [this, made](bool wasCancelled) { take(*made, wasCancelled); });
}

void ClipSettlement::take(const SettledClipPtr& made, bool wasCancelled)
{
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

void ClipSettlement::leaveJob()
{
    if (m_job.letGo()) m_settler = std::make_shared<ClipSettler>(m_solvers); // the thread keeps the old one
}

void ClipSettlement::giveUp()
{
    m_isGivenUp = true;
    m_latest.reset();
    leaveJob();
    emit stateChanged();
}

void ClipSettlement::takeUp()
{
    m_isGivenUp = false;
    begin();
}

void ClipSettlement::settleAgain()
{
    leaveJob();
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
        if (!m_job.isRunning() || !m_job.waitFor(kTooLong)) return;
    }
}

} // namespace tendon::editor
