#include "core/retarget/ClipSurvey.h"

#include "core/math/Degrees.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/FrameNumber.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>

namespace tendon {

std::vector<Time> frameTimes(const Clip& clip, FrameRate fps)
{
    const Time begin = clip.begin(), end = clip.end();
    std::map<std::int64_t, Time> keyOn; // frames that keys are almost on
    for (const auto& [channel, keys] : clip.channels)
        for (std::size_t k = 0; k < keys->size(); ++k) {
            const Time time = (*keys)[k].time;
            const double frame = fps.frameAt(time), whole = std::round(frame);
            if (std::abs(frame - whole) <= nearWholeFrame(whole) && time != fps.timeOf(whole))
                keyOn.emplace(static_cast<std::int64_t>(whole), time);
        }
    std::vector<Time> times{begin};
    const double last = fps.frameAt(end);
    for (double frame = std::floor(fps.frameAt(begin)); frame <= last; ++frame) {
        const auto key = keyOn.find(static_cast<std::int64_t>(frame));
        const Time time = key != keyOn.end() ? key->second : fps.timeOf(frame);
        const double near = nearWholeFrame(frame);
        if (fps.frameAt(time) > fps.frameAt(begin) + near && fps.frameAt(time) < last - near) times.push_back(time);
    }
    if (end > begin) times.push_back(end);
    return times;
}

std::vector<Time> motionTimes(const Clip& clip, FrameRate fps)
{
    constexpr double kApart = 0.05; // [frames] keys that are nearer together are one
    const auto isSame = [&](Time a, Time b) { return std::abs(fps.frameAt(b) - fps.frameAt(a)) < kApart; };
    std::vector<Time> times = frameTimes(clip, fps), between;
    for (const auto& [channel, keys] : clip.channels)
        for (std::size_t k = 0; k < keys->size(); ++k) {
            const double frame = fps.frameAt((*keys)[k].time), whole = std::round(frame);
            if (std::abs(frame - whole) > nearWholeFrame(whole)) between.push_back((*keys)[k].time);
        }
    std::sort(between.begin(), between.end());
    between.erase(std::unique(between.begin(), between.end(), isSame), between.end());
    std::erase_if(between, [&](Time time) {
        const auto after = std::lower_bound(times.begin(), times.end(), time);
        return after == times.begin() || after == times.end() || isSame(*after, time) ||
               isSame(*std::prev(after), time);
    });
    std::vector<Time> all;
    std::merge(times.begin(), times.end(), between.begin(), between.end(), std::back_inserter(all));
    return all;
}

std::vector<const Clip*> clipsToSurvey(const Scene& scene, const Clip& clip)
{
    constexpr std::size_t kMost = 32;
    std::vector<const Clip*> all, some;
    bool isIn = false;
    for (const auto& one : scene.clips) {
        if (!one->hasKeys()) continue;
        all.push_back(&*one);
        isIn = isIn || one->id == clip.id;
    }
    if (!isIn) return {&clip};
    const std::size_t count = std::min(all.size(), kMost);
    for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
    return some;
}

std::vector<WorldPose> posesAlong(const Scene& scene, const RoledFigure& figure, const std::vector<const Clip*>& clips)
{
    constexpr std::size_t kMost = 121, kFewest = 9; // of a clip
    const std::size_t most = std::max(2 * kMost / std::max<std::size_t>(clips.size(), 2), kFewest);
    PoseSampler sampler(figure.rig);
    LocalPose local;
    ModelPose model;
    std::vector<WorldPose> poses;
    for (const Clip* clip : clips) {
        sampler.prepare(scene, clip);
        const std::vector<Time> times = frameTimes(*clip, scene.fps);
        const std::size_t count = std::min(times.size(), most), last = std::max<std::size_t>(count - 1, 1);
        for (std::size_t i = 0; i < count; ++i) {
            sampler.sample({}, times[(i * (times.size() - 1) + last / 2) / last], local);
            forwardKinematics(*figure.rig, local, model);
            poses.emplace_back().take(model);
        }
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

std::vector<Quaternion> trunksOf(const RoledFigure& figure, const std::vector<WorldPose>& poses)
{
    std::vector<Quaternion> trunks;
    for (const WorldPose& pose : poses)
        if (const auto axes = trunkAxes(figure, pose)) trunks.push_back(*axes);
    return trunks;
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
