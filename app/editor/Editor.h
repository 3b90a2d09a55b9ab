#pragma once

#include "app/editor/ClipSettlement.h"
#include "app/editor/Comparison.h"
#include "app/editor/DragSession.h"
#include "app/editor/DrawnPose.h"
#include "app/editor/EditorDocument.h"
#include "app/editor/Marks.h"
#include "app/editor/PassCount.h"
#include "app/editor/Playback.h"
#include "app/editor/Selection.h"
#include "app/editor/SolveScheduler.h"
#include "app/editor/SolvedRange.h"
#include "app/editor/StepDisplay.h"
#include "app/editor/ViewSettings.h"

#include <QObject>

namespace tendon::editor {

/// All that windows share about one open document. Keeps the drawn frame up to date: whatever changes the scene, the
/// frame or playback asks the scheduler, and frameReady() brings one FrameResult from which everything is drawn.
class Editor : public QObject
{
    Q_OBJECT
public:
    /// `solvers` outlives the editor.
    explicit Editor(const SolverRegistry& solvers, QObject* parent = nullptr);

    [[nodiscard]] EditorDocument& document() { return m_document; }
    [[nodiscard]] const EditorDocument& document() const { return m_document; }
    [[nodiscard]] Selection& selection() { return m_selection; }
    [[nodiscard]] ViewSettings& view() { return m_view; }
    [[nodiscard]] Marks& marks() { return m_marks; } ///< of the open task
    [[nodiscard]] SolveScheduler& scheduler() { return m_scheduler; }
    [[nodiscard]] ClipSettlement& settlement() { return m_settlement; }
    [[nodiscard]] Playback& playback() { return m_playback; }
    [[nodiscard]] DragSession& drag() { return m_drag; }
    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] StepPlayer& steps() { return m_steps; } ///< of the comparison
    [[nodiscard]] StepDisplay& stepDisplay() { return m_stepDisplay; }
    [[nodiscard]] DrawnPose& drawnPose() { return m_drawnPose; }
    [[nodiscard]] SolvedRange& range() { return m_range; } ///< all frames of the shown clip

    /// The newest frame; null until the first is ready. While playing it is the playback's, else the document's.
    [[nodiscard]] FramePtr frame() const { return m_scheduler.latest(); }
    /// What the view draws: frame(), in a pose that is on its way to it (DrawnPose), or while a solve is watched, in
    /// the shown step of it. Never the source of an edit.
    [[nodiscard]] FramePtr drawnFrame() const { return m_drawnPose.frameFor(m_stepDisplay.frameFor(frame())); }
    /// True if nothing that is drawn changes by itself any more: the clip is settled, its frame is there and drawn.
    [[nodiscard]] bool isSettled() const;
    /// The frame that is shown: the playback's while it plays.
    [[nodiscard]] int shownFrame() const;

    /// Goes to a frame; stops playback.
    void goToFrame(int frame);
    void togglePlayback();

    /// Shows a joint with another value of one of its channels, from the pose that is shown, until clearPreview(). The
    /// document knows nothing of it: no step, no key.
    void previewJoint(JointId joint, Property property, double value)
    {
        previewJoint(joint, property, ChannelValue{value});
    }
    void previewJoint(JointId joint, Property property, const ChannelValue& value);
    void clearPreview();

    /// Waits for the frame of what the document says now, which is then drawn as it is.
    FramePtr finishFrame();

signals:
    void frameReady(std::shared_ptr<const tendon::editor::FrameResult> frame);
    void drawnFrameChanged(); ///< drawnFrame(), without a new frame()
    void shownFrameChanged(int frame);

private:
    void requestFrame(bool isSettling = false); ///< FrameResult::isSettling
    void takeFrame(const FramePtr& frame);
    void takeSolution();
    void reportFaults(const FrameResult& frame);
    void followTiming();
    void showPlayedAnswers();
    [[nodiscard]] bool isWatched() const; ///< the timeline plays recordings, not answers

    EditorDocument m_document;
    Selection m_selection;
    ViewSettings m_view;
    Marks m_marks;
    SolveScheduler m_scheduler;
    ClipSettlement m_settlement;
    SolvedRange m_range;
    ClipSolutionPtr m_shownSolution; ///< that frames have been asked for with
    Playback m_playback;
    DragSession m_drag;
    Comparison m_comparison;
    StepPlayer m_steps;
    StepDisplay m_stepDisplay;
    DrawnPose m_drawnPose;
    PassCount m_passCount;
    Issues m_faults;                         ///< of plugins, already reported
    Issues m_unconfined;                     ///< that have been reported, too
    PendingValues m_preview;                 ///< over all else, in the drawn frames alone
    FramePtr m_previewBase;                  ///< that it begins from; null = none
    std::shared_ptr<const Scene> m_snapshot; ///< of the document's revision m_snapshotRevision
    std::uint64_t m_snapshotRevision = 0;
};

} // namespace tendon::editor
