#pragma once

#include "core/math/Transform.h"

#include <vector>

namespace tendon::mannequin {

/// Half-extents of a cross-section at height t (0 ... 1) along a loft's axis, each measured from the axis.
struct Section
{
    double t = 0;
    double right = 0; ///< [m] toward +side
    double left = 0;  ///< [m] toward -side
    double front = 0; ///< [m] toward +front
    double back = 0;  ///< [m] toward -front
};

/// A rounded body given by cross-sections along a straight axis, closed by an elliptic cap at each end.
struct Loft
{
    Vector3 begin = Vector3::Zero(); ///< [m] axis
    Vector3 end = Vector3::UnitY();
    Vector3 front = Vector3::UnitZ(); ///< need not be square to the axis
    std::vector<Section> sections;    ///< at least two, t increasing
    double beginCap = 0.02;           ///< [m] depth of the cap beyond `begin`
    double endCap = 0.02;
    double exponent = 2; ///< of the superellipse: 2 = ellipse, more = boxier
};

/// A solid described by a function that is negative inside. The value is about the distance to the surface [m].
///
/// Parts are joined one after another by a smooth union whose radius belongs to the part that joins.
class Implicit
{
public:
    void addLoft(const Loft& loft, double blend);
    /// `radii` along the world's axes, or for a turned one: across, along `axis` and across it.
    void addEllipsoid(const Vector3& centre, const Vector3& radii, double blend,
                      const Vector3& axis = Vector3::UnitY());

    [[nodiscard]] double value(const Vector3& p) const;
    /// Unit direction in which the value grows: the outward normal on the surface.
    [[nodiscard]] Vector3 normal(const Vector3& p) const;
    /// Moves p along the gradient onto the surface by Newton steps; from within a cell's width three are plenty.
    [[nodiscard]] Vector3 project(Vector3 p, int steps = 3) const;

private:
    struct Part
    {
        Vector3 origin, side, axis, front; ///< frame: side = axis x front
        double length = 0;                 ///< [m] along the axis; 0 = ellipsoid
        std::vector<Section> sections;
        std::vector<Section> slopes; ///< d(section)/dt, so that the profile is smooth and does not overshoot
        Vector3 radii = Vector3::Ones();
        double beginCap = 0, endCap = 0, exponent = 2;
        double blend = 0; ///< [m]
        Vector3 boundCentre;
        double boundRadius = 0;
        double reach = 0; ///< [m] of a loft: nothing of it is further from its axis
    };
    /// Above `limit`: any value above it.
    [[nodiscard]] static double loftValue(const Part& part, const Vector3& p, double limit);
    [[nodiscard]] static double ellipsoidValue(const Part& part, const Vector3& p);

    std::vector<Part> m_parts;
};

} // namespace tendon::mannequin
