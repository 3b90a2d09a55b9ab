#pragma once

#include "core/base/SmallLength.h"

#include <QString>

#include <string_view>

namespace tendon::editor {

[[nodiscard]] inline QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline QString lengthOf(double metres) { return fromView(smallLength(metres)); }

} // namespace tendon::editor
