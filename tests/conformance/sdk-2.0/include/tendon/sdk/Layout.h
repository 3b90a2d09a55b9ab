#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// Where the members of the contract's structs stand: what a host and a plugin have to agree on.
///
/// Each header lists the members of its structs below them, with the minor version that added each. A member's entry
/// never changes afterwards; a new one goes to the end of its struct and of its list.
namespace tendon::sdk {

struct LayoutEntry
{
    const char* member; ///< "Problem::goals"; or an enumerator, whose value then is `offset`
    std::size_t offset;
    std::size_t size;
    int minor; ///< SDK 2.minor added it
};

#define TENDON_SDK_MEMBER(minor, type, member)                                                                         \
    ::tendon::sdk::LayoutEntry { #type "::" #member, offsetof(type, member), sizeof(type::member), minor }
#define TENDON_SDK_VALUE(minor, enumerator)                                                                            \
    ::tendon::sdk::LayoutEntry { #enumerator, static_cast < std::size_t>(enumerator), sizeof(enumerator), minor }

/// FNV-1a over the entries of SDK 2.0 to 2.`minor`. The size of a struct is not among them, so a struct that has grown
/// since gives the same fingerprint.
constexpr std::uint64_t layoutHash(std::uint64_t hash, std::span<const LayoutEntry> entries, int minor)
{
    for (const LayoutEntry& entry : entries) {
        if (entry.minor > minor) continue;
        for (const std::size_t value : {entry.offset, entry.size}) hash = (hash ^ value) * 1099511628211ull;
    }
    return hash;
}

} // namespace tendon::sdk
