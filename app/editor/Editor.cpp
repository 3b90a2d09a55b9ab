#include "app/editor/Editor.h"

#include "app/editor/JointEdits.h"
#include "core/document/MakeOperation.h"

#include <algorithm>

namespace tendon::editor {

Editor::Editor(const SolverRegistry& solvers, QObject* parent)
    : QObject(parent), m_document(solvers), m_scheduler(solvers), m_settlement(solvers), m_range(solvers),
      m_drag(m_document, m_view), m_comparison(solvers), m_stepDisplay(m_comparison, m_steps), m_shown(m_document)
{
    connect(&m_document, &EditorDocument::changed, this, [this](const ChangeSet& changes) {
        if (changes.isTimingChanged) followTiming();
        m_selection.prune(m_document.scene());
        requestFrame();
    });
    connect(&m_document, &EditorDocument::editChanged, this, [this] {
        requestFrame();
        if (!m_playback.isPlaying()) emit shownFrameChanged(shownFrame());
    });
    connect(&m_shown, &ShownScene::changed, this, [this] {
        followTiming();
        requestFrame();
    });
    connect(&m_document, &EditorDocument::replaced, this, [this] {
        m_playback.stop();
        m_drawnPose.finish();
        m_scheduler.cancelRunning();
        m_scheduler.enableAll();
        m_settlement.takeUp();
        m_range.clear();
        m_selection.clear();
        m_selection.setHovered({});
        followTiming();
        requestFrame();
        emit shownFrameChanged(shownFrame());
    });
    connect(&m_document, &EditorDocument::gestureEnded, this, [this] { requestFrame(true /* settling */); });
    connect(&m_drag, &DragSession::begun, &m_settlement, [this] { m_settlement.hold(true); });
    connect(&m_drag, &DragSession::begun, &m_drawnPose, &DrawnPose::finish);
    connect(&m_drawnPose, &DrawnPose::changed, this, &Editor::drawnFrameChanged);
    connect(&m_playback, &Playback::frameChanged, this, [this](int frame) {
        requestFrame();
        emit shownFrameChanged(frame);
    });
    connect(&m_playback, &Playback::playingChanged, this, [this](bool isPlaying) {
        if (!isPlaying) return goToFrame(m_playback.frame());
        m_drawnPose.finish();
        m_passCount.restart();
        showPlayedAnswers();
    });
    connect(&m_scheduler, &SolveScheduler::frameReady, this, &Editor::takeFrame);
    connect(&m_scheduler, &SolveScheduler::hung, &m_settlement, &ClipSettlement::giveUp);
    connect(&m_scheduler, &SolveScheduler::hung, &m_range, &SolvedRange::giveUp);
    connect(&m_settlement, &ClipSettlement::stateChanged, this,
            [this] { m_range.setFinal(m_settlement.isSettled() && !m_document.gesture().isOpen()); });
    connect(&m_settlement, &ClipSettlement::settled, this, &Editor::takeSolution);
    connect(&m_comparison, &Comparison::recorded, this, [this] { m_steps.setLast(m_comparison.lastStep()); });
    connect(&m_comparison, &Comparison::choiceChanged, this, [this] {
        m_steps.setLast(m_comparison.lastStep());
        if (!m_playback.isPlaying()) return;
        showPlayedAnswers();
        requestFrame();
    });
    connect(&m_stepDisplay, &StepDisplay::changed, this, &Editor::drawnFrameChanged);
    requestFrame();
}

bool Editor::isSettled() const
{
    return !m_document.gesture().isOpen() && m_settlement.isSettled() && !m_scheduler.isBusy() &&
           m_drawnPose.hasArrived();
}

int Editor::shownFrame() const { return m_playback.isPlaying() ? m_playback.frame() : m_document.edit().frame; }

void Editor::goToFrame(int frame)
{
    m_drawnPose.finish();
    if (m_playback.isPlaying()) m_playback.stop(); // comes back here with where it stopped
    if (frame != m_document.edit().frame) return void(m_document.apply(ops::setFrame(frame)));
    requestFrame();
    emit shownFrameChanged(frame);
}

void Editor::togglePlayback() { m_playback.isPlaying() ? m_playback.stop() : m_playback.play(m_document.edit().frame); }

void Editor::previewJoint(JointId joint, Property property, const ChannelValue& value)
{
    if (m_previewBase == nullptr) m_previewBase = frame();
    if (m_previewBase != nullptr) m_preview = previewValues(m_document.scene(), *m_previewBase, joint, property, value);
    requestFrame();
}

void Editor::clearPreview()
{
    m_preview.clear();
    m_previewBase.reset();
    requestFrame();
}

FramePtr Editor::finishFrame()
{
    (void)m_document.work().finish(); // what it changes is requested
    m_settlement.finish();
    m_scheduler.finish();
    m_drawnPose.finish();
    return frame();
}

void Editor::takeSolution()
{
    if (m_shown.isDocument()) m_document.setSettled(m_settlement.latest());
    const ClipSolutionPtr& solution = m_settlement.latest()->solution();
    const bool isNew = m_shownSolution == nullptr || !(*m_shownSolution == *solution);
    m_shownSolution = solution;
    if (isNew || m_document.solvers().faults().size() + m_document.solvers().unconfined().size() > m_faults.size())
        requestFrame(true /* settling */); // which says what has failed
}

/// What plays is the document, unless passes are asked for.
void Editor::showPlayedAnswers()
{
    if (!m_comparison.view().showsPasses) m_steps.goTo(m_steps.last());
}

bool Editor::isWatched() const
{
    return m_playback.isPlaying() && m_comparison.isActive() &&
           (m_comparison.view().showsPasses || m_stepDisplay.isEased());
}

void Editor::takeFrame(const FramePtr& frame)
{
    if (isWatched() && frame->isPlaying && frame->recording != nullptr) {
        m_comparison.setRecording(*frame);
        const Comparison::View& view = m_comparison.view();
        const std::int32_t played = m_passCount.at(frame->frame, frame->revision);
        m_steps.goTo(view.showsPasses ? m_comparison.stepAt(played * view.passesPerFrame) : m_steps.last());
    }
    reportFaults(*frame);
    if (m_preview.empty()) m_range.take(*frame);
    m_drawnPose.take(frame, m_selection);
    emit frameReady(frame);
}

void Editor::reportFaults(const FrameResult& frame)
{
    Issues reported = frame.faults;
    std::erase_if(reported, [&](const Issue& fault) { return std::count(m_faults.begin(), m_faults.end(), fault); });
    if (reported.empty()) return;
    m_faults = frame.faults;
    m_document.report(reported);
}

void Editor::followTiming()
{
    const Scene& scene = m_shown.now();
    m_playback.setRange(scene.firstFrame, scene.lastFrame);
    m_playback.setRate(scene.fps.perSecond());
}

void Editor::requestFrame(bool isSettling)
{
    FrameRequest request;
    request.scene = m_shown.scene();
    request.clip = m_shown.clipId();
    request.frame = shownFrame();
    if (m_shown.isDocument() && request.frame == m_document.edit().frame) request.pending = m_document.edit().pending;
    for (const auto& [channel, value] : m_preview) request.pending[channel] = value;
    request.revision = m_document.revision();
    request.isPlaying = m_playback.isPlaying();
    request.isDragged = m_document.gesture().isOpen();
    request.isSettling = isSettling;
    if (const Handle* handle = request.scene->find(m_comparison.handle()); handle != nullptr && isWatched()) {
        request.watched = handle->id;
        request.watchedSolvers = m_comparison.recordedSolversFor(*handle);
    }
    m_settlement.hold(request.isDragged);
    m_settlement.setSource(request.scene, request.clip);
    request.settled = m_settlement.latest();
    if (m_preview.empty()) m_range.setSource(request, m_settlement.isSettled() && !request.isDragged);
    m_comparison.setSource(request);
    m_scheduler.request(std::move(request));
}

} // namespace tendon::editor
