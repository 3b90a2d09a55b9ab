// Preloaded into a program (LD_PRELOAD), counts its calls that change files or open something, and kills it at one of
// them or lets that one fail. TENDON_FAULT says which:
//
//   count                 nothing fails
//   before N, after N     SIGKILL before or after the call number N
//   error N ERRNO         that call fails
//   full N                from that call on the disk is full: nothing is created and nothing grows
//   threads               no thread can be started
//   memory N              the allocation number N of 4 KiB or more fails, and after it every one that is as large;
//                         Qt does not look whether the smaller ones of its JSON have failed
//
// TENDON_FAULT_LOG, if set, is a file to which the name of each call is appended. Only the program itself is meant:
// what it starts is not.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum class Kind { Count, Before, After, Error, Full, Threads, Memory };

constinit std::atomic<long> allocationsLeft = -1; ///< until the one that fails; below 0 = none does
constinit std::atomic<std::size_t> tooLarge = ~std::size_t{0};

/// Whether an allocation fails. Called before anything here is constructed.
bool fails(std::size_t size)
{
    if (allocationsLeft < 0 || size < 4096) return false;
    if (allocationsLeft > 0 && --allocationsLeft == 0) tooLarge = size;
    if (size < tooLarge) return false;
    errno = ENOMEM;
    return true;
}

struct Plan
{
    Kind kind = Kind::Count;
    long number = 0;
    int error = 0;
    int log = -1;

    Plan()
    {
        const char* wanted = std::getenv("TENDON_FAULT");
        if (wanted == nullptr) return;
        char word[16] = {};
        (void)std::sscanf(wanted, "%15s %ld %d", word, &number, &error);
        kind = std::strcmp(word, "before") == 0    ? Kind::Before
               : std::strcmp(word, "after") == 0   ? Kind::After
               : std::strcmp(word, "error") == 0   ? Kind::Error
               : std::strcmp(word, "full") == 0    ? Kind::Full
               : std::strcmp(word, "threads") == 0 ? Kind::Threads
               : std::strcmp(word, "memory") == 0  ? Kind::Memory
                                                   : Kind::Count;
        if (kind == Kind::Memory) allocationsLeft = number;
        if (const char* path = std::getenv("TENDON_FAULT_LOG"))
            log = static_cast<int>(
                ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        for (const char* name : {"LD_PRELOAD", "TENDON_FAULT", "TENDON_FAULT_LOG"}) ::unsetenv(name);
    }
};

const Plan& plan()
{
    static const Plan one;
    return one;
}

const Plan& readEarly = plan();
std::atomic<long> calls = 0;

void die() { ::syscall(SYS_kill, ::getpid(), SIGKILL); }

/// `needsSpace`: on a full disk it fails.
template <typename Call>
auto carryOut(const char* name, bool needsSpace, Call call) -> decltype(call())
{
    const Plan& p = plan();
    const long number = ++calls;
    if (p.log >= 0) {
        ::syscall(SYS_write, p.log, name, std::strlen(name));
        ::syscall(SYS_write, p.log, "\n", 1);
    }
    if (p.kind == Kind::Before && number == p.number) die();
    if (p.kind == Kind::Error && number == p.number) {
        errno = p.error;
        return -1;
    }
    if (p.kind == Kind::Full && number >= p.number && needsSpace) {
        errno = ENOSPC;
        return -1;
    }
    const auto result = call();
    if (p.kind == Kind::After && number == p.number) {
        const int before = errno;
        die();
        errno = before;
    }
    return result;
}

bool isFile(int descriptor)
{
    struct stat info = {};
    return ::fstat(descriptor, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

template <typename Function>
Function next(const char* name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

} // namespace

// A call of the C library with the same name, type and arguments; `condition`: it counts.
#define TENDON_CALL(result, name, parameters, arguments, condition, needsSpace)                                        \
    extern "C" __attribute__((visibility("default"))) result name parameters                                           \
    {                                                                                                                  \
        static const auto original = next<result(*) parameters>(#name);                                                \
        if (!(condition)) return original arguments;                                                                   \
        return carryOut(#name, needsSpace, [&] { return original arguments; });                                        \
    }
#define TENDON_THROWLESS_CALL(result, name, parameters, arguments, condition, needsSpace)                              \
    extern "C" __attribute__((visibility("default"))) result name parameters noexcept                                  \
    {                                                                                                                  \
        static const auto original = next<result(*) parameters>(#name);                                                \
        if (!(condition)) return original arguments;                                                                   \
        return carryOut(#name, needsSpace, [&] { return original arguments; });                                        \
    }
#define TENDON_OPEN(name, before, place)                                                                               \
    extern "C" __attribute__((visibility("default"))) int name(before const char* path, int flags, ...)                \
    {                                                                                                                  \
        static const auto original = next<int (*)(before const char*, int, ...)>(#name);                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;                           \
        va_end(rest);                                                                                                  \
        return carryOut(#name, (flags & O_CREAT) != 0, [&] { return original(place path, flags, mode); });             \
    }
#define TENDON_FOLDER int folder,
#define TENDON_THAT folder,
#define TENDON_NOTHING

// The C library's own, which need no dlsym(): that allocates.
extern "C" void* __libc_malloc(size_t size) noexcept;
extern "C" void* __libc_calloc(size_t count, size_t size) noexcept;
extern "C" void* __libc_realloc(void* old, size_t size) noexcept;

extern "C" __attribute__((visibility("default"))) void* malloc(size_t size) noexcept
{
    return fails(size) ? nullptr : __libc_malloc(size);
}

extern "C" __attribute__((visibility("default"))) void* calloc(size_t count, size_t size) noexcept
{
    return fails(count * size) ? nullptr : __libc_calloc(count, size);
}

extern "C" __attribute__((visibility("default"))) void* realloc(void* old, size_t size) noexcept
{
    return fails(size) ? nullptr : __libc_realloc(old, size);
}

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* with) noexcept
{
    static const auto original = next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
        "pthread_create");
    return plan().kind == Kind::Threads ? EAGAIN : original(thread, attributes, work, with);
}

TENDON_OPEN(open, TENDON_NOTHING, TENDON_NOTHING)
TENDON_OPEN(open64, TENDON_NOTHING, TENDON_NOTHING)
TENDON_OPEN(openat, TENDON_FOLDER, TENDON_THAT)
TENDON_OPEN(openat64, TENDON_FOLDER, TENDON_THAT)

extern "C" __attribute__((visibility("default"))) DIR* opendir(const char* path)
{
    static const auto original = next<DIR* (*)(const char*)>("opendir");
    DIR* folder = nullptr;
    return carryOut("opendir", false, [&] { return (folder = original(path)) != nullptr ? 0 : -1; }) == 0 ? folder
                                                                                                          : nullptr;
}

TENDON_CALL(ssize_t, write, (int to, const void* bytes, size_t size), (to, bytes, size), to > 2 && isFile(to), true)
TENDON_CALL(ssize_t, writev, (int to, const iovec* parts, int count), (to, parts, count), to > 2 && isFile(to), true)
TENDON_CALL(ssize_t, pwrite, (int to, const void* bytes, size_t size, off_t at), (to, bytes, size, at), isFile(to),
            true)
TENDON_CALL(ssize_t, pwrite64, (int to, const void* bytes, size_t size, off64_t at), (to, bytes, size, at), isFile(to),
            true)
TENDON_CALL(ssize_t, copy_file_range, (int from, off64_t* at, int to, off64_t* there, size_t size, unsigned flags),
            (from, at, to, there, size, flags), true, true)
TENDON_THROWLESS_CALL(ssize_t, sendfile, (int to, int from, off_t* at, size_t size), (to, from, at, size), isFile(to),
                      true)
TENDON_THROWLESS_CALL(ssize_t, sendfile64, (int to, int from, off64_t* at, size_t size), (to, from, at, size),
                      isFile(to), true)
TENDON_THROWLESS_CALL(int, ftruncate, (int file, off_t size), (file, size), isFile(file), true)
TENDON_THROWLESS_CALL(int, ftruncate64, (int file, off64_t size), (file, size), isFile(file), true)
TENDON_CALL(int, fsync, (int file), (file), true, false)
TENDON_CALL(int, fdatasync, (int file), (file), true, false)
TENDON_THROWLESS_CALL(int, rename, (const char* from, const char* to), (from, to), true, false)
TENDON_THROWLESS_CALL(int, renameat, (int a, const char* from, int b, const char* to), (a, from, b, to), true, false)
TENDON_THROWLESS_CALL(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
                      (a, from, b, to, flags), true, false)
TENDON_THROWLESS_CALL(int, link, (const char* from, const char* to), (from, to), true, true)
TENDON_THROWLESS_CALL(int, symlink, (const char* from, const char* to), (from, to), true, true)
TENDON_THROWLESS_CALL(int, unlink, (const char* path), (path), true, false)
TENDON_THROWLESS_CALL(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags), true, false)
TENDON_THROWLESS_CALL(int, remove, (const char* path), (path), true, false)
TENDON_THROWLESS_CALL(int, rmdir, (const char* path), (path), true, false)
TENDON_THROWLESS_CALL(int, mkdir, (const char* path, mode_t mode), (path, mode), true, true)
TENDON_THROWLESS_CALL(int, mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode), true, true)
TENDON_THROWLESS_CALL(int, chmod, (const char* path, mode_t mode), (path, mode), true, false)
TENDON_THROWLESS_CALL(int, fchmod, (int file, mode_t mode), (file, mode), true, false)
TENDON_THROWLESS_CALL(int, chown, (const char* path, uid_t user, gid_t group), (path, user, group), true, false)
