#pragma once

#include <tendon/sdk/Model.h>

#include <cstddef>
#include <cstring>
#include <span>

namespace tendon::host {

/// Lays arrays one after the other into a block of memory. Without a block it only counts how large that has to be.
class Packer
{
public:
    Packer() = default;
    /// The block is at `ours` here, and at `theirs` for whoever reads it.
    Packer(std::byte* ours, std::byte* theirs) : m_ours(ours), m_theirs(theirs) {}

    [[nodiscard]] std::size_t size() const { return m_used; }

    /// Copies the elements and returns where the reader has them.
    template <class T>
    std::span<T> put(std::span<T> from)
    {
        return {reinterpret_cast<T*>(place(from.data(), from.size_bytes())), from.size()};
    }
    template <class T>
    sdk::Rows<T> put(const sdk::Rows<T>& from)
    {
        sdk::Rows<T> rows;
        rows.data = reinterpret_cast<T*>(place(from.data, std::size_t{from.count} * from.stride));
        rows.count = from.count;
        rows.stride = from.stride;
        return rows;
    }

private:
    static constexpr std::size_t kAlignment = 64;

    std::byte* place(const void* from, std::size_t bytes)
    {
        const std::size_t at = m_used;
        m_used += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (m_ours == nullptr || bytes == 0) return nullptr;
        std::memcpy(m_ours + at, from, bytes);
        return m_theirs + at;
    }

    std::byte* m_ours = nullptr;
    std::byte* m_theirs = nullptr;
    std::size_t m_used = 0;
};

/// The model with its arrays in the packer's block.
inline sdk::Model packed(sdk::Model model, Packer& packer)
{
    const auto put = [&packer](auto&... spans) { ((spans = packer.put(spans)), ...); };
    put(model.parent, model.kind, model.qBegin, model.vBegin, model.dofKind, model.axis, model.lower, model.upper,
        model.stiffness, model.damping, model.ease, model.springRest, model.springTension, model.preferred,
        model.ballSwing, model.ballTwist, model.ballAxis, model.mass, model.centre, model.precedence);
    return model;
}

} // namespace tendon::host
