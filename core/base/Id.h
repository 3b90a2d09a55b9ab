#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tendon {

/// A name for an object of a document that stays the same when others come and go; 0 = none. Ids of all kinds are drawn
/// from one counter of the Scene, so that no two objects share one.
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

/// Any of them, where a key or an issue may belong to several kinds.
using ObjectId = std::uint64_t;

/// Position of a joint in the arrays of one CompiledRig; never stored in a document. -1 = none.
using JointIndex = std::int32_t;

} // namespace tendon

template <typename Tag>
struct std::hash<tendon::Id<Tag>>
{
    std::size_t operator()(const tendon::Id<Tag>& id) const noexcept { return std::hash<std::uint64_t>()(id.value); }
};
