#include "core/clip/AnswerSpace.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendon {

AnswerSpace::AnswerSpace(const sdk::Model& model, std::span<const double> base)
    : m_model(model), m_unit(static_cast<std::size_t>(model.dofCount), 1), m_isPeriodic(m_unit.size(), false)
{
    for (std::int32_t b = 0; b < model.bodyCount; ++b)
        for (int k = kit::slidingDofs(model, b); k < kit::singleDofs(model, b); ++k) {
            const auto v = static_cast<std::size_t>(model.vBegin[b] + k);
            if (!(model.upper[v] - model.lower[v] >= 3 * std::numbers::pi)) continue;
            m_isPeriodic[v] = true;
            m_periodic.push_back(static_cast<std::size_t>(model.qBegin[b] + k));
            m_periodicDof.push_back(v);
        }
    constexpr double kShare = 0.3;
    std::vector<double> depth(static_cast<std::size_t>(model.bodyCount));
    double longest = 0;
    for (std::int32_t b = 0; b < model.bodyCount; ++b) {
        const double above = model.parent[b] < 0 ? 0 : depth[static_cast<std::size_t>(model.parent[b])];
        const double own = model.parent[b] < 0 ? 0 : kit::vectorAt(base.data() + kit::kBaseStride * b).norm();
        depth[static_cast<std::size_t>(b)] = above + own;
        longest = std::max(longest, above + own);
        m_isPlain &= !kit::traitsOf(model, b).hasQuaternion;
    }
    const double length = longest > 0 ? kShare * longest : 1;
    for (std::size_t v = 0; v < m_unit.size(); ++v)
        if (model.dofKind[v] == sdk::DofKind::Sliding) m_unit[v] = length;
}

double AnswerSpace::wayOf(std::size_t dof, double way) const
{
    return (m_isPeriodic[dof] ? std::remainder(way, 2 * std::numbers::pi) : way) / m_unit[dof];
}

void AnswerSpace::centre(const double* near, double* q) const
{
    const double turn = 2 * std::numbers::pi;
    for (std::size_t p = 0; p < m_periodic.size(); ++p) {
        const std::size_t c = m_periodic[p], v = m_periodicDof[p];
        double middle = near[c];
        if (std::isfinite(m_model.lower[v]) && std::isfinite(m_model.upper[v]))
            middle = std::clamp(middle, m_model.lower[v] + std::numbers::pi, m_model.upper[v] - std::numbers::pi);
        const double turns = std::round((middle - q[c]) / turn);
        if (turns != 0) q[c] += turns * turn;
    }
}

void AnswerSpace::unroll(std::vector<double>& path, std::span<const int> breaks, const double* near) const
{
    const double turn = 2 * std::numbers::pi;
    const std::size_t nq = coordinates(), frames = path.size() / nq;
    for (std::size_t p = 0; p < m_periodic.size(); ++p) {
        const std::size_t c = m_periodic[p];
        const double lower = m_model.lower[m_periodicDof[p]], upper = m_model.upper[m_periodicDof[p]];
        const auto at = [&](std::size_t t) -> double& { return path[t * nq + c]; };
        std::size_t begin = 0, next = 0;
        while (begin < frames) {
            std::size_t end = frames;
            while (next < breaks.size() && static_cast<std::size_t>(breaks[next]) <= begin) ++next;
            if (next < breaks.size()) end = static_cast<std::size_t>(breaks[next]);
            // As far as it can run on within the limits.
            double wish = begin == 0 ? near[c] : at(begin - 1);
            double low = at(begin), high = low, last = low;
            std::size_t stop = begin + 1;
            std::vector<double> run{last};
            for (; stop < end; ++stop) {
                const double value = last + std::remainder(at(stop) - last, turn);
                const double newLow = std::min(low, value), newHigh = std::max(high, value);
                // some whole number of turns must bring all of it inside
                if (std::isfinite(lower) && std::isfinite(upper) &&
                    std::ceil((lower - newLow) / turn - 1e-12) > std::floor((upper - newHigh) / turn + 1e-12))
                    break;
                low = newLow;
                high = newHigh;
                last = value;
                run.push_back(value);
            }
            double turns = std::round((wish - run.front()) / turn);
            if (std::isfinite(lower)) turns = std::max(turns, std::ceil((lower - low) / turn - 1e-12));
            if (std::isfinite(upper)) turns = std::min(turns, std::floor((upper - high) / turn + 1e-12));
            for (std::size_t t = begin; t < stop; ++t) at(t) = std::clamp(run[t - begin] + turns * turn, lower, upper);
            begin = stop;
        }
    }
}

void AnswerSpace::difference(const double* from, const double* to, double* step) const
{
    if (m_isPlain) {
        for (std::size_t v = 0; v < m_unit.size(); ++v) step[v] = wayOf(v, to[v] - from[v]);
        return;
    }
    for (std::int32_t b = 0; b < m_model.bodyCount; ++b)
        kit::differenceBody(m_model, b, from + m_model.qBegin[b], to + m_model.qBegin[b], step + m_model.vBegin[b]);
    for (std::size_t v = 0; v < m_unit.size(); ++v) step[v] = wayOf(v, step[v]);
}

void AnswerSpace::move(const double* from, const double* step, double factor, std::span<const std::uint8_t> locked,
                       double* to) const
{
    double own[6];
    for (std::int32_t b = 0; b < m_model.bodyCount; ++b) {
        const std::int32_t begin = m_model.vBegin[b], count = m_model.vBegin[b + 1] - begin;
        bool moves = false;
        for (std::int32_t k = 0; k < count; ++k) {
            const auto v = static_cast<std::size_t>(begin + k);
            own[k] = !locked.empty() && locked[v] != 0 ? 0 : factor * step[v] * m_unit[v];
            moves |= own[k] != 0;
        }
        double* coordinates = to + m_model.qBegin[b];
        if (from != to) std::copy_n(from + m_model.qBegin[b], m_model.qBegin[b + 1] - m_model.qBegin[b], coordinates);
        if (!moves) continue;
        kit::integrateBody(m_model, b, coordinates, own, coordinates);
        kit::clampBody(m_model, b, locked, coordinates);
    }
}

bool AnswerSpace::isWithin(const double* from, const double* to, double distance) const
{
    if (!m_isPlain) return largest(from, to) <= distance;
    for (std::size_t v = 0; v < m_unit.size(); ++v)
        if (!(std::abs(wayOf(v, to[v] - from[v])) <= distance)) return false;
    return true;
}

AnswerSpace::Way AnswerSpace::way(const double* from, const double* to, const double* expected) const
{
    Way result;
    const auto count = [&](std::size_t v, double difference) {
        const double own = std::abs(wayOf(v, difference) - (expected != nullptr ? expected[v] : 0));
        result.largest = std::max(result.largest, own);
        result.squared += own * own;
    };
    if (m_isPlain) {
        for (std::size_t v = 0; v < m_unit.size(); ++v) count(v, to[v] - from[v]);
        return result;
    }
    double own[6];
    for (std::int32_t b = 0; b < m_model.bodyCount; ++b) {
        const std::int32_t begin = m_model.vBegin[b], size = m_model.vBegin[b + 1] - begin;
        kit::differenceBody(m_model, b, from + m_model.qBegin[b], to + m_model.qBegin[b], own);
        for (std::int32_t k = 0; k < size; ++k) count(static_cast<std::size_t>(begin + k), own[k]);
    }
    return result;
}

} // namespace tendon
