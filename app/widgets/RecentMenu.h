#pragma once

class QMenu;

namespace tendon::editor {

class FileActions;

/// Fills `menu`, whenever it opens, with what was opened last: pictures, names, and which files are gone.
void keepRecent(QMenu& menu, FileActions& files);

} // namespace tendon::editor
