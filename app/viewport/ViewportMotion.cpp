// What is seen of other moments: ghosts, trails whose keys are dragged, and the camera that goes along or goes back.
#include "app/viewport/ViewportImpl.h"

#include "app/editor/LengthText.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace tendon::viewport {

editor::ViewState Viewport::Impl::shownState() const
{
    editor::ViewState state = editor.view().state();
    const editor::FramePtr frame = editor.drawnFrame();
    if (state.hidesRigInPlayback && frame && frame->isPlaying)
        state.showsJoints = state.showsHandles = state.showsLimits = state.showsLabels = false;
    if (!editor.shown().motion().isShown()) return state;
    // Two figures are compared: what poses the character is not in use meanwhile.
    state.showsHandles = state.showsLimits = state.showsGhosts = state.showsTrails = state.showsHud = false;
    if (editor.shown().motion().content().hidesCharacter) state.showsMesh = state.showsJoints = false;
    return state;
}

/// As meshes and where the solve is at its end: chains are drawn at every step (drawComparison()).
void Viewport::Impl::addComparedGhosts(const editor::FrameResult& frame)
{
    const editor::Comparison& comparison = editor.comparison();
    const editor::RecordingPtr recording = comparison.recording();
    if (recording != compared) {
        compared = recording;
        comparedGhosts = recording == nullptr ? std::vector<editor::Ghost>()
                                              : editor::ghostsOf(*recording, frame.rig, comparison.frame());
    }
    const bool isAnswer = editor.steps().step() >= editor.steps().last() && comparison.frame() == frame.frame;
    const editor::ViewState& state = editor.view().state();
    const bool isSeen = comparison.view().hasGhosts && state.showsMesh && !state.ghostsAreBones;
    if (recording == nullptr || !isAnswer || !isSeen) return;
    ghosts.insert(ghosts.end(), comparedGhosts.begin(), comparedGhosts.end());
}

void Viewport::Impl::takeMotion(bool isChanged)
{
    const editor::FramePtr frame = editor.drawnFrame();
    if (!frame || !frame->rig) return;
    const editor::ViewState state = shownState();
    const bool isUsed = state.showsGhosts || state.showsTrails || !state.pinnedGhosts.empty();
    if (!isUsed && ghosts.empty() && trails.all().empty() && !editor.comparison().isActive()) return;
    const Clip* clip = frame->scene->find(editor.document().edit().currentClip);
    ghosts = editor::ghostsAround(frame->frame, state, editor.range(), *frame->scene, clip, editor.selection(),
                                  *frame->rig);
    addComparedGhosts(*frame);
    if (state.hidesRigInPlayback && frame->isPlaying) ghosts.clear();
    hasGhostMeshes = state.showsMesh && !state.ghostsAreBones;
    scene.setGhosts(hasGhostMeshes ? std::span<const editor::Ghost>(ghosts) : std::span<const editor::Ghost>());
    if (state.showsTrails && !(state.hidesRigInPlayback && frame->isPlaying))
        trails.update(editor.selection(), editor.range(), *frame->scene, clip, frame->frame, isChanged);
    else
        trails.clear();
    widget.update();
}

SeenMotion Viewport::Impl::seenMotion() const
{
    SeenMotion motion{visibility};
    if (!hasGhostMeshes) motion.ghosts = ghosts;
    motion.trails = trails.all();
    if (pointer.trailKey) motion.trailKey = &*pointer.trailKey;
    if (isLimitPreview && previewedFrom && previewedFrom->rig) {
        motion.former = previewedFrom.get();
        motion.formerJoint = previewedFrom->rig->index(limitJoint);
    }
    motion.figure = seenFigure();
    return motion;
}

SeenFigure Viewport::Impl::seenFigure() const
{
    const editor::FramePtr frame = editor.drawnFrame();
    if (!frame || !frame->rig || !editor.shown().motion().isShown()) return {};
    return {&editor.shown().motion(), editor.shown().motion().at(frame->solved.time)};
}

void Viewport::Impl::beginTrailDrag()
{
    gesture = Gesture::None;
    if (!pointer.trailKey) return;
    if (!pointer.trailKey->isMovable) {
        emit widget.refused(Viewport::tr("This path comes from rotations; go to frame %1 and pose it there")
                                .arg(pointer.trailKey->frame));
        return;
    }
    trailFrom = *pointer.trailKey;
    editor.document().gesture().begin();
    editor.range().setFocus(trailFrom.frame);
    gesture = Gesture::Trail;
}

void Viewport::Impl::updateTrailDrag()
{
    const View view = widget.view();
    const auto onPlane = [&](const QPointF& point) {
        return view.onFacingPlane(Vector2(point.x(), point.y()), trailFrom.place);
    };
    const Vector3 way = onPlane(lastPoint) - onPlane(pressPoint);
    const editor::EditorDocument& document = editor.document();
    const auto operation = editor::moveTrailKey(document.scene(), document.clip(), editor.range(), trailFrom.item,
                                                trailFrom.frame, way, document.edit().layer);
    const auto moved = operation ? editor.document().gesture().update(*operation) : Result<void>(operation.error());
    if (!moved) emit widget.refused(QString::fromStdString(moved.error().text()));
    pointer.trailKey->place = trailFrom.place + way;
    pointer.rubber = RubberLine{.from = trailFrom.place, .to = pointer.trailKey->place};
    pointer.pointer = Vector2(lastPoint.x(), lastPoint.y());
    pointer.dragText = Viewport::tr("frame %1 moved by %2").arg(trailFrom.frame).arg(editor::lengthText(way.norm()));
    widget.update();
}

void Viewport::Impl::endTrailDrag(bool isCommitted)
{
    gesture = Gesture::None;
    pointer.trailKey.reset();
    pointer.rubber.reset();
    pointer.dragText.clear();
    if (isCommitted)
        editor.document().gesture().finish();
    else
        editor.document().gesture().cancel();
    editor.range().setFocus(std::nullopt);
    widget.update();
}

namespace {

/// [m] how far the keys of a place take it along the axis that they take it farthest.
double lengthOfWay(const Clip& clip, ObjectId target, std::initializer_list<Property> properties)
{
    double longest = 0;
    for (const Property property : properties) {
        const KeyList* keys = clip.find({target, property});
        for (std::size_t c = 0; keys != nullptr && c < static_cast<std::size_t>(componentCount(property)); ++c) {
            double least = keys->front().value[c], most = least;
            for (std::size_t i = 1; i < keys->size(); ++i) {
                least = std::min(least, (*keys)[i].value[c]);
                most = std::max(most, (*keys)[i].value[c]);
            }
            longest = std::max(longest, most - least);
        }
    }
    return longest;
}

/// The joint that carries the figure through a clip: the topmost that is moved about as far as any is, by its own keys
/// or by a goal that moves it alone. The root where nothing travels: there are hips that do, below a root that stays.
JointId travellingJoint(const CompiledRig& rig, const Clip* clip)
{
    const JointId root = rig.id.front();
    if (clip == nullptr) return root;
    std::vector<double> ways(static_cast<std::size_t>(rig.subtreeEnd.front()), 0.0);
    for (std::size_t i = 0; i < ways.size(); ++i)
        ways[i] = lengthOfWay(*clip, rig.id[i].value, {Property::Tx, Property::Ty, Property::Tz});
    for (const Handle& handle : rig.handles) {
        const JointIndex end = rig.index(handle.end);
        if ((handle.start.isValid() && handle.start != handle.end) || end < 0 || at(end) >= ways.size()) continue;
        ways[at(end)] = std::max(ways[at(end)], lengthOfWay(*clip, handle.id.value, {Property::GoalPosition}));
    }
    const double farthest = *std::max_element(ways.begin(), ways.end());
    if (!(farthest > 0)) return root;
    const auto top = std::find_if(ways.begin(), ways.end(), [&](double way) { return way >= farthest / 2; });
    return rig.id[static_cast<std::size_t>(top - ways.begin())];
}

} // namespace

std::optional<Vector3> Viewport::Impl::followedPlace(const editor::FrameResult& frame)
{
    const editor::Follow follow = editor.view().state().follow;
    if (follow == editor::Follow::Nothing || frame.rig == nullptr || frame.rig->jointCount() == 0) return std::nullopt;
    const editor::SelectionItem item = editor.selection().active();
    if (follow == editor::Follow::Root || !item.isValid()) {
        if (follow == editor::Follow::Selection) return std::nullopt;
        if (travellerRevision != frame.revision || travellerClip != editor.shown().clipId()) {
            traveller = travellingJoint(*frame.rig, editor.shown().clip());
            travellerRevision = frame.revision;
            travellerClip = editor.shown().clipId();
        }
        const Affine* place = frame.worldFromJoint(traveller);
        return place == nullptr ? std::nullopt : std::optional<Vector3>(place->translation());
    }
    if (const Affine* joint = frame.worldFromJoint(item.joint())) return Vector3(joint->translation());
    const editor::HandleView* handle = frame.find(item.handle());
    return handle == nullptr ? std::nullopt : std::optional<Vector3>(handle->target.goal.position);
}

void Viewport::Impl::follow(const editor::FrameResult& frame)
{
    const std::optional<Vector3> now = followedPlace(frame);
    const editor::SelectionItem item = editor.selection().active();
    // An edit moves what is followed, too; the camera goes along with time alone.
    if (now && followed && frame.frame != followedFrame && item == followedItem && gesture != Gesture::Camera) {
        Camera next = camera;
        next.target += *now - *followed;
        useCamera(next);
    }
    followed = now;
    followedFrame = frame.frame;
    followedItem = item;
}

void Viewport::Impl::noteView()
{
    if (isPlaced) history.note(camera);
}

void Viewport::Impl::lookWithPerspective()
{
    if (!camera.isOrthographic) return;
    noteView();
    wayTimer.stop();
    if (perspective) return useCamera(*perspective);
    Camera next = camera;
    next.isOrthographic = false;
    useCamera(next);
}

void Viewport::previousView()
{
    if (m_impl->history.hasPrevious()) m_impl->moveCamera(m_impl->history.previous(m_impl->camera), kViewTime);
}

void Viewport::nextView()
{
    if (m_impl->history.hasNext()) m_impl->moveCamera(m_impl->history.next(m_impl->camera), kViewTime);
}

bool Viewport::hasPreviousView() const { return m_impl->history.hasPrevious(); }

bool Viewport::hasNextView() const { return m_impl->history.hasNext(); }

void Viewport::setActive(bool isActive)
{
    Impl& impl = *m_impl;
    if (impl.isActive == isActive) return;
    impl.isActive = isActive;
    if (isActive) impl.noteCameraKind();
    update();
}

bool Viewport::isActive() const { return m_impl->isActive; }

void Viewport::setCompanion(bool isCompanion)
{
    m_impl->isCompanion = isCompanion;
    update();
}

void Viewport::setNamed(bool isNamed)
{
    m_impl->isNamed = isNamed;
    update();
}

QString Viewport::Impl::viewName() const
{
    const auto side = standardViewOf(camera);
    if (!side) return camera.isOrthographic ? Viewport::tr("Orthographic") : Viewport::tr("Perspective");
    switch (*side) {
    case StandardView::Front: return Viewport::tr("Front");
    case StandardView::Back: return Viewport::tr("Back");
    case StandardView::Right: return Viewport::tr("Right");
    case StandardView::Left: return Viewport::tr("Left");
    case StandardView::Top: return Viewport::tr("Top");
    case StandardView::Bottom: return Viewport::tr("Bottom");
    }
    return {};
}

} // namespace tendon::viewport
