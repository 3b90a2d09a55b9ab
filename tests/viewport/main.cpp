#include "app/viewport/Viewport.h"
#include "tests/support/TestProgram.h"

#include <QApplication>

#include <cstdio>

/// The tests of the viewport: they need a display and are skipped without one.
int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        std::puts("no display: skipped");
        return 77;
    }
    tendon::viewport::Viewport::prepareApplication();
    const QApplication application(argc, argv);
    return tendon::test::runTestClass(argc, argv);
}
