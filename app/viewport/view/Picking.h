#pragma once

#include "app/viewport/view/Camera.h"
#include "core/scene/ModelAsset.h"

#include <optional>
#include <span>

namespace tendon::viewport {

/// [m] The distance along a ray to a capsule; 0 if the ray starts inside; none if it misses.
[[nodiscard]] std::optional<double> rayCapsule(const Ray& ray, const Vector3& from, const Vector3& to, double radius);

/// [m] The distance along a ray to a triangle, from either side; none if it misses or the triangle has no area.
[[nodiscard]] std::optional<double> rayTriangle(const Ray& ray, const Vector3& a, const Vector3& b, const Vector3& c);

struct MeshHit
{
    double distance = 0;      ///< [m]
    std::size_t triangle = 0; ///< indices 3 t ... 3 t + 2
    std::uint32_t vertex = 0; ///< the triangle's corner nearest to the hit
};
/// The nearest triangle of a mesh with the vertices `positions` (from skinVertices).
[[nodiscard]] std::optional<MeshHit> pickMesh(const Ray& ray, std::span<const Eigen::Vector3f> positions,
                                              std::span<const std::uint32_t> indices);

/// The joint with the largest influence on a vertex, as an index into the skin's joints; 0 for a rigid mesh.
[[nodiscard]] std::size_t strongestJoint(const Skin& skin, std::uint32_t vertex);

[[nodiscard]] double distanceToSegment(const Vector2& point, const Vector2& from, const Vector2& to);
[[nodiscard]] bool isInside(const Vector2& point, std::span<const Vector2> polygon); ///< even-odd

} // namespace tendon::viewport
