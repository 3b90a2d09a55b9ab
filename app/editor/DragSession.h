#pragma once

#include "app/editor/EditorDocument.h"
#include "app/editor/FrameResult.h"
#include "app/editor/Selection.h"
#include "app/editor/ViewSettings.h"

#include <QObject>

namespace tendon::editor {

/// Dragging one goal, pole or joint with the mouse. Every move carries out one operation in place of the last one, so that
/// commit() leaves one undo step (none when it ends where it began) and cancel() none. World space throughout.
class DragSession : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Move, Rotate };

    /// Both outlive the session.
    DragSession(EditorDocument& document, const ViewSettings& view, QObject* parent = nullptr);

    /// Takes up an object where `frame` shows it. Errors: nothing to drag there; a pole that follows a joint, or that is
    /// asked to turn.
    Result<void> begin(SelectionItem item, Kind kind, FramePtr frame);

    [[nodiscard]] bool isActive() const { return m_isActive; }
    [[nodiscard]] SelectionItem item() const { return m_item; }
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] const Vector3& origin() const { return m_origin; }                 ///< [m] where it stood at the beginning
    [[nodiscard]] const Quaternion& originRotation() const { return m_originRotation; }

    Result<void> moveTo(const Vector3& world);
    Result<void> rotateTo(const Quaternion& world);
    void commit();
    void cancel();

signals:
    void begun();
    void ended(bool isCommitted);
    void refused(const QString& reason); ///< a move that could not be carried out; the drag goes on

private:
    Result<void> update(const QJsonObject& operation);
    void end(bool isCommitted);

    EditorDocument& m_document;
    const ViewSettings& m_view;
    bool m_isActive = false;
    SelectionItem m_item;
    Kind m_kind = Kind::Move;
    Vector3 m_origin = Vector3::Zero();
    Quaternion m_originRotation = Quaternion::Identity();
    Affine m_spaceFromWorld = Affine::Identity(); ///< of what the operation's numbers are in
    Quaternion m_spaceRotation = Quaternion::Identity();
};

} // namespace tendon::editor
