#pragma once

#include "core/math/Transform.h"

#include <QJsonArray>

namespace tendon::editor {

// Values as operations have them.

[[nodiscard]] inline QJsonArray toJson(const Vector3& v) { return {v.x(), v.y(), v.z()}; }
[[nodiscard]] inline QJsonArray toJson(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }

} // namespace tendon::editor
