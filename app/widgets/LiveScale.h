#pragma once

namespace tendon::editor {

/// Brings all widgets from one scale of the interface to another (1 ... 2): sizes, margins, spacings, icons and fonts
/// that were set when they were made. Call it before the theme gets the new scale, so that those which set their own
/// sizes then have the last word. What is made later reads the theme.
void scaleWidgets(double from, double to);

} // namespace tendon::editor
