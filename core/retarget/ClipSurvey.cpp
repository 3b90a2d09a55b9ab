#include "core/retarget/ClipSurvey.h"

#include "core/math/Degrees.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"

#include <algorithm>
#include <cmath>

namespace tendon {

std::vector<WorldPose> posesAlong(const Scene& scene, const RoledFigure& figure, const Clip& clip)
{
    constexpr std::int64_t kSteps = 120;
    PoseSampler sampler(figure.rig);
    sampler.prepare(scene, &clip);
    LocalPose local;
    ModelPose model;
    std::vector<WorldPose> poses(kSteps + 1);
    const std::int64_t length = clip.end().ticks - clip.begin().ticks;
    for (std::int64_t i = 0; i <= kSteps; ++i) {
        sampler.sample({}, {clip.begin().ticks + length * i / kSteps}, local);
        forwardKinematics(*figure.rig, local, model);
        poses[static_cast<std::size_t>(i)].take(model);
    }
    return poses;
}

std::optional<double> standingHeight(const RoledFigure& figure, const WorldPose& reference,
                                     const std::vector<WorldPose>& poses, const Quaternion& turn)
{
    constexpr double kFlat = 25 / kDegrees;
    const Vector3 up = turn.conjugate() * Vector3::UnitY();
    std::vector<double> flat, all;
    for (const WorldPose& pose : poses)
        for (const LimbRoles& limb : kLimbs) {
            const JointIndex foot = limb.isLeg ? figure.first(limb.end) : -1;
            if (foot < 0) continue;
            const double height = up.dot(pose.position[at(foot)]);
            const Vector3 upOfFoot = pose.rotation[at(foot)] * (reference.rotation[at(foot)].conjugate() * up);
            all.push_back(height);
            if (upOfFoot.dot(up) > std::cos(kFlat)) flat.push_back(height);
        }
    if (all.empty()) return std::nullopt;
    std::vector<double>& heights = flat.size() * 10 >= all.size() ? flat : all;
    const auto low = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 5);
    std::nth_element(heights.begin(), low, heights.end());
    return *low;
}

std::optional<Vector3> bendAxis(const RoledFigure& figure, const LimbRoles& limb, JointIndex upper,
                                const std::vector<WorldPose>& poses)
{
    const JointIndex parts[] = {figure.first(limb.upper), figure.first(limb.lower), figure.first(limb.end)};
    Vector3 sum = Vector3::Zero();
    double bends = 0;
    for (const WorldPose& pose : poses) {
        const Vector3 a = pose.position[at(parts[1])] - pose.position[at(parts[0])],
                      b = pose.position[at(parts[2])] - pose.position[at(parts[1])];
        if (a.norm() < 1e-9 || b.norm() < 1e-9) return std::nullopt;
        const Vector3 bend = a.normalized().cross(b.normalized());
        sum += pose.rotation[at(upper)].conjugate() * bend;
        bends += bend.norm();
    }
    constexpr double kBends = 6 / kDegrees; // on average
    if (sum.norm() < std::sin(kBends) * static_cast<double>(poses.size()) || sum.norm() < 0.6 * bends)
        return std::nullopt;
    return sum.normalized();
}

} // namespace tendon
