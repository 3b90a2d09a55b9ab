#include "core/solve/host/Arena.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tendon::host {
namespace {

constexpr std::size_t kMaxSize = std::size_t{4} << 30, kMinSize = std::size_t{64} << 20; // of addresses, not of memory
constexpr std::size_t kPage = 4096;

} // namespace

Arena::Arena(int descriptor, std::byte* base, std::size_t size)
    : m_descriptor(descriptor), m_base(base), m_size(size), m_free({{0, size}})
{
}

Arena::~Arena()
{
    ::munmap(m_base, m_size);
    closeDescriptor();
}

void Arena::closeDescriptor()
{
    if (m_descriptor >= 0) ::close(m_descriptor);
    m_descriptor = -1;
}

Result<std::unique_ptr<Arena>> Arena::create()
{
    const int file = ::memfd_create("tendon-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    for (std::size_t size = kMaxSize; file >= 0 && size >= kMinSize; size /= 2) { // a limit on addresses may be set
        if (::ftruncate(file, static_cast<off_t>(size)) != 0) continue;
        void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (base == MAP_FAILED) continue;
        std::unique_ptr<Arena> arena(new Arena(file, static_cast<std::byte*>(base), size));
        if (::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return arena;
        return Error{ErrorCode::Internal, std::string("cannot seal shared memory: ") + std::strerror(errno), ""};
    }
    const Error error{ErrorCode::LimitExceeded, std::string("cannot make shared memory: ") + std::strerror(errno), ""};
    if (file >= 0) ::close(file);
    return error;
}

Arena::Block Arena::allocate(std::size_t bytes)
{
    const std::size_t size = std::max(kPage, (bytes + kPage - 1) / kPage * kPage);
    const std::lock_guard lock(m_mutex);
    for (auto free = m_free.begin(); free != m_free.end(); ++free) {
        if (free->second < size) continue;
        const auto [offset, room] = *free;
        m_free.erase(free);
        if (room > size) m_free.emplace(offset + size, room - size);
        return {this, offset, size};
    }
    throw std::bad_alloc();
}

void Arena::release(std::size_t offset, std::size_t size)
{
    ::madvise(m_base + offset, size, MADV_REMOVE); // its memory goes, and with it what it held
    const std::lock_guard lock(m_mutex);
    const auto next = m_free.lower_bound(offset);
    if (next != m_free.end() && next->first == offset + size) {
        size += next->second;
        m_free.erase(next);
    }
    const auto after = m_free.lower_bound(offset);
    if (after != m_free.begin() && std::prev(after)->first + std::prev(after)->second == offset)
        std::prev(after)->second += size;
    else
        m_free.emplace(offset, size);
}

Arena::Block::~Block()
{
    if (m_arena != nullptr) m_arena->release(m_offset, m_size);
}

Arena::Block::Block(Block&& other) noexcept
    : m_arena(std::exchange(other.m_arena, nullptr)), m_offset(other.m_offset), m_size(std::exchange(other.m_size, 0))
{
}

Arena::Block& Arena::Block::operator=(Block&& other) noexcept
{
    std::swap(m_arena, other.m_arena);
    std::swap(m_offset, other.m_offset);
    std::swap(m_size, other.m_size);
    return *this;
}

} // namespace tendon::host
