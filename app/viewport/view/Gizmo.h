#pragma once

#include "app/viewport/view/Camera.h"

#include <optional>
#include <string>
#include <vector>

namespace tendon::viewport {

enum class GizmoKind { Move, Rotate, Scale };

/// A part of a gizmo. A plane is named after its normal axis.
enum class GizmoPart {
    None,
    MoveX,
    MoveY,
    MoveZ,
    MovePlaneX,
    MovePlaneY,
    MovePlaneZ,
    MoveFree,
    TurnX,
    TurnY,
    TurnZ,
    TurnView,
    ScaleX,
    ScaleY,
    ScaleZ,
    ScaleAll
};
/// The kind of change that dragging a part makes.
[[nodiscard]] constexpr GizmoKind kindOf(GizmoPart part)
{
    return part >= GizmoPart::ScaleX  ? GizmoKind::Scale
           : part >= GizmoPart::TurnX ? GizmoKind::Rotate
                                      : GizmoKind::Move;
}
/// The part for drags from the middle or from anywhere beside the gizmo.
[[nodiscard]] constexpr GizmoPart middlePart(GizmoKind kind)
{
    return kind == GizmoKind::Scale    ? GizmoPart::ScaleAll
           : kind == GizmoKind::Rotate ? GizmoPart::TurnView
                                       : GizmoPart::MoveFree;
}

[[nodiscard]] int axisOf(GizmoPart part); ///< 0 x, 1 y, 2 z; -1: free, view or none

/// The position, orientation and size of a gizmo.
struct GizmoPlace
{
    Vector3 origin = Vector3::Zero();         ///< [m]
    Quaternion axes = Quaternion::Identity(); ///< world from gizmo
    double arm = 1;                           ///< [m] length of an arm, radius of the rings

    [[nodiscard]] Vector3 axis(int i) const { return axes * Vector3::Unit(i); }
};

/// A gizmo whose arms have the same length on the screen wherever it is.
[[nodiscard]] GizmoPlace gizmoAt(const View& view, const Vector3& origin, const Quaternion& axes, double armPixels);

/// One line or area of a gizmo in the world, both for drawing and for picking.
struct GizmoShape
{
    GizmoPart part = GizmoPart::None;
    std::vector<Vector3> points = {};
    bool isArea = false; ///< a convex area, otherwise a line
    bool isClosed = false;
    bool isBehind = false; ///< the half of a ring that faces away; drawn faintly, not picked
};
/// The shapes to draw and pick. Leaves out arms that point at the eye and planes seen edge-on, because they cannot be
/// dragged.
[[nodiscard]] std::vector<GizmoShape> gizmoShapes(GizmoKind kind, const GizmoPlace& place, const View& view);

struct GizmoHit
{
    GizmoPart part = GizmoPart::None;
    double distance = 1e300; ///< [px] from the pixel
    bool isMiddle = false;   ///< of the gizmo
};
/// The nearest part within `reach` pixels; the middle has priority.
[[nodiscard]] GizmoHit pickGizmo(const std::vector<GizmoShape>& shapes, const GizmoPlace& place, const View& view,
                                 const Vector2& pixel, double reach);

struct GizmoSnap
{
    double length = 0; ///< [m] 0: none
    double angle = 0;  ///< [rad]
    double factor = 0;
};

/// The unit that lengths of a drag are shown and typed in.
struct GizmoUnit
{
    const char* name = "cm";
    double perMetre = 100;
    int decimals = 1;
};

/// One drag of a part: converts the pointer's path to a translation, rotation or scale in the world. The view may
/// change during the drag.
class GizmoDrag
{
public:
    GizmoDrag(GizmoPart part, const GizmoPlace& place, const View& view, const Vector2& pixel, GizmoUnit unit = {});

    [[nodiscard]] GizmoPart part() const { return m_part; }
    [[nodiscard]] GizmoKind kind() const { return kindOf(m_part); }

    void moveTo(const View& view, const Vector2& pixel, GizmoSnap snap);

    /// A typed value overrides the pointer's: in the unit (or another one: "0.3m", "12 mm"), degrees, or a factor.
    /// Free drags take up to three numbers and plane drags two, separated by commas. With an empty text the pointer
    /// decides again.
    void type(const std::string& text);

    [[nodiscard]] Vector3 translation() const; ///< [m] from the start of the drag
    [[nodiscard]] double angle() const;        ///< [rad] about axis()
    [[nodiscard]] Vector3 turningAxis() const { return m_axis; }
    [[nodiscard]] Quaternion rotation() const; ///< multiply the orientation at the start by this, from the left

    [[nodiscard]] Vector3 factors() const; ///< scale factors along the gizmo's axes, each above 0

    /// "X 12.0 cm", "Y -30.0°", "Z x1.25", ... `moved`: how far what is dragged has gone [m, world], where that is
    /// known and may be less than the pointer asks for.
    [[nodiscard]] std::string text(const std::optional<Vector3>& moved = std::nullopt) const;

private:
    [[nodiscard]] Vector3 pointAt(const View& view, const Vector2& pixel) const;
    [[nodiscard]] double angleAt(const View& view, const Vector2& pixel) const;

    GizmoPart m_part;
    GizmoPlace m_place;
    Vector3 m_axis = Vector3::UnitX(); ///< axis of the part: an arm's or ring's axis, a plane's normal
    Vector3 m_start = Vector3::Zero();
    Vector2 m_startPixel, m_lastPixel;
    double m_lastAngle = 0;
    double m_turned = 0;               ///< [rad] rotation by the pointer, including full turns
    double m_angle = 0;                ///< [rad] snapped
    Vector3 m_local = Vector3::Zero(); ///< [m] along the gizmo's axes, snapped
    double m_factor = 1;               ///< snapped
    std::string m_typed;
    GizmoUnit m_unit;
};

/// Parses typed numbers in metres, radians or without a unit; leaves out invalid ones. A length without a unit is in
/// those of which a metre has `perMetre`.
enum class Measure { Length, Angle, Factor };
[[nodiscard]] std::vector<double> typedNumbers(const std::string& text, Measure measure, double perMetre = 100);

} // namespace tendon::viewport
