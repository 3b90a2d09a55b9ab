#pragma once

#include <QMainWindow>
#include <QString>

namespace tendon::test {

/// The first widget of a window or dialog that shows only a part of its text, with the room that it needs; "" if there
/// is none.
[[nodiscard]] QString clippedIn(const QWidget& window);
/// Two parts of the window that cover each other, or one that is larger than its parent; "" if there are none.
[[nodiscard]] QString overlappingIn(const QMainWindow& window);

} // namespace tendon::test
