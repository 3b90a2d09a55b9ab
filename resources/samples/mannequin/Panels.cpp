#include "resources/samples/mannequin/Panels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tendon::mannequin {

namespace {

constexpr double kDepth = 0.004; // [m] the dark body lies this far below the shells
constexpr double kRim = 0.0022;  // [m] width of a shell's rounded rim
constexpr double kSnap = 0.2;    // of a cell: vertices this near to the outline move onto it

double bump(double x, double width) { return std::exp(-x * x / (width * width)); }

/// Cuts triangles along one line of the outline after another.
class Cutter
{
public:
    Cutter(const QuadMesh& half, const Implicit& shape, const PanelPlan& plan, double cell)
        : m_shape(shape), m_plan(plan), m_points(half.positions), m_isFixed(half.positions.size(), 0),
          m_triangles(triangulated(half))
    {
        for (m_line = 0; m_line < plan.lineCount(); ++m_line) cutAlongLine(kSnap * cell);
    }

    [[nodiscard]] PanelSurfaces surfaces() const
    {
        std::vector<Triangle> light, dark;
        for (const Triangle& t : m_triangles) {
            const Vector3 centre = (m_points[t[0]] + m_points[t[1]] + m_points[t[2]]) / 3;
            (m_plan.value(centre) >= 0 ? light : dark).push_back(t);
        }
        PanelSurfaces result;
        result.shells = surfaceOf(light, 0);
        result.body = surfaceOf(dark, kDepth);
        addRims(result.shells);
        return result;
    }

private:
    using Triangle = std::array<std::uint32_t, 3>;

    template <typename F>
    [[nodiscard]] static Vector3 gradient(F&& field, const Vector3& p)
    {
        constexpr double kStep = 1e-4; // [m]
        Vector3 result;
        for (int axis = 0; axis < 3; ++axis) {
            const Vector3 step = kStep * Vector3::Unit(axis);
            result[axis] = (field(p + step) - field(p - step)) / (2 * kStep);
        }
        return result;
    }

    /// The nearest point where the line and the surface meet; one on the plane of symmetry stays there.
    [[nodiscard]] Vector3 ontoLine(Vector3 p) const
    {
        const bool isOnPlane = p.x() == 0;
        const auto line = [&](const Vector3& at) { return m_plan.line(m_line, at); };
        for (int step = 0; step < 3; ++step) {
            const Vector3 normal = m_shape.normal(p);
            Vector3 along = gradient(line, p);
            along -= along.dot(normal) * normal;
            if (isOnPlane) along.x() = 0;
            const double square = along.squaredNorm();
            if (square > 1e-6) p -= std::clamp(line(p) / square, -0.006, 0.006) * along;
            p -= m_shape.value(p) * normal;
            if (isOnPlane) p.x() = 0;
        }
        return p;
    }

    void cutAlongLine(double snap)
    {
        m_field.assign(m_points.size(), 1);
        for (std::size_t v = 0; v < m_points.size(); ++v) {
            if (!m_plan.isLineNear(m_line, m_points[v])) continue;
            m_field[v] = m_plan.line(m_line, m_points[v]);
            if (std::abs(m_field[v]) > snap || m_isFixed[v]) continue;
            m_points[v] = ontoLine(m_points[v]);
            m_field[v] = 0;
            m_isFixed[v] = 1;
        }
        m_crossings.clear();
        std::vector<Triangle> whole;
        whole.swap(m_triangles);
        for (const Triangle& triangle : whole) cut(triangle);
    }

    std::uint32_t crossing(std::uint32_t a, std::uint32_t b)
    {
        const auto [low, high] = std::minmax(a, b);
        const auto next = static_cast<std::uint32_t>(m_points.size());
        const auto [found, isNew] = m_crossings.try_emplace({low, high}, next);
        if (isNew) {
            const double t = m_field[low] / (m_field[low] - m_field[high]);
            m_points.push_back(ontoLine((1 - t) * m_points[low] + t * m_points[high]));
            m_field.push_back(0);
            m_isFixed.push_back(1);
        }
        return found->second;
    }

    void cut(const Triangle& triangle)
    {
        std::vector<std::uint32_t> above, below;
        bool isNear = true, isCut = false;
        for (const auto corner : triangle) isNear = isNear && m_plan.isLineNear(m_line, m_points[corner]);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto a = triangle[i], b = triangle[(i + 1) % 3];
            if (m_field[a] >= 0) above.push_back(a);
            if (m_field[a] <= 0) below.push_back(a);
            if (m_field[a] * m_field[b] >= 0 || !isNear) continue;
            const auto middle = crossing(a, b);
            above.push_back(middle);
            below.push_back(middle);
            isCut = true;
        }
        if (!isCut) return m_triangles.push_back(triangle);
        addFan(above);
        addFan(below);
    }

    void addFan(const std::vector<std::uint32_t>& polygon)
    {
        if (polygon.size() < 3) return;
        // Of the two ways to split four corners the one along the shorter diagonal.
        const bool turn = polygon.size() == 4 && (m_points[polygon[1]] - m_points[polygon[3]]).squaredNorm() <
                                                     (m_points[polygon[0]] - m_points[polygon[2]]).squaredNorm();
        const std::size_t n = polygon.size(), first = turn ? 1 : 0;
        for (std::size_t i = 1; i + 1 < n; ++i)
            m_triangles.push_back({polygon[first], polygon[(first + i) % n], polygon[(first + i + 1) % n]});
    }

    [[nodiscard]] Vector3 normalAt(const Vector3& p) const
    {
        Vector3 normal = m_shape.normal(p);
        if (p.x() == 0) normal = Vector3(0, normal.y(), normal.z()).normalized();
        return normal;
    }

    [[nodiscard]] Surface surfaceOf(const std::vector<Triangle>& triangles, double depth) const
    {
        Surface result;
        std::map<std::uint32_t, std::uint32_t> indexOf;
        for (const auto& triangle : triangles) {
            std::array<std::uint32_t, 3> corners{};
            for (std::size_t i = 0; i < 3; ++i) {
                const auto [found, isNew] = indexOf.try_emplace(triangle[i],
                                                                static_cast<std::uint32_t>(result.positions.size()));
                corners[i] = found->second;
                if (!isNew) continue;
                const Vector3& p = m_points[triangle[i]];
                const Vector3 normal = normalAt(p);
                result.positions.push_back(p - depth * normal);
                result.normals.push_back(normal);
                result.skinPositions.push_back(p);
            }
            result.triangles.push_back(corners);
        }
        return result;
    }

    /// Round the open edges of the shells down to below the dark body.
    void addRims(Surface& shells) const
    {
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        for (const auto& t : shells.triangles)
            for (std::size_t i = 0; i < 3; ++i) edges.insert({t[i], t[(i + 1) % 3]});
        std::map<std::uint32_t, std::array<std::uint32_t, 3>> ringOf;
        const auto ring = [&](std::uint32_t v) {
            const auto found = ringOf.find(v);
            return found != ringOf.end() ? found->second : ringOf[v] = addRing(shells, v);
        };
        for (const auto& [a, b] : edges) {
            const bool isOnPlane = shells.positions[a].x() == 0 && shells.positions[b].x() == 0;
            if (isOnPlane || edges.contains({b, a})) continue;
            const auto ra = ring(a), rb = ring(b);
            std::uint32_t topA = a, topB = b;
            for (std::size_t level = 0; level < ra.size(); ++level) {
                shells.triangles.push_back({topB, topA, ra[level]});
                shells.triangles.push_back({topB, ra[level], rb[level]});
                topA = ra[level];
                topB = rb[level];
            }
        }
    }

    std::array<std::uint32_t, 3> addRing(Surface& shells, std::uint32_t v) const
    {
        const Vector3 p = shells.positions[v], normal = shells.normals[v];
        Vector3 out = -gradient([&](const Vector3& at) { return m_plan.value(at); }, p); // away from the shell
        out -= out.dot(normal) * normal;
        if (p.x() == 0) out.x() = 0;
        out.normalize();
        std::array<std::uint32_t, 3> ring{};
        constexpr double kRimAngles[] = {0.5236, 1.0472,
                                         1.5708}; // [rad] a quarter circle in three steps, the last one deep
        for (std::size_t i = 0; i < 3; ++i) {
            const double down = i == 2 ? kDepth + 0.001 : kRim * (1 - std::cos(kRimAngles[i]));
            ring[i] = static_cast<std::uint32_t>(shells.positions.size());
            shells.positions.push_back(p + kRim * std::sin(kRimAngles[i]) * out - down * normal);
            shells.normals.push_back((std::cos(kRimAngles[i]) * normal + std::sin(kRimAngles[i]) * out).normalized());
            shells.skinPositions.push_back(p);
        }
        return ring;
    }

    const Implicit& m_shape;
    const PanelPlan& m_plan;
    std::vector<Vector3> m_points;
    std::vector<std::uint8_t> m_isFixed; ///< 1 = on a line already
    std::vector<Triangle> m_triangles;
    int m_line = 0;
    std::vector<double> m_field; ///< the current line's function
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> m_crossings;
};

} // namespace

PanelPlan::PanelPlan(const Landmarks& l)
    : m_gaps{{{{0, 1.524, -0.012}, Vector3(0, 0.93, 0.36).normalized(), 0.026, 0.13},
              {{0.188, 1.40, -0.01}, Vector3(1, 0.06, 0).normalized(), 0.011, 0.14},
              {l.elbow, (l.wrist - l.shoulder).normalized(), 0.024, 0.10},
              {l.wrist + 0.006 * l.handAlong, l.handAlong, 0.026, 0.06},
              {{0.082, 0.922, 0}, Vector3(0.60, -0.80, 0).normalized(), 0.009, 0.19},
              {l.knee + Vector3(0, -0.004, 0), (l.ankle - l.hip).normalized(), 0.030, 0.11},
              {l.ankle + Vector3(0, 0.020, 0), Vector3(0, -1, 0.18).normalized(), 0.013, 0.09}}}
{
}

/// The lower edge of the rib cage arches in front, the upper edge of the pelvis dips in a shallow V.
double PanelPlan::ribs(const Vector3& p)
{
    const double isFront = 1 / (1 + std::exp(-p.z() / 0.02));
    return p.y() - 1.130 - 0.058 * isFront * bump(p.x(), 0.058);
}

double PanelPlan::waist(const Vector3& p)
{
    const double isFront = 1 / (1 + std::exp(-p.z() / 0.02));
    return p.y() - 1.046 + 0.034 * isFront * bump(p.x(), 0.075) + 0.016 * (1 - isFront) * bump(p.x(), 0.06);
}

double PanelPlan::value(const Vector3& p) const
{
    double result = std::max({ribs(p), -waist(p), p.x() - 0.26});
    for (const Gap& gap : m_gaps) {
        const Vector3 d = p - gap.centre;
        result = std::min(result, std::max(std::abs(d.dot(gap.normal)) - gap.halfWidth, d.norm() - gap.reach));
    }
    return result;
}

int PanelPlan::lineCount() const { return 2 + 2 * static_cast<int>(m_gaps.size()); }

double PanelPlan::line(int index, const Vector3& p) const
{
    if (index == 0) return ribs(p);
    if (index == 1) return waist(p);
    const Gap& gap = m_gaps[static_cast<std::size_t>(index / 2 - 1)];
    return (p - gap.centre).dot(gap.normal) + (index % 2 == 0 ? gap.halfWidth : -gap.halfWidth);
}

bool PanelPlan::isLineNear(int index, const Vector3& p) const
{
    if (index < 2) return p.x() < 0.26;
    const Gap& gap = m_gaps[static_cast<std::size_t>(index / 2 - 1)];
    return (p - gap.centre).norm() < gap.reach;
}

Panel PanelPlan::panelAt(const Vector3& p) const
{
    const auto isBeyond = [&](std::size_t gap) { return (p - m_gaps[gap].centre).dot(m_gaps[gap].normal) > 0; };
    if (p.y() > 1.45 && isBeyond(Neck)) return Panel::Head;
    const bool isOnArm = p.y() > 1.0 && p.x() > 0.15 && isBeyond(Shoulder);
    if (isOnArm) return isBeyond(Elbow) ? Panel::Forearm : Panel::UpperArm;
    if (p.y() < 1.03 && isBeyond(Hip)) {
        if (!isBeyond(Knee)) return Panel::Thigh;
        return isBeyond(Ankle) ? Panel::Foot : Panel::Shin;
    }
    return p.y() > 1.09 ? Panel::Chest : Panel::Pelvis;
}

PanelSurfaces cutPanels(const QuadMesh& half, const Implicit& shape, const PanelPlan& plan, double cell)
{
    return Cutter(half, shape, plan, cell).surfaces();
}

std::vector<std::array<std::uint32_t, 3>> triangulated(const QuadMesh& mesh)
{
    std::vector<std::array<std::uint32_t, 3>> triangles;
    triangles.reserve(2 * mesh.quads.size());
    for (const auto& q : mesh.quads) {
        const double first = (mesh.positions[q[0]] - mesh.positions[q[2]]).squaredNorm();
        const double second = (mesh.positions[q[1]] - mesh.positions[q[3]]).squaredNorm();
        if (first <= second) {
            triangles.push_back({q[0], q[1], q[2]});
            triangles.push_back({q[0], q[2], q[3]});
        } else {
            triangles.push_back({q[1], q[2], q[3]});
            triangles.push_back({q[1], q[3], q[0]});
        }
    }
    return triangles;
}

} // namespace tendon::mannequin
