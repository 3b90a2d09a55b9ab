#pragma once

class QMenu;

namespace tendon::editor {

class FileActions;

/// Fills `menu` with the recent files whenever it opens: pictures, names, and marks for missing files.
void fillRecentMenu(QMenu& menu, FileActions& files);

} // namespace tendon::editor
