#pragma once

namespace tendon::editor {

class MainWindow;

/// The commands of the tab Graph, which work on its selected keys: in the menu Animate, the row over the graph, its
/// context menu and the command search.
void addGraphCommands(MainWindow& window);

} // namespace tendon::editor
