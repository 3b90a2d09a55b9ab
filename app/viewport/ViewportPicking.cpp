// Joints picked in pairs, with a rubber line between: the ends of a chain by two clicks, a child and its new parent by
// a drag.
#include "app/viewport/ViewportImpl.h"

#include "core/scene/Check.h"

#include <QJsonObject>

#include <algorithm>

namespace tendon::viewport {
namespace {

QString nameIn(const Scene& scene, JointId joint) { return QString::fromStdString(nameOf(scene, joint.value)); }

} // namespace

editor::SelectionItem Viewport::Impl::jointAt(const QPointF& point, bool alsoMeshes)
{
    editor::ViewState joints = editor.view().state();
    joints.showsHandles = false;
    joints.showsJoints = true;
    const editor::FramePtr frame = editor.drawnFrame();
    return picker.pickRig(widget.view(), picked(frame, joints), Vector2(point.x(), point.y()), alsoMeshes);
}

void Viewport::Impl::showCursor()
{
    if (isChainPicking || isLinking())
        widget.setCursor(Qt::CrossCursor);
    else
        widget.unsetCursor();
}

void Viewport::Impl::showRubber(const QPointF& point, JointId from, const QString& refusal)
{
    pointer.pointer = Vector2(point.x(), point.y());
    pointer.rubber.reset();
    const editor::FramePtr frame = editor.frame();
    const Affine* start = frame ? frame->worldFromJoint(from) : nullptr;
    if (start == nullptr) return;
    pointer.rubber = RubberLine{.from = start->translation(), .isRefused = !refusal.isEmpty(), .refusal = refusal};
}

// The start and end of a chain

bool Viewport::Impl::mayStartAt(JointId joint) const
{
    return isStartSelected && joint.isValid() && isAncestor(editor.document().scene(), joint, chainStart);
}

QString Viewport::Impl::chainRefusal(JointId end) const
{
    const Scene& document = editor.document().scene();
    if (!end.isValid() || mayStartAt(end)) return {};
    if (end == chainStart) return tr("a chain needs two joints");
    if (isAncestor(document, chainStart, end)) return {};
    return (isStartSelected ? tr("%1 is neither below nor above %2") : tr("%1 is not below %2"))
        .arg(nameIn(document, end), nameIn(document, chainStart));
}

void Viewport::Impl::proposeChain(JointId under)
{
    const Scene& document = editor.document().scene();
    const editor::FramePtr frame = editor.frame();
    pointer.proposal.clear();
    proposedStart = proposedEnd = {};
    if (!isStartSelected || !frame || document.find(chainStart) == nullptr) return;
    if (under.isValid() && isAncestor(document, chainStart, under)) {
        proposedStart = chainStart;
        proposedEnd = under;
    } else {
        proposedStart = proposedEnd = chainStart;
        if (mayStartAt(under))
            proposedStart = under;
        else
            while (document.find(proposedStart)->parent.isValid()) proposedStart = document.find(proposedStart)->parent;
    }
    const std::vector<JointId> joints = chain(document, proposedStart, proposedEnd);
    if (joints.size() < 2) { // the selected joint is a root
        proposedStart = proposedEnd = {};
        return;
    }
    for (const JointId joint : joints)
        if (const Affine* world = frame->worldFromJoint(joint)) pointer.proposal.push_back(world->translation());
    pointer.proposalText = tr("%1 to %2, %n joints · Enter", nullptr, static_cast<int>(joints.size()))
                               .arg(nameIn(document, proposedStart), nameIn(document, proposedEnd));
}

void Viewport::Impl::showChainTarget(const QPointF& point)
{
    const JointId under = jointAt(point, false).joint();
    proposeChain(under);
    showRubber(point, mayStartAt(under) ? JointId{} : chainStart,
               chainStart.isValid() ? chainRefusal(under) : QString());
}

void Viewport::Impl::pickChainJoint(JointId joint)
{
    if (!joint.isValid()) return;
    if (!chainStart.isValid()) {
        chainStart = joint;
        showChainTarget(lastPoint);
        widget.update();
        return;
    }
    if (const QString reason = chainRefusal(joint); !reason.isEmpty()) {
        emit widget.refused(reason);
        return;
    }
    const bool isUpward = mayStartAt(joint);
    const JointId start = isUpward ? joint : chainStart, end = isUpward ? chainStart : joint;
    endChainPick();
    emit widget.chainPicked(start, end);
}

void Viewport::Impl::endChainPick()
{
    isChainPicking = isStartSelected = false;
    chainStart = proposedStart = proposedEnd = {};
    pointer.rubber.reset();
    pointer.proposal.clear();
    showCursor();
    widget.update();
    emit widget.chainPickingChanged(false);
}

// Linking by dragging

std::vector<JointId> Viewport::Impl::linkedJoints() const
{
    std::vector<JointId> joints = {pressed.joint()};
    if (editor.selection().contains(pressed))
        for (const editor::SelectionItem& item : editor.selection().items())
            if (item.joint().isValid() && item != pressed) joints.push_back(item.joint());
    return joints;
}

QString Viewport::Impl::linkRefusal(JointId parent) const
{
    const Scene& document = editor.document().scene();
    if (!parent.isValid() || parent == pressed.joint()) return {}; // no parent, or where the drag began
    const std::vector<JointId> joints = linkedJoints();
    for (const JointId joint : joints)
        if (joint == parent || isAncestor(document, joint, parent))
            return joint == parent ? tr("%1 is selected, too: it can't be its own parent").arg(nameIn(document, parent))
                                   : tr("%1 is below %2: it can't be its parent")
                                         .arg(nameIn(document, parent), nameIn(document, joint));
    const bool isLinked = std::all_of(joints.begin(), joints.end(), [&](JointId id) {
        const Joint* joint = document.find(id);
        return joint != nullptr && joint->parent == parent;
    });
    if (isLinked)
        return tr("%1 is a child of %2 already").arg(nameIn(document, joints.front()), nameIn(document, parent));
    return {};
}

void Viewport::Impl::showLinkTarget(const QPointF& point)
{
    const editor::SelectionItem under = jointAt(point, false);
    editor.selection().setHovered(under);
    showRubber(point, pressed.joint(), linkRefusal(under.joint()));
    widget.update();
}

void Viewport::Impl::finishLink(const QPointF& point)
{
    const JointId parent = jointAt(point, false).joint(); // as highlighted
    const QString refusal = linkRefusal(parent);
    endLink();
    if (!refusal.isEmpty()) emit widget.refused(refusal);
    if (!parent.isValid() || parent == pressed.joint() || !refusal.isEmpty()) return;
    const Scene& document = editor.document().scene();
    std::vector<QJsonObject> links;
    for (const JointId joint : linkedJoints())
        links.push_back({{"op", "link"}, {"joint", nameIn(document, joint)}, {"parent", nameIn(document, parent)}});
    (void)editor.document().applyAsOne(links); // the document reports what it refuses
}

void Viewport::Impl::endLink()
{
    gesture = Gesture::None;
    pointer.rubber.reset();
    widget.update();
}

void Viewport::startChainPick(JointId selected)
{
    Impl& impl = *m_impl;
    if (impl.editor.drag().isActive()) impl.endDrag(false);
    impl.isChainPicking = true;
    impl.chainStart = selected;
    impl.isStartSelected = selected.isValid();
    impl.proposeChain({});
    impl.showCursor();
    setFocus();
    if (underMouse()) impl.hover(impl.lastPoint); // what is there is shown before the mouse moves
    update();
    emit chainPickingChanged(true);
}

void Viewport::pickChainJoint(JointId joint)
{
    if (m_impl->isChainPicking) m_impl->pickChainJoint(joint);
}

void Viewport::cancelChainPick()
{
    if (m_impl->isChainPicking) m_impl->endChainPick();
}

bool Viewport::isChainPicking() const { return m_impl->isChainPicking; }

} // namespace tendon::viewport
