#pragma once

#include "app/widgets/graph/GraphState.h"

namespace tendon::editor {

class MainWindow;

/// The keys that commands on time work on: those of the marked frames, else those of the selection at the shown frame.
[[nodiscard]] GraphKeys keysHere(MainWindow& window);
[[nodiscard]] bool hasKeysHere(MainWindow& window); ///< at once, however many there are

} // namespace tendon::editor
