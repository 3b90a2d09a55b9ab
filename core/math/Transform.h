#pragma once

#include <Eigen/Geometry>

namespace tendon {

using Vector3 = Eigen::Vector3d;
using Quaternion = Eigen::Quaterniond; ///< constructor takes (w, x, y, z); coeffs() is xyzw
using Affine = Eigen::Transform<double, 3, Eigen::Affine>;

/// The local transform of a joint, Translate * Rotate * Scale, from the joint's space to its parent's.
struct LocalTransform
{
    Vector3 translation = Vector3::Zero();        ///< [m]
    Quaternion rotation = Quaternion::Identity(); ///< unit
    Vector3 scale = Vector3::Ones();

    [[nodiscard]] Affine parentFromJoint() const
    {
        Affine result;
        result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
        result.translation() = translation;
        result.makeAffine();
        return result;
    }

    bool operator==(const LocalTransform& other) const
    {
        return translation == other.translation && rotation.coeffs() == other.rotation.coeffs() && scale == other.scale;
    }
};

/// Splits an affine transform into translation, rotation and scale; shear is dropped. A mirrored transform gets one
/// negative scale (x), so that the rotation stays proper.
[[nodiscard]] LocalTransform decompose(const Affine& parentFromJoint);

/// A transform without its scale: -Z points where the transform makes it point, and +Y as near as possible to where the
/// transform makes it point. For cameras and lights, which look along -Z.
[[nodiscard]] Affine withoutScale(const Affine& transform);

/// Translate * Rotate * uniform Scale: a transform that preserves angles.
struct Similarity
{
    Vector3 translation = Vector3::Zero();
    Quaternion rotation = Quaternion::Identity();
    double scale = 1;    ///< > 0
    bool isExact = true; ///< false: the transform also stretches, shears, mirrors or flattens; that is dropped
};

/// The similarity that equals an affine transform, or one near it if it is not a similarity.
[[nodiscard]] Similarity nearestSimilarity(const Affine& transform);

/// The smallest rotation that turns the direction of `from` to that of `to`, neither of length 0. For opposite
/// directions, half a turn about some perpendicular.
[[nodiscard]] Quaternion shortestRotation(const Vector3& from, const Vector3& to);

/// The rotation of an affine transform, without its scale and shear.
[[nodiscard]] inline Quaternion rotationOf(const Affine& transform) { return nearestSimilarity(transform).rotation; }

} // namespace tendon
