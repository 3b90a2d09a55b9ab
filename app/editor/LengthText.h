#pragma once

#include "app/editor/LengthUnit.h"

#include <QString>

#include <cmath>
#include <string_view>

namespace tendon::editor {

/// A length as people read it at work: "0.4 mm", "21.4 cm", "1.20 m"; in inches where those are the unit: "8.42 in".
[[nodiscard]] inline QString lengthText(double metres)
{
    const LengthUnit& unit = LengthUnits::instance().shown();
    if (unit.name == std::string_view("in"))
        return QStringLiteral("%1 in").arg(unit.perMetre * metres, 0, 'f', std::abs(metres) < 0.01 ? 3 : 2);
    const double size = std::abs(metres);
    if (size < 0.01) return QStringLiteral("%1 mm").arg(1000 * metres, 0, 'f', 1);
    if (unit.name == std::string_view("m")) return QStringLiteral("%1 m").arg(metres, 0, 'f', 3);
    if (size < 1) return QStringLiteral("%1 cm").arg(100 * metres, 0, 'f', 1);
    return QStringLiteral("%1 m").arg(metres, 0, 'f', 2);
}

/// A place or an offset in the unit that fields show: "21.4 cm", "0.214 m".
[[nodiscard]] inline QString fieldLengthText(double metres)
{
    const LengthUnit& unit = LengthUnits::instance().shown();
    return QStringLiteral("%1 %2")
        .arg(unit.perMetre * metres, 0, 'f', 1 + unit.extraDecimals)
        .arg(QLatin1String(unit.name));
}

} // namespace tendon::editor
