#pragma once

#include <QByteArray>
#include <QStringList>

namespace tendon::viewport {

/// The source of a built-in shader such as "model.vert", for OpenGL 3.3, with `defines` ("NAME" or "NAME value") before
/// it.
[[nodiscard]] QByteArray shaderSource(const QString& name, const QStringList& defines = {});

} // namespace tendon::viewport
