#pragma once

#include "core/scene/Handle.h"

#include <QString>

class QPainter;

namespace tendon::editor {

/// What drives the joints of a handle, as badges say it: IK or FK, and of a constraint its kind, or Off.
[[nodiscard]] QString driverWord(const Handle& handle, bool isOn);

/// The badge that says it, at the right end of a row: full where the handle drives, dashed where it does not.
/// Returns its left end [px].
int paintDriverBadge(QPainter& painter, const QString& word, bool isOn, int right, int middle);

/// [px] the width of the badge.
[[nodiscard]] int driverBadgeWidth(const QString& word);

} // namespace tendon::editor
