#pragma once

#include "core/base/Result.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace tendon::host {

/// Memory shared with the process of one plugin, handed out in blocks. What is handed out where is known to Tendon
/// alone, so that the other process can spoil contents but nothing else. Its size is sealed: no access fails, whatever
/// the other process does. [any thread]
class Arena
{
public:
    /// Takes up memory only where it is written. Error: no memory file could be made.
    [[nodiscard]] static Result<std::unique_ptr<Arena>> create();
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    [[nodiscard]] int descriptor() const { return m_descriptor; } ///< -1 once closed
    void closeDescriptor();                                       ///< when the other process has it
    [[nodiscard]] std::byte* base() const { return m_base; }
    [[nodiscard]] std::size_t size() const { return m_size; }

    /// A zeroed part of the memory. Moves, but is not copied; gives the part back when it is destroyed.
    class Block
    {
    public:
        Block() = default;
        Block(Arena* arena, std::size_t offset, std::size_t size) : m_arena(arena), m_offset(offset), m_size(size) {}
        ~Block();
        Block(Block&& other) noexcept;
        Block& operator=(Block&& other) noexcept;

        [[nodiscard]] std::size_t offset() const { return m_offset; }
        [[nodiscard]] std::size_t size() const { return m_size; }
        [[nodiscard]] std::byte* data() const { return m_arena == nullptr ? nullptr : m_arena->base() + m_offset; }

    private:
        Arena* m_arena = nullptr; ///< null = no block
        std::size_t m_offset = 0, m_size = 0;
    };

    /// At least `bytes`. Throws std::bad_alloc when there is no room.
    [[nodiscard]] Block allocate(std::size_t bytes);

private:
    Arena(int descriptor, std::byte* base, std::size_t size);
    void release(std::size_t offset, std::size_t size);

    int m_descriptor;
    std::byte* m_base;
    std::size_t m_size;
    std::mutex m_mutex;
    std::map<std::size_t, std::size_t> m_free; ///< offset -> size, no two of them side by side
};

} // namespace tendon::host
