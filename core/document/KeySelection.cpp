#include "core/document/KeySelection.h"

#include "core/document/Lookup.h"
#include "core/document/Posing.h"
#include "core/scene/Check.h"
#include "core/scene/ClipEdit.h"

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
    const auto target = targetIn(draft.scene, arguments, "target");
    if (!target) return target.error();
    const auto channels = channelsIn(draft.scene, *target, arguments);
    if (!channels) return channels.error();
    const auto stretches = stretchesIn(draft, arguments, isHere);
    if (!stretches) return stretches.error();
    if (draft.clip() == nullptr)
        return Error{ErrorCode::NotFound, "there is no clip to find keys in; selectClip or key comes first", ""};

    KeySelection selection{.clip = draft.edit.currentClip, .target = *target, .keys = {}};
    for (int p = 0; p < kPropertyCount; ++p) {
        const auto property = static_cast<Property>(p);
        if (!channels->empty() && std::find(channels->begin(), channels->end(), property) == channels->end()) continue;
        const ChannelId channel{*target, property};
        const KeyList* keys = draft.clip()->find(channel);
        if (keys == nullptr) continue;
        for (const auto& [from, to] : *stretches) {
            // Only the keys between are looked at, however long the channel is.
            const FrameRate fps = draft.scene.fps;
            const bool isAll = std::isinf(from);
            std::size_t i = isAll ? 0 : keys->countUpTo(fps.timeOf(from - 2 * kSameFrame));
            for (; i < keys->size(); ++i) {
                const double frame = fps.frameAt((*keys)[i].time);
                if (frame > to + kSameFrame) break;
                if (frame >= from - kSameFrame) selection.keys[channel].push_back((*keys)[i]);
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
                     inQuotes(nameOf(draft.scene, *target)) + " has no key there in the clip " +
                         inQuotes(draft.clip()->name),
                     ""};
    return selection;
}

} // namespace tendon
