#pragma once

#include "core/base/Shared.h"
#include "core/base/SharedMap.h"
#include "core/scene/Channel.h"
#include "core/scene/Time.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tendon {

/// How a value changes from one key to the next.
enum class Interpolation : std::uint8_t {
    Step,
    Linear, ///< quaternions: along the great arc (slerp)
    Bezier, ///< cubic Hermite through both keys' tangents; quaternions: by component, then normalised
};

/// Where the slopes of a key come from. Those that are not stored are computed when the curve is sampled.
enum class TangentMode : std::uint8_t {
    Auto,    ///< computed from the neighbours, clamped so that the curve never overshoots a key
    Free,    ///< stored; the two sides are independent of each other ("broken")
    Flat,    ///< 0 on both sides
    Linear,  ///< toward the neighbour, each side for itself
    Aligned, ///< stored; an edit of one side gives both the same slope
};

/// True if Key::in and Key::out are the slopes of the key.
[[nodiscard]] constexpr bool isStored(TangentMode mode)
{
    return mode == TangentMode::Free || mode == TangentMode::Aligned;
}

/// The weight of a tangent at which the curve is a cubic function of time.
inline constexpr double kEvenWeight = 1.0 / 3;

/// What a channel does before its first key, or after its last one. The period of the last three is the time from the
/// first key to the last.
enum class Infinity : std::uint8_t {
    Constant,    ///< holds the key's value
    Linear,      ///< goes on with the slope that it has at the key; not for quaternions
    Cycle,       ///< repeats the keys
    CycleOffset, ///< repeats the keys, each time shifted by the difference between the last and the first of them
    Oscillate,   ///< repeats the keys, every second time backward
};

struct Key
{
    Time time;
    ChannelValue value{};
    Interpolation interpolation = Interpolation::Bezier;
    TangentMode tangents = TangentMode::Auto;
    ChannelValue in{};  ///< slope into the key, per second; counts if isStored(tangents)
    ChannelValue out{}; ///< slope out of the key, per second; counts if isStored(tangents)
    /// How far the tangent of a Bezier segment reaches, as a share of the time to the neighbouring key: 0 ... 1.
    double inWeight = kEvenWeight, outWeight = kEvenWeight;

    bool operator==(const Key&) const = default;
};

/// The keys of one channel in order of time, no two at the same time, and what comes before and after them. Copies
/// share the chunks that keys are stored in, so changing one key of a copy copies one chunk and the table of chunks,
/// however many keys there are.
class KeyList
{
public:
    static constexpr std::size_t kChunk = 64; ///< maximum number of keys in a chunk

    KeyList() = default;
    explicit KeyList(std::vector<Key> keys); ///< in any order; of two at the same time the later in the vector is kept
    /// Other keys, with the infinities of `former`.
    KeyList(std::vector<Key> keys, const KeyList& former);

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool isEmpty() const { return m_size == 0; }
    [[nodiscard]] const Key& operator[](std::size_t index) const;
    [[nodiscard]] const Key& front() const { return (*this)[0]; }
    [[nodiscard]] const Key& back() const { return (*this)[m_size - 1]; }
    [[nodiscard]] std::vector<Key> toVector() const;

    /// Number of keys with key.time <= time, by bisection. The key in effect at `time` is the last of them.
    [[nodiscard]] std::size_t countUpTo(Time time) const;
    [[nodiscard]] const Key* at(Time time) const; ///< the key at exactly `time`, or null

    void insertOrReplace(const Key& key);
    bool erase(Time time); ///< false if there is no key at exactly `time`

    [[nodiscard]] Infinity before() const { return m_before; }
    [[nodiscard]] Infinity after() const { return m_after; }
    void setInfinity(Infinity before, Infinity after)
    {
        m_before = before;
        m_after = after;
    }

    [[nodiscard]] bool hasSameKeys(const KeyList& other) const; ///< whatever comes before and after them
    bool operator==(const KeyList& other) const
    {
        return m_before == other.m_before && m_after == other.m_after && hasSameKeys(other);
    }

private:
    struct Chunk
    {
        Shared<std::vector<Key>> keys;
        std::size_t begin = 0; ///< index of its first key in the list
    };
    [[nodiscard]] std::size_t chunkOf(std::size_t index) const;
    void renumberFrom(std::size_t chunk);

    std::vector<Chunk> m_chunks;
    std::size_t m_size = 0;
    Infinity m_before = Infinity::Constant, m_after = Infinity::Constant;
};

/// True if the keys are repeated there, so that any of them counts.
[[nodiscard]] constexpr bool isRepeat(Infinity infinity) { return infinity >= Infinity::Cycle; }

enum class MarkerColor : std::uint8_t { Blue, Green, Yellow, Orange, Red, Violet };

/// A named moment of a clip, such as a contact. Nothing is evaluated differently because of it.
struct Marker
{
    Time time;
    std::string name;
    MarkerColor color = MarkerColor::Blue;

    bool operator==(const Marker&) const = default;
};

/// A named animation: keys for any channels, in two layers. A channel without keys has its static value.
struct Clip
{
    ClipId id;
    std::string name;
    SharedMap<ChannelId, Shared<KeyList>> channels; ///< no list is empty
    bool hasCorrectionsOn = true;                   ///< false: the keys of Layer::Corrections are kept and not shown
    std::vector<Marker> markers;                    ///< in order of time, no two at the same time
    std::int32_t sourceAnimation = -1; ///< animation of the source model this clip came from; -1 = made here

    [[nodiscard]] const KeyList* find(ChannelId channel) const;
    [[nodiscard]] bool hasKeys() const { return !channels.empty(); }
    [[nodiscard]] bool hasCorrections() const; ///< keys of that layer, shown or not
    /// The channel of the weight of its corrections, 0 ... 1. Without keys: see Scene::staticValue().
    [[nodiscard]] ChannelId correctionsWeight() const { return {id.value, Property::Weight}; }
    [[nodiscard]] Time begin() const; ///< earliest key, 0 without keys
    [[nodiscard]] Time end() const;   ///< latest key, 0 without keys
    [[nodiscard]] std::size_t keyCount() const;

    bool operator==(const Clip&) const = default;
};

/// A stretch of time, both ends included.
struct TimeSpan
{
    Time from, to;
};

/// Where the values of two clips may differ; nothing if they are the same. Before the first key that is the same in
/// both, and after the last one, time has no end.
[[nodiscard]] std::optional<TimeSpan> differenceOf(const Clip& before, const Clip& after);

} // namespace tendon
