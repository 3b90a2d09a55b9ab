#pragma once

#include "app/gui/Options.h"

namespace tendon {
class SolverRegistry;
}
class QImage;

namespace tendon::editor {

class EditorDocument;

/// Whether the display can draw: without OpenGL 3.3 Qt would crash. Needs a QApplication.
[[nodiscard]] Result<void> checkOpenGl();

/// Writes a picture of a document as PNG, completely or not at all, and over no file of the document.
[[nodiscard]] Result<void> writePicture(const QImage& image, const QString& path, const EditorDocument& document);

/// Draws one frame of a project according to `options`, or a sequence of frames seen from one place, and writes each by
/// writePicture(). Needs a QApplication with OpenGL; shows no window. An error in the middle of a sequence leaves the
/// pictures before it.
[[nodiscard]] Result<void> renderPictures(const SolverRegistry& solvers, const Options& options);

} // namespace tendon::editor
