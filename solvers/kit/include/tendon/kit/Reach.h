#pragma once

#include <tendon/kit/Limits.h>
#include <tendon/kit/Residuals.h>
#include <tendon/sdk/Problem.h>

#include <algorithm>
#include <array>
#include <span>

namespace tendon::kit {

/// Where a point of a body can be, judged by lengths alone: within a shell around a fixed anchor. Turning limits only
/// make the true set smaller, so "outside" is a proof. For chains whose joints turn freely the shell is exact. Where
/// nothing turns, only the directions of the slides count: what keeps a goal off along them is their stops, which are
/// limits and no lengths.
struct Reach
{
    Vector3 anchor = Vector3::Zero(); ///< model space
    double outer = kInfinity;         ///< [m] infinity = nothing can be proved but what `across` says
    double inner = 0;                 ///< [m] radius of the hole in the middle

    /// Where all joints that turn hang on slides without limits, or nothing turns, the shell goes along with the
    /// slides: the part of a vector that they do not change, and how long that of the way from the anchor is at most
    /// [m].
    Matrix3 across = Matrix3::Zero();
    double outerAcross = kInfinity;

    /// How far `target` is outside the shell; 0 inside.
    [[nodiscard]] double shortfall(const Vector3& target) const
    {
        const double distance = (target - anchor).norm();
        return std::max({0.0, distance - outer, inner - distance, (across * (target - anchor)).norm() - outerAcross});
    }

    /// The point of the shell nearest to `target`.
    [[nodiscard]] Vector3 nearest(const Vector3& target) const
    {
        const Vector3 from = target - anchor;
        const double distance = from.norm();
        if (distance > outer) return anchor + from * (outer / distance);
        if (distance < inner && distance > 0) return anchor + from * (inner / distance);
        const Vector3 aside = across * from;
        if (aside.norm() > outerAcross) return target - aside * (1 - outerAcross / aside.norm());
        return target;
    }
};

namespace detail {

/// A rigid stretch of chain between two turning joints: a vector that slides may change.
class Stretch
{
public:
    explicit Stretch(const Vector3& vector) : m_centre(vector) {}

    /// Clears it: the next stretch begins at a body's origin.
    void restart()
    {
        m_centre.setZero();
        m_count = 0;
        m_slack = 0;
    }

    /// Adds a slide over [lower, upper] along `direction`.
    void slide(const Vector3& direction, double lower, double upper)
    {
        if (lower == upper) {
            m_centre += direction * lower;
            return;
        }
        if (m_count == kMaxCoordinates) {
            m_slack += direction.norm() * (upper - lower) / 2; // too many corners: overestimate
            m_centre += direction * ((upper + lower) / 2);
            return;
        }
        m_centre += direction * ((upper + lower) / 2);
        m_half[m_count++] = direction * ((upper - lower) / 2);
    }

    /// From the space of a body to its parent's.
    void transform(const Quaternion& rotation, double scale, const Vector3& translation)
    {
        m_centre = rotation * Vector3(m_centre * scale) + translation;
        m_slack *= scale;
        for (int i = 0; i < m_count; ++i) m_half[i] = rotation * Vector3(m_half[i] * scale);
    }

    [[nodiscard]] const Vector3& centre() const { return m_centre; }
    /// As it is after restart().
    [[nodiscard]] bool isEmpty() const { return m_count == 0 && m_centre.isZero(0); }

    /// The length over all slides is at most this: a norm is convex, so its largest value is at a corner. Exact.
    [[nodiscard]] double longest() const
    {
        if (m_count == 0) return m_centre.norm() + m_slack;
        double result = 0;
        for (int corner = 0; corner < 1 << m_count; ++corner) {
            Vector3 v = m_centre;
            for (int i = 0; i < m_count; ++i) v += (corner >> i & 1) != 0 ? m_half[i] : Vector3(-m_half[i]);
            result = std::max(result, v.norm());
        }
        return result + m_slack;
    }

    /// The length over all slides is at least this.
    [[nodiscard]] double shortest() const { return std::max(0.0, m_centre.norm() - spread()); }

    /// At most half the diameter of what the slides cover.
    [[nodiscard]] double spread() const
    {
        double result = m_slack;
        for (int i = 0; i < m_count; ++i) result += m_half[i].norm();
        return result;
    }

private:
    static constexpr int kMaxCoordinates = 4;
    Vector3 m_centre;
    std::array<Vector3, kMaxCoordinates> m_half;
    int m_count = 0;
    double m_slack = 0;
};

} // namespace detail

/// The reach of the point `offset` of `body`. DOFs marked in `locked` (nv or empty) count as fixed at their value in
/// `q`.
inline Reach reachOf(const Model& model, std::span<const double> base, std::span<const double> q,
                     std::span<const std::uint8_t> locked, int body, const double* offset)
{
    const auto takeAway = [](const Vector3& axis, Matrix3& matrix) {
        constexpr double kAlong = 1e-9; // of a unit axis
        const Vector3 along = matrix * axis;
        if (along.norm() > kAlong) matrix -= along.normalized() * along.normalized().transpose();
    };
    const auto isLocked = [&](int v) { return !locked.empty() && locked[v] != 0; };
    detail::Stretch stretch(vectorAt(offset));
    double sum = 0, longestPart = 0, shortestOfLongest = 0; // of the stretches closed so far, in the current space
    Matrix3 across = Matrix3::Identity();
    bool isEndless = false; // it slides without limits, along what `across` takes away
    Matrix3 aside = Matrix3::Identity();
    bool slidesAlone = true, slides = false; // nothing turns; something slides, along what `aside` takes away
    for (int b = body; b >= 0; b = model.parent[b]) {
        const double* own = q.data() + model.qBegin[b];
        const double* at = base.data() + kBaseStride * b;
        const double scale = at[7];
        bool turns = false;
        for (int v = model.vBegin[b]; v < model.vBegin[b + 1]; ++v)
            turns |= model.dofKind[v] == DofKind::Turning && !isLocked(v) && !(model.lower[v] == model.upper[v]);

        if (turns && isEndless) return {};
        slidesAlone = slidesAlone && !turns;
        if (turns) { // everything below becomes a ball (with a hole) around this body's origin
            const double longest = stretch.longest();
            if (longest > longestPart) {
                longestPart = longest;
                shortestOfLongest = stretch.shortest();
            }
            sum += longest;
            stretch.restart();
        }
        sum *= scale;
        longestPart *= scale;
        shortestOfLongest *= scale;
        Quaternion rotation = Quaternion::Identity(); // of no matter to what has no direction yet
        if (!turns || isEndless || slides || !stretch.isEmpty())
            rotation = quaternionAt(at + 3) * (turns ? Quaternion::Identity() : motion(model, b, own));
        stretch.transform(rotation, scale, vectorAt(at));
        if (isEndless) // before, it is the identity in every space
            across = (rotation.toRotationMatrix() * across * rotation.toRotationMatrix().transpose()).eval();
        if (slides) aside = (rotation.toRotationMatrix() * aside * rotation.toRotationMatrix().transpose()).eval();

        for (int v = model.vBegin[b], k = 0; v < model.vBegin[b + 1] && model.dofKind[v] == DofKind::Sliding;
             ++v, ++k) {
            const Vector3 axis = vectorAt(&model.axis[3 * v]);
            const double lower = isLocked(v) ? own[k] : model.lower[v], upper = isLocked(v) ? own[k] : model.upper[v];
            if (lower < upper) {
                slides = true;
                takeAway(axis, aside);
            }
            if (std::isfinite(lower) && std::isfinite(upper)) {
                stretch.slide(axis, lower, upper);
                continue;
            }
            isEndless = true;
            takeAway(axis, across);
        }
    }
    Reach reach;
    reach.anchor = stretch.centre();
    if (slides && slidesAlone) {
        reach.across = aside;
        reach.outerAcross = 0;
        return reach;
    }
    if (isEndless) {
        reach.across = across;
        reach.outerAcross = sum + stretch.spread();
        return reach;
    }
    reach.outer = sum + stretch.spread();
    const double others = sum - longestPart + stretch.spread();
    reach.inner = std::max(0.0, shortestOfLongest - others);
    return reach;
}

} // namespace tendon::kit
