#include "core/retarget/ClipTrack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tendon {

ClipTrack::ClipTrack(std::vector<Time> times, std::vector<double> values, bool repeats)
    : m_times(std::move(times)), m_values(std::move(values)), m_repeats(repeats && m_times.size() > 2)
{
}

double ClipTrack::at(Time time) const
{
    if (m_values.empty()) return 0;
    const auto after = std::upper_bound(m_times.begin(), m_times.end(), time);
    if (after == m_times.begin()) return m_values.front();
    if (after == m_times.end()) return m_values.back();
    const auto i = static_cast<std::size_t>(after - m_times.begin());
    const double share = static_cast<double>(time.ticks - m_times[i - 1].ticks) /
                         static_cast<double>(m_times[i].ticks - m_times[i - 1].ticks);
    return (1 - share) * m_values[i - 1] + share * m_values[i];
}

void ClipTrack::dropOutliers()
{
    constexpr std::size_t kAround = 2;
    const std::vector<double> former = m_values;
    const std::size_t size = former.size();
    if (size < 3) return;
    for (std::size_t i = 0; i < size; ++i) {
        std::array<double, 2 * kAround + 1> near{};
        std::size_t count = 0;
        for (std::size_t k = i < kAround ? 0 : i - kAround; k <= std::min(i + kAround, size - 1); ++k)
            near[count++] = former[k];
        const auto middle = near.begin() + static_cast<std::ptrdiff_t>(count / 2);
        std::nth_element(near.begin(), middle, near.begin() + static_cast<std::ptrdiff_t>(count));
        m_values[i] = *middle;
    }
}

void ClipTrack::widen(double seconds)
{
    const std::vector<Value> around = continued(seconds, false);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const double now = m_times[i].seconds();
        while (around[begin].seconds < now - seconds) ++begin;
        double most = m_values[i];
        for (std::size_t k = begin; k < around.size() && around[k].seconds <= now + seconds; ++k)
            most = std::max(most, around[k].value);
        m_values[i] = most;
    }
}

void ClipTrack::smooth(double seconds)
{
    const std::vector<Value> around = continued(seconds, true);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const double now = m_times[i].seconds();
        while (around[begin].seconds < now - seconds) ++begin;
        double sum = 0, total = 0;
        for (std::size_t k = begin; k < around.size() && around[k].seconds <= now + seconds; ++k) {
            const double far = (around[k].seconds - now) / seconds, near = 1 - far * far;
            sum += near * near * around[k].value, total += near * near;
        }
        if (total > 0) m_values[i] = sum / total;
    }
}

void ClipTrack::hold(const std::vector<Contact>& contacts)
{
    // [s] within which values are evened out at rest and in motion
    constexpr double kAtRest = 10, kMoving = 0.05;
    if (m_values.size() < 2) return;
    const double length = m_times.back().seconds() - m_times.front().seconds();
    const std::vector<Value> all = continued(length, false);
    const std::size_t size = all.size(), last = m_values.size() - 1;
    // Tridiagonal: above[i] is how much values i and i + 1 hold together, asked[i] by how much they are to differ times
    // that, duration[i] how much value i counts.
    std::vector<double> above(size, 0), asked(size, 0), duration(size, 0), diagonal(size, 0), right(size, 0);
    for (std::size_t i = 0; i + 1 < size; ++i) {
        const double seconds = std::max(all[i + 1].seconds - all[i].seconds, 1e-6);
        const std::size_t a = all[i].index, b = all[i + 1].index;
        above[i] = kMoving * kMoving / seconds;
        for (const Contact& contact : contacts) {
            const double still = std::min(contact.stillness[a], contact.stillness[b]);
            const double holds = kAtRest * kAtRest * std::pow(still, 4) / seconds;
            above[i] += holds;
            // Of a clip that repeats the last frame is the first.
            asked[i] += holds * (contact.places[b == 0 ? last : b] - contact.places[a == last ? 0 : a]);
        }
        duration[i] += seconds / 2, duration[i + 1] += seconds / 2;
    }
    for (std::size_t i = 0; i < size; ++i) {
        const double below = i == 0 ? 0 : above[i - 1], share = i == 0 ? 0 : below / diagonal[i - 1];
        diagonal[i] = duration[i] + below + above[i] - share * below;
        const double change = (i == 0 ? 0 : asked[i - 1]) - asked[i];
        right[i] = duration[i] * all[i].value + change + (i == 0 ? 0 : share * right[i - 1]);
    }
    std::vector<double> held(size, 0);
    for (std::size_t i = size; i-- > 0;)
        held[i] = (right[i] + (i + 1 < size ? above[i] * held[i + 1] : 0)) / diagonal[i];
    std::size_t first = 0;
    while (first < size && all[first].seconds < m_times.front().seconds()) ++first;
    std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(first), m_values.size(), m_values.begin());
}

std::vector<ClipTrack::Value> ClipTrack::continued(double seconds, bool mirrors) const
{
    std::vector<Value> all;
    for (std::size_t i = 0; i < m_values.size(); ++i) all.push_back({m_times[i].seconds(), m_values[i], i});
    if (all.size() < 2 || !(m_repeats || mirrors)) return all;
    const std::vector<Value> own = all;
    const Value &first = own.front(), &last = own.back();
    // What is before and after: the clip again, or its mirror image about its ends, so that what rises goes on to rise.
    const double length = last.seconds - first.seconds;
    const auto before = [&](const Value& value) -> Value {
        if (m_repeats) return {value.seconds - length, value.value, value.index};
        return {2 * first.seconds - value.seconds, 2 * first.value - value.value, value.index};
    };
    const auto after = [&](const Value& value) -> Value {
        if (m_repeats) return {value.seconds + length, value.value, value.index};
        return {2 * last.seconds - value.seconds, 2 * last.value - value.value, value.index};
    };
    std::vector<Value> earlier;
    for (std::size_t i = 1; i + 1 < own.size(); ++i) {
        if (const Value value = before(own[i]); value.seconds >= first.seconds - seconds) earlier.push_back(value);
        if (const Value value = after(own[i]); value.seconds <= last.seconds + seconds) all.push_back(value);
    }
    all.insert(all.end(), earlier.begin(), earlier.end());
    std::sort(all.begin(), all.end(), [](const Value& a, const Value& b) { return a.seconds < b.seconds; });
    return all;
}

} // namespace tendon
