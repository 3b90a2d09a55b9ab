#include "core/io/readers/assimp/AssertHandler.h"

#include <atomic>

namespace {

std::atomic<int> violated{0};

} // namespace

/// Debian's Assimp is built with assertions, which end the process on files that every release build of Assimp reads: a
/// valid FBX among them. The linker finds this definition before the library's, so that here they are a warning, as in
/// a release build. That the reader is then in a state it did not expect is what the limited child process is for.
namespace Assimp {

void aiAssertViolation(const char* failedExpression, const char* file, int line);

void aiAssertViolation(const char*, const char*, int) { ++violated; }

} // namespace Assimp

namespace tendon::assimp {

int violatedAssertions() { return violated; }

} // namespace tendon::assimp
