#pragma once

#include "core/io/readers/fbx/FbxDocument.h"
#include "core/math/RotationOrder.h"

namespace tendon::fbx {

/// How a node inherits the scale of its parent.
enum class ScaleInheritance {
    AlongOwnAxes, ///< "RrSs": scales multiply axis by axis, however the node is rotated; never shears
    AsMatrices,   ///< "RSrs": the parent scales everything below it in its own axes
    NotParents,   ///< "Rrs": the parent's own scale is ignored (Maya's segment scale compensation)
};

/// The numbers that animation drives.
struct Moving
{
    Vector3 translation = Vector3::Zero();
    Vector3 degrees = Vector3::Zero();
    Vector3 scale = Vector3::Ones();
};

/// Turns the animated values of a node into a transform, with pivots, offsets and pre- and post-rotations. The FBX
/// SDK's formula:
///   T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1
class NodeShape
{
public:
    explicit NodeShape(const Object& model);

    [[nodiscard]] LocalTransform local(const Moving& moving) const;
    [[nodiscard]] const Moving& rest() const { return m_rest; }
    [[nodiscard]] ScaleInheritance inheritance() const { return m_inheritance; }
    [[nodiscard]] RotationOrder order() const { return m_order; }
    /// The geometric transform: for the node's meshes only, not for its children.
    [[nodiscard]] const Affine& nodeFromGeometry() const { return m_geometry; }

private:
    Moving m_rest;
    ScaleInheritance m_inheritance;
    RotationOrder m_order = RotationOrder::XYZ;
    Quaternion m_before = Quaternion::Identity(), m_after = Quaternion::Identity();
    Vector3 m_rotationOffset, m_rotationPivot, m_scaleOffset, m_scalePivot;
    Affine m_geometry = Affine::Identity();
};

/// A node's own rotation and scale in the world, as scale inheritance makes them, without translation.
struct WorldScale
{
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Matrix3d scaling = Eigen::Matrix3d::Identity(); ///< applied before the rotation
};

/// The even scale that comes nearest.
[[nodiscard]] inline double evenScaleOf(const WorldScale& world) { return world.scaling.trace() / 3; }

/// One step down: `parentScale` is what the parent scales by itself.
[[nodiscard]] WorldScale worldScaleOf(const WorldScale& parent, const Vector3& parentScale, const LocalTransform& local,
                                      ScaleInheritance inheritance);

/// The local transform that, as matrices multiply, stands in the world as scale inheritance wants it. Exact but for
/// shears, which no translation, rotation and scale can express; `isExact` tells.
[[nodiscard]] LocalTransform asMatricesMultiply(const WorldScale& parent, const WorldScale& own,
                                                const LocalTransform& local, bool& isExact);

/// A node as two: one that turns and moves and whose children do not feel its scale, and a leaf below it that has the
/// scale. So stands exactly what no chain of matrices can express otherwise: an uneven scale above a node that turns
/// and does not take it on.
struct SplitTransform
{
    LocalTransform node, leaf;
};

/// `even`: the even scale above all that is split. `isParentSplit`: the parent is without its scale, too.
[[nodiscard]] SplitTransform splitTransform(const WorldScale& parent, bool isParentSplit, const WorldScale& own,
                                            const LocalTransform& local, double even, bool& isExact);

} // namespace tendon::fbx
