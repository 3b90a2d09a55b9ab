#pragma once

#include "app/editor/Editor.h"

namespace tendon::editor {

/// What the inspector's panels show: the active object with its joint and its handle.
struct InspectorTarget
{
    SelectionItem item;
    JointId joint;   ///< the selected joint, or one in the selected handle's chain
    HandleId handle; ///< the selected handle, or the one that moves the selected joint; may be invalid

    [[nodiscard]] bool isHandle() const
    {
        return item.kind == SelectionItem::Kind::Handle || item.kind == SelectionItem::Kind::Pole;
    }
    bool operator==(const InspectorTarget&) const = default;
};

/// The first handle, in the document's order, whose chain contains a joint.
[[nodiscard]] HandleId handleOver(const Scene& scene, JointId joint);

} // namespace tendon::editor
