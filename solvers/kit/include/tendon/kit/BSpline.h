#pragma once

#include <tendon/kit/Rotation.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace tendon::kit {

/// The curve of sdk::Curve: the uniform B-spline through its first and last control point, cubic where there are four
/// or more of them (knots 0,0,0,0,1,2, ... m-3,m-3,m-3,m-3), else of the highest degree that they allow. Evaluated by
/// de Boor's algorithm (de Boor 1972, "On calculating with B-splines"). Looks into the points and owns nothing.
class BSpline
{
public:
    static constexpr int kMinPoints = 2;

    /// `points`: (m x 3), m >= 2.
    explicit BSpline(std::span<const double> points)
        : m_points(points), m_count(static_cast<int>(points.size() / 3)), m_first(vectorAt(points.data()))
    {
    }

    /// The curve begins at `point` in place of its first control point.
    void beginAt(const Vector3& point) { m_first = point; }

    [[nodiscard]] int degree() const { return std::min(3, m_count - 1); }
    /// The parameter runs from 0 to end(); its whole numbers bound the polynomial pieces.
    [[nodiscard]] double end() const { return m_count - degree(); }

    [[nodiscard]] Vector3 point(double u) const
    {
        const int piece = pieceAt(u), p = degree();
        std::array<Vector3, 4> d;
        for (int j = 0; j <= p; ++j) d[static_cast<std::size_t>(j)] = control(piece + j);
        return blend(d, piece, p, u);
    }

    [[nodiscard]] Vector3 derivative(double u) const
    {
        const int piece = pieceAt(u);
        std::array<Vector3, 4> d = derivativeControls(piece);
        return blend(d, piece, degree() - 1, u);
    }

    /// The length of the derivative exceeds this nowhere in the piece that holds `u`.
    [[nodiscard]] double speedLimit(double u) const
    {
        const std::array<Vector3, 4> d = derivativeControls(pieceAt(u));
        double largest = 0;
        for (int j = 0; j < degree(); ++j) largest = std::max(largest, d[static_cast<std::size_t>(j)].norm());
        return largest;
    }

    /// Unit, or zero where the whole curve is one point. Where the derivative vanishes (control points that coincide),
    /// the direction of the curve close by.
    [[nodiscard]] Vector3 tangent(double u) const
    {
        const Vector3 along = derivative(u);
        const double tiny = 1e-9 * speedLimit(u);
        if (along.norm() > tiny) return along.normalized();
        for (double h = 1e-6; h <= end(); h *= 10) {
            const Vector3 chord = point(std::min(u + h, end())) - point(std::max(u - h, 0.0));
            if (chord.norm() > 1e-9 * h * speedLimit(std::min(u + h, end())) && chord.norm() > 0)
                return chord.normalized();
        }
        return Vector3::Zero();
    }

private:
    [[nodiscard]] Vector3 control(int i) const { return i == 0 ? m_first : vectorAt(&m_points[3 * std::size_t(i)]); }
    [[nodiscard]] int pieceAt(double u) const
    {
        return std::clamp(static_cast<int>(std::floor(u)), 0, m_count - degree() - 1);
    }
    /// Knot `i` of the vector that begins with degree() + 1 zeros.
    [[nodiscard]] double knot(int i) const { return std::clamp(i - degree(), 0, m_count - degree()); }

    [[nodiscard]] std::array<Vector3, 4> derivativeControls(int piece) const
    {
        const int p = degree();
        std::array<Vector3, 4> d;
        for (int j = 0; j < p; ++j) {
            const int i = piece + j;
            d[static_cast<std::size_t>(j)] = p * (control(i + 1) - control(i)) / (knot(i + p + 1) - knot(i + 1));
        }
        return d;
    }

    /// De Boor's triangle for a piece of `p` + 1 controls; the knots of a derivative lack the outermost ones.
    [[nodiscard]] Vector3 blend(std::array<Vector3, 4>& d, int piece, int p, double u) const
    {
        const int shift = degree() - p;
        const auto at = [&](int i) { return knot(i + shift); };
        for (int r = 1; r <= p; ++r)
            for (int j = p; j >= r; --j) {
                const double from = at(j + piece), to = at(j + 1 + piece + p - r);
                const double share = (u - from) / (to - from);
                d[static_cast<std::size_t>(j)] = (1 - share) * d[static_cast<std::size_t>(j - 1)] +
                                                 share * d[static_cast<std::size_t>(j)];
            }
        return d[static_cast<std::size_t>(p)];
    }

    std::span<const double> m_points;
    int m_count;
    Vector3 m_first;
};

} // namespace tendon::kit
