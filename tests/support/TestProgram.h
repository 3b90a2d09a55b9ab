#pragma once

#include <QTest>

#include <memory>

namespace tendon::test {

/// A Qt Test class in a program of several, which are compiled together: what they instantiate is instantiated once.
struct TestClass
{
    /// Called before main. `file` is the source's path; the test is chosen by its name without folder and suffix.
    TestClass(const char* file, std::unique_ptr<QObject> (*make)());
};

/// PROGRAM TEST [what Qt Test takes]: runs one class; without TEST it prints their names. For main, once there is an
/// application. Returns what main does.
int runTestClass(int argc, char** argv);

} // namespace tendon::test

/// At the end of a test's source, before its .moc is included; the usual main is in TestMain.cpp.
#define TENDON_TEST(Class)                                                                                             \
    static const tendon::test::TestClass registered##Class(                                                            \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
