#pragma once

#include <tendon/kit/SolverRun.h>

#include <span>
#include <vector>

namespace tendon::dls {

using kit::Matrix3;
using kit::Vector3;

/// One body of the tree that a solve looks at, with its base ready for products and its world transform.
struct Link
{
    std::int32_t body = -1;
    std::int32_t parent = -1;     ///< index of the parent's link, -1 at a root
    std::int32_t firstColumn = 0; ///< its movable DOFs as columns
    std::int32_t columnCount = 0;
    std::int32_t turnAxis = -1;   ///< the axis of a single hinge when it is x, y or z (0, 1, 2), else -1
    std::int32_t quaternion = -1; ///< index of its quaternion among its coordinates, -1 without one
    bool hasSwingLimits = false;
    bool isBaseTurned = false; ///< baseRotation is not the identity
    Matrix3 baseRotation = Matrix3::Identity();
    Vector3 baseTranslation = Vector3::Zero();
    double baseScale = 1;

    Matrix3 rotation = Matrix3::Identity(); ///< world
    Vector3 position = Vector3::Zero();     ///< world
    double scale = 1;                       ///< world
};

/// One movable DOF.
struct Column
{
    std::int32_t dof = 0;
    std::int32_t link = 0;
    std::int32_t coordinate = 0; ///< its own; of a ball's or free's turning DOFs: the first of the quaternion
    std::int32_t slot = 0;       ///< 0 ... 2 within the quaternion, -1 for a DOF with a coordinate of its own
    bool turns = false;
    double lower = 0, upper = 0;         ///< infinite for quaternions
    double metric = 1;                   ///< how far it moves relative to others (kit/JointLaw.h)
    Vector3 direction = Vector3::Zero(); ///< world: the axis, or the slide's velocity
};

/// Kinematics of the bodies that the goals depend on, laid out for many evaluations of one problem: matrices instead of
/// quaternions, DOFs as columns, locked DOFs folded away.
class LinkTree
{
public:
    void prepare(const sdk::Model& model);

    /// Reads model, base and locks of the run. Call once per solve.
    void build(const kit::SolverRun& run);

    /// World transforms and column directions at `q` (nq).
    void evaluate(std::span<const double> q) { evaluate(q, 0, linkCount()); }

    /// The same of the links [first, last) alone, which come after their parents. Those before are up to date.
    void evaluate(std::span<const double> q, int first, int last);

    [[nodiscard]] std::span<Column> columns() { return {m_columns.data(), m_columnCount}; }
    [[nodiscard]] std::span<const Column> columns() const { return {m_columns.data(), m_columnCount}; }
    [[nodiscard]] std::span<const Column> columnsOf(const Link& link) const
    {
        return columns().subspan(static_cast<std::size_t>(link.firstColumn),
                                 static_cast<std::size_t>(link.columnCount));
    }
    [[nodiscard]] const Link& link(int index) const { return m_links[index]; }
    [[nodiscard]] int linkOf(int body) const { return m_linkOf[body]; }
    [[nodiscard]] int linkCount() const { return static_cast<int>(m_linkCount); }

    /// d(point)/d(column) of a world point carried by the column.
    [[nodiscard]] Vector3 velocity(const Column& column, const Vector3& point) const
    {
        return column.turns ? Vector3(column.direction.cross(point - m_links[column.link].position)) : column.direction;
    }

    /// The rotation vector, in the turned frame, of the turn from one configuration (nq) to another of a link with a
    /// quaternion.
    [[nodiscard]] Vector3 wayOfBall(const Link& link, std::span<const double> from, std::span<const double> to) const
    {
        const std::int32_t at = m_model->qBegin[link.body] + link.quaternion;
        return kit::logMap(
            kit::Quaternion(kit::quaternionAt(from.data() + at).conjugate() * kit::quaternionAt(to.data() + at)));
    }

    /// q (nq) moved by `dv` (one per column), clamped into limits exactly. `from` and `to` may not overlap; coordinates
    /// of bodies without columns are not written.
    void step(std::span<const double> from, std::span<const double> dv, std::span<double> to) const;

private:
    void addColumns(Link& link, const kit::SolverRun& run);

    const sdk::Model* m_model = nullptr;
    std::vector<Link> m_links;
    std::vector<Column> m_columns;
    std::vector<std::int32_t> m_linkOf, m_columnOf;
    std::size_t m_linkCount = 0, m_columnCount = 0;
};

} // namespace tendon::dls
