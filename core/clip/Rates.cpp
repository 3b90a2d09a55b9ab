#include "core/clip/Rates.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {
namespace {

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

std::array<double, 3> difference(const std::array<double, 3>& a, const std::array<double, 3>& b)
{
    return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

double shareBeyond(double length, double allowed)
{
    constexpr double kMostCounted = 3;
    return length > allowed ? std::min(kMostCounted, length / allowed - 1) : 0;
}

} // namespace

Rates::Rates(const sdk::Model& model, std::span<const ClipRate> rates)
    : m_model(model), m_rates(rates.begin(), rates.end())
{
    for (const ClipRate& rate : m_rates) {
        std::int32_t b = 0;
        while (model.vBegin[b + 1] <= rate.dof) ++b;
        const std::int32_t place = rate.dof - model.vBegin[b];
        m_body.push_back(b);
        m_coordinate.push_back(place < kit::singleDofs(model, b) ? model.qBegin[b] + place : -1);
    }
}

std::array<double, 3> Rates::step(std::size_t r, const double* from, const double* to) const
{
    const std::int32_t coordinate = m_coordinate[r];
    if (coordinate >= 0) return {to[coordinate] - from[coordinate], 0, 0};
    const std::int32_t b = m_body[r];
    double way[6];
    kit::differenceBody(m_model, b, from + m_model.qBegin[b], to + m_model.qBegin[b], way);
    const double* turning = way + (m_rates[r].dof - m_model.vBegin[b]);
    return {turning[0], turning[1], turning[2]};
}

double Rates::speed(std::size_t r, const ClipPath& path, int frame) const
{
    if (frame < 1 || std::isinf(m_rates[r].step)) return 0;
    return length(step(r, path.at(frame - 1), path.at(frame))) / m_rates[r].step;
}

double Rates::acceleration(std::size_t r, const ClipPath& path, int frame) const
{
    if (frame < 1 || frame + 1 >= path.frames() || std::isinf(m_rates[r].change)) return 0;
    return length(
               difference(step(r, path.at(frame - 1), path.at(frame)), step(r, path.at(frame), path.at(frame + 1)))) /
           m_rates[r].change;
}

Rates::Steps Rates::steps(const AnswerSpace& space, const double* from, const double* to) const
{
    Steps steps(m_rates.size());
    for (std::size_t r = 0; r < m_rates.size(); ++r) {
        steps[r] = step(r, from, to);
        if (space.isPeriodic(static_cast<std::size_t>(m_rates[r].dof)))
            steps[r][0] = std::remainder(steps[r][0], 2 * std::numbers::pi);
    }
    return steps;
}

double Rates::haste(const Steps& steps) const
{
    double sum = 0;
    for (std::size_t r = 0; r < m_rates.size(); ++r) sum += shareBeyond(length(steps[r]), m_rates[r].step);
    return sum;
}

double Rates::haste(const Steps& before, const Steps& now) const
{
    double sum = 0;
    for (std::size_t r = 0; r < m_rates.size(); ++r)
        if (!std::isinf(m_rates[r].change))
            sum += shareBeyond(length(difference(before[r], now[r])), m_rates[r].change);
    return sum;
}

double Rates::effort(const Steps& steps, int frames) const
{
    double sum = 0;
    for (std::size_t r = 0; r < m_rates.size(); ++r) {
        const double share = length(steps[r]) / (frames * m_rates[r].step), square = share * share;
        sum += square + square * square;
    }
    return sum;
}

double Rates::excess(const ClipPath& path) const
{
    double sum = 0;
    const auto add = [&](double ratio) {
        if (ratio > 1 + kHeld) sum += (ratio - 1) * (ratio - 1);
    };
    for (std::size_t r = 0; r < m_rates.size(); ++r)
        for (int t = 1; t < path.frames(); ++t) {
            add(speed(r, path, t));
            add(acceleration(r, path, t));
        }
    return sum;
}

std::vector<ClipHaste> Rates::hastes(const ClipPath& path, std::span<const std::uint8_t> jumps) const
{
    std::vector<ClipHaste> found;
    const auto isJump = [&](int t) {
        const auto place = static_cast<std::size_t>(t);
        return place < jumps.size() && jumps[place] != 0;
    };
    for (std::size_t r = 0; r < m_rates.size(); ++r)
        for (const RateKind kind : {RateKind::Speed, RateKind::Acceleration}) {
            bool goesOn = false;
            for (int t = 1; t < path.frames(); ++t) {
                const bool isLeftOut = isJump(t) || (kind == RateKind::Acceleration && isJump(t + 1));
                const double ratio = isLeftOut                 ? 0
                                     : kind == RateKind::Speed ? speed(r, path, t)
                                                               : acceleration(r, path, t);
                if (!(ratio > 1 + kHeld)) {
                    goesOn = false;
                    continue;
                }
                if (!goesOn) found.push_back({t, t, t, r, kind, 0});
                goesOn = true;
                ClipHaste& haste = found.back();
                haste.last = t;
                const double stretch = kind == RateKind::Speed ? ratio : std::sqrt(ratio);
                if (stretch <= haste.stretch) continue;
                haste.stretch = stretch;
                haste.worst = t;
            }
        }
    std::stable_sort(found.begin(), found.end(),
                     [](const ClipHaste& a, const ClipHaste& b) { return a.first < b.first; });
    return found;
}

} // namespace tendon
