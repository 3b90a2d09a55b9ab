#include "core/document/KeySelection.h"

#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// The frames asked for, as closed stretches.
Result<std::vector<std::pair<double, double>>> stretchesIn(const Draft& draft, const Arguments& arguments, bool isHere)
{
    const int given = int(arguments.has("frame")) + int(arguments.has("frames")) + int(arguments.has("range"));
    if (given > 1) return Error{ErrorCode::InvalidArgument, "give only one of frame, frames and range", ""};
    std::vector<std::pair<double, double>> stretches;
    if (arguments.has("frame")) stretches.emplace_back(arguments.number("frame"), arguments.number("frame"));
    for (const double frame : arguments.numbers("frames")) stretches.emplace_back(frame, frame);
    if (arguments.has("range")) {
        const std::vector<double> range = arguments.numbers("range");
        if (range.size() != 2) return Error{ErrorCode::InvalidArgument, "must be two frames [from, to]", "range"};
        stretches.emplace_back(std::min(range[0], range[1]), std::max(range[0], range[1]));
    }
    for (auto& [from, to] : stretches) { // beyond this no key can be, and times would overflow
        from = std::clamp<double>(from, -2 * kMaxFrame, 2 * kMaxFrame);
        to = std::clamp<double>(to, -2 * kMaxFrame, 2 * kMaxFrame);
    }
    if (given == 0 && isHere) stretches.emplace_back(draft.edit.frame, draft.edit.frame);
    if (given == 0 && !isHere) stretches.emplace_back(-HUGE_VAL, HUGE_VAL);
    return stretches;
}

/// "clip " or "corrections of the clip ", for messages.
std::string where(Layer layer) { return layer == Layer::Keys ? "clip " : "corrections of the clip "; }

} // namespace

std::size_t KeySelection::count() const
{
    std::size_t total = 0;
    for (const auto& [channel, list] : keys) total += list.size();
    return total;
}

Time KeySelection::first() const
{
    Time earliest = keys.begin()->second.front().time;
    for (const auto& [channel, list] : keys) earliest = std::min(earliest, list.front().time);
    return earliest;
}

Result<KeySelection> selectKeys(const Draft& draft, const Arguments& arguments, bool isHere)
{
    const auto target = channelOwnerIn(draft.scene, arguments, "target");
    if (!target) return target.error();
    const auto channels = channelsIn(draft.scene, *target, arguments);
    if (!channels) return channels.error();
    const auto stretches = stretchesIn(draft, arguments, isHere);
    if (!stretches) return stretches.error();
    if (draft.clip() == nullptr)
        return Error{ErrorCode::NotFound, "there is no clip to find keys in; set a key first", ""};

    const auto layer = layerIn(draft, arguments, *target);
    if (!layer) return layer.error();
    KeySelection selection{.clip = draft.edit.currentClip, .target = *target, .keys = {}};
    for (int p = 0; p < kPropertyCount; ++p) {
        const auto property = static_cast<Property>(p);
        if (!channels->empty() && std::find(channels->begin(), channels->end(), property) == channels->end()) continue;
        const ChannelId channel{*target, property, *layer};
        const KeyList* keys = draft.clip()->find(channel);
        if (keys == nullptr) continue;
        for (const auto& [from, to] : *stretches) {
            // Only the keys between are looked at, however long the channel is.
            const FrameRate fps = draft.scene.fps;
            const bool isAll = std::isinf(from);
            std::size_t i = isAll ? 0 : keys->countUpTo(fps.timeOf(from - 2 * nearWholeFrame(from)));
            for (; i < keys->size(); ++i) {
                const double frame = fps.frameAt((*keys)[i].time);
                if (frame > to + nearWholeFrame(to)) break;
                if (frame >= from - nearWholeFrame(from)) selection.keys[channel].push_back((*keys)[i]);
            }
        }
        if (const auto found = selection.keys.find(channel); found != selection.keys.end()) {
            std::vector<Key>& list = found->second;
            std::sort(list.begin(), list.end(), [](const Key& a, const Key& b) { return a.time < b.time; });
            list.erase(
                std::unique(list.begin(), list.end(), [](const Key& a, const Key& b) { return a.time == b.time; }),
                list.end());
        }
    }
    if (selection.keys.empty())
        return Error{ErrorCode::NotFound,
                     inQuotes(nameOf(draft.scene, *target)) + " has no key there in the " + where(*layer) +
                         inQuotes(draft.clip()->name),
                     ""};
    return selection;
}

Result<std::vector<ChannelId>> keyedChannelsIn(const Draft& draft, const Arguments& arguments)
{
    const auto target = channelOwnerIn(draft.scene, arguments, "target");
    if (!target) return target.error();
    const auto named = channelsIn(draft.scene, *target, arguments);
    if (!named) return named.error();
    if (draft.clip() == nullptr)
        return Error{ErrorCode::NotFound, "there is no clip to find keys in; set a key first", ""};
    const auto layer = layerIn(draft, arguments, *target);
    if (!layer) return layer.error();
    std::vector<ChannelId> channels;
    for (int p = 0; p < kPropertyCount; ++p) {
        const ChannelId channel{*target, static_cast<Property>(p), *layer};
        const bool isMeant = named->empty() ? !isSpace(channel.property) // which have no values to work with
                                            : std::find(named->begin(), named->end(), channel.property) != named->end();
        if (isMeant && draft.clip()->find(channel) != nullptr) channels.push_back(channel);
    }
    if (channels.empty())
        return Error{ErrorCode::NotFound,
                     inQuotes(nameOf(draft.scene, *target)) + " has no keys of that kind in the " + where(*layer) +
                         inQuotes(draft.clip()->name),
                     ""};
    return channels;
}

Result<void> putKeys(Draft& draft, ClipId clip, const ChannelId& channel, const std::vector<Key>& remove,
                     const std::vector<Key>& put)
{
    KeyList list;
    if (const KeyList* keys = draft.scene.find(clip)->find(channel)) list = *keys;
    for (const Key& key : remove) list.erase(key.time);
    // Fewer than this: one by one, sharing what is not touched; else all at once.
    constexpr std::size_t kFew = 64;
    if (put.size() <= kFew && !list.isEmpty()) {
        for (const Key& key : put) {
            const auto sound = soundKey(draft.scene, channel, key);
            if (!sound) return sound.error();
            list.insertOrReplace(*sound);
        }
        Clip& edited = *editableClip(draft.scene, clip);
        edited.channels.insert_or_assign(channel, std::move(list));
        return {};
    }
    std::vector<Key> all = list.toVector();
    all.insert(all.end(), put.begin(), put.end());
    return draft.take(replaceKeys(std::move(draft.scene), clip, channel, std::move(all)));
}

void noteMoved(Draft& draft, ClipId clip, ChannelId channel, const std::vector<Key>& from, const std::vector<Key>& to,
               MovedKey::How how)
{
    if (!isPlace(channel.property) && !isSpace(channel.property)) return;
    if (channel.layer == Layer::Corrections) return;      // which are no places
    const std::vector<MovedKey> former = draft.movedKeys; // one that is moved once more comes from where it was first
    const auto isSame = [&](const MovedKey& moved, Time at) {
        return moved.how == MovedKey::How::Moved && moved.clip == clip && moved.channel == channel && moved.to == at;
    };
    std::vector<MovedKey> added;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (from[i].time == to[i].time) continue;
        const auto first = std::find_if(former.begin(), former.end(),
                                        [&](const MovedKey& moved) { return isSame(moved, from[i].time); });
        added.push_back({clip, channel, first != former.end() ? first->from : from[i].time, to[i].time, how});
        if (how == MovedKey::How::Moved)
            std::erase_if(draft.movedKeys, [&](const MovedKey& moved) { return isSame(moved, from[i].time); });
    }
    draft.movedKeys.insert(draft.movedKeys.end(), added.begin(), added.end());
}

std::optional<Interpolation> interpolationIn(const Arguments& arguments)
{
    const std::string name = arguments.text("interpolation");
    if (name == "step") return Interpolation::Step;
    if (name == "linear") return Interpolation::Linear;
    if (name == "bezier") return Interpolation::Bezier;
    return std::nullopt;
}

Result<std::array<bool, 4>> componentsIn(const Arguments& arguments, Property property)
{
    const auto count = static_cast<std::size_t>(componentCount(property));
    std::array<bool, 4> chosen{};
    std::fill_n(chosen.begin(), count, !arguments.has("components"));
    if (!arguments.has("components")) return chosen;
    const std::string name(propertyName(property));
    if (count == 1)
        return Error{ErrorCode::InvalidArgument, name + " has one number only; leave components out", "components"};
    const std::vector<std::string> names = arguments.names("components");
    if (names.empty()) return Error{ErrorCode::InvalidArgument, "must name at least one component", "components"};
    for (const std::string& component : names) {
        const std::size_t index = component.size() == 1 ? std::string("xyzw").find(component) : std::string::npos;
        if (index >= count)
            return Error{ErrorCode::InvalidArgument,
                         name + " has no component " + inQuotes(component) + "; it has x, y" +
                             (count == 3 ? " and z" : ", z and w"),
                         "components"};
        chosen[index] = true;
    }
    return chosen;
}

Result<ChannelValue> componentNumbers(const Arguments& arguments, const char* field, Property property,
                                      const ChannelValue& otherwise)
{
    const auto chosen = componentsIn(arguments, property);
    if (!chosen) return chosen.error();
    const auto wanted = static_cast<std::size_t>(std::count(chosen->begin(), chosen->end(), true));
    std::vector<double> numbers = arguments.numbers(field);
    if (numbers.size() == 1) numbers.assign(wanted, numbers[0]);
    if (numbers.size() != wanted)
        return Error{ErrorCode::InvalidArgument,
                     "must be " + std::to_string(wanted) + (wanted == 1 ? " number" : " numbers") + " for " +
                         std::string(propertyName(property)),
                     field};
    ChannelValue value = otherwise;
    for (std::size_t c = 0, next = 0; c < value.size(); ++c) {
        if (!(*chosen)[c]) continue;
        value[c] = isAngle(property) ? radians(numbers[next]) : numbers[next];
        ++next;
    }
    return value;
}

Result<void> checkFrame(double frame)
{
    if (std::abs(frame) > kMaxFrame)
        return Error{ErrorCode::LimitExceeded, "frames must be within 10 000 000 of 0", ""};
    return {};
}

} // namespace tendon
