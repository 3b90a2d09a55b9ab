#include "core/scene/SegmentMesh.h"

#include <array>
#include <cmath>
#include <numbers>

namespace tendon {

namespace {

constexpr int kSides = 32; // round enough that the outline shows no corners at the size of a hand
constexpr int kRings = 16;
constexpr int kTubeSides = 20;
constexpr double kTurn = 2 * std::numbers::pi;

/// A mesh being built in the segment's own space.
class Builder
{
public:
    std::uint32_t add(const Vector3& position, const Vector3& normal)
    {
        m_mesh.positions.push_back(position.cast<float>());
        m_mesh.normals.push_back(normal.normalized().cast<float>());
        return static_cast<std::uint32_t>(m_mesh.positions.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c)
    {
        m_mesh.indices.insert(m_mesh.indices.end(), {a, b, c});
    }

    /// Rows of `columns` + 1 vertices from `first` on, the last of a row standing where its first does.
    void grid(std::uint32_t first, int rows, int columns)
    {
        const auto stride = static_cast<std::uint32_t>(columns) + 1;
        for (std::uint32_t r = 0; r + 1 < static_cast<std::uint32_t>(rows); ++r)
            for (std::uint32_t c = 0; c < static_cast<std::uint32_t>(columns); ++c) {
                const std::uint32_t a = first + r * stride + c, b = a + stride;
                triangle(a, b, a + 1);
                triangle(a + 1, b, b + 1);
            }
    }
    /// A disc of `radius` at height `y`, facing up or down.
    void disc(double radius, double y, bool facesUp)
    {
        const Vector3 normal = facesUp ? Vector3::UnitY() : Vector3(-Vector3::UnitY());
        const std::uint32_t centre = add({0, y, 0}, normal);
        for (int i = 0; i <= kSides; ++i) add(radius * around(i, kSides) + Vector3(0, y, 0), normal);
        for (std::uint32_t i = 1; i <= kSides; ++i)
            triangle(centre, centre + (facesUp ? i : i + 1), centre + (facesUp ? i + 1 : i));
    }
    /// Unit vector in the plane of x and z, turning so that rows from top to bottom face outward.
    static Vector3 around(int i, int sides)
    {
        const double angle = kTurn * (i % sides) / sides;
        return {std::sin(angle), 0, std::cos(angle)};
    }

    Mesh take() { return std::move(m_mesh); }

private:
    Mesh m_mesh;
};

void addBox(Builder& builder, const Vector3& size)
{
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            const Vector3 normal = side * Vector3::Unit(axis), u = Vector3::Unit((axis + 1) % 3), v = normal.cross(u);
            std::array<std::uint32_t, 4> corner{};
            for (int i = 0; i < 4; ++i) {
                const double a = i == 0 || i == 3 ? -1 : 1, b = i < 2 ? -1 : 1;
                corner[static_cast<std::size_t>(i)] = builder.add((0.5 * size).cwiseProduct(normal + a * u + b * v),
                                                                  normal);
            }
            builder.triangle(corner[0], corner[1], corner[2]);
            builder.triangle(corner[0], corner[2], corner[3]);
        }
}

void addCylinder(Builder& builder, double radius, double height)
{
    const std::uint32_t first = builder.add(radius * Builder::around(0, kSides) + Vector3(0, height, 0),
                                            Builder::around(0, kSides));
    for (int i = 1; i <= kSides; ++i)
        builder.add(radius * Builder::around(i, kSides) + Vector3(0, height, 0), Builder::around(i, kSides));
    for (int i = 0; i <= kSides; ++i) builder.add(radius * Builder::around(i, kSides), Builder::around(i, kSides));
    builder.grid(first, 2, kSides);
    builder.disc(radius, height, true);
    builder.disc(radius, 0, false);
}

void addCone(Builder& builder, double radius, double height)
{
    // Each side has its own apex, with the normal of the middle of that side.
    for (int i = 0; i < kSides; ++i) {
        const double middle = kTurn * (i + 0.5) / kSides;
        const auto slanted = [&](const Vector3& out) { return Vector3(height * out + Vector3(0, radius, 0)); };
        const Vector3 from = Builder::around(i, kSides), to = Builder::around(i + 1, kSides);
        const std::uint32_t apex = builder.add({0, height, 0}, slanted({std::sin(middle), 0, std::cos(middle)}));
        builder.add(radius * from, slanted(from));
        builder.add(radius * to, slanted(to));
        builder.triangle(apex, apex + 1, apex + 2);
    }
    builder.disc(radius, 0, false);
}

void addSphere(Builder& builder, double radius)
{
    for (int r = 0; r <= kRings; ++r) {
        const double fall = std::numbers::pi * r / kRings;
        for (int i = 0; i <= kSides; ++i) {
            const Vector3 normal = std::sin(fall) * Builder::around(i, kSides) + Vector3(0, std::cos(fall), 0);
            builder.add(radius * normal, normal);
        }
    }
    builder.grid(0, kRings + 1, kSides);
}

void addTorus(Builder& builder, double ring, double tube)
{
    for (int r = 0; r <= kTubeSides; ++r) {
        const double angle = kTurn * (r % kTubeSides) / kTubeSides;
        for (int i = 0; i <= kSides; ++i) {
            const Vector3 out = Builder::around(i, kSides),
                          normal = std::sin(angle) * out + Vector3(0, std::cos(angle), 0);
            builder.add(ring * out + tube * normal, normal);
        }
    }
    builder.grid(0, kTubeSides + 1, kSides);
}

/// Triangles with two corners in one place (at the poles of a sphere) draw nothing.
void dropEmptyTriangles(Mesh& mesh)
{
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const auto a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
        const auto same = [&](std::uint32_t p, std::uint32_t q) {
            return mesh.positions[p].isApprox(mesh.positions[q]);
        };
        if (!same(a, b) && !same(b, c) && !same(c, a)) kept.insert(kept.end(), {a, b, c});
    }
    mesh.indices = std::move(kept);
}

} // namespace

Mesh segmentMesh(const Segment& segment)
{
    Builder builder;
    const Vector3& size = segment.size;
    const bool isFlat = !(size.x() > 0 && (segment.shape == Segment::Shape::Sphere || size.y() > 0));
    if (segment.shape == Segment::Shape::None || isFlat) return {};
    switch (segment.shape) {
    case Segment::Shape::Box:
        if (size.z() > 0) addBox(builder, size);
        break;
    case Segment::Shape::Cylinder: addCylinder(builder, size.x(), size.y()); break;
    case Segment::Shape::Cone: addCone(builder, size.x(), size.y()); break;
    case Segment::Shape::Sphere: addSphere(builder, size.x()); break;
    case Segment::Shape::Torus: addTorus(builder, size.x(), size.y()); break;
    case Segment::Shape::None: break;
    }
    Mesh mesh = builder.take();
    dropEmptyTriangles(mesh);
    for (Eigen::Vector3f& position : mesh.positions)
        position = (segment.rotation * position.cast<double>() + segment.offset).cast<float>();
    for (Eigen::Vector3f& normal : mesh.normals)
        normal = (segment.rotation * normal.cast<double>()).normalized().cast<float>();
    return mesh;
}

} // namespace tendon
