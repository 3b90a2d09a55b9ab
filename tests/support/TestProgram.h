#pragma once

#include <QTest>

#include <memory>

namespace tendon::test {

/// A Qt Test class in a program with several, compiled together so that templates are instantiated once.
struct TestClass
{
    /// Called before main. `file` is the path of the source; its name without folder and suffix is the test's name.
    TestClass(const char* file, std::unique_ptr<QObject> (*make)());
};

/// PROGRAM TEST [Qt Test's options] runs one class; without TEST, prints the names of all. Call it in main when there
/// is an application, and return its result.
int runTestClass(int argc, char** argv);

} // namespace tendon::test

/// Put this at the end of a test's source, before its .moc is included. The usual main is in TestMain.cpp.
#define TENDON_TEST(Class)                                                                                             \
    static const tendon::test::TestClass registered##Class(                                                            \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
