#pragma once

#include "app/editor/CurrentJob.h"
#include "core/solve/ClipSettler.h"

#include <memory>

namespace tendon::editor {

/// Solves the shown clip as a whole (ClipSettler), again after each edit, in other threads: the newest edit at once,
/// older ones no more. GUI thread.
class ClipSettlement : public QObject
{
    Q_OBJECT
public:
    /// `solvers` outlives this.
    explicit ClipSettlement(const SolverRegistry& solvers, QObject* parent = nullptr);

    /// What is to be settled from now on. `scene` is not null; the clip may not exist.
    void setSource(std::shared_ptr<const Scene> scene, ClipId clip);

    /// While true nothing begins or ends, so that latest() stays: a gesture goes on, and all its poses are solved from
    /// the same, however many moves it takes.
    void hold(bool isHeld);

    /// The latest solution; maybe of the clip as it was before the last edits, or of another one. Null: none yet.
    [[nodiscard]] const SettledClipPtr& latest() const { return m_latest; }

    /// True if latest() is that of the source, or there is nothing to settle.
    [[nodiscard]] bool isSettled() const;

    /// Nothing is settled any more: a solver does not return.
    void giveUp();
    void takeUp(); ///< the opposite

    /// Forgets what is settled: solvers have been replaced.
    void settleAgain();

    /// Waits, without serving events, until the source is settled: for scripts, pictures and tests.
    void finish();

signals:
    void settled();      ///< latest() is that of the source
    void stateChanged(); ///< isSettled()

private:
    void begin();
    void take(const SettledClipPtr& made, bool wasCancelled);
    void leaveJob(); ///< its thread may never end
    [[nodiscard]] const Clip* clip() const { return m_scene == nullptr ? nullptr : m_scene->find(m_clip); }

    const SolverRegistry& m_solvers;
    std::shared_ptr<ClipSettler> m_settler; ///< the job's while it runs
    std::shared_ptr<const Scene> m_scene;
    ClipId m_clip;
    SettledClipPtr m_latest;
    CurrentJob m_job;
    std::shared_ptr<const Scene> m_jobScene; ///< what the job settles
    ClipId m_jobClip;
    bool m_isHeld = false, m_isGivenUp = false;
};

} // namespace tendon::editor
