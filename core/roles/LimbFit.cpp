#include "core/roles/LimbFit.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

double normalLog(double value, double mean, double deviation)
{
    const double z = (value - mean) / deviation;
    return -0.5 * std::min(z * z, 50.0);
}

/// One chain as it is tried out as a limb.
class Trial
{
public:
    Trial(const Skeleton& skeleton, LimbShape shape, const std::vector<NodeIndex>& chain)
        : m_skeleton(skeleton), m_shape(shape), m_chain(chain)
    {
        m_along.push_back(0);
        for (std::size_t i = 1; i < chain.size(); ++i) m_along.push_back(m_along.back() + skeleton[chain[i]].bone);
        m_bend.assign(chain.size(), 0);
        m_restBend.assign(chain.size(), 0);
        for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
            // Joints at one place bend as one.
            std::size_t before = i - 1, after = i + 1;
            while (before > 0 && m_along[i] - m_along[before] < 1e-3 * skeleton.size) --before;
            while (after + 1 < chain.size() && m_along[after] - m_along[i] < 1e-3 * skeleton.size) ++after;
            for (std::size_t pose = 0; pose < skeleton.poses.size(); ++pose)
                m_bend[i] = std::max(m_bend[i], bendAt(skeleton, chain[before], chain[i], chain[after], pose));
            m_restBend[i] = bendAt(skeleton, chain[before], chain[i], chain[after], 0);
        }
    }

    [[nodiscard]] double score(const LimbParts& parts) const
    {
        const double lengths = m_shape == LimbShape::Leg ? legScore(parts) : armScore(parts);
        return lengths < -1e8 ? lengths : lengths + bends(parts) + names(parts) + moves(parts);
    }

private:
    [[nodiscard]] double length(int from, int to) const { return m_along[index(to)] - m_along[index(from)]; }
    static std::size_t index(int place) { return static_cast<std::size_t>(place); }
    [[nodiscard]] int last() const { return static_cast<int>(m_chain.size()) - 1; }

    [[nodiscard]] double legScore(const LimbParts& parts) const
    {
        const int upper = parts.at[LimbParts::Upper], lower = parts.at[LimbParts::Lower],
                  end = parts.at[LimbParts::End];
        const int tip = parts.at[LimbParts::Tip];
        if (end < 0) return shortScore(parts);
        const double a = length(upper, lower), b = length(lower, end), limb = a + b;
        if (!(a > 1e-6) || !(b > 1e-6)) return -1e9;
        double score = normalLog(std::log(a / b), 0, 0.3);
        const double before = m_skeleton[m_chain[0]].bone + length(0, upper);
        score += std::max(-1.5, normalLog(std::max(0.0, before / limb - 0.4), 0, 0.2)) - 0.5 * upper;
        const double whole = length(0, last());
        score += 1.5 * std::log(limb / std::max(whole, limb));
        if (tip < 0) return score - 1.0 * (last() - end) - 0.4;
        score += normalLog(std::log(std::max(length(end, tip), 1e-3 * b) / b), std::log(0.38), 0.7);
        const bool isStill = m_skeleton.hasMotion && tip > 0 && m_skeleton[m_chain[index(tip)]].turns < 1e-3 &&
                             tip - end > 1;
        return score - 0.35 * (last() - tip) - 0.45 * (tip - end - 1) - (isStill ? 1 : 0);
    }

    [[nodiscard]] double armScore(const LimbParts& parts) const
    {
        const int holder = parts.at[LimbParts::Holder], upper = parts.at[LimbParts::Upper];
        const int lower = parts.at[LimbParts::Lower], hand = parts.at[LimbParts::End];
        if (hand < 0) return shortScore(parts);
        const double a = length(upper, lower), b = length(lower, hand), limb = a + b;
        if (!(a > 1e-6) || !(b > 1e-6)) return -1e9;
        double score = normalLog(std::log(a / b), 0.08, 0.32);
        if (holder < 0) {
            // An upper arm does not begin at the chest.
            score -= 1.2 + 2.5 * std::max(0.0, 1 - (m_skeleton[m_chain[0]].bone + length(0, upper)) / (0.35 * a));
        } else {
            const double collar = length(holder, upper);
            score += normalLog(std::log(std::max(collar, 0.02 * a) / a), std::log(0.5), 0.6) -
                     0.5 * (upper - holder - 1);
        }
        const double beyond = m_skeleton[m_chain[index(hand)]].reach;
        if (beyond > 0) score += normalLog(std::log(beyond / b), std::log(0.6), 0.6);
        score += 1.2 * std::log(limb / std::max(limb, length(0, last()) - 0.6 * b));
        const int fingers = fingersAt(hand);
        score += fingers >= 3 ? 2 : fingers == 2 ? 0.8 : 0;
        for (int i = lower + 1; i < hand; ++i) score -= fingersAt(i) >= 2 ? 1.5 : 0;
        for (int i = 0; i <= lower; ++i) score -= fingersAt(i) >= 4 ? 1.5 : 0;
        return score;
    }

    /// A limb that stops before its foot or hand, or is of one piece, as of toys and rigs whose feet stand apart.
    [[nodiscard]] double shortScore(const LimbParts& parts) const
    {
        const int upper = parts.at[LimbParts::Upper], lower = parts.at[LimbParts::Lower];
        if (lower < 0) return -5.0 - last() - (last() - upper);
        const double a = length(upper, lower);
        if (!(a > 1e-6)) return -1e9;
        double b = 0; // to the end of the branch, unless that is a mere point: then the foot stands apart
        if (lower == last())
            for (const NodeIndex child : m_skeleton[m_chain[index(lower)]].children)
                if (m_skeleton[child].isEnd) b = std::max(b, m_skeleton[child].bone);
        if (b < 0.1 * a) b = 0;
        const double known = b > 0 ? normalLog(std::log(a / b), 0, 0.4) - 1.8 : -3.0;
        return known - 1.2 * (last() - lower) - 0.8 * upper;
    }

    /// The branches that begin at a joint, without ends and helpers.
    [[nodiscard]] int fingersAt(int place) const
    {
        int count = 0;
        for (const NodeIndex child : m_skeleton[m_chain[index(place)]].children)
            count += !m_skeleton[child].isEnd && !m_skeleton.isIdle(child) && !m_skeleton.name(child).isTwist &&
                     m_skeleton[child].below > 0;
        return count;
    }

    /// A limb bends where a part begins, and is straight within one.
    [[nodiscard]] double bends(const LimbParts& parts) const
    {
        const int upper = parts.at[LimbParts::Upper], lower = parts.at[LimbParts::Lower],
                  end = parts.at[LimbParts::End];
        double score = 0;
        if (end < 0) return 0;
        for (int i = upper + 1; i < end; ++i) {
            if (i == lower)
                score += std::min(m_bend[index(i)], 1.2);
            else
                score -= 1.5 * std::min(m_bend[index(i)], 1.2);
        }
        if (m_shape == LimbShape::Leg && end < last()) {
            const double off = (m_restBend[index(end)] - 1.4) / 0.8;
            score += 1.2 * std::exp(-off * off);
        }
        return score;
    }

    /// A long bone turns: links that are fixed to another, as robots have them, are none of their own.
    [[nodiscard]] double moves(const LimbParts& parts) const
    {
        double score = 0;
        for (const int part : {LimbParts::Upper, LimbParts::Lower}) {
            const int begin = parts.at[index(part)];
            if (begin < 0) continue;
            int end = last() + 1;
            for (int next = part + 1; next < LimbParts::kCount && end == last() + 1; ++next)
                if (parts.at[index(next)] >= 0) end = parts.at[index(next)];
            const auto canMove = [&](NodeIndex node) { return m_skeleton[node].canMove; };
            if (std::none_of(m_chain.begin() + begin, m_chain.begin() + end, canMove)) score -= 6;
        }
        return score;
    }

    [[nodiscard]] double names(const LimbParts& parts) const
    {
        static constexpr Part kLeg[] = {Part::UpperLeg, Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::Toes};
        static constexpr Part kArm[] = {Part::Shoulder, Part::UpperArm, Part::LowerArm, Part::Hand, Part::Hand};
        const Part* kinds = m_shape == LimbShape::Leg ? kLeg : kArm;
        double score = 0;
        int part = -1;
        for (int i = 0; i <= last(); ++i) {
            bool begins = false;
            for (int p = 0; p < LimbParts::kCount; ++p)
                if (parts.at[index(p)] == i) part = p, begins = true;
            const NodeIndex node = m_chain[index(i)];
            const NameReading& name = m_skeleton.name(node);
            if (begins)
                score += nameScore(m_skeleton, node, kinds[part]);
            else if (part >= 0 && part < LimbParts::End) // within a part: another part's name does not belong here
                score += name.isTwist || name.fit(kinds[part]) > 0.3
                             ? 0.3
                             : 0.5 * std::min(0.0, nameScore(m_skeleton, node, kinds[part]));
            else if (part < 0 && name.saysPart()) // before the limb
                score -= (m_shape == LimbShape::Leg ? std::max(name.fit(Part::UpperLeg), name.fit(Part::LowerLeg))
                                                    : std::max(name.fit(Part::UpperArm), name.fit(Part::LowerArm))) *
                         3;
        }
        return score;
    }

    const Skeleton& m_skeleton;
    LimbShape m_shape;
    const std::vector<NodeIndex>& m_chain;
    std::vector<double> m_along;            ///< [m] from the first joint
    std::vector<double> m_bend, m_restBend; ///< [rad] the most in any pose; at rest
};

/// All ways to cut a chain of `count` joints into a limb.
std::vector<LimbParts> waysToCut(LimbShape shape, int count)
{
    std::vector<LimbParts> ways;
    for (int upper = 0; upper < std::min(count, 4); ++upper) {
        const int holder = shape == LimbShape::Arm && upper > 0 ? 0 : -1;
        ways.push_back({{holder, upper, -1, -1, -1}});
        for (int lower = upper + 1; lower < std::min(count, 5); ++lower)
            ways.push_back({{holder, upper, lower, -1, -1}});
    }
    for (int upper = 0; upper + 2 < count; ++upper)
        for (int lower = upper + 1; lower + 1 < count; ++lower)
            for (int end = lower + 1; end < count; ++end) {
                if (shape == LimbShape::Leg) {
                    ways.push_back({{-1, upper, lower, end, -1}});
                    for (int tip = end + 1; tip < std::min(count, end + 4); ++tip)
                        ways.push_back({{-1, upper, lower, end, tip}});
                } else {
                    ways.push_back({{-1, upper, lower, end, -1}});
                    for (int holder = 0; holder < upper; ++holder) ways.push_back({{holder, upper, lower, end, -1}});
                }
            }
    return ways;
}

constexpr std::size_t kLongestLimb = 18;

} // namespace

double bendAt(const Skeleton& skeleton, NodeIndex before, NodeIndex at, NodeIndex after, std::size_t pose)
{
    const Vector3 in = skeleton.at(at, pose) - skeleton.at(before, pose);
    const Vector3 out = skeleton.at(after, pose) - skeleton.at(at, pose);
    const double tiny = 1e-4 * skeleton.size;
    if (in.norm() < tiny || out.norm() < tiny) return 0;
    return std::atan2(in.cross(out).norm(), in.dot(out));
}

double nameScore(const Skeleton& skeleton, NodeIndex node, Part part)
{
    const NameReading& name = skeleton.name(node);
    if (name.isControl) return -6;
    if (name.isOther || name.isEnd) return -3.5;
    if (!name.saysPart()) return name.isTwist ? -2 : 0;
    return -4 + 7 * name.fit(part) - (name.isTwist ? 1.5 : 0);
}

LimbFit fitLimb(const Skeleton& skeleton, LimbShape shape, const std::vector<NodeIndex>& chain,
                const std::vector<NodeIndex>& mirror)
{
    std::vector<NodeIndex> first(chain.begin(),
                                 chain.begin() + static_cast<std::ptrdiff_t>(std::min(chain.size(), kLongestLimb)));
    std::vector<NodeIndex> second(mirror.begin(),
                                  mirror.begin() + static_cast<std::ptrdiff_t>(std::min(mirror.size(), first.size())));
    const bool isPair = second.size() == first.size();
    const Trial trial(skeleton, shape, first), other(skeleton, shape, isPair ? second : first);
    LimbFit fit;
    std::vector<double> scores;
    const std::vector<LimbParts> ways = waysToCut(shape, static_cast<int>(first.size()));
    for (const LimbParts& parts : ways) {
        scores.push_back(0.5 * (trial.score(parts) + other.score(parts)));
        if (scores.back() > fit.score) {
            fit.score = scores.back();
            fit.parts = parts;
        }
    }
    // How much of all that is likely has a part where the best has it. A pair counts as two views of the same.
    std::array<double, LimbParts::kCount> same{};
    double all = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const double share = std::exp(1.5 * (scores[i] - fit.score));
        all += share;
        for (std::size_t p = 0; p < same.size(); ++p)
            if (ways[i].at[p] == fit.parts.at[p]) same[p] += share;
    }
    for (std::size_t p = 0; p < same.size(); ++p) fit.certainty[p] = all > 0 ? same[p] / all : 0;
    return fit;
}

} // namespace tendon
