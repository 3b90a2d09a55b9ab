/// Counts what each thread asks the heap for. Compiled into a test program, or preloaded into `tendon plugins check`:
/// never part of a program that people work with.
///
/// glibc's malloc family is taken the place of and handed on to its own names, so that every allocation counts, whether
/// it comes from operator new, from Eigen or from C. Under a sanitizer, which has taken that place already, its hook is
/// used.
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {

__attribute__((tls_model("initial-exec"))) thread_local std::int64_t allocations = 0;

} // namespace

extern "C" {

/// Allocations that the calling thread has made so far.
__attribute__((visibility("default"))) std::int64_t tendon_allocations() { return allocations; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

int __sanitizer_install_malloc_and_free_hooks(void (*onMalloc)(const volatile void*, std::size_t),
                                              void (*onFree)(const volatile void*));

namespace {
void countMalloc(const volatile void*, std::size_t) { ++allocations; }
void ignoreFree(const volatile void*) {}
[[maybe_unused]] const int isInstalled = __sanitizer_install_malloc_and_free_hooks(countMalloc, ignoreFree);
} // namespace

#else

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

__attribute__((visibility("default"))) void* malloc(std::size_t size)
{
    ++allocations;
    return __libc_malloc(size);
}

__attribute__((visibility("default"))) void* calloc(std::size_t count, std::size_t size)
{
    ++allocations;
    return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void* realloc(void* memory, std::size_t size)
{
    ++allocations;
    return __libc_realloc(memory, size);
}

__attribute__((visibility("default"))) void* memalign(std::size_t alignment, std::size_t size)
{
    ++allocations;
    return __libc_memalign(alignment, size);
}

__attribute__((visibility("default"))) void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    return memalign(alignment, size);
}

__attribute__((visibility("default"))) int posix_memalign(void** memory, std::size_t alignment, std::size_t size)
{
    *memory = memalign(alignment, size);
    return *memory != nullptr ? 0 : ENOMEM;
}

#endif

} // extern "C"
