#include "app/viewport/view/Gizmo.h"

#include "app/viewport/view/DisplayList.h"
#include "app/viewport/view/Picking.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace tendon::viewport {
namespace {

constexpr double kPlaneFrom = 0.26, kPlaneTo = 0.46; // share of the arm: the plane's square
constexpr double kMinFactor = 0.01;                  // prevents scaling to nothing and mirroring
constexpr double kFactorPerPixel = 0.01;             // for the middle, to the right: a hundred pixels are a factor of e
constexpr double kTipFrom = 0.16;                    // share of the arm left free at the middle
constexpr double kMiddlePixels = 9;                  // [px] about the origin: drags freely
constexpr double kViewRing = 1.22;                   // share of the arm: radius of the ring that faces the eye
constexpr double kHiddenArm = 0.985;                 // cosine to the eye's direction beyond which an arm is left out
constexpr double kHiddenPlane = 0.14;                // and below which a plane is seen edge on
constexpr int kRingPoints = 64;
constexpr double kDegree = std::numbers::pi / 180;

double snapped(double value, double step) { return step > 0 ? step * std::round(value / step) : value; }

std::vector<Vector3> circle(const Vector3& centre, const Vector3& normal, double radius)
{
    const Vector3 a = normal.unitOrthogonal(), b = normal.cross(a);
    std::vector<Vector3> points;
    for (int i = 0; i < kRingPoints; ++i) {
        const double angle = 2 * std::numbers::pi * i / kRingPoints;
        points.push_back(centre + radius * (std::cos(angle) * a + std::sin(angle) * b));
    }
    return points;
}

void addArms(std::vector<GizmoShape>& shapes, const GizmoPlace& place, const Vector3& toEye, GizmoPart first)
{
    for (int i = 0; i < 3; ++i)
        if (std::abs(place.axis(i).dot(toEye)) < kHiddenArm)
            shapes.push_back({.part = static_cast<GizmoPart>(static_cast<int>(first) + i),
                              .points = {place.origin + kTipFrom * place.arm * place.axis(i),
                                         place.origin + place.arm * place.axis(i)}});
}

void addMoveShapes(std::vector<GizmoShape>& shapes, const GizmoPlace& place, const Vector3& toEye)
{
    for (int i = 0; i < 3; ++i) {
        const Vector3 normal = place.axis(i), u = place.axis((i + 1) % 3), v = place.axis((i + 2) % 3);
        if (std::abs(normal.dot(toEye)) > kHiddenPlane) {
            GizmoShape plane{.part = static_cast<GizmoPart>(static_cast<int>(GizmoPart::MovePlaneX) + i),
                             .isArea = true,
                             .isClosed = true};
            for (const auto& [a, b] : {std::pair(kPlaneFrom, kPlaneFrom),
                                       {kPlaneTo, kPlaneFrom},
                                       {kPlaneTo, kPlaneTo},
                                       {kPlaneFrom, kPlaneTo}})
                plane.points.push_back(place.origin + place.arm * (a * u + b * v));
            shapes.push_back(plane);
        }
    }
    addArms(shapes, place, toEye, GizmoPart::MoveX);
}

void addRings(std::vector<GizmoShape>& shapes, const GizmoPlace& place, const Vector3& toEye)
{
    for (int i = 0; i < 3; ++i) {
        const std::vector<Vector3> points = circle(place.origin, place.axis(i), place.arm);
        // Consecutive points in front or behind form separate lines.
        GizmoShape run{.part = static_cast<GizmoPart>(static_cast<int>(GizmoPart::TurnX) + i)};
        const auto isBehind = [&](const Vector3& p) { return (p - place.origin).dot(toEye) < -0.02 * place.arm; };
        run.isBehind = isBehind(points[0]);
        for (std::size_t k = 0; k <= points.size(); ++k) {
            const Vector3& point = points[k % points.size()];
            run.points.push_back(point);
            if (isBehind(point) == run.isBehind) continue;
            shapes.push_back(run);
            run.points = {point};
            run.isBehind = !run.isBehind;
        }
        shapes.push_back(run);
    }
    shapes.push_back(
        {.part = GizmoPart::TurnView, .points = circle(place.origin, toEye, kViewRing * place.arm), .isClosed = true});
}

} // namespace

int axisOf(GizmoPart part)
{
    switch (part) {
    case GizmoPart::MoveX:
    case GizmoPart::MovePlaneX:
    case GizmoPart::TurnX:
    case GizmoPart::ScaleX: return 0;
    case GizmoPart::MoveY:
    case GizmoPart::MovePlaneY:
    case GizmoPart::TurnY:
    case GizmoPart::ScaleY: return 1;
    case GizmoPart::MoveZ:
    case GizmoPart::MovePlaneZ:
    case GizmoPart::TurnZ:
    case GizmoPart::ScaleZ: return 2;
    case GizmoPart::None:
    case GizmoPart::MoveFree:
    case GizmoPart::TurnView:
    case GizmoPart::ScaleAll: break;
    }
    return -1;
}

GizmoPlace gizmoAt(const View& view, const Vector3& origin, const Quaternion& axes, double armPixels)
{
    return {origin, axes, armPixels * view.metresPerPixel(origin)};
}

std::vector<GizmoShape> gizmoShapes(GizmoKind kind, const GizmoPlace& place, const View& view)
{
    std::vector<GizmoShape> shapes;
    const Vector3 toEye = view.toEye(place.origin);
    if (kind == GizmoKind::Move)
        addMoveShapes(shapes, place, toEye);
    else if (kind == GizmoKind::Scale)
        addArms(shapes, place, toEye, GizmoPart::ScaleX);
    else
        addRings(shapes, place, toEye);
    return shapes;
}

GizmoHit pickGizmo(const std::vector<GizmoShape>& shapes, const GizmoPlace& place, const View& view,
                   const Vector2& pixel, double reach)
{
    const View::Projected origin = view.project(place.origin);
    if (!origin.isInFront) return {};
    const GizmoKind kind = shapes.empty() ? GizmoKind::Rotate : kindOf(shapes.front().part);
    if (kind != GizmoKind::Rotate && (origin.pixel - pixel).norm() < kMiddlePixels) return {middlePart(kind), 0, true};

    GizmoHit best;
    double nearest = reach;
    for (const GizmoShape& shape : shapes) {
        if (shape.isBehind) continue;
        std::vector<Vector2> points;
        for (const Vector3& point : shape.points)
            if (const View::Projected p = view.project(point); p.isInFront) points.push_back(p.pixel);
        if (points.size() < 2) continue;
        double distance = 1e300;
        if (shape.isArea && isInside(pixel, points)) distance = 0;
        const std::size_t segments = points.size() - (shape.isClosed ? 0 : 1);
        for (std::size_t i = 0; i < segments; ++i)
            distance = std::min(distance, distanceToSegment(pixel, points[i], points[(i + 1) % points.size()]));
        if (shape.isArea && distance > 0) distance += 0.5 * reach; // beside a plane, the arms have priority
        if (distance < nearest) {
            nearest = distance;
            best = {.part = shape.part, .distance = distance};
        }
    }
    return best;
}

GizmoDrag::GizmoDrag(GizmoPart part, const GizmoPlace& place, const View& view, const Vector2& pixel, GizmoUnit unit)
    : m_part(part), m_place(place), m_startPixel(pixel), m_lastPixel(pixel), m_unit(unit)
{
    const int axis = axisOf(part);
    m_axis = axis >= 0 ? place.axis(axis) : view.toEye(place.origin);
    if (kind() == GizmoKind::Rotate)
        m_lastAngle = angleAt(view, pixel);
    else
        m_start = pointAt(view, pixel);
}

Vector3 GizmoDrag::pointAt(const View& view, const Vector2& pixel) const
{
    const Ray ray = view.ray(pixel);
    const bool isPlane = m_part >= GizmoPart::MovePlaneX && m_part <= GizmoPart::MovePlaneZ;
    if (axisOf(m_part) >= 0 && !isPlane) {
        // The point of the axis nearest to the ray.
        const double cosine = m_axis.dot(ray.direction), denominator = 1 - cosine * cosine;
        if (denominator < 1e-6) return m_start;
        const Vector3 offset = ray.origin - m_place.origin;
        const double along = (offset.dot(m_axis) - cosine * offset.dot(ray.direction)) / denominator;
        return m_place.origin + along * m_axis;
    }
    const double facing = ray.direction.dot(m_axis);
    if (std::abs(facing) < 1e-3) return m_start;
    const double distance = (m_place.origin - ray.origin).dot(m_axis) / facing;
    return distance > 0 ? ray.at(distance) : m_start; // the pointer cannot reach the part of the plane behind the eye
}

double GizmoDrag::angleAt(const View& view, const Vector2& pixel) const
{
    const Ray ray = view.ray(pixel);
    const double facing = ray.direction.dot(m_axis);
    if (std::abs(facing) < 0.15) {
        // Edge-on, a ring is a line: moving along it rotates.
        const Vector3 along = m_axis.cross(view.toEye(m_place.origin)).normalized();
        const Vector2 tangent = view.project(m_place.origin + m_place.arm * along).pixel -
                                view.project(m_place.origin).pixel;
        return (pixel - m_startPixel).dot(tangent) / std::max(tangent.squaredNorm(), 1.0);
    }
    const Vector3 at = ray.at((m_place.origin - ray.origin).dot(m_axis) / facing) - m_place.origin;
    const Vector3 a = m_axis.unitOrthogonal(), b = m_axis.cross(a);
    return std::atan2(at.dot(b), at.dot(a));
}

void GizmoDrag::moveTo(const View& view, const Vector2& pixel, GizmoSnap snap)
{
    m_lastPixel = pixel;
    if (kind() == GizmoKind::Rotate) {
        const double angle = angleAt(view, pixel);
        m_turned += std::remainder(angle - m_lastAngle, 2 * std::numbers::pi);
        m_lastAngle = angle;
        m_angle = snapped(m_turned, snap.angle);
        return;
    }
    if (kind() == GizmoKind::Scale) {
        if (m_part == GizmoPart::ScaleAll) {
            m_factor = std::exp(kFactorPerPixel * (pixel - m_startPixel).x());
        } else {
            // The pointer's distance from the middle, relative to that at the start of the drag.
            const double from = std::max((m_start - m_place.origin).dot(m_axis), 0.1 * m_place.arm);
            m_factor = (pointAt(view, pixel) - m_place.origin).dot(m_axis) / from;
        }
        m_factor = std::max(snapped(m_factor, snap.factor), kMinFactor);
        return;
    }
    const Vector3 local = m_place.axes.conjugate() * (pointAt(view, pixel) - m_start);
    for (int i = 0; i < 3; ++i) m_local[i] = snapped(local[i], snap.length);
}

void GizmoDrag::type(const std::string& text) { m_typed = text; }

Vector3 GizmoDrag::translation() const
{
    const std::vector<double> typed = typedNumbers(m_typed, Measure::Length, m_unit.perMetre);
    if (typed.empty()) return m_place.axes * m_local;
    Vector3 local = Vector3::Zero();
    const int axis = axisOf(m_part);
    const bool isPlane = m_part >= GizmoPart::MovePlaneX && m_part <= GizmoPart::MovePlaneZ;
    std::size_t next = 0;
    for (int i = 0; i < 3; ++i) {
        const bool isFree = axis < 0 || (isPlane ? i != axis : i == axis);
        if (isFree && next < typed.size()) local[i] = typed[next++];
    }
    return m_place.axes * local;
}

double GizmoDrag::angle() const
{
    const std::vector<double> typed = typedNumbers(m_typed, Measure::Angle);
    return typed.empty() ? m_angle : typed.front();
}

Vector3 GizmoDrag::factors() const
{
    const std::vector<double> typed = typedNumbers(m_typed, Measure::Factor);
    const double factor = typed.empty() ? m_factor : std::max(typed.front(), kMinFactor);
    Vector3 factors = Vector3::Ones();
    const int axis = axisOf(m_part);
    for (int i = 0; i < 3; ++i)
        if (axis < 0 || i == axis) factors[i] = factor;
    return factors;
}

Quaternion GizmoDrag::rotation() const { return Quaternion(Eigen::AngleAxisd(angle(), m_axis)); }

std::string GizmoDrag::text(const std::optional<Vector3>& moved) const
{
    const int axis = axisOf(m_part);
    char buffer[96];
    const std::string name = axis < 0 ? std::string() : std::string({"XYZ"[axis], ' '});
    if (kind() == GizmoKind::Rotate) {
        std::snprintf(buffer, sizeof buffer, "%s%.1f\xC2\xB0", name.c_str(), angle() / kDegree);
        return buffer;
    }
    if (kind() == GizmoKind::Scale) {
        std::snprintf(buffer, sizeof buffer, "%s\xC3\x97%.2f", name.c_str(), factors()[std::max(axis, 0)]);
        return buffer;
    }
    const Vector3 local = m_unit.perMetre * (m_place.axes.conjugate() * moved.value_or(translation()));
    const bool isPlane = m_part >= GizmoPart::MovePlaneX && m_part <= GizmoPart::MovePlaneZ;
    std::string text;
    for (int i = 0; i < 3; ++i) {
        if (axis >= 0 && (isPlane ? i == axis : i != axis)) continue;
        const double value = std::abs(local[i]) < 0.5 * std::pow(10, -m_unit.decimals) ? 0.0 : local[i]; // no "-0.0"
        std::snprintf(buffer, sizeof buffer, "%c %.*f  ", "XYZ"[i], m_unit.decimals, value);
        text += buffer;
    }
    text.pop_back();
    return text + m_unit.name;
}

std::vector<double> typedNumbers(const std::string& text, Measure measure, double perMetre)
{
    const bool isLength = measure == Measure::Length;
    std::vector<double> numbers;
    const char* at = text.c_str();
    while (*at != 0) {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        if (end == at) {
            ++at;
            continue;
        }
        at = end;
        while (*at == ' ') ++at;
        double unit = isLength ? 1 / perMetre : measure == Measure::Angle ? kDegree : 1;
        if (isLength && at[0] == 'm' && at[1] == 'm')
            unit = 0.001, at += 2;
        else if (isLength && at[0] == 'c' && at[1] == 'm')
            unit = 0.01, at += 2;
        else if (isLength && at[0] == 'm')
            unit = 1, ++at;
        else if (isLength && at[0] == 'i' && at[1] == 'n')
            unit = 0.0254, at += 2;
        if (std::isfinite(value)) numbers.push_back(value * unit);
    }
    return numbers;
}

} // namespace tendon::viewport
