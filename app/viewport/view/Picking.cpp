#include "app/viewport/view/Picking.h"

#include <algorithm>
#include <cmath>

namespace tendon::viewport {
namespace {

std::optional<double> raySphere(const Ray& ray, const Vector3& centre, double radius)
{
    const Vector3 from = ray.origin - centre;
    const double b = from.dot(ray.direction), c = from.squaredNorm() - radius * radius;
    if (c <= 0) return 0;
    const double inRoot = b * b - c;
    if (inRoot < 0 || b > 0) return std::nullopt;
    return -b - std::sqrt(inRoot);
}

} // namespace

std::optional<double> rayCapsule(const Ray& ray, const Vector3& from, const Vector3& to, double radius)
{
    // The intersection with the cylinder's side between the ends, otherwise with the nearer of the two spheres.
    const Vector3 axis = to - from, offset = ray.origin - from;
    const double length2 = axis.squaredNorm();
    std::optional<double> nearest;
    const auto keep = [&](std::optional<double> hit) {
        if (hit && (!nearest || *hit < *nearest)) nearest = hit;
    };
    if (length2 > 0) {
        const double along = axis.dot(ray.direction), start = axis.dot(offset);
        const double a = length2 - along * along;
        const double b = length2 * ray.direction.dot(offset) - start * along;
        const double c = length2 * (offset.squaredNorm() - radius * radius) - start * start;
        const double inRoot = b * b - a * c;
        if (a > 1e-12 * length2 && inRoot >= 0) {
            const double t = (-b - std::sqrt(inRoot)) / a, at = start + t * along;
            if (t >= 0 && at >= 0 && at <= length2) keep(t);
            if (c <= 0 && start >= 0 && start <= length2) keep(0.0); // starts inside
        }
    }
    keep(raySphere(ray, from, radius));
    keep(raySphere(ray, to, radius));
    return nearest;
}

std::optional<double> rayTriangle(const Ray& ray, const Vector3& a, const Vector3& b, const Vector3& c)
{
    // Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection" (1997).
    const Vector3 ab = b - a, ac = c - a, p = ray.direction.cross(ac);
    const double determinant = ab.dot(p);
    if (std::abs(determinant) < 1e-18) return std::nullopt;
    const Vector3 from = ray.origin - a;
    const double u = from.dot(p) / determinant;
    if (u < 0 || u > 1) return std::nullopt;
    const Vector3 q = from.cross(ab);
    const double v = ray.direction.dot(q) / determinant;
    if (v < 0 || u + v > 1) return std::nullopt;
    const double t = ac.dot(q) / determinant;
    return t >= 0 ? std::optional(t) : std::nullopt;
}

std::optional<MeshHit> pickMesh(const Ray& ray, std::span<const Eigen::Vector3f> positions,
                                std::span<const std::uint32_t> indices)
{
    std::optional<MeshHit> nearest;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        if (std::max({indices[i], indices[i + 1], indices[i + 2]}) >= positions.size()) continue;
        const Vector3 corner[] = {positions[indices[i]].cast<double>(), positions[indices[i + 1]].cast<double>(),
                                  positions[indices[i + 2]].cast<double>()};
        const std::optional<double> distance = rayTriangle(ray, corner[0], corner[1], corner[2]);
        if (!distance || (nearest && *distance >= nearest->distance)) continue;
        const Vector3 at = ray.at(*distance);
        std::size_t closest = 0;
        for (std::size_t k = 1; k < 3; ++k)
            if ((corner[k] - at).squaredNorm() < (corner[closest] - at).squaredNorm()) closest = k;
        nearest = MeshHit{*distance, i / 3, indices[i + closest]};
    }
    return nearest;
}

std::size_t strongestJoint(const Skin& skin, std::uint32_t vertex)
{
    if (skin.isRigid() || vertex + 1 >= skin.influenceBegin.size()) return 0;
    std::size_t joint = 0;
    float most = -1;
    for (std::uint32_t i = skin.influenceBegin[vertex]; i < skin.influenceBegin[vertex + 1]; ++i)
        if (skin.influenceWeight[i] > most) {
            most = skin.influenceWeight[i];
            joint = skin.influenceJoint[i];
        }
    return joint;
}

double distanceToSegment(const Vector2& point, const Vector2& from, const Vector2& to)
{
    const Vector2 along = to - from;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0;
    return (point - from - t * along).norm();
}

bool isInside(const Vector2& point, std::span<const Vector2> polygon)
{
    bool inside = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Vector2 &a = polygon[i], &b = polygon[j];
        if ((a.y() > point.y()) != (b.y() > point.y()) &&
            point.x() < (b.x() - a.x()) * (point.y() - a.y()) / (b.y() - a.y()) + a.x())
            inside = !inside;
    }
    return inside;
}

} // namespace tendon::viewport
