#pragma once

#include "core/runtime/PoseSampler.h"

#include <QJsonArray>

namespace tendon::editor {

// A project does not hold what is posed and not keyed: a recovery copy has that beside it.

[[nodiscard]] QJsonArray posedToJson(const PendingValues& posed);
[[nodiscard]] PendingValues posedFromJson(const QJsonArray& all); ///< without what can't be read

} // namespace tendon::editor
