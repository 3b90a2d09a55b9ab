#include "core/io/import/SceneBuilder.h"
#include "core/math/Convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendon {
namespace {

/// How far a time read from a float may be from what was meant.
double floatSpacing(double seconds)
{
    const auto value = static_cast<float>(std::abs(seconds));
    return static_cast<double>(std::nextafter(value, std::numeric_limits<float>::max()) - value);
}

Time keyTime(double seconds, FrameRate fps)
{
    const Time exact = Time::fromSeconds(seconds);
    const Time frame = fps.timeOf(std::round(fps.frameAt(exact)));
    return std::abs(frame.seconds() - seconds) <= floatSpacing(seconds) ? frame : exact;
}

/// The share of all keys that are on frames of a rate, 0 to 1. `slack`: how far a key may be from a frame, in frames,
/// beyond what a float rounds.
double shareOnFrames(const std::vector<SourceAnimation>& animations, FrameRate fps, double slack = 1e-3)
{
    std::size_t on = 0, all = 0;
    for (const SourceAnimation& animation : animations)
        for (const SourceChannel& channel : animation.channels)
            for (const double time : channel.times) {
                const double frame = time * fps.perSecond();
                const double tolerance = std::max(slack, 2 * floatSpacing(time) * fps.perSecond());
                ++all;
                if (std::abs(frame - std::round(frame)) <= std::min(tolerance, 0.1)) ++on;
            }
    return all == 0 ? 1 : static_cast<double>(on) / static_cast<double>(all);
}

bool fits(const std::vector<SourceAnimation>& animations, FrameRate fps, double slack = 1e-3)
{
    return shareOnFrames(animations, fps, slack) == 1;
}

/// Frames a second of keys that stand evenly, by the longest channel; 0 when there is none of three keys or more.
double keysPerSecond(const std::vector<SourceAnimation>& animations)
{
    const SourceChannel* longest = nullptr;
    for (const SourceAnimation& animation : animations)
        for (const SourceChannel& channel : animation.channels)
            if (longest == nullptr || channel.times.size() > longest->times.size()) longest = &channel;
    if (longest == nullptr || longest->times.size() < 3) return 0;
    const double seconds = longest->times.back() - longest->times.front();
    return seconds > 0 ? static_cast<double>(longest->times.size() - 1) / seconds : 0;
}

Interpolation interpolationOf(SourceInterpolation source)
{
    switch (source) {
    case SourceInterpolation::Step: return Interpolation::Step;
    case SourceInterpolation::Linear: return Interpolation::Linear;
    default: return Interpolation::Bezier;
    }
}

/// Value and slopes of one key as up to four numbers each, re-expressed for the joint.
struct SourceKey
{
    ChannelValue in{}, value{}, out{};
};

class KeyReader
{
public:
    KeyReader(const SourceChannel& channel, const Affine& folded)
        : m_channel(channel), m_folded(folded), m_even(asEvenTransform(folded))
    {
    }

    [[nodiscard]] SourceKey operator()(std::size_t key) const
    {
        const std::size_t n = m_channel.path == SourcePath::Rotation ? 4 : 3;
        const bool isCubic = m_channel.interpolation == SourceInterpolation::Cubic;
        const double* at = m_channel.values.data() + key * n * (isCubic ? 3 : 1);
        SourceKey read;
        if (isCubic) {
            read.in = express(at, true);
            read.out = express(at + 2 * n, true);
            at += n;
        }
        read.value = express(at, false);
        return read;
    }

private:
    /// Everything folded above a joint acts on its numbers linearly (a shift apart, which slopes do not feel).
    [[nodiscard]] ChannelValue express(const double* numbers, bool isSlope) const
    {
        if (m_channel.path == SourcePath::Rotation) {
            const Quaternion given = toQuaternion(numbers);
            return toValue(!m_even || m_even->isIdentity ? given : Quaternion(m_even->rotation * given));
        }
        Vector3 vector = toVector(numbers);
        if (!m_even || !m_even->isIdentity) {
            if (m_channel.path == SourcePath::Scale)
                vector *= m_even ? m_even->factor : 1;
            else
                vector = isSlope ? Vector3(m_folded.linear() * vector) : Vector3(m_folded * vector);
        }
        return toValue(vector);
    }

    const SourceChannel& m_channel;
    const Affine& m_folded;
    std::optional<EvenTransform> m_even;
};

/// Straight arcs take the short way whichever sign a quaternion has; equal signs make curves and further editing
/// smooth.
void alignSign(ChannelValue& value, const ChannelValue& before)
{
    double dot = 0;
    for (std::size_t i = 0; i < 4; ++i) dot += value[i] * before[i];
    if (dot < 0)
        for (double& component : value) component = -component;
}

std::vector<Key> keysOf(const SourceChannel& channel, const Affine& folded, FrameRate fps)
{
    const KeyReader read(channel, folded);
    std::vector<Key> keys(channel.times.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const SourceKey source = read(k);
        Key& key = keys[k];
        key.time = keyTime(channel.times[k], fps);
        key.value = source.value;
        key.interpolation = interpolationOf(channel.interpolation);
        if (channel.interpolation == SourceInterpolation::Cubic) {
            key.tangents = TangentMode::Free;
            key.in = source.in;
            key.out = source.out;
        } else if (channel.path == SourcePath::Rotation && k > 0) {
            alignSign(key.value, keys[k - 1].value);
        }
    }
    return keys;
}

/// One of the three numbers of translation or scale keys.
KeyList component(const std::vector<Key>& keys, std::size_t index)
{
    std::vector<Key> picked = keys;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        picked[k].value = {keys[k].value[index]};
        picked[k].in = {keys[k].in[index]};
        picked[k].out = {keys[k].out[index]};
    }
    return KeyList(std::move(picked));
}

} // namespace

FrameRate guessFrameRate(const std::vector<SourceAnimation>& animations, double stated, Issues& issues)
{
    if (stated >= 1 && stated <= 1000 && fits(animations, FrameRate::fromValue(stated)))
        return FrameRate::fromValue(stated);
    static constexpr std::array<FrameRate, 13> kCandidates = {{{24, 1},
                                                               {30, 1},
                                                               {60, 1},
                                                               {25, 1},
                                                               {50, 1},
                                                               {48, 1},
                                                               {120, 1},
                                                               {15, 1},
                                                               {100, 1},
                                                               {90, 1},
                                                               {30000, 1001},
                                                               {24000, 1001},
                                                               {60000, 1001}}};
    for (const FrameRate candidate : kCandidates)
        if (fits(animations, candidate)) return candidate;
    // Motion capture states its time a frame with few digits: 0.0333 s. Not to drift by more than a bake takes for
    // rounding.
    constexpr double kDrift = 0.004;
    if (const double rate = keysPerSecond(animations); rate >= 10 && rate <= 1000) {
        const FrameRate whole = FrameRate::fromValue(std::round(rate)), thousandths = FrameRate::fromValue(rate);
        const FrameRate micros{1'000'000, static_cast<std::int32_t>(std::lround(1e6 / rate))};
        for (const FrameRate candidate : {whole, thousandths, micros})
            if (fits(animations, candidate, kDrift)) return candidate;
    }
    if (stated >= 1 && stated <= 1000) return FrameRate::fromValue(stated);
    // One clip of many, or one joint of a clip, that is keyed by another clock does not speak for the file.
    constexpr double kMost = 0.5;
    const auto best = std::max_element(kCandidates.begin(), kCandidates.end(), [&](FrameRate a, FrameRate b) {
        return shareOnFrames(animations, a) < shareOnFrames(animations, b);
    });
    if (shareOnFrames(animations, *best) > kMost) {
        issues.push_back({Severity::Info, "some keys lie between frames; they stay where they are", ""});
        return *best;
    }
    issues.push_back({Severity::Info, "the keys fit no common frame rate; 24 frames per second are assumed", ""});
    return {24, 1};
}

Clip buildClip(const SourceAnimation& animation, const JointPlan& plan, const std::vector<JointId>& ids, FrameRate fps)
{
    Clip clip;
    clip.sourceAnimation = animation.index;
    for (const SourceChannel& channel : animation.channels) {
        const std::int32_t entry = plan.entryOfNode[static_cast<std::size_t>(channel.node)];
        if (entry < 0) continue;
        const ObjectId joint = ids[static_cast<std::size_t>(entry)].value;
        const std::vector<Key> keys = keysOf(channel, plan.joints[static_cast<std::size_t>(entry)].parentFromFolded,
                                             fps);
        if (channel.path == SourcePath::Rotation) {
            clip.channels[{joint, Property::Rotation}] = KeyList(keys);
            continue;
        }
        const int first = static_cast<int>(channel.path == SourcePath::Translation ? Property::Tx : Property::Sx);
        for (int axis = 0; axis < 3; ++axis)
            clip.channels[{joint, static_cast<Property>(first + axis)}] = component(keys,
                                                                                    static_cast<std::size_t>(axis));
    }
    return clip;
}

} // namespace tendon
