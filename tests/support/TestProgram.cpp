#include "tests/support/TestProgram.h"

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

int runTestClass(int argc, char** argv)
{
    const auto found = argc > 1 ? classes().find(QString::fromUtf8(argv[1])) : classes().end();
    if (found == classes().end()) {
        for (const auto& [name, make] : classes()) std::printf("%s\n", qPrintable(name));
        return argc > 1 ? 2 : 0;
    }
    argv[1] = argv[0];
    return QTest::qExec(found->second().get(), argc - 1, argv + 1);
}

} // namespace tendon::test
