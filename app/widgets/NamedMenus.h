#pragma once

class QMenu;

namespace tendon::editor {

class MainWindow;

/// Menus of what the project has names for, filled anew each time they open: below the commands that the table put
/// there, an entry each, and how to delete one.
void followSelectionSets(QMenu& menu, MainWindow& window);
void followCameraBookmarks(QMenu& menu, MainWindow& window);

} // namespace tendon::editor
