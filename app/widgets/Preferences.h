#pragma once

#include "core/scene/Time.h"

#include <QObject>

namespace tendon::editor {

class MainWindow;

/// What the user prefers in every project: kept in the settings of the desktop, never in a project. Each has a getter,
/// and a setter that keeps it; apply() puts all of them into force in a window.
namespace preferences {

[[nodiscard]] QString lengthUnit(); ///< "cm", "m" or "in"
void setLengthUnit(const QString& name);

inline constexpr int kAutosaveSeconds[] = {2, 10, 30, 60, 300};
[[nodiscard]] int autosaveSeconds(); ///< from a change to the recovery copy that has it
void setAutosaveSeconds(int seconds);

inline constexpr int kUndoSteps = 200, kMaxUndoSteps = 2000;
[[nodiscard]] int undoSteps();
void setUndoSteps(int steps);

[[nodiscard]] FrameRate frameRate(); ///< of new projects
void setFrameRate(double perSecond);

[[nodiscard]] bool isLooping(); ///< playback, when the program starts
void setLooping(bool isOn);

void apply(MainWindow& window);
void applyUndoSteps(MainWindow& window); ///< to its present document

} // namespace preferences

} // namespace tendon::editor
