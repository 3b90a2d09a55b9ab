#pragma once

#include "app/editor/Editor.h"

namespace tendon::editor {

/// What the inspector's panels show: the active object, and the joint and handle that go with it.
struct InspectorTarget
{
    SelectionItem item;
    JointId joint;   ///< the selected one, or one of the selected handle's chain
    HandleId handle; ///< the selected one, or the one that moves the selected joint; none = none does

    [[nodiscard]] bool isHandle() const
    {
        return item.kind == SelectionItem::Kind::Handle || item.kind == SelectionItem::Kind::Pole;
    }
    bool operator==(const InspectorTarget&) const = default;
};

/// The handle whose chain a joint is in; the first in the document's order.
[[nodiscard]] HandleId handleOver(const Scene& scene, JointId joint);

} // namespace tendon::editor
