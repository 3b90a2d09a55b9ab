#include "core/scene/Clip.h"

#include <algorithm>
#include <limits>

namespace tendon {

KeyList::KeyList(std::vector<Key> keys)
{
    std::stable_sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) { return a.time < b.time; });
    // Of several keys at one time, the last one stays.
    std::vector<Key> unique;
    unique.reserve(keys.size());
    for (const Key& key : keys) {
        if (!unique.empty() && unique.back().time == key.time)
            unique.back() = key;
        else
            unique.push_back(key);
    }
    for (std::size_t begin = 0; begin < unique.size(); begin += kChunk) {
        const auto first = unique.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto count = static_cast<std::ptrdiff_t>(std::min(kChunk, unique.size() - begin));
        m_chunks.push_back({std::vector<Key>(first, first + count), begin});
    }
    m_size = unique.size();
}

KeyList::KeyList(std::vector<Key> keys, const KeyList& former) : KeyList(std::move(keys))
{
    setInfinity(former.m_before, former.m_after);
}

std::size_t KeyList::chunkOf(std::size_t index) const
{
    const auto after = std::upper_bound(m_chunks.begin(), m_chunks.end(), index,
                                        [](std::size_t i, const Chunk& chunk) { return i < chunk.begin; });
    return static_cast<std::size_t>(after - m_chunks.begin()) - 1;
}

const Key& KeyList::operator[](std::size_t index) const
{
    const Chunk& chunk = m_chunks[chunkOf(index)];
    return (*chunk.keys)[index - chunk.begin];
}

std::vector<Key> KeyList::toVector() const
{
    std::vector<Key> keys;
    keys.reserve(m_size);
    for (const Chunk& chunk : m_chunks) keys.insert(keys.end(), chunk.keys->begin(), chunk.keys->end());
    return keys;
}

std::size_t KeyList::countUpTo(Time time) const
{
    const auto after = std::upper_bound(m_chunks.begin(), m_chunks.end(), time,
                                        [](Time t, const Chunk& chunk) { return t < chunk.keys->front().time; });
    if (after == m_chunks.begin()) return 0;
    const Chunk& chunk = *std::prev(after);
    const auto key = std::upper_bound(chunk.keys->begin(), chunk.keys->end(), time,
                                      [](Time t, const Key& k) { return t < k.time; });
    return chunk.begin + static_cast<std::size_t>(key - chunk.keys->begin());
}

const Key* KeyList::at(Time time) const
{
    const std::size_t count = countUpTo(time);
    if (count == 0) return nullptr;
    const Key& key = (*this)[count - 1];
    return key.time == time ? &key : nullptr;
}

void KeyList::renumberFrom(std::size_t chunk)
{
    for (; chunk < m_chunks.size(); ++chunk)
        m_chunks[chunk].begin = chunk == 0 ? 0 : m_chunks[chunk - 1].begin + m_chunks[chunk - 1].keys->size();
}

void KeyList::insertOrReplace(const Key& key)
{
    if (m_chunks.empty()) {
        m_chunks.push_back({std::vector<Key>{key}, 0});
        m_size = 1;
        return;
    }
    const std::size_t count = countUpTo(key.time);
    const std::size_t c = count == 0 ? 0 : chunkOf(count - 1);
    std::vector<Key>& keys = m_chunks[c].keys.edit();
    const std::size_t within = count - m_chunks[c].begin;
    if (within > 0 && keys[within - 1].time == key.time) {
        keys[within - 1] = key;
        return;
    }
    keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(within), key);
    ++m_size;
    if (keys.size() > kChunk) {
        const auto half = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
        std::vector<Key> upper(half, keys.end());
        keys.erase(half, keys.end());
        m_chunks.insert(m_chunks.begin() + static_cast<std::ptrdiff_t>(c) + 1, {std::move(upper), 0});
    }
    renumberFrom(c);
}

bool KeyList::erase(Time time)
{
    if (at(time) == nullptr) return false;
    const std::size_t index = countUpTo(time) - 1;
    const std::size_t c = chunkOf(index);
    std::vector<Key>& keys = m_chunks[c].keys.edit();
    keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(index - m_chunks[c].begin));
    if (keys.empty()) m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(c));
    --m_size;
    renumberFrom(c);
    return true;
}

bool KeyList::hasSameKeys(const KeyList& other) const
{
    if (m_size != other.m_size) return false;
    // Chunks may have different boundaries. If both lists share a chunk, its keys need no comparison.
    std::size_t a = 0, b = 0;     // chunks
    std::size_t inA = 0, inB = 0; // keys within them
    for (std::size_t i = 0; i < m_size;) {
        const std::vector<Key>& keysA = *m_chunks[a].keys;
        const std::vector<Key>& keysB = *other.m_chunks[b].keys;
        const std::size_t run = std::min(keysA.size() - inA, keysB.size() - inB);
        const bool isShared = inA == inB && m_chunks[a].keys.isSame(other.m_chunks[b].keys);
        const auto first = keysA.begin() + static_cast<std::ptrdiff_t>(inA);
        if (!isShared && !std::equal(first, first + static_cast<std::ptrdiff_t>(run),
                                     keysB.begin() + static_cast<std::ptrdiff_t>(inB)))
            return false;
        i += run;
        if ((inA += run) == keysA.size()) ++a, inA = 0;
        if ((inB += run) == keysB.size()) ++b, inB = 0;
    }
    return true;
}

const KeyList* Clip::find(ChannelId channel) const
{
    const auto found = channels.find(channel);
    return found == channels.end() ? nullptr : &*found->second;
}

bool Clip::hasCorrections() const
{
    return std::any_of(channels.begin(), channels.end(),
                       [](const auto& entry) { return entry.first.layer == Layer::Corrections; });
}

Time Clip::begin() const
{
    if (channels.empty()) return {};
    Time first = channels.begin()->second->front().time;
    for (const auto& [channel, keys] : channels) first = std::min(first, keys->front().time);
    return first;
}

Time Clip::end() const
{
    if (channels.empty()) return {};
    Time last = channels.begin()->second->back().time;
    for (const auto& [channel, keys] : channels) last = std::max(last, keys->back().time);
    return last;
}

std::size_t Clip::keyCount() const
{
    std::size_t count = 0;
    for (const auto& [channel, keys] : channels) count += keys->size();
    return count;
}

namespace {

constexpr TimeSpan kAlways{{std::numeric_limits<std::int64_t>::min()}, {std::numeric_limits<std::int64_t>::max()}};

/// A key changes the curve from the key before the one before it to the key after the one after it: tangents look at
/// their neighbours. Where keys are repeated, each of them counts everywhere.
std::optional<TimeSpan> differenceOf(const KeyList& before, const KeyList& after)
{
    constexpr std::size_t kReach = 2; // [keys]
    const bool isOtherBefore = before.before() != after.before(), isOtherAfter = before.after() != after.after();
    if (before.hasSameKeys(after)) {
        if (!isOtherBefore && !isOtherAfter) return std::nullopt;
        if (before.isEmpty()) return kAlways;
        return TimeSpan{isOtherBefore ? kAlways.from : before.back().time,
                        isOtherAfter ? kAlways.to : before.front().time};
    }
    const std::size_t fewer = std::min(before.size(), after.size());
    std::size_t first = 0, last = 0; // how many are the same at the beginning, and at the end
    while (first < fewer && before[first] == after[first]) ++first;
    while (last < fewer - first && before[before.size() - 1 - last] == after[after.size() - 1 - last]) ++last;
    TimeSpan span = kAlways;
    const bool isRepeatedBefore = isRepeat(before.before()) || isRepeat(after.before());
    const bool isRepeatedAfter = isRepeat(before.after()) || isRepeat(after.after());
    if (first >= kReach && !isOtherBefore && !isRepeatedBefore) span.from = before[first - kReach].time;
    if (last >= kReach && !isOtherAfter && !isRepeatedAfter) span.to = before[before.size() - last + kReach - 1].time;
    return span;
}

} // namespace

std::optional<TimeSpan> differenceOf(const Clip& before, const Clip& after)
{
    std::optional<TimeSpan> whole;
    const auto add = [&](const TimeSpan& span) {
        if (!whole) whole = span;
        whole->from = std::min(whole->from, span.from);
        whole->to = std::max(whole->to, span.to);
    };
    if (before.hasCorrectionsOn != after.hasCorrectionsOn && (before.hasCorrections() || after.hasCorrections()))
        return kAlways;
    auto a = before.channels.begin(), b = after.channels.begin();
    while (a != before.channels.end() || b != after.channels.end()) {
        const bool isLost = b == after.channels.end() || (a != before.channels.end() && a->first < b->first);
        const bool isNew = a == before.channels.end() || (b != after.channels.end() && b->first < a->first);
        if (isLost || isNew)
            add(kAlways);
        else if (!a->second.isSame(b->second))
            if (const auto span = differenceOf(*a->second, *b->second)) add(*span);
        if (!isNew) ++a;
        if (!isLost) ++b;
    }
    return whole;
}

} // namespace tendon
