#include "tests/support/TestProgram.h"

#ifdef TENDON_GUI_TESTS
#include <QApplication>
using TestApplication = QApplication;
#else
#include <QCoreApplication>
using TestApplication = QCoreApplication;
#endif
#include <QFileInfo>

#include <cstdio>
#include <map>

namespace tendon::test {
namespace {

std::map<QString, std::unique_ptr<QObject> (*)()>& classes()
{
    static std::map<QString, std::unique_ptr<QObject> (*)()> all;
    return all;
}

} // namespace

TestClass::TestClass(const char* file, std::unique_ptr<QObject> (*make)())
{
    classes().emplace(QFileInfo(QString::fromUtf8(file)).completeBaseName(), make);
}

} // namespace tendon::test

/// PROGRAM TEST [what Qt Test takes]: one test class. Without TEST: their names.
int main(int argc, char** argv)
{
    const TestApplication application(argc, argv);
    const auto& classes = tendon::test::classes();
    const auto found = argc > 1 ? classes.find(QString::fromUtf8(argv[1])) : classes.end();
    if (found == classes.end()) {
        for (const auto& [name, make] : classes) std::printf("%s\n", qPrintable(name));
        return argc > 1 ? 2 : 0;
    }
    argv[1] = argv[0];
    return QTest::qExec(found->second().get(), argc - 1, argv + 1);
}
