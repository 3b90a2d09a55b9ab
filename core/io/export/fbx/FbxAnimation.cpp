#include "core/io/export/fbx/FbxScene.h"
#include "core/io/export/prepare/SteppedPaths.h"
#include "core/io/formats/fbx/FbxTime.h"
#include "core/math/Degrees.h"
#include "core/math/RotationOrder.h"
#include "core/runtime/StepTimes.h"

#include <algorithm>
#include <array>

namespace tendon::fbx {
namespace {

/// One of three numbers of a joint over the samples of a clip.
using Track = std::vector<double>;

// Attributes of keys: how a curve goes on from them.
constexpr std::int32_t kLinear = 24836; // as exporters of the format write it
constexpr std::int32_t kHeld = 2;

void addCurve(Objects& objects, std::int64_t curveNode, const char* component, std::vector<std::int64_t> times,
              Track track, bool isStepped = false)
{
    // What never changes is two keys, at the ends: readers keep what another clip left where there are none, and Assimp
    // takes a single key for the rest pose when it is nearly that.
    const bool isConstant = std::all_of(track.begin(), track.end(), [&](double value) { return value == track[0]; });
    if (isConstant && times.size() > 2) {
        times = {times.front(), times.back()};
        track.resize(2);
    }
    const std::vector<float> values(track.begin(), track.end());
    const auto count = static_cast<std::int32_t>(values.size());
    Node& curve = objects.add("AnimationCurve", "", "AnimCurve", "");
    curve.add("Default").number(track[0]);
    curve.add("KeyVer", 4008);
    curve.add("KeyTime").longs(times);
    curve.add("KeyValueFloat").floats(values);
    curve.add("KeyAttrFlags").integers(std::vector<std::int32_t>{isStepped && !isConstant ? kHeld : kLinear});
    curve.add("KeyAttrDataFloat").floats(std::vector<float>{0, 0, 9.419963346924634e-30f, 0});
    curve.add("KeyAttrRefCount").integers(std::vector<std::int32_t>{count});
    objects.connect(objects.lastId(), curveNode, component);
}

void addCurves(Objects& objects, std::int64_t layer, std::int64_t model, const char* name, const char* property,
               const std::vector<std::int64_t>& times, const std::array<Track, 3>& tracks, bool isStepped)
{
    static constexpr std::array<const char*, 3> kComponents = {"d|X", "d|Y", "d|Z"};
    Node& node = objects.add("AnimationCurveNode", name, "AnimCurveNode", "");
    const std::int64_t id = objects.lastId();
    Properties properties(node);
    for (std::size_t i = 0; i < 3; ++i) properties.animated(kComponents[i], tracks[i][0]);
    objects.connect(id, layer);
    objects.connect(id, model, property);
    for (std::size_t i = 0; i < 3; ++i) addCurve(objects, id, kComponents[i], times, tracks[i], isStepped);
}

/// The samples of a clip that are written, and their times. The moments just before and after steps are not: programs
/// such as Blender count in frames, and take them for the frame beside them.
struct Samples
{
    explicit Samples(const BakedClip& clip)
    {
        for (std::size_t s = 0; s < clip.times.size(); ++s) {
            if (isBesideStep(clip.times, s)) continue;
            sample.push_back(s);
            ticks.push_back(ticksOf(clip.times[s].seconds()));
        }
    }

    std::vector<std::size_t> sample;
    std::vector<std::int64_t> ticks;
};

void addJoint(Objects& objects, std::int64_t layer, std::int64_t model, const Samples& samples, const BakedClip& clip,
              std::size_t joint, const std::array<bool, 3>& isStepped)
{
    std::array<Track, 3> translation, rotation, scale;
    Vector3 angles = Vector3::Zero(); // of the sample before: no jumps by whole turns
    for (const std::size_t s : samples.sample) {
        const LocalTransform& local = clip.locals[s * clip.joints.size() + joint];
        angles = anglesFromRotation(local.rotation, RotationOrder::XYZ, angles);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto axis = static_cast<Eigen::Index>(i);
            translation[i].push_back(local.translation[axis]);
            rotation[i].push_back(angles[axis] * kDegrees);
            scale[i].push_back(local.scale[axis]);
        }
    }
    addCurves(objects, layer, model, "T", "Lcl Translation", samples.ticks, translation, isStepped[0]);
    addCurves(objects, layer, model, "R", "Lcl Rotation", samples.ticks, rotation, isStepped[1]);
    addCurves(objects, layer, model, "S", "Lcl Scaling", samples.ticks, scale, isStepped[2]);
}

void addMorphs(Objects& objects, std::int64_t layer, const Samples& samples, const MorphTracks& morphs)
{
    const std::size_t count = morphs.channels.size();
    for (std::size_t m = 0; m < count; ++m) {
        Track percent;
        for (const std::size_t s : samples.sample) percent.push_back(100 * morphs.weights[s * count + m]);
        Node& node = objects.add("AnimationCurveNode", "DeformPercent", "AnimCurveNode", "");
        const std::int64_t id = objects.lastId();
        Properties(node).animated("d|DeformPercent", percent[0]);
        objects.connect(id, layer);
        objects.connect(id, morphs.channels[m], "DeformPercent");
        addCurve(objects, id, "d|DeformPercent", samples.ticks, percent);
    }
}

} // namespace

void addClip(Objects& objects, const Scene& scene, const BakedClip& clip,
             const std::map<JointId, std::int64_t>& modelOf, const std::vector<MorphTracks>& morphs)
{
    if (clip.times.empty()) return;
    const Samples samples(clip);
    Node& stack = objects.add("AnimationStack", clip.name, "AnimStack", "");
    const std::int64_t stackId = objects.lastId();
    Properties(stack)
        .time("LocalStart", samples.ticks.front())
        .time("LocalStop", samples.ticks.back())
        .time("ReferenceStart", samples.ticks.front())
        .time("ReferenceStop", samples.ticks.back());
    objects.add("AnimationLayer", clip.name, "AnimLayer", "").scope();
    const std::int64_t layer = objects.lastId();
    objects.connect(layer, stackId);
    for (std::size_t j = 0; j < clip.joints.size(); ++j)
        if (const auto model = modelOf.find(clip.joints[j]); model != modelOf.end())
            addJoint(objects, layer, model->second, samples, clip, j, steppedPaths(scene, clip, clip.joints[j]));
    for (const MorphTracks& tracks : morphs) addMorphs(objects, layer, samples, tracks);
}

} // namespace tendon::fbx
