#include "core/clip/AnswerSpace.h"

#include <tendon/kit/Limits.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tendon {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kManyTurns = 1e6;

} // namespace

AnswerSpace::AnswerSpace(const sdk::Model& model, std::span<const double> base)
    : m_model(model), m_unit(static_cast<std::size_t>(model.dofCount), 1), m_isPeriodic(m_unit.size(), 0)
{
    for (std::int32_t b = 0; b < model.bodyCount; ++b)
        for (int k = kit::slidingDofs(model, b); k < kit::singleDofs(model, b); ++k) {
            const auto v = static_cast<std::size_t>(model.vBegin[b] + k);
            if (!(model.upper[v] - model.lower[v] >= 3 * std::numbers::pi)) continue;
            m_isPeriodic[v] = 1;
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
    m_length = longest > 0 ? kShare * longest : 1;
    for (std::size_t v = 0; v < m_unit.size(); ++v)
        if (model.dofKind[v] == sdk::DofKind::Sliding) m_unit[v] = m_length;
    for (const double unit : m_unit) m_perUnit.push_back(1 / unit);
}

void AnswerSpace::centre(const double* near, double* q) const
{
    for (std::size_t p = 0; p < m_periodic.size(); ++p) {
        const std::size_t c = m_periodic[p], v = m_periodicDof[p];
        double middle = near[c];
        if (std::isfinite(m_model.lower[v]) && std::isfinite(m_model.upper[v]))
            middle = std::clamp(middle, m_model.lower[v] + std::numbers::pi, m_model.upper[v] - std::numbers::pi);
        const double turns = std::round((middle - q[c]) / kTurn);
        if (turns != 0) q[c] += turns * kTurn;
    }
}

void AnswerSpace::unroll(std::vector<double>& path, std::span<const int> breaks, const double* near) const
{
    const std::size_t nq = coordinates(), frames = path.size() / nq;
    std::vector<double> turns(frames);
    for (std::size_t p = 0; p < m_periodic.size(); ++p) {
        const std::size_t c = m_periodic[p];
        const double lower = m_model.lower[m_periodicDof[p]], upper = m_model.upper[m_periodicDof[p]];
        const auto value = [&](std::size_t t) { return path[t * nq + c] + turns[t] * kTurn; };
        std::size_t nextBreak = 0;
        for (std::size_t begin = 0; begin < frames;) {
            while (nextBreak < breaks.size() && static_cast<std::size_t>(breaks[nextBreak]) <= begin) ++nextBreak;
            const std::size_t end = nextBreak < breaks.size() ? static_cast<std::size_t>(breaks[nextBreak]) : frames;
            const double wish = begin == 0 ? near[c] : value(begin - 1);
            // On as far as some whole number of turns brings all of it inside the limits.
            double low = path[begin * nq + c], high = low, fewest = 0, most = 0;
            turns[begin] = 0;
            const auto setTurns = [&] {
                fewest = std::isfinite(lower) ? std::ceil((lower - low) / kTurn - 1e-12) : -kManyTurns;
                most = std::isfinite(upper) ? std::floor((upper - high) / kTurn + 1e-12) : kManyTurns;
                return fewest <= most;
            };
            (void)setTurns();
            std::size_t stop = begin + 1;
            for (; stop < end; ++stop) {
                turns[stop] = std::round((value(stop - 1) - path[stop * nq + c]) / kTurn);
                const double lowBefore = low, highBefore = high;
                low = std::min(low, value(stop));
                high = std::max(high, value(stop));
                if (setTurns()) continue;
                low = lowBefore;
                high = highBefore;
                (void)setTurns();
                break;
            }
            const double shift = std::clamp(std::round((wish - value(begin)) / kTurn), fewest, std::max(fewest, most));
            for (std::size_t t = begin; t < stop; ++t) turns[t] += shift;
            begin = stop;
        }
        for (std::size_t t = 0; t < frames; ++t)
            if (turns[t] != 0) path[t * nq + c] = std::clamp(value(t), lower, upper);
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
    if (m_isPlain) {
        for (std::size_t v = 0; v < m_unit.size(); ++v)
            if (!(std::abs(wayOf(v, to[v] - from[v])) <= distance)) return false;
        return true;
    }
    // Most are far, which the cosine of half the angle tells without its logarithm. A rotation vector is at most
    // sqrt(3) times as long as its largest part.
    const double half = 0.5 * std::numbers::sqrt3 * distance + 1e-9;
    const double least = half < std::numbers::pi / 2 ? std::cos(half) : 0;
    double own[6];
    for (std::int32_t b = 0; b < m_model.bodyCount; ++b) {
        const double *q = from + m_model.qBegin[b], *other = to + m_model.qBegin[b];
        const int singles = kit::singleDofs(m_model, b);
        const auto begin = static_cast<std::size_t>(m_model.vBegin[b]);
        for (int k = 0; k < singles; ++k)
            if (!(std::abs(wayOf(begin + static_cast<std::size_t>(k), other[k] - q[k])) <= distance)) return false;
        if (!kit::traitsOf(m_model, b).hasQuaternion) continue;
        if (std::abs(kit::quaternionAt(q + singles).dot(kit::quaternionAt(other + singles))) < least) return false;
        kit::differenceBody(m_model, b, q, other, own);
        for (int k = singles; k < singles + 3; ++k)
            if (!(std::abs(wayOf(begin + static_cast<std::size_t>(k), own[k])) <= distance)) return false;
    }
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
