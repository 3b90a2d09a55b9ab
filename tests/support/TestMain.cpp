#include "tests/support/TestProgram.h"

#ifdef TENDON_GUI_TESTS
#include <QApplication>
using TestApplication = QApplication;
#else
#include <QCoreApplication>
using TestApplication = QCoreApplication;
#endif

int main(int argc, char** argv)
{
    const TestApplication application(argc, argv);
    return tendon::test::runTestClass(argc, argv);
}
