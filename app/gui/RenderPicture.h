#pragma once

#include "app/gui/Options.h"

namespace tendon {
class SolverRegistry;
}
class QImage;

namespace tendon::editor {

class EditorDocument;

/// Writes a picture of a document as PNG, completely or not at all, and over no file of the document.
[[nodiscard]] Result<void> writePicture(const QImage& image, const QString& path, const EditorDocument& document);

/// Draws one frame of a project according to `options` and writes it by writePicture(). Needs a
/// QApplication with OpenGL; shows no window.
[[nodiscard]] Result<void> renderPicture(const SolverRegistry& solvers, const Options& options);

} // namespace tendon::editor
