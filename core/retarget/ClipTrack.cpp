#include "core/retarget/ClipTrack.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tendon {

ClipTrack::ClipTrack(Time begin, Time end, const std::function<double(Time)>& valueAt) : m_begin(begin)
{
    constexpr double kRate = 30, kMost = 20000; // [1/s], values
    const double seconds = std::max(end.seconds() - begin.seconds(), 0.0);
    const double steps = std::clamp(std::ceil(seconds * kRate), 1.0, kMost);
    m_step = seconds / steps;
    for (double i = 0; i <= steps; ++i) m_values.push_back(valueAt(Time::fromSeconds(begin.seconds() + m_step * i)));
}

double ClipTrack::at(Time time) const
{
    if (m_values.empty()) return 0;
    if (m_step <= 0) return m_values.front();
    const double place = std::clamp((time.seconds() - m_begin.seconds()) / m_step, 0.0,
                                    static_cast<double>(m_values.size() - 1));
    const auto before = static_cast<std::size_t>(place);
    const std::size_t after = std::min(before + 1, m_values.size() - 1);
    const double share = place - static_cast<double>(before);
    return (1 - share) * m_values[before] + share * m_values[after];
}

void ClipTrack::widen(double seconds)
{
    double most = 0;
    bool isFirst = true;
    filter(
        seconds,
        [&](double value, double) {
            most = isFirst ? value : std::max(most, value);
            isFirst = false;
        },
        [&] {
            isFirst = true;
            return most;
        });
}

void ClipTrack::smooth(double seconds)
{
    double sum = 0, weights = 0;
    filter(
        seconds,
        [&](double value, double distance) {
            const double near = 1 - distance * distance / (seconds * seconds), weight = near * near + 1e-9;
            sum += weight * value, weights += weight;
        },
        [&] {
            const double mean = sum / weights;
            sum = weights = 0;
            return mean;
        });
}

void ClipTrack::filter(double seconds, const std::function<void(double, double)>& take,
                       const std::function<double()>& give)
{
    if (m_step <= 0) return;
    const std::vector<double> former = m_values;
    const auto size = static_cast<std::int64_t>(former.size());
    const auto around = std::min(static_cast<std::int64_t>(std::floor(seconds / m_step + 1e-6)), size);
    for (std::int64_t i = 0; i < size; ++i) {
        for (std::int64_t k = std::max<std::int64_t>(i - around, 0); k <= std::min(i + around, size - 1); ++k)
            take(former[static_cast<std::size_t>(k)], static_cast<double>(k - i) * m_step);
        m_values[static_cast<std::size_t>(i)] = give();
    }
}

} // namespace tendon
