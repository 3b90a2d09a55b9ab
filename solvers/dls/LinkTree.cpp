#include "solvers/dls/LinkTree.h"

#include <tendon/kit/Limits.h>

#include <cmath>

namespace tendon::dls {

namespace {

/// m * R(axis, angle) for a coordinate axis: two columns turn into each other.
Matrix3 turnedAboutCoordinate(const Matrix3& m, int axis, double angle)
{
    const double c = std::cos(angle), s = std::sin(angle);
    const int a = axis == 2 ? 0 : axis + 1, b = axis == 0 ? 2 : axis - 1;
    Matrix3 result;
    result.col(axis) = m.col(axis);
    result.col(a) = m.col(a) * c + m.col(b) * s;
    result.col(b) = m.col(b) * c - m.col(a) * s;
    return result;
}

Matrix3 turned(const Matrix3& m, const double* axis, double angle)
{
    return m * kit::turn(axis, angle).toRotationMatrix();
}

int coordinateAxis(const double* axis)
{
    for (int i = 0; i < 3; ++i)
        if (axis[i] == 1) return i;
    return -1;
}

} // namespace

void LinkTree::prepare(const sdk::Model& model)
{
    m_model = &model;
    m_links.assign(static_cast<std::size_t>(model.bodyCount), {});
    m_columns.assign(static_cast<std::size_t>(model.dofCount), {});
    m_linkOf.assign(static_cast<std::size_t>(model.bodyCount), -1);
    m_columnOf.assign(static_cast<std::size_t>(model.dofCount), -1);
}

void LinkTree::build(const kit::SolverRun& run)
{
    m_linkCount = m_columnCount = 0;
    const std::span<const double> base = run.problem().base;
    for (const std::int32_t body : run.bodies()) {
        const double* at = base.data() + kit::kBaseStride * body;
        Link& link = m_links[m_linkCount];
        link.body = body;
        link.parent = m_model->parent[body] < 0 ? -1 : m_linkOf[m_model->parent[body]];
        const sdk::JointTraits& joint = kit::traitsOf(*m_model, body);
        link.quaternion = joint.hasQuaternion ? kit::singleDofs(*m_model, body) : -1;
        link.hasSwingLimits = joint.hasSwingLimits;
        link.turnAxis = m_model->kind[body] == sdk::JointKind::Revolute
                            ? coordinateAxis(&m_model->axis[3 * m_model->vBegin[body]])
                            : -1;
        link.baseRotation = kit::quaternionAt(at + 3).toRotationMatrix();
        link.isBaseTurned = link.baseRotation != Matrix3::Identity();
        link.baseTranslation = kit::vectorAt(at);
        link.baseScale = at[7];
        link.scale = (link.parent < 0 ? 1.0 : m_links[link.parent].scale) * at[7];
        m_linkOf[body] = static_cast<std::int32_t>(m_linkCount);
        addColumns(link, run);
        ++m_linkCount;
    }
}

void LinkTree::addColumns(Link& link, const kit::SolverRun& run)
{
    link.firstColumn = static_cast<std::int32_t>(m_columnCount);
    const int begin = m_model->vBegin[link.body], end = m_model->vBegin[link.body + 1];
    for (int v = begin, k = 0; v < end; ++v, ++k) {
        m_columnOf[v] = -1;
        if (!run.isMovable(v)) continue;
        m_columnOf[v] = static_cast<std::int32_t>(m_columnCount);
        Column& column = m_columns[m_columnCount++];
        const bool inQuaternion = link.quaternion >= 0 && k >= link.quaternion;
        column.dof = v;
        column.link = m_linkOf[link.body];
        column.slot = inQuaternion ? k - link.quaternion : -1;
        column.coordinate = m_model->qBegin[link.body] + (inQuaternion ? link.quaternion : k);
        column.turns = m_model->dofKind[v] == sdk::DofKind::Turning;
        column.lower = inQuaternion ? -kit::kInfinity : m_model->lower[v];
        column.upper = inQuaternion ? kit::kInfinity : m_model->upper[v];
        column.metric = 1;
    }
    link.columnCount = static_cast<std::int32_t>(m_columnCount) - link.firstColumn;
}

void LinkTree::evaluate(std::span<const double> q, int first, int last)
{
    static const Link kWorld;
    for (int i = first; i < last; ++i) {
        Link& link = m_links[i];
        const Link& above = link.parent < 0 ? kWorld : m_links[link.parent];
        const int begin = m_model->vBegin[link.body];
        const double* own = q.data() + m_model->qBegin[link.body];
        const double* axis = m_model->axis.data() + 3 * begin;
        link.position = above.position + above.rotation * (link.baseTranslation * above.scale);
        if (link.isBaseTurned)
            link.rotation = above.rotation * link.baseRotation;
        else
            link.rotation = above.rotation;
        if (link.turnAxis >= 0) {
            if (link.columnCount > 0) m_columns[link.firstColumn].direction = link.rotation.col(link.turnAxis);
            link.rotation = turnedAboutCoordinate(link.rotation, link.turnAxis, own[0]);
            continue;
        }
        const int singles = link.quaternion >= 0 ? link.quaternion : m_model->vBegin[link.body + 1] - begin;
        for (int k = 0; k < singles; ++k) {
            const Vector3 local = kit::vectorAt(axis + 3 * k);
            Vector3 direction;
            if (m_model->dofKind[begin + k] == sdk::DofKind::Sliding) {
                direction = above.rotation * (local * above.scale);
                link.position += direction * own[k];
            } else {
                const int coordinate = coordinateAxis(axis + 3 * k);
                direction = coordinate >= 0 ? Vector3(link.rotation.col(coordinate)) : Vector3(link.rotation * local);
                link.rotation = coordinate >= 0 ? turnedAboutCoordinate(link.rotation, coordinate, own[k])
                                                : turned(link.rotation, axis + 3 * k, own[k]);
            }
            if (m_columnOf[begin + k] >= 0) m_columns[m_columnOf[begin + k]].direction = direction;
        }
        if (link.quaternion < 0) continue;
        link.rotation = link.rotation * kit::quaternionAt(own + link.quaternion).toRotationMatrix();
        for (int c = 0; c < link.columnCount; ++c) {
            Column& column = m_columns[link.firstColumn + c];
            if (column.slot >= 0) column.direction = link.rotation.col(column.slot);
        }
    }
}

void LinkTree::step(std::span<const double> from, std::span<const double> dv, std::span<double> to) const
{
    for (std::size_t c = 0; c < m_columnCount;) {
        const Column& column = m_columns[c];
        if (column.slot < 0) {
            to[column.coordinate] = std::clamp(from[column.coordinate] + dv[c], column.lower, column.upper);
            ++c;
            continue;
        }
        // The columns of one quaternion stand together; those that may not move are absent.
        Vector3 turning = Vector3::Zero();
        const std::int32_t coordinate = column.coordinate, body = m_links[column.link].body;
        int count = 0;
        for (; c < m_columnCount && m_columns[c].slot >= 0 && m_columns[c].coordinate == coordinate; ++c, ++count)
            turning[m_columns[c].slot] = dv[c];
        if (turning.isZero(0)) { // not a bit moves
            std::copy_n(from.begin() + coordinate, 4, to.begin() + coordinate);
            continue;
        }
        kit::Quaternion rotation = kit::quaternionAt(from.data() + coordinate) * kit::expMap(turning);
        rotation.normalize();
        if (m_links[column.link].hasSwingLimits && count == 3) rotation = kit::nearestInBall(*m_model, body, rotation);
        kit::store(rotation, to.data() + coordinate);
    }
}

} // namespace tendon::dls
