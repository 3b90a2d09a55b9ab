#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"

#include <QObject>

namespace tendon::editor {

/// Dragging goals, poles and joints with the mouse: one that is held, and others that go with it. Every move carries
/// out one operation for each in place of the last ones, so that commit() leaves one undo step (none when it ends where
/// it began) and cancel() none. World space throughout; scale along an object's own axes.
class DragSession : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Move, Rotate, Scale };

    /// Both outlive the session.
    DragSession(EditorDocument& document, const ViewSettings& view, QObject* parent = nullptr);

    /// Takes up an object where `frame` shows it, and those of `others` that can come along: what hangs below another
    /// of them does so anyway; what is above the one that is held, and what cannot be dragged that way, stays. Errors:
    /// nothing to drag there; a pole that follows a joint, or that is asked to turn; what is not a joint and is asked
    /// to grow.
    Result<void> begin(SelectionItem item, Kind kind, FramePtr frame, const std::vector<SelectionItem>& others = {});

    [[nodiscard]] bool isActive() const { return m_isActive; }
    [[nodiscard]] SelectionItem item() const { return isEmpty() ? SelectionItem() : m_dragged.front().item; }
    [[nodiscard]] std::size_t count() const { return m_dragged.size(); }
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] Vector3 origin() const
    {
        return isEmpty() ? Vector3(Vector3::Zero()) : m_dragged.front().origin;
    } ///< [m] where what is held stood at the beginning
    [[nodiscard]] Quaternion originRotation() const
    {
        return isEmpty() ? Quaternion::Identity() : m_dragged.front().rotation;
    }

    Result<void> moveTo(const Vector3& world);      ///< the others go by the same way
    Result<void> rotateTo(const Quaternion& world); ///< the others turn as much, each about itself
    Result<void> scaleBy(const Vector3& factors);   ///< times the scale at the beginning
    void commit();
    void cancel();

signals:
    void begun();
    void ended(bool isCommitted);
    void refused(const QString& reason); ///< a move that could not be carried out; the drag goes on

private:
    struct Dragged
    {
        SelectionItem item;
        Vector3 origin = Vector3::Zero(); ///< [m]
        Quaternion rotation = Quaternion::Identity();
        Vector3 scale = Vector3::Ones();
        Affine spaceFromWorld = Affine::Identity(); ///< of what the operation's numbers are in
        Quaternion worldFromSpace = Quaternion::Identity();
    };
    [[nodiscard]] Result<Dragged> takeUp(SelectionItem item, Kind kind, const FrameResult& frame) const;
    [[nodiscard]] QJsonObject move(const Dragged& dragged, const Vector3& world) const;
    [[nodiscard]] QJsonObject rotate(const Dragged& dragged, const Quaternion& world) const;
    [[nodiscard]] bool isEmpty() const { return m_dragged.empty(); }
    Result<void> update(const std::vector<QJsonObject>& operations);
    void end(bool isCommitted);

    EditorDocument& m_document;
    const ViewSettings& m_view;
    bool m_isActive = false;
    Kind m_kind = Kind::Move;
    std::vector<Dragged> m_dragged; ///< what is held first
};

} // namespace tendon::editor
