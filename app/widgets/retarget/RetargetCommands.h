#pragma once

#include "app/editor/RetargetChoices.h"

namespace tendon::editor {

class MainWindow;
class RetargetBody;

void addImportMotion(MainWindow& window); ///< to the menu File
/// Adds Retarget… and what else is done with motions to the menu Animate; opens the task for motions that are read or
/// dropped.
void addRetargetCommands(MainWindow& window);

/// Opens the task; the one that was open is left.
RetargetBody* openRetarget(MainWindow& window, RetargetSource source);

} // namespace tendon::editor
