#pragma once

#include "app/editor/RetargetChoices.h"

#include <QDialog>

namespace tendon::editor {

/// What a motion file holds, looked at with the character that it may be put onto. Made in any thread.
struct MotionSummary
{
    int frames = 0; ///< of the first clip
    double fps = 0, seconds = 0;
    int clips = 0, joints = 0;
    int matched = 0, roles = 0;      ///< of the character
    bool isEnough = false;           ///< hips and a limb of both are known
    std::optional<double> travelled; ///< [m] of the hips over the floor, from first to last frame
};
/// None: nothing moves in the file, it has a body of its own, or the project holds no character.
[[nodiscard]] std::optional<MotionSummary> summaryOf(const ImportedModel& motion, const Scene& project);

/// Asks what becomes of a motion that was dropped on a window with a character. The window stays usable.
class MotionCard : public QDialog
{
    Q_OBJECT
public:
    MotionCard(const QString& file, const MotionSummary& summary, const QString& character, QWidget* parent);

signals:
    void retargetWanted();
    void openWanted(); ///< as a model of its own
};

} // namespace tendon::editor
