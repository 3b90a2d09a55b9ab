#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"

#include <QObject>

namespace tendon::editor {

/// Drags goals, poles, points of curves, effectors and joints with the mouse: the one under the pointer, and others
/// with it. Every move carries out one operation for each, which replaces the last ones, so commit() leaves one undo
/// step (none if nothing changed) and cancel() none. All positions and rotations are in the world; scale is along an
/// object's own axes.
///
/// A joint that IK drives takes its handle along (JointEdits.h); in the middle of its chain it swings the chain.
///
/// An effector is placed on its joint as the joint was at the beginning: the chain solves meanwhile, so that the point
/// chosen there meets the goal.
class DragSession : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Move, Rotate, Scale };

    /// Both outlive the session.
    DragSession(EditorDocument& document, const ViewSettings& view, QObject* parent = nullptr);

    /// Begins to drag an object from where `frame` shows it, with those of `others` that can be dragged as well. Joints
    /// below another dragged joint move with it anyway; joints above `item` and objects that cannot be dragged this way
    /// stay. Errors: nothing to drag, a pole that follows a joint, the goal of a handle that follows a curve or
    /// that FK drives, rotating anything but a joint or a goal, scaling anything but a joint.
    Result<void> begin(SelectionItem item, Kind kind, FramePtr frame, const std::vector<SelectionItem>& others = {});

    [[nodiscard]] HandleId inFk() const { return m_inFk; } ///< whose goal begin() refused as FK drives its limb, if so
    [[nodiscard]] bool isActive() const { return m_isActive; }
    [[nodiscard]] SelectionItem item() const { return first().item; }
    [[nodiscard]] std::size_t count() const { return m_dragged.size(); }
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] Vector3 origin() const { return first().origin; } ///< [m] position of the item at the beginning
    [[nodiscard]] Quaternion originRotation() const { return first().rotation; }

    /// The joint of a dragged effector at the beginning, and the direction of its bone; none for other items.
    struct BoneLine
    {
        Vector3 joint = Vector3::Zero();     ///< [m]
        Vector3 direction = Vector3::Zero(); ///< unit
    };
    [[nodiscard]] std::optional<BoneLine> boneLine() const { return first().bone; }
    Result<void> moveTo(const Vector3& world); ///< the others move by the same offset
    /// The others rotate by the same rotation, each in place. Joints stop at their limits, unless `passesLimits`.
    Result<void> rotateTo(const Quaternion& world, bool passesLimits = false);
    Result<void> scaleBy(const Vector3& factors); ///< multiplies the scale at the beginning
    void commit();
    void cancel();

signals:
    void begun();
    void ended(bool isCommitted);
    void refused(const QString& reason); ///< a move failed; the drag continues

private:
    struct Dragged
    {
        SelectionItem item;
        Vector3 origin = Vector3::Zero(); ///< [m]
        Quaternion rotation = Quaternion::Identity();
        Vector3 scale = Vector3::Ones();
        Vector3 angles = Vector3::Zero();           ///< [rad] of a joint, as it was turned last
        Affine worldFromSpace = Affine::Identity(); ///< the space of the operation's numbers
        std::optional<BoneLine> bone = {};          ///< of an effector
    };
    [[nodiscard]] Result<Dragged> makeDragged(SelectionItem item, Kind kind, const FrameResult& frame) const;
    [[nodiscard]] QJsonObject move(const Dragged& dragged, const Vector3& world) const;
    [[nodiscard]] QJsonObject rotate(Dragged& dragged, const Quaternion& world, bool passesLimits) const;
    [[nodiscard]] Dragged first() const { return m_dragged.empty() ? Dragged{} : m_dragged.front(); }
    Result<void> update(const std::vector<QJsonObject>& operations);
    void end(bool isCommitted);

    EditorDocument& m_document;
    const ViewSettings& m_view;
    bool m_isActive = false;
    HandleId m_inFk;
    Kind m_kind = Kind::Move;
    FramePtr m_frame;               ///< from which it began
    std::vector<Dragged> m_dragged; ///< the item first
};

} // namespace tendon::editor
