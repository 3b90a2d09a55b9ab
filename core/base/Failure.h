#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

namespace tendon {

/// Whether an allocation has failed. What terminates a program without an exception to show for it comes of that, then.
inline std::atomic<bool> isMemoryUsedUp = false;

/// Prints on stderr what the exception that is being handled says, in one line for people. Allocates nothing. Only from
/// a catch block or std::set_terminate()'s handler.
inline void printFailure(const char* program) noexcept
{
    try {
        if (std::current_exception()) throw;
        if (isMemoryUsedUp) throw std::bad_alloc();
        throw 0;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "%s: out of memory; close other programs or work on a smaller model\n", program);
    } catch (const std::system_error& error) { // of threads; files fail with an Error
        std::fprintf(stderr, "%s: the system refused: %s; close other programs or raise its limits\n", program,
                     error.what());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: internal error: %s; this is a bug in Tendon, please report it\n", program,
                     error.what());
    } catch (...) {
        std::fprintf(stderr, "%s: internal error; this is a bug in Tendon, please report it\n", program);
    }
}

/// From here on an exception that nobody catches, in a thread or out of a noexcept function, ends the program with one
/// line and exit code 1 instead of SIGABRT. What it leaves behind the next start clears.
inline void failInOneLine(const char* program) noexcept
{
    static const char* name = nullptr;
    name = program;
    std::set_new_handler([] {
        isMemoryUsedUp = true;
        throw std::bad_alloc();
    });
    std::set_terminate([] {
        printFailure(name);
        std::_Exit(1);
    });
}

} // namespace tendon
