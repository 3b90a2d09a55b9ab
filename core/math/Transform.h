#pragma once

#include <Eigen/Geometry>

namespace tendon {

using Vector3 = Eigen::Vector3d;
using Quaternion = Eigen::Quaterniond; ///< constructor takes (w, x, y, z); coeffs() is xyzw
using Affine = Eigen::Transform<double, 3, Eigen::Affine>;

/// The local transform of a joint: Translate * Rotate * Scale, from joint space to its parent's.
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

/// Splits an affine transform into translation, rotation and scale; what a shear leaves over is dropped. A mirrored
/// transform gets one negative scale (x), so that the rotation stays proper.
[[nodiscard]] LocalTransform decompose(const Affine& parentFromJoint);

/// Turns and shifts as a transform does, and scales nothing: -Z and +Y point where it makes them point, +Y as far as it
/// is square to -Z. For what looks along -Z, as cameras and lights do.
[[nodiscard]] Affine withoutScale(const Affine& transform);

/// Translate * Rotate * uniform Scale: the transforms that keep angles.
struct Similarity
{
    Vector3 translation = Vector3::Zero();
    Quaternion rotation = Quaternion::Identity();
    double scale = 1;    ///< > 0
    bool isExact = true; ///< false: the transform also stretched, sheared, mirrored or flattened, which is left out
};

/// The similarity that an affine transform is, or one near it when it is none.
[[nodiscard]] Similarity nearestSimilarity(const Affine& transform);

/// The rotation in an affine transform.
[[nodiscard]] inline Quaternion rotationOf(const Affine& transform) { return nearestSimilarity(transform).rotation; }

} // namespace tendon
