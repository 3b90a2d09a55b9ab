#include "app/editor/LengthUnit.h"

namespace tendon::editor {

LengthUnits& LengthUnits::instance()
{
    static LengthUnits units;
    return units;
}

void LengthUnits::show(const QString& name)
{
    const LengthUnit* wanted = &kLengthUnits.front();
    for (const LengthUnit& unit : kLengthUnits)
        if (name == QLatin1String(unit.name)) wanted = &unit;
    if (wanted == m_shown) return;
    m_shown = wanted;
    emit changed();
}

} // namespace tendon::editor
