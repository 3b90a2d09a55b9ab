#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

namespace tendon::editor {

/// An icon of resources/look/icons in the theme's colours: it follows the theme, and is drawn for each size and screen.
[[nodiscard]] QIcon icon(const QString& name, const QString& token = QStringLiteral("text.primary"));

/// The same as a pixmap of `px` logical pixels at a device pixel ratio.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QString& token, int px, qreal dpr);

/// A file with the icon in a colour, for style sheets. It lasts as long as the program.
[[nodiscard]] QString iconFile(const QString& name, const QString& token);

} // namespace tendon::editor
