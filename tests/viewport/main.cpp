#include "app/viewport/Viewport.h"
#include "tests/support/TestProgram.h"

#include <QApplication>

#include <cstdio>

/// The viewport's tests, which are skipped without a display.
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
