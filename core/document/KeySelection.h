#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"

#include <map>

namespace tendon {

/// Keys named by an operation's fields target, channels?, frame? | frames? | range?: per channel, in order of time.
struct KeySelection
{
    ClipId clip;
    ObjectId target = 0;
    std::map<ChannelId, std::vector<Key>> keys; ///< none of them empty

    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] Time first() const; ///< earliest
};

/// Of the current clip. Without frames: those at the current frame when `isHere`, else all. Errors: no clip, no such
/// target or channel, more than one of frame, frames and range, and no key there.
[[nodiscard]] Result<KeySelection> selectKeys(const Draft& draft, const Arguments& arguments, bool isHere);

} // namespace tendon
