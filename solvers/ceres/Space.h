#pragma once

#include <tendon/kit/JointLaw.h>
#include <tendon/kit/Random.h>
#include <tendon/kit/SolverRun.h>

#include <cstdint>
#include <span>
#include <vector>

namespace tendon::ceres_ik {

/// The coordinates that one solve may move, packed into one vector x, and the steps y that move it.
///
/// A single-axis DOF is one number of x and one of y; the turning of a ball or free joint is a unit quaternion in x and
/// a rotation vector (in the turned frame) in y. A step is measured in the joint's willingness: DOF change = metric *
/// y, so that stiff and damped joints move less where others can, and slides count by the rig's size. Every x that
/// plus() makes is within all limits.
class Space
{
public:
    struct Part
    {
        std::int32_t body = 0;
        std::int32_t coordinate = 0; ///< first one in q
        std::int32_t dof = 0;        ///< first one in v
        std::int32_t ambient = 0;    ///< first one in x
        std::int32_t tangent = 0;    ///< first one in y
        bool isRotation = false;     ///< 4 coordinates and 3 DOFs; else 1 and 1
        bool slides = false;
        double lower = 0, upper = 0; ///< of a single DOF
        double metric = 1;           ///< [rad | m] of DOF change for a step of 1
        double reluctance = 1;       ///< of stiffness and damping alone, at least 1
    };

    void prepare(const kit::Model& model);

    /// Takes the DOFs that `run` may move and that have room between their limits. `length` [m]: see Terms::length().
    void build(const kit::SolverRun& run, double length);

    [[nodiscard]] std::span<const Part> parts() const { return m_parts; }
    [[nodiscard]] std::span<const Part> partsOf(std::int32_t body) const;
    [[nodiscard]] int ambientSize() const { return m_ambient; }
    [[nodiscard]] int tangentSize() const { return m_tangent; }

    void gather(std::span<const double> q, double* x) const;  ///< x from the configuration
    void scatter(const double* x, std::span<double> q) const; ///< and back; other coordinates of q stay

    /// result = x moved by y, brought into the limits. May be one array with x.
    void plus(const double* x, const double* y, double* result) const;

    /// dx/dy at y = 0 (ambient x tangent, by rows), limits aside.
    void plusJacobian(const double* x, double* jacobian) const;

    /// From a derivative with respect to DOFs to one with respect to x, such that times plusJacobian() it is the
    /// derivative with respect to y. `dof` has tangentSize(), `ambient` ambientSize() numbers.
    void toAmbient(const double* x, const double* dof, double* ambient) const;

    /// Directions in which a limit stops a descent along -`gradient` (tangentSize(), per DOF): a DOF at its limit is
    /// marked in held(), a ball at its swing ellipse or twist range gets normals. project() then takes them out of a
    /// row.
    void findHeld(const double* x, const double* gradient);
    void project(double* row) const;

    /// A configuration drawn evenly from within the limits (free rotations evenly, slides within a length), in the
    /// place of the movable coordinates of `q`.
    void randomise(kit::Random& random, std::span<double> q) const;

    /// The largest DOF change [rad | m] between two configurations.
    [[nodiscard]] double largestChange(std::span<const double> from, std::span<const double> to) const;

private:
    struct Normal
    {
        std::int32_t tangent = 0;
        kit::Vector3 direction = kit::Vector3::Zero();
    };

    void addPart(const kit::SolverRun& run, std::int32_t body, int coordinate, int dof, bool isRotation);
    void applyMetric(const kit::SolverRun& run);
    void findHeldBall(const Part& part, const double* x, const double* gradient);
    void addNormal(const Part& part, const kit::Vector3& outward, const double* gradient);

    const kit::Model* m_model = nullptr;
    std::vector<Part> m_parts;
    std::vector<std::int32_t> m_firstOf; ///< (n + 1) place of each body's parts
    std::vector<std::int32_t> m_held;    ///< tangents of DOFs that a limit stops
    std::vector<Normal> m_normals;
    kit::Resistances m_resistances;
    double m_length = 1;
    int m_ambient = 0, m_tangent = 0;
};

} // namespace tendon::ceres_ik
