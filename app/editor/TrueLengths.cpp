#include "app/editor/TrueLengths.h"

#include "core/scene/RestPose.h"

#include <cmath>

namespace tendon::editor {
namespace {

constexpr double kNothing = 1e-12;
constexpr double kDigits = 1e12; ///< beyond these a product of rotations says nothing: 1 stays 1

double rounded(double length)
{
    if (!std::isfinite(length) || length < kNothing) return 1;
    const double size = std::pow(10.0, std::floor(std::log10(length)));
    return std::round(length / size * kDigits) / kDigits * size;
}

} // namespace

Vector3 metresPerUnit(const Affine& worldFromSpace)
{
    const auto along = [&](int axis) { return rounded(worldFromSpace.linear().col(axis).norm()); };
    return {along(0), along(1), along(2)};
}

Vector3 metresPerUnitAbove(const Scene& scene, const Joint& joint) { return metresPerUnitOf(scene, joint.parent); }

Vector3 metresPerUnitOf(const Scene& scene, JointId joint) { return metresPerUnit(worldInStaticPose(scene, joint)); }

Vector3 metresPerUnitAbove(const FrameResult& frame, JointId joint)
{
    const JointIndex index = frame.rig == nullptr ? -1 : frame.rig->index(joint);
    const JointIndex parent = index < 0 ? -1 : frame.rig->parent[at(index)];
    return parent < 0 ? Vector3(Vector3::Ones()) : metresPerUnit(frame.solved.model.modelFromJoint[at(parent)]);
}

double evenly(const Vector3& metresPerUnit) { return rounded(std::cbrt(metresPerUnit.prod())); }

} // namespace tendon::editor
