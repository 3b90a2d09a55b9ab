#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tendon {

/// Identifies an object of a document for as long as the document exists; 0 = none. Ids of all kinds come from one
/// counter of the Scene, so no two objects share an id.
template <typename Tag>
struct Id
{
    std::uint64_t value = 0;

    [[nodiscard]] constexpr bool isValid() const { return value != 0; }
    constexpr auto operator<=>(const Id&) const = default;
};

using JointId = Id<struct JointTag>;
using HandleId = Id<struct HandleTag>;
using ClipId = Id<struct ClipTag>;

/// An id of any kind, for keys and issues, which may belong to several kinds of object.
using ObjectId = std::uint64_t;

/// Index of a joint in the arrays of one CompiledRig; never stored in a document. -1 = none.
using JointIndex = std::int32_t;

} // namespace tendon

template <typename Tag>
struct std::hash<tendon::Id<Tag>>
{
    std::size_t operator()(const tendon::Id<Tag>& id) const noexcept { return std::hash<std::uint64_t>()(id.value); }
};
