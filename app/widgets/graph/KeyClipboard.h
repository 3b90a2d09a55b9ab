#pragma once

#include "app/widgets/graph/GraphState.h"

class QKeyEvent;

namespace tendon::editor {

// The clipboard of keys, which is the document's: what is copied in one view, of some frames or in one clip is pasted
// in another.

/// False: none of them is there.
bool copyKeys(GraphState& state, const GraphKeys& keys);
/// Copies the selected keys and deletes them, in one step.
void cutKeys(GraphState& state);
/// The first copied key comes to the current frame. What has been pasted is selected. `onto`: to this object; 0 = to
/// those that the keys were copied from.
void pasteKeys(GraphState& state, ObjectId onto = 0);
[[nodiscard]] QString
whyNoPaste(const GraphState& state); ///< empty: there are copied keys, of the layer that is edited

/// Carries out Ctrl+C, Ctrl+X and Ctrl+V for the selected keys; false: the key is none of them.
bool handleClipboardKey(const QKeyEvent& event, GraphState& state);

} // namespace tendon::editor
