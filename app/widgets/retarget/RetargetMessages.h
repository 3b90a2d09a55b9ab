#pragma once

#include "app/editor/RetargetPreview.h"
#include "app/widgets/IssueRows.h"

#include <QList>
#include <QString>

class QFrame;
class QPushButton;

namespace tendon::editor {

/// A message of the task Retarget, with what can be done about it.
[[nodiscard]] QFrame* messageOf(Mark mark, const QString& text, const QList<QPushButton*>& buttons);

/// Where the motion takes the character beyond its limits: "LowerLeg_L goes beyond its limit on 14 frames, most by
/// 5.3° at frame 60; 2 more joints do, too."; "" = nowhere.
[[nodiscard]] QString passedLimitsOf(const RetargetPreview& preview, const Scene& character);

} // namespace tendon::editor
