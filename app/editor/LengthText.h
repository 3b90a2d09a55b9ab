#pragma once

#include <QString>

#include <cmath>

namespace tendon::editor {

/// A length as people read it at work: "0.4 mm", "21.4 cm", "1.20 m".
[[nodiscard]] inline QString lengthText(double metres)
{
    const double size = std::abs(metres);
    if (size < 0.01) return QStringLiteral("%1 mm").arg(1000 * metres, 0, 'f', 1);
    if (size < 1) return QStringLiteral("%1 cm").arg(100 * metres, 0, 'f', 1);
    return QStringLiteral("%1 m").arg(metres, 0, 'f', 2);
}

} // namespace tendon::editor
