#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/KeyDiamond.h"

#include <QJsonObject>

#include <functional>
#include <vector>

namespace tendon::editor {

/// What the inspector's panels show: the active object with its joint and its handle.
struct InspectorTarget
{
    SelectionItem item;
    JointId joint;              ///< the selected joint, or one in the selected handle's chain
    bool isJointChosen = false; ///< by the user, in the list of the selected handle's joints
    HandleId handle;            ///< the selected handle, or the one that moves the selected joint; may be invalid

    /// The active object is a handle, by one of its controls.
    [[nodiscard]] bool isHandle() const { return item.handle().isValid(); }
    bool operator==(const InspectorTarget&) const = default;
};

/// The joints that an edit of the inspector's joint fields changes: the one shown, first, and all others that are
/// selected. Valid until the document changes.
[[nodiscard]] std::vector<const Joint*> editedJoints(Editor& editor, const InspectorTarget& target);

/// The handles that an edit of the inspector's handle fields changes: the one shown, first, and, if it is selected
/// itself, all others that are. Valid until the document changes.
[[nodiscard]] std::vector<const Handle*> editedHandles(Editor& editor, const InspectorTarget& target);

/// One operation for each of editedJoints(), as one step. `make` need not name the joint; where it returns an empty
/// object, the joint is left alone.
[[nodiscard]] QJsonObject forEditedJoints(Editor& editor, const InspectorTarget& target,
                                          const std::function<QJsonObject(const Joint&)>& make);

/// One setHandle for each of editedHandles(), as one step, with the fields that `fields` returns; none of them, and the
/// handle is left alone.
[[nodiscard]] QJsonObject forEditedHandles(Editor& editor, const InspectorTarget& target,
                                           const std::function<QJsonObject(const Handle&)>& fields);

/// Whether one of the channels of an object is posed or keyed at the frame that is shown.
[[nodiscard]] Keyed keyedState(const Editor& editor, ObjectId object, const std::vector<Property>& properties);

/// The first handle, in the document's order, whose chain contains a joint.
[[nodiscard]] HandleId handleOver(const Scene& scene, JointId joint);

} // namespace tendon::editor
