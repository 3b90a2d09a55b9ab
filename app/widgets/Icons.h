#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

#include <string>

namespace tendon::editor {

/// An icon of resources/look/icons in the theme's colours: it follows the theme, and is drawn for each size and screen.
[[nodiscard]] QIcon icon(const QString& name, const QString& token = QStringLiteral("text.primary"));

/// The same as a pixmap of `px` logical pixels at a device pixel ratio.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QString& token, int px, qreal dpr);

/// A file with the icon in a colour, for style sheets. It lasts as long as the program.
[[nodiscard]] QString iconFile(const QString& name, const QString& token);

/// The name of a solver's icon, by its alias: "solver-dls". A solver without one of its own has that of IK handles.
[[nodiscard]] QString solverIcon(const std::string& alias);

} // namespace tendon::editor
