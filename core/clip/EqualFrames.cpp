#include "core/clip/EqualFrames.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace tendon {
namespace {

/// Equal for problems that ask the same, seldom for others.
std::uint64_t hashOf(const sdk::Problem& problem)
{
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a, by doubles
    const auto add = [&](double value) {
        if (value == 0) value = 0; // -0 compares equal
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3;
    };
    for (const double value : problem.seed) add(value);
    for (auto goal = problem.goals.begin(); goal != problem.goals.end(); ++goal) {
        for (const double value : goal->targetPosition) add(value);
        for (const double value : goal->targetRotation) add(value);
    }
    return hash;
}

} // namespace

bool asksTheSame(const sdk::Problem& a, const sdk::Problem& b)
{
    const auto same = [](std::span<const double> x, std::span<const double> y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    const auto sameGoal = [&](const sdk::Goal& x, const sdk::Goal& y) {
        return same(x.targetPosition, y.targetPosition) && same(x.targetRotation, y.targetRotation) &&
               same(x.offset, y.offset) && same(x.axis, y.axis) && x.twist == y.twist &&
               x.positionWeight == y.positionWeight && x.rotationWeight == y.rotationWeight &&
               x.positionTolerance == y.positionTolerance && x.rotationTolerance == y.rotationTolerance;
    };
    if (!same(a.seed, b.seed) || !same(a.base, b.base)) return false;
    for (auto x = a.goals.begin(), y = b.goals.begin(); x != a.goals.end() && y != b.goals.end(); ++x, ++y)
        if (!sameGoal(*x, *y)) return false;
    return true;
}

std::vector<int> firstEqualFrames(const ClipTask& task)
{
    std::vector<int> first(static_cast<std::size_t>(task.frameCount));
    std::unordered_map<std::uint64_t, std::vector<int>> byHash; // first frames
    for (int t = 0; t < task.frameCount; ++t) {
        const sdk::Problem problem = task.problem(t);
        std::vector<int>& alike = byHash[hashOf(problem)];
        const auto known = std::find_if(alike.begin(), alike.end(),
                                        [&](int other) { return asksTheSame(task.problem(other), problem); });
        first[static_cast<std::size_t>(t)] = known == alike.end() ? t : *known;
        if (known == alike.end()) alike.push_back(t);
    }
    return first;
}

} // namespace tendon
