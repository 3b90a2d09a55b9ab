#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Where the members of the contract's structs stand: what a host and a plugin have to agree on.
///
/// Each header lists the members of its structs below them, with the minor version that added each. A member's entry
/// never changes afterwards; a new one goes to the end of its struct and of its list. A header does not compile when a
/// member at the end of a struct is missing from the list.
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

/// Where the members whose names in `entries` begin with `prefix` ("Problem::") end.
constexpr std::size_t endOf(std::string_view prefix, std::span<const LayoutEntry> entries)
{
    std::size_t end = 0;
    for (const LayoutEntry& entry : entries)
        if (std::string_view(entry.member).starts_with(prefix)) end = std::max(end, entry.offset + entry.size);
    return end;
}

/// Holds because no struct of the contract ends in padding.
#define TENDON_SDK_LISTS_ALL(entries, type)                                                                            \
    static_assert(::tendon::sdk::endOf(#type "::", entries) == sizeof(type),                                           \
                  "list the last member of " #type " in " #entries ", with the minor version that adds it")

} // namespace tendon::sdk
