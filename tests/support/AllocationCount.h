#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

/// Counts every call of operator new in the program. Include it in one file only.
namespace tendon::test {

inline std::atomic<long> g_allocations = 0;

[[nodiscard]] inline long allocationCount() { return g_allocations.load(); }

inline void* countedAllocation(std::size_t size, std::size_t alignment)
{
    ++g_allocations;
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded)) return memory;
    throw std::bad_alloc();
}

/// The same without an exception: null if there is no memory.
inline void* countedAllocationOrNull(std::size_t size, std::size_t alignment) noexcept
{
    try {
        return countedAllocation(size, alignment);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

} // namespace tendon::test

void* operator new(std::size_t size) { return tendon::test::countedAllocation(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return tendon::test::countedAllocation(size, static_cast<std::size_t>(alignment));
}
// Sanitizers have their own of these two, whose memory the functions below must not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return tendon::test::countedAllocationOrNull(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return tendon::test::countedAllocationOrNull(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
