#pragma once

#include "app/editor/Editor.h"
#include "app/widgets/NumberField.h"

#include <QMenu>
#include <QPointer>

#include <functional>
#include <vector>

namespace tendon::editor {

/// One number of the inspector's channels, as its right-button menu needs it.
struct ChannelEntry
{
    QPointer<NumberField> field;
    std::vector<ObjectId> objects;    ///< that an edit changes: the one shown first
    std::vector<Property> properties; ///< the channels of the number; the first is its own
    int axis = -1;                    ///< 0 x, 1 y, 2 z; -1 = none
    std::function<void()> reset = {};
    std::function<void()> showInGraph = {};
};

/// Fills the menu with Key, Delete key, Reset, Copy, Paste, Paste mirrored and Show in graph, and for a joint's axis
/// with a lock. All but the last work on all objects of the entry, each as one step of undo. Copied numbers go through
/// the clipboard as text, so other fields and programs can take them.
void fillChannelMenu(QMenu& menu, Editor& editor, const ChannelEntry& entry);

} // namespace tendon::editor
