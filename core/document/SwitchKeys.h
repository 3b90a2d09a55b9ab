#pragma once

#include "core/document/FollowSpaces.h"
#include "core/scene/Clip.h"

#include <optional>
#include <vector>

namespace tendon {

/// The channels of a handle that are given in the space of `place`.
[[nodiscard]] std::vector<Property> placesWith(const Handle& handle, Property place);

/// A place in the space that it is to be in, as a function of time, before anything is changed.
class FormerPlace
{
public:
    FormerPlace(const Draft& draft, const Handle& handle, Property place)
        : m_draft(draft), m_handle(handle), m_place(place)
    {
    }

    [[nodiscard]] Result<ChannelValue> in(ObjectId space, Time time) const;

    /// What it is given in is keyed at this time, and is another before.
    [[nodiscard]] bool changesSpaceAt(Time time) const;

    /// Per second, at the begin of the way from `time` to `by` frames later (or earlier: by < 0).
    [[nodiscard]] Result<ChannelValue> slope(ObjectId space, Time time, double by) const;

private:
    const Draft& m_draft;
    const Handle& m_handle;
    Property m_place;
};

/// The keys that a switch of spaces adds to one channel: at the frame before as it was, and at the frame.
class SwitchKeys
{
public:
    SwitchKeys(const Draft& draft, const Handle& handle, Property place, Time before, Time at, ObjectId from);

    /// `until`: where the space changes again.
    [[nodiscard]] Result<std::vector<Key>> make(ObjectId to, Time until, bool hasBefore) const;

private:
    [[nodiscard]] bool isKeyedBefore() const;
    [[nodiscard]] bool isKeyedAfter(Time until) const;
    [[nodiscard]] Result<Key> before() const;
    [[nodiscard]] Result<Key> at(ObjectId to, Time until) const;
    [[nodiscard]] Interpolation interpolation(Time time) const;

    FormerPlace m_former;
    Property m_place;
    Time m_before, m_at;
    KeyList m_keys;
    ObjectId m_from = 0;
    bool m_hasOwnBefore = false; ///< at the frame before it is given in m_from already
    bool m_isOnCurve = false;    ///< there, and its curve says where
    bool m_isPosed = false;      ///< there by hand, so that it has no speed
};

} // namespace tendon
