#include "core/document/KeyReduction.h"

#include "core/runtime/KeySampling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace tendon {
namespace {

ChannelValue negated(const ChannelValue& v) { return {-v[0], -v[1], -v[2], -v[3]}; }

double dot(const ChannelValue& a, const ChannelValue& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

double squaredDistance(const ChannelValue& a, const ChannelValue& b)
{
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

/// Quaternion keys in the signs in which the curve runs through them, so that it may run on from any to any other.
KeyList withRunningSigns(const KeyList& keys)
{
    std::vector<Key> aligned = keys.toVector();
    for (std::size_t k = 1; k < aligned.size(); ++k) {
        const Key &before = keys[k - 1], &own = keys[k];
        const bool isVerbatim = before.interpolation == Interpolation::Bezier && isStored(before.tangents) &&
                                isStored(own.tangents); // it runs from the one sign to the other
        const bool wasNegated = aligned[k - 1].value != before.value;
        const bool isNegated = isVerbatim ? wasNegated : dot(aligned[k - 1].value, own.value) < 0;
        if (!isNegated) continue;
        for (ChannelValue Key::*numbers : {&Key::value, &Key::in, &Key::out})
            aligned[k].*numbers = negated(own.*numbers);
    }
    return {std::move(aligned), keys};
}

class Reduction
{
public:
    Reduction(const KeyList& keys, Property property, double error, FrameRate fps)
        : m_property(property), m_keys(isQuaternion(property) ? withRunningSigns(keys) : keys)
    {
        // The chord between two unit quaternions is twice the sine of a quarter of the angle between the rotations.
        const double limit = isQuaternion(property) ? 2 * std::sin(std::min(error, 2 * std::numbers::pi) / 4) : error;
        m_squaredLimit = limit * limit;
        measureSlopes();
        sampleCurve(fps);
    }

    /// Decides which of the keys from `first` to `last` stay.
    void reduce(std::size_t first, std::size_t last)
    {
        for (std::size_t from = first; from < last;) {
            const Gap gap = furthestFrom(from, last);
            m_gaps.push_back(gap);
            m_removed += gap.to - from - 1;
            from = gap.to;
        }
    }
    void keep(std::size_t key) { m_gaps.push_back({key, key + 1, Form::Same}); }
    [[nodiscard]] bool hasRemoved() const { return m_removed > 0; }

    /// The keys that stay. Precondition: reduce() and keep() have covered all keys but the last, in order.
    [[nodiscard]] std::vector<Key> keys() const
    {
        std::vector<Key> kept{m_keys.front()};
        Form before = Form::Same;
        for (const Gap& gap : m_gaps) {
            takeSlopes(kept.back(), gap.from, before, gap.form);
            kept.push_back(m_keys[gap.to]);
            before = gap.form;
        }
        takeSlopes(kept.back(), m_keys.size() - 1, before, Form::Same);
        return kept;
    }

private:
    /// What runs from one key that stays to the next.
    enum class Form {
        Same, ///< no key was in between
        Held,
        Line,
        Curve,
    };
    struct Gap
    {
        std::size_t from = 0, to = 0;
        Form form = Form::Same;
    };
    struct Sample
    {
        Time time;
        ChannelValue value{};
    };

    [[nodiscard]] double secondsAfter(std::size_t key) const
    {
        return Time{m_keys[key + 1].time.ticks - m_keys[key].time.ticks}.seconds();
    }
    [[nodiscard]] ChannelValue lineSlopeAfter(std::size_t key) const
    {
        ChannelValue slope{};
        for (std::size_t c = 0; c < slope.size(); ++c)
            slope[c] = (m_keys[key + 1].value[c] - m_keys[key].value[c]) / secondsAfter(key);
        return slope;
    }

    /// The slope at a key of the parabola through it and its neighbours, at an end through the two next to it.
    [[nodiscard]] ChannelValue parabolaSlope(std::size_t key) const
    {
        const std::size_t n = m_keys.size();
        if (n == 2) return lineSlopeAfter(0);
        const std::size_t middle = std::clamp<std::size_t>(key, 1, n - 2);
        const ChannelValue before = lineSlopeAfter(middle - 1), after = lineSlopeAfter(middle);
        const double secondsBefore = secondsAfter(middle - 1), seconds = secondsBefore + secondsAfter(middle);
        // The slope of a parabola grows evenly; a line's slope is the parabola's in the middle of its time.
        const double share = key < middle   ? -secondsBefore / seconds
                             : key > middle ? 1 + secondsAfter(middle) / seconds
                                            : secondsBefore / seconds;
        ChannelValue slope{};
        for (std::size_t c = 0; c < slope.size(); ++c) slope[c] = before[c] + share * (after[c] - before[c]);
        return slope;
    }

    /// The slopes that the curve has at each key.
    void measureSlopes()
    {
        const std::size_t n = m_keys.size();
        m_slopes.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            const bool hasBefore = k > 0, hasAfter = k + 1 < n;
            const auto before = hasBefore ? m_keys[k - 1].interpolation : Interpolation::Step;
            const auto after = hasAfter ? m_keys[k].interpolation : Interpolation::Step;
            const Tangents tangents = tangentsAt(m_keys, m_property, k);
            const auto isLineOrEnd = [](bool has, Interpolation side) { return !has || side == Interpolation::Linear; };
            const bool isSmooth = isLineOrEnd(hasBefore, before) && isLineOrEnd(hasAfter, after) && n > 1;
            Tangents& slopes = m_slopes[k];
            if (before == Interpolation::Bezier) slopes.in = tangents.in;
            if (before == Interpolation::Linear) slopes.in = isSmooth ? parabolaSlope(k) : lineSlopeAfter(k - 1);
            if (after == Interpolation::Bezier) slopes.out = tangents.out;
            if (after == Interpolation::Linear) slopes.out = isSmooth ? parabolaSlope(k) : lineSlopeAfter(k);
            if (before == Interpolation::Step) slopes.in = slopes.out;
            if (after == Interpolation::Step) slopes.out = slopes.in;
        }
        if (m_keys.before() == Infinity::Linear) m_slopes.front().in = slopeBefore(m_keys, m_property);
        if (m_keys.after() == Infinity::Linear) m_slopes.back().out = slopeAfter(m_keys, m_property);
    }

    void sampleCurve(FrameRate fps)
    {
        constexpr double kMostFrames = 2e6;
        const double frames = fps.frameAt(m_keys.back().time) - fps.frameAt(m_keys.front().time);
        const double stride = 1 + std::floor(frames / kMostFrames);
        for (std::size_t k = 0; k < m_keys.size(); ++k) {
            m_sampleOfKey.push_back(m_samples.size());
            m_samples.push_back({m_keys[k].time, sampleKeys(m_keys, m_property, m_keys[k].time)});
            if (k + 1 == m_keys.size()) break;
            const KeySegment segment = segmentAt(m_keys, m_property, m_keys[k].time);
            for (double frame = std::floor(fps.frameAt(m_keys[k].time)) + 1;; frame += stride) {
                const Time time = fps.timeOf(frame);
                if (time >= m_keys[k + 1].time) break;
                if (time > m_keys[k].time) m_samples.push_back({time, sampleSegment(segment, m_property, time)});
            }
        }
        m_stepsBefore.push_back(0);
        m_linesBefore.push_back(0);
        for (std::size_t k = 0; k < m_keys.size(); ++k) {
            const Interpolation after = m_keys[k].interpolation;
            m_stepsBefore.push_back(m_stepsBefore.back() + (after == Interpolation::Step ? 1 : 0));
            m_linesBefore.push_back(m_linesBefore.back() + (after == Interpolation::Linear ? 1 : 0));
        }
    }

    [[nodiscard]] bool staysWithin(std::size_t from, std::size_t to, Interpolation interpolation)
    {
        Key left = m_keys[from], right = m_keys[to];
        left.interpolation = interpolation;
        left.tangents = right.tangents = TangentMode::Free;
        left.outWeight = right.inWeight = kEvenWeight;
        const KeySegment segment{&left, &right, m_slopes[from].out, m_slopes[to].in};
        const auto isNear = [&](std::size_t s) {
            const Sample& sample = m_samples[s];
            const ChannelValue value = sampleSegment(segment, m_property, sample.time);
            double squared = squaredDistance(value, sample.value);
            if (isQuaternion(m_property)) squared = std::min(squared, squaredDistance(value, negated(sample.value)));
            if (squared <= m_squaredLimit) return true;
            m_lastMiss = s;
            return false;
        };
        const std::size_t first = m_sampleOfKey[from] + 1, end = m_sampleOfKey[to];
        // Where it failed last, and here and there, before everywhere: most attempts fail.
        if (m_lastMiss >= first && m_lastMiss < end && !isNear(m_lastMiss)) return false;
        constexpr std::size_t kParts = 8;
        for (std::size_t part = 1; part < kParts; ++part)
            if (const std::size_t s = first + part * (end - first) / kParts; s < end && !isNear(s)) return false;
        for (std::size_t s = first; s < end; ++s)
            if (!isNear(s)) return false;
        return true;
    }

    /// How the curve can run from one key straight to another; none if it cannot.
    [[nodiscard]] std::optional<Form> formBetween(std::size_t from, std::size_t to)
    {
        const std::size_t steps = m_stepsBefore[to] - m_stepsBefore[from];
        const std::size_t lines = m_linesBefore[to] - m_linesBefore[from];
        const std::size_t all = to - from;
        if (all == 1) return Form::Same;
        if (steps == all) return staysWithin(from, to, Interpolation::Step) ? std::optional(Form::Held) : std::nullopt;
        if (steps != 0) return std::nullopt;
        if (staysWithin(from, to, Interpolation::Bezier)) return Form::Curve;
        // A line at an end would change the slope with which the channel goes on there.
        const bool goesOn = (from == 0 && m_keys.before() == Infinity::Linear) ||
                            (to + 1 == m_keys.size() && m_keys.after() == Infinity::Linear);
        if (lines == all && !goesOn && staysWithin(from, to, Interpolation::Linear)) return Form::Line;
        return std::nullopt;
    }

    [[nodiscard]] Gap furthestFrom(std::size_t from, std::size_t last)
    {
        constexpr std::size_t kFew = 16;
        Gap best{from, from + 1, Form::Same};
        std::size_t bound = last;
        for (std::size_t reach = 2; best.to < last; reach *= 2) {
            const std::size_t to = std::min(from + reach, last);
            const auto form = formBetween(from, to);
            if (!form) {
                bound = std::min(last, from + std::max(2 * reach, kFew));
                break;
            }
            best = {from, to, *form};
        }
        for (std::size_t to = bound; to > best.to; --to)
            if (const auto form = formBetween(from, to)) return {from, to, *form};
        return best;
    }

    /// The slopes of the curve for a key that stays, unless nothing changes beside it.
    void takeSlopes(Key& key, std::size_t index, Form before, Form after) const
    {
        if (before == Form::Same && after == Form::Same) return;
        key.in = m_slopes[index].in;
        key.out = m_slopes[index].out;
        key.tangents = key.in == key.out ? TangentMode::Aligned : TangentMode::Free;
        if (before == Form::Curve) key.inWeight = kEvenWeight;
        if (after == Form::Curve) key.outWeight = kEvenWeight;
        if (after == Form::Curve) key.interpolation = Interpolation::Bezier;
    }

    Property m_property;
    KeyList m_keys;
    double m_squaredLimit = 0;
    std::vector<Tangents> m_slopes; ///< by key
    std::vector<Sample> m_samples;  ///< of the curve, at every key and frame
    std::vector<std::size_t> m_sampleOfKey;
    std::vector<std::size_t> m_stepsBefore, m_linesBefore; ///< how many keys with them come before each key
    std::size_t m_lastMiss = 0;                            ///< sample where an attempt failed last
    std::vector<Gap> m_gaps;
    std::size_t m_removed = 0;
};

} // namespace

std::vector<Key> reducedKeys(const KeyList& keys, Property property, const std::vector<bool>& chosen, double error,
                             FrameRate fps)
{
    if (keys.size() < 3) return keys.toVector();
    Reduction reduction(keys, property, error, fps);
    for (std::size_t first = 0; first + 1 < keys.size();) {
        std::size_t last = first;
        while (chosen[first] && last + 1 < keys.size() && chosen[last + 1]) ++last;
        if (last == first) {
            reduction.keep(first++);
        } else {
            reduction.reduce(first, last);
            first = last;
        }
    }
    return reduction.hasRemoved() ? reduction.keys() : keys.toVector();
}

} // namespace tendon
