// Limits dragged where they are drawn: as an edit, or with Ctrl as a preview of where they would let the joint go.
#include "app/editor/LengthText.h"
#include "app/editor/TrueLengths.h"
#include "app/viewport/ViewportImpl.h"
#include "app/viewport/overlay/LimitOverlay.h"
#include "core/math/Convert.h"
#include "core/scene/Check.h"

#include <QJsonArray>
#include <QJsonObject>

#include <numbers>

namespace tendon::viewport {
namespace {

using Kind = LimitShape::Kind;

constexpr double kGripReach = 9; // [px]
constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAngleStep = 0.1 * kDegree, kLengthStep = 1e-3; // what a drag rounds to, so that figures stay readable

bool isSlide(const LimitGripName& name) { return name.kind == Kind::Slide; }

/// The edit that gives a limit's end a value. [rad] or [m]
QJsonObject limitOperation(const Scene& scene, const Joint& joint, const LimitGripName& name, double value)
{
    const QString jointName = QString::fromStdString(nameOf(scene, joint.id.value));
    if (name.kind == Kind::Swing || name.kind == Kind::Twist) {
        const BallLimits& ball = *joint.ball;
        QJsonArray angles;
        if (name.kind == Kind::Swing)
            for (int end = 0; end < 4; ++end)
                angles.append((end == name.end ? value : (*ball.swing)[static_cast<std::size_t>(end)]) / kDegree);
        else
            for (int end = 0; end < 2; ++end)
                angles.append((end == name.end ? value : (*ball.twist)[static_cast<std::size_t>(end)]) / kDegree);
        return {{"op", "setBallJoint"}, {"joint", jointName}, {name.kind == Kind::Swing ? "swing" : "twist", angles}};
    }
    const auto axis = static_cast<std::size_t>(name.axis);
    const AxisFreedom& freedom = isSlide(name) ? joint.sliding[axis] : joint.turning[axis];
    // A range may have been typed the other way round: its lower end is then "to".
    const bool isFrom = (name.end == 0) == (freedom.from <= freedom.to);
    return {{"op", isSlide(name) ? "setSlidingAxis" : "setRotationAxis"},
            {"joint", jointName},
            {"axis", QString(QLatin1Char("xyz"[axis]))},
            {isFrom ? "from" : "to", isSlide(name) ? value : value / kDegree}};
}

/// What the joint is posed by to stand at a limit's end, for the preview.
struct Preview
{
    Property property = Property::Rx;
    ChannelValue value = {};
};
Preview previewOf(const CompiledRig& rig, JointIndex joint, const LimitGripName& name, double value)
{
    const auto at = [&](Property first) { return static_cast<Property>(static_cast<int>(first) + name.axis); };
    if (name.kind == Kind::Slide) return {at(Property::Tx), {value}};
    if (name.kind == Kind::Turn) return {at(Property::Rx), {value}};
    const int about = name.kind == Kind::Twist ? name.axis : (name.axis + (name.end < 2 ? 1 : 2)) % 3;
    const double angle = name.kind == Kind::Swing && name.end % 2 == 1 ? -value : value;
    const Quaternion local = rig.rest[static_cast<std::size_t>(joint)].rotation *
                             Quaternion(Eigen::AngleAxisd(angle, Vector3::Unit(about)));
    return {Property::Rotation, toValue(local)};
}

/// `metres`: in the world, of a unit of what slides.
QString textOf(const LimitGripName& name, double value, double metres, bool isPreview)
{
    const QString figure = isSlide(name) ? editor::fieldLengthText(value * metres)
                                         : QStringLiteral("%1\u00b0").arg(value / kDegree, 0, 'f', 1);
    const QString what = name.kind == Kind::Swing   ? Viewport::tr("swing")
                         : name.kind == Kind::Twist ? Viewport::tr("twist")
                                                    : QString(QLatin1Char("XYZ"[name.axis]));
    return (isPreview ? Viewport::tr("%1 %2 preview") : Viewport::tr("%1 limit %2")).arg(what, figure);
}

} // namespace

std::optional<LimitGripHit> Viewport::Impl::gripAt(const View& view, const Vector2& pixel) const
{
    const editor::FramePtr frame = editor.frame();
    if (!editor.view().state().showsLimits || !frame || !frame->rig) return std::nullopt;
    const JointIndex joint = jointOfLimits(*frame, editor.selection().active());
    if (joint < 0 || !visibility.isPickable(joint)) return std::nullopt;
    return pickLimitGrip(limitsShown(view, *frame, joint, scale()), view, pixel, kGripReach * scale());
}

void Viewport::Impl::beginLimitDrag()
{
    const editor::FramePtr frame = editor.frame();
    gesture = Gesture::None;
    if (!frame || !frame->rig || !pointer.grip) return;
    const JointIndex joint = jointOfLimits(*frame, editor.selection().active());
    if (joint < 0) return;
    const std::vector<LimitShape> shapes = limitsShown(widget.view(), *frame, joint, scale());
    const LimitGrip* grip = findGrip(shapes, *pointer.grip);
    if (grip == nullptr) return;
    limitJoint = frame->rig->id[static_cast<std::size_t>(joint)];
    limitDrag.emplace(*grip, widget.view(), Vector2(pressPoint.x(), pressPoint.y()));
    isLimitPreview = false;
    previewedFrom = frame;
    editor.document().gesture().begin();
    gesture = Gesture::Limit;
    pointer.hidesGizmo = true;
}

void Viewport::Impl::updateLimitDrag(Qt::KeyboardModifiers held)
{
    const Joint* joint = editor.document().scene().find(limitJoint);
    const editor::FramePtr frame = editor.frame();
    if (!limitDrag || joint == nullptr || !frame || !frame->rig || !pointer.grip) return endLimitDrag(false);
    const editor::ViewState& state = editor.view().state();
    const double angleStep = state.isSnapping ? state.snapAngle * kDegree : kAngleStep,
                 lengthStep = state.isSnapping ? state.snapLength : kLengthStep;
    const double metres = isSlide(*pointer.grip)
                              ? editor::metresPerUnitAbove(editor.document().scene(), *joint)[pointer.grip->axis]
                              : 1;
    limitDrag->moveTo(widget.view(), Vector2(lastPoint.x(), lastPoint.y()),
                      isSlide(*pointer.grip) ? lengthStep / metres : angleStep);

    const bool wantsPreview = held.testFlag(Qt::ControlModifier);
    if (wantsPreview && !isLimitPreview) { // what was changed so far goes back: a preview leaves nothing
        editor.document().gesture().cancel();
        editor.document().gesture().begin();
    }
    if (!wantsPreview && isLimitPreview) editor.clearPreview();
    isLimitPreview = wantsPreview;
    if (isLimitPreview) {
        const Preview preview = previewOf(*frame->rig, frame->rig->index(limitJoint), *pointer.grip,
                                          limitDrag->value());
        editor.previewJoint(limitJoint, preview.property, preview.value);
    } else if (const auto done = editor.document().gesture().update(
                   limitOperation(editor.document().scene(), *joint, *pointer.grip, limitDrag->value()));
               !done) {
        emit widget.refused(QString::fromStdString(done.error().text()));
    }
    pointer.pointer = Vector2(lastPoint.x(), lastPoint.y());
    pointer.dragText = textOf(*pointer.grip, limitDrag->value(), metres, isLimitPreview);
    widget.update();
}

void Viewport::Impl::endLimitDrag(bool isCommitted)
{
    gesture = Gesture::None;
    limitDrag.reset();
    pointer.hidesGizmo = false;
    pointer.grip.reset();
    pointer.dragText.clear();
    if (isLimitPreview) editor.clearPreview();
    if (isCommitted && !isLimitPreview)
        editor.document().gesture().end();
    else
        editor.document().gesture().cancel();
    isLimitPreview = false;
    previewedFrom.reset();
    widget.update();
}

} // namespace tendon::viewport
