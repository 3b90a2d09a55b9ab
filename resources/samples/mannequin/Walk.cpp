#include "resources/samples/mannequin/Walk.h"

#include "core/math/Convert.h"
#include "core/scene/SceneEdit.h"
#include "resources/samples/mannequin/Gait.h"
#include "resources/samples/mannequin/Skeleton.h"

#include <cmath>
#include <functional>

namespace tendon::mannequin {

namespace {

constexpr int kCycles = 2;
constexpr int kFirstFrame = 1;
constexpr int kFrames = kCycles * static_cast<int>(Gait::kFramesPerCycle);

struct HandlePlan
{
    const char* name;
    const char* start;
    const char* middle; ///< the joint that bends to the pole; null = no pole
    const char* end;
    const char* solver;
    std::int32_t priority;
    const char* follow;
};

constexpr HandlePlan kHandlePlans[] = {
    {"HipsIK", "Hips", nullptr, "Hips", "dls", 1, nullptr},
    {"HeadIK", "Spine1", nullptr, "Head", "dls", 2, "Hips"},
    {"FootIK_L", "Thigh_L", "Shin_L", "Foot_L", "two-bone", 2, nullptr},
    {"FootIK_R", "Thigh_R", "Shin_R", "Foot_R", "two-bone", 2, nullptr},
    {"HandIK_L", "UpperArm_L", "Forearm_L", "Hand_L", "two-bone", 3, "Chest"},
    {"HandIK_R", "UpperArm_R", "Forearm_R", "Hand_R", "two-bone", 3, "Chest"},
};

Affine restOf(const char* bone) { return skeleton()[static_cast<std::size_t>(boneNamed(bone))].modelFromJoint; }

/// [m] where a limb's pole stands at rest: out from the bend in the bend's own plane, so that it does not move the
/// limb.
Vector3 restPole(const HandlePlan& plan)
{
    constexpr double kDistance = 1.2; // [m] far enough that no pose of the limb comes near
    if (plan.middle == nullptr) return Vector3::Zero();
    const Vector3 start = restOf(plan.start).translation(), middle = restOf(plan.middle).translation();
    const Vector3 line = (restOf(plan.end).translation() - start).normalized();
    const Vector3 out = (middle - start) - (middle - start).dot(line) * line;
    return middle + kDistance * out.normalized();
}

/// The time on the clip at which `cycles` of the walk have passed; the walk passes the origin half way.
double cyclesAt(double frame) { return (frame - kFirstFrame) / Gait::kFramesPerCycle; }

GaitPose poseAt(double frame)
{
    constexpr double kBack = -Gait::kStride * kCycles / 2; // [m]
    GaitPose pose = Gait::at(cyclesAt(frame));
    for (Affine* part : {&pose.hips, &pose.head, &pose.footLeft, &pose.footRight}) part->translation().z() += kBack;
    pose.head = pose.hips.inverse(Eigen::Isometry) * pose.head; // the head's goal follows the hips
    return pose;
}

using Part = std::function<Affine(double frame)>;

ChannelValue positionOf(const Affine& pose) { return toValue(Vector3(pose.translation())); }

/// Of the two quaternions of a rotation the one nearer to the rest of the figure's, so that neighbours agree in sign.
ChannelValue rotationOf(const Affine& pose, const Affine& reference)
{
    Quaternion q(pose.linear());
    if (q.dot(Quaternion(reference.linear())) < 0) q.coeffs() *= -1;
    return toValue(q);
}

/// Writes keys of a part's place and rotation at the given frames, with the slopes that it has there.
class KeyWriter
{
public:
    KeyWriter(Scene scene, ClipId clip) : m_scene(std::move(scene)), m_clip(clip) {}

    Result<void> keyPart(std::string_view handle, const Part& part, const std::vector<int>& frames)
    {
        const Affine reference = part(kFirstFrame);
        std::vector<Key> positions, rotations;
        for (const int frame : frames) {
            positions.push_back(key(frame, [&](double f) { return positionOf(part(f)); }));
            rotations.push_back(key(frame, [&](double f) { return rotationOf(part(f), reference); }));
        }
        if (const auto done = write(handle, Property::GoalPosition, std::move(positions)); !done) return done;
        return write(handle, Property::GoalRotation, std::move(rotations));
    }

    /// The pole goes along at the walk's mean pace.
    Result<void> keyPole(std::string_view handle, const Vector3& rest)
    {
        std::vector<Key> keys;
        for (const int frame : {kFirstFrame, kFirstFrame + kFrames}) {
            const double ahead = Gait::kStride * (cyclesAt(frame) - kCycles / 2.0);
            Key key;
            key.time = m_scene.fps.timeOf(frame);
            key.value = toValue(Vector3(rest + Vector3(0, 0, ahead)));
            key.interpolation = Interpolation::Linear;
            keys.push_back(key);
        }
        return write(handle, Property::Pole, std::move(keys));
    }

    Scene take() { return std::move(m_scene); }

private:
    template <typename F>
    Key key(int frame, F&& value) const
    {
        constexpr double kStep = 0.05; // [frames]
        Key result;
        result.time = m_scene.fps.timeOf(frame);
        result.value = value(frame);
        result.tangents = TangentMode::Free;
        const ChannelValue before = value(frame - kStep), after = value(frame + kStep);
        for (std::size_t i = 0; i < 4; ++i) { // each side its own: a foot stops at once when it meets the ground
            result.in[i] = (result.value[i] - before[i]) / kStep * m_scene.fps.perSecond();
            result.out[i] = (after[i] - result.value[i]) / kStep * m_scene.fps.perSecond();
        }
        return result;
    }

    Result<void> write(std::string_view handle, Property property, std::vector<Key> keys)
    {
        const ChannelId channel{m_scene.handleNamed(handle)->id.value, property};
        auto next = replaceKeys(std::move(m_scene), m_clip, channel, std::move(keys));
        if (!next) return next.error();
        m_scene = std::move(*next);
        return {};
    }

    Scene m_scene;
    ClipId m_clip;
};

std::vector<int> every(int step)
{
    std::vector<int> frames;
    for (int frame = kFirstFrame; frame <= kFirstFrame + kFrames; frame += step) frames.push_back(frame);
    return frames;
}

/// Each frame while the foot rolls, the two ends while it stands flat, every other frame of the swing.
std::vector<int> footFrames(bool isLeft)
{
    std::vector<int> frames;
    for (int frame = kFirstFrame; frame <= kFirstFrame + kFrames; ++frame) {
        const int step = (frame - kFirstFrame + (isLeft ? 0 : 12)) % 24;
        const int flatFrom = static_cast<int>(std::ceil(Gait::kFlatFrom * Gait::kFramesPerCycle));
        const int flatTo = static_cast<int>(std::floor(Gait::kFlatTo * Gait::kFramesPerCycle));
        const int toeOff = static_cast<int>(std::ceil(Gait::kToeOff * Gait::kFramesPerCycle));
        const bool isInFlat = step > flatFrom && step < flatTo;
        const bool isSkippedInSwing = step > toeOff && (step - toeOff) % 2 == 1 && step < 23;
        const bool isEnd = frame == kFirstFrame || frame == kFirstFrame + kFrames;
        if (isEnd || (!isInFlat && !isSkippedInSwing)) frames.push_back(frame);
    }
    return frames;
}

} // namespace

Result<Scene> withHandles(Scene scene)
{
    for (const HandlePlan& plan : kHandlePlans) {
        Handle handle;
        handle.name = plan.name;
        handle.solver = plan.solver;
        handle.orientationWeight = 1;
        handle.priority = plan.priority;
        handle.hasPole = plan.middle != nullptr;
        JointId follow;
        for (const auto& [to, name] :
             {std::pair(&handle.start, plan.start), {&handle.end, plan.end}, {&follow, plan.follow}}) {
            if (name == nullptr) continue;
            const auto joint = scene.jointNamed(name);
            if (!joint) return joint.error();
            *to = *joint;
        }
        handle.follow = follow.value;
        const Affine worldFromFollow = plan.follow == nullptr ? Affine::Identity() : restOf(plan.follow);
        auto next = addHandle(std::move(scene), handle, restOf(plan.end), worldFromFollow, restPole(plan));
        if (!next) return next.error();
        scene = std::move(*next);
    }
    return scene;
}

Result<Scene> withWalk(Scene scene)
{
    scene.fps = {24, 1};
    scene.firstFrame = kFirstFrame;
    scene.lastFrame = kFirstFrame + kFrames;
    auto added = addClip(std::move(scene), "Walk");
    if (!added) return added.error();
    const ClipId clip = added->clips.back()->id;

    KeyWriter writer(std::move(*added), clip);
    const struct
    {
        const char* handle;
        Affine GaitPose::*part;
        std::vector<int> frames;
    } parts[] = {{"HipsIK", &GaitPose::hips, every(3)},
                 {"HeadIK", &GaitPose::head, every(3)},
                 {"FootIK_L", &GaitPose::footLeft, footFrames(true)},
                 {"FootIK_R", &GaitPose::footRight, footFrames(false)},
                 {"HandIK_L", &GaitPose::handLeft, every(4)},
                 {"HandIK_R", &GaitPose::handRight, every(4)}};
    for (const auto& entry : parts) {
        const auto part = [&](double frame) { return poseAt(frame).*(entry.part); };
        if (const auto done = writer.keyPart(entry.handle, part, entry.frames); !done) return done.error();
    }
    for (const HandlePlan& plan : kHandlePlans) {
        if (plan.middle == nullptr) continue;
        if (const auto done = writer.keyPole(plan.name, restPole(plan)); !done) return done.error();
    }
    return writer.take();
}

} // namespace tendon::mannequin
