#pragma once

#include "core/document/Arguments.h"
#include "core/document/Draft.h"

#include <array>
#include <map>
#include <optional>

namespace tendon {

/// Keys named by an operation's fields target, channels?, layer?, frame? | frames? | range?: per channel, in order of
/// time.
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

/// The channels of an operation's fields target and channels? that have keys in the current clip, at least one; spaces
/// only if they are named.
[[nodiscard]] Result<std::vector<ChannelId>> keyedChannelsIn(const Draft& draft, const Arguments& arguments);

/// Takes keys out of a channel of a clip and puts others in. Of two at one time the one put in stays. Error: a key that
/// the channel cannot have.
[[nodiscard]] Result<void> putKeys(Draft& draft, ClipId clip, const ChannelId& channel, const std::vector<Key>& remove,
                                   const std::vector<Key>& put);

/// Says that keys of a goal, pole or curve stand at other times now, each as its namesake in `from`: keepPlaces()
/// leaves them where they were in the world.
void noteMoved(Draft& draft, ClipId clip, ChannelId channel, const std::vector<Key>& from, const std::vector<Key>& to,
               MovedKey::How how = MovedKey::How::Moved);

/// The field `interpolation`.
[[nodiscard]] std::optional<Interpolation> interpolationIn(const Arguments& arguments);

/// Which numbers of a channel the field `components` names; all of them if it is not given. Error: a name that the
/// channel does not have.
[[nodiscard]] Result<std::array<bool, 4>> componentsIn(const Arguments& arguments, Property property);

/// Numbers of a field for the components of a channel, in its own units: one for all of them, or one for each. Others
/// stay as in `otherwise`.
[[nodiscard]] Result<ChannelValue> componentNumbers(const Arguments& arguments, const char* field, Property property,
                                                    const ChannelValue& otherwise = {});

/// Error: the frame is beyond those that projects may have.
[[nodiscard]] Result<void> checkFrame(double frame);

/// The fields of an operation on keys; `here` says which keys it takes when no frame is given.
#define TENDON_KEY_SELECTION(here)                                                                                     \
    {"target", Field::Type::Target, kRequired, "Joint or handle, or clip, whose keys are meant"},                      \
        {"channels", Field::Type::Names, kOptional, "Channels. Left out: all that have keys"},                         \
        {"layer", Field::Type::Choice, kOptional,                                                                      \
         "Which keys: the clip's own, or those of its corrections. Left out: those that are edited, see editLayer",    \
         "corrections|keys"},                                                                                          \
        {"frame", Field::Type::Number, kOptional, here},                                                               \
        {"frames", Field::Type::Numbers, kOptional, "Several frames"},                                                 \
    {                                                                                                                  \
        "range", Field::Type::Numbers, kOptional, "All frames from the first to the last, [from, to], both included"   \
    }

#define TENDON_KEYS_HERE "One frame. If frame, frames and range are all left out: the current frame"
#define TENDON_KEYS_ALL "One frame. If frame, frames and range are all left out: all keys"

} // namespace tendon
