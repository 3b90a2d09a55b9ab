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

} // namespace tendon::test

/// At the end of a test's source, before its .moc is included; main is in TestProgram.cpp.
#define TENDON_TEST(Class)                                  \
    static const tendon::test::TestClass registered##Class( \
        __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
