#pragma once

#include <QOpenGLWidget>
#include <QSignalSpy>
#include <QTest>

namespace tendon::test {

/// Waits until a picture with all that has changed so far is on the screen. False: none came.
[[nodiscard]] inline bool waitForPicture(QOpenGLWidget& view)
{
    const QSignalSpy swapped(&view, &QOpenGLWidget::frameSwapped);
    view.update();
    return QTest::qWaitFor([&] { return !swapped.isEmpty(); }, 10'000);
}

} // namespace tendon::test
