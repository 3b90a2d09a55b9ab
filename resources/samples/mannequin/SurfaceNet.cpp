#include "resources/samples/mannequin/SurfaceNet.h"

#include <cmath>

namespace tendon::mannequin {

namespace {

constexpr std::uint32_t kNone = ~0u;

/// Values of the shape at the corners of the grid's cubes.
class Samples
{
public:
    Samples(const Implicit& shape, const Grid& grid) : m_grid(grid)
    {
        for (std::size_t axis = 0; axis < 3; ++axis) m_count[axis] = grid.cells[axis] + 1;
        m_values.resize(static_cast<std::size_t>(m_count[0]) * m_count[1] * m_count[2]);
        constexpr int kBlock = 5; // corners; blocks that are far from the surface are filled with one value
        const double farther = 1.6 * std::sqrt(3.0) * kBlock * grid.cell / 2;
        for (int z = 0; z < m_count[2]; z += kBlock)
            for (int y = 0; y < m_count[1]; y += kBlock)
                for (int x = 0; x < m_count[0]; x += kBlock) {
                    constexpr double kHalf = (kBlock - 1) / 2.0;
                    const double centre = shape.value(point(x + kHalf, y + kHalf, z + kHalf));
                    fill(shape, {x, y, z}, kBlock, std::abs(centre) > farther, centre);
                }
    }

    [[nodiscard]] Vector3 point(double x, double y, double z) const
    {
        const double shift = m_grid.isHalf ? -0.5 : 0;
        return m_grid.modelFromGrid * Vector3((x + shift) * m_grid.cell, y * m_grid.cell, z * m_grid.cell);
    }
    [[nodiscard]] double at(int x, int y, int z) const { return m_values[index(x, y, z)]; }

private:
    [[nodiscard]] std::size_t index(int x, int y, int z) const
    {
        return (static_cast<std::size_t>(z) * m_count[1] + y) * m_count[0] + x;
    }
    void fill(const Implicit& shape, const std::array<int, 3>& from, int size, bool isFar, double value)
    {
        for (int z = from[2]; z < std::min(from[2] + size, m_count[2]); ++z)
            for (int y = from[1]; y < std::min(from[1] + size, m_count[1]); ++y)
                for (int x = from[0]; x < std::min(from[0] + size, m_count[0]); ++x)
                    m_values[index(x, y, z)] = isFar ? value : shape.value(point(x, y, z));
        // The corners left of the plane take the values right of it, so that the surface is its own mirror image.
        if (m_grid.isHalf && from[0] == 0)
            for (int z = from[2]; z < std::min(from[2] + size, m_count[2]); ++z)
                for (int y = from[1]; y < std::min(from[1] + size, m_count[1]); ++y)
                    m_values[index(0, y, z)] = m_values[index(1, y, z)];
    }

    const Grid& m_grid;
    std::array<int, 3> m_count{};
    std::vector<double> m_values;
};

class NetBuilder
{
public:
    NetBuilder(const Implicit& shape, const Grid& grid) : m_shape(shape), m_grid(grid), m_samples(shape, grid)
    {
        m_vertexOf.assign(static_cast<std::size_t>(grid.cells[0]) * grid.cells[1] * grid.cells[2], kNone);
        forEachCell([&](int x, int y, int z) { addVertex(x, y, z); });
        forEachCell([&](int x, int y, int z) { addQuads({x, y, z}); });
    }

    void relax(int times)
    {
        const auto count = m_mesh.positions.size();
        for (int round = 0; round < times; ++round) {
            std::vector<Vector3> sum(count, Vector3::Zero());
            std::vector<double> neighbours(count, 0.0);
            for (const auto& quad : m_mesh.quads)
                for (std::size_t i = 0; i < 4; ++i) {
                    const auto a = quad[i], b = quad[(i + 1) % 4];
                    sum[a] += m_mesh.positions[b];
                    sum[b] += m_mesh.positions[a];
                    neighbours[a] += 1;
                    neighbours[b] += 1;
                }
            for (std::size_t v = 0; v < count; ++v) {
                const Vector3 moved = 0.4 * m_mesh.positions[v] + 0.6 * sum[v] / std::max(neighbours[v], 1.0);
                m_mesh.positions[v] = place(moved, m_isOnPlane[v], round + 1 == times ? 3 : 1);
            }
        }
    }

    QuadMesh take() { return std::move(m_mesh); }

private:
    template <typename F>
    void forEachCell(F&& visit) const
    {
        for (int z = 0; z < m_grid.cells[2]; ++z)
            for (int y = 0; y < m_grid.cells[1]; ++y)
                for (int x = 0; x < m_grid.cells[0]; ++x) visit(x, y, z);
    }
    [[nodiscard]] std::uint32_t& vertexOf(int x, int y, int z)
    {
        return m_vertexOf[(static_cast<std::size_t>(z) * m_grid.cells[1] + y) * m_grid.cells[0] + x];
    }
    [[nodiscard]] Vector3 place(Vector3 p, bool isOnPlane, int steps) const
    {
        if (isOnPlane) p.x() = 0;
        p = m_shape.project(p, steps);
        if (isOnPlane) p.x() = 0;
        return p;
    }

    /// A vertex at the mean of the points where the surface cuts the cube's edges.
    void addVertex(int x, int y, int z)
    {
        Vector3 sum = Vector3::Zero();
        int cuts = 0;
        for (int axis = 0; axis < 3; ++axis)
            for (int corner = 0; corner < 4; ++corner) {
                std::array<int, 3> a = {x, y, z};
                a[(axis + 1) % 3] += corner & 1;
                a[(axis + 2) % 3] += corner >> 1;
                std::array<int, 3> b = a;
                ++b[axis];
                const double va = m_samples.at(a[0], a[1], a[2]), vb = m_samples.at(b[0], b[1], b[2]);
                if ((va < 0) == (vb < 0)) continue;
                const double t = va / (va - vb);
                sum += (1 - t) * m_samples.point(a[0], a[1], a[2]) + t * m_samples.point(b[0], b[1], b[2]);
                ++cuts;
            }
        if (cuts == 0) return;
        vertexOf(x, y, z) = static_cast<std::uint32_t>(m_mesh.positions.size());
        const bool isOnPlane = m_grid.isHalf && x == 0;
        m_mesh.positions.push_back(place(sum / cuts, isOnPlane, 1));
        m_isOnPlane.push_back(isOnPlane);
    }

    /// For each grid edge along an axis from the cube's own corner that the surface cuts: the four cubes around it.
    void addQuads(const std::array<int, 3>& cell)
    {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (cell[u] == 0 || cell[v] == 0) continue;
            std::array<int, 3> beyond = cell;
            ++beyond[axis];
            const bool isInside = m_samples.at(cell[0], cell[1], cell[2]) < 0;
            if (isInside == (m_samples.at(beyond[0], beyond[1], beyond[2]) < 0)) continue;
            std::array<int, 3> c1 = cell, c2 = cell, c3 = cell;
            --c1[u];
            --c2[u];
            --c2[v];
            --c3[v];
            std::array<std::uint32_t, 4> quad = {vertexOf(cell[0], cell[1], cell[2]), vertexOf(c1[0], c1[1], c1[2]),
                                                 vertexOf(c2[0], c2[1], c2[2]), vertexOf(c3[0], c3[1], c3[2])};
            if (!isInside) std::swap(quad[1], quad[3]);
            m_mesh.quads.push_back(quad);
        }
    }

    const Implicit& m_shape;
    const Grid& m_grid;
    Samples m_samples;
    QuadMesh m_mesh;
    std::vector<bool> m_isOnPlane;
    std::vector<std::uint32_t> m_vertexOf;
};

} // namespace

QuadMesh surfaceNet(const Implicit& shape, const Grid& grid, int relaxations)
{
    NetBuilder builder(shape, grid);
    builder.relax(relaxations);
    return builder.take();
}

QuadMesh withMirrorImage(const QuadMesh& half)
{
    QuadMesh whole = half;
    std::vector<std::uint32_t> image(half.positions.size());
    for (std::uint32_t v = 0; v < half.positions.size(); ++v) {
        const Vector3& p = half.positions[v];
        if (p.x() == 0) {
            image[v] = v;
            continue;
        }
        image[v] = static_cast<std::uint32_t>(whole.positions.size());
        whole.positions.push_back({-p.x(), p.y(), p.z()});
    }
    for (const auto& q : half.quads) whole.quads.push_back({image[q[3]], image[q[2]], image[q[1]], image[q[0]]});
    return whole;
}

} // namespace tendon::mannequin
