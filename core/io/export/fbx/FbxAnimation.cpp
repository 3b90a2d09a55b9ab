#include "core/io/export/fbx/FbxScene.h"
#include "core/io/formats/fbx/FbxTime.h"
#include "core/math/Degrees.h"
#include "core/math/RotationOrder.h"

#include <algorithm>
#include <array>

namespace tendon::fbx {
namespace {

/// One of three numbers of a joint over the samples of a clip.
using Track = std::vector<double>;

void addCurve(Objects& objects, std::int64_t curveNode, const char* component, std::vector<std::int64_t> times,
              Track track)
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
    curve.add("KeyAttrFlags").integers(std::vector<std::int32_t>{24836}); // linear, as exporters of the format write it
    curve.add("KeyAttrDataFloat").floats(std::vector<float>{0, 0, 9.419963346924634e-30f, 0});
    curve.add("KeyAttrRefCount").integers(std::vector<std::int32_t>{count});
    objects.connect(objects.lastId(), curveNode, component);
}

void addCurves(Objects& objects, std::int64_t layer, std::int64_t model, const char* name, const char* property,
               const std::vector<std::int64_t>& times, const std::array<Track, 3>& tracks)
{
    static constexpr std::array<const char*, 3> kComponents = {"d|X", "d|Y", "d|Z"};
    Node& node = objects.add("AnimationCurveNode", name, "AnimCurveNode", "");
    const std::int64_t id = objects.lastId();
    Properties properties(node);
    for (std::size_t i = 0; i < 3; ++i) properties.animated(kComponents[i], tracks[i][0]);
    objects.connect(id, layer);
    objects.connect(id, model, property);
    for (std::size_t i = 0; i < 3; ++i) addCurve(objects, id, kComponents[i], times, tracks[i]);
}

void addJoint(Objects& objects, std::int64_t layer, std::int64_t model, const std::vector<std::int64_t>& times,
              const BakedClip& clip, std::size_t joint)
{
    std::array<Track, 3> translation, rotation, scale;
    Vector3 angles = Vector3::Zero(); // of the sample before: no jumps by whole turns
    for (std::size_t s = 0; s < clip.times.size(); ++s) {
        const LocalTransform& local = clip.locals[s * clip.joints.size() + joint];
        angles = anglesFromRotation(local.rotation, RotationOrder::XYZ, angles);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto axis = static_cast<Eigen::Index>(i);
            translation[i].push_back(local.translation[axis]);
            rotation[i].push_back(angles[axis] * kDegrees);
            scale[i].push_back(local.scale[axis]);
        }
    }
    addCurves(objects, layer, model, "T", "Lcl Translation", times, translation);
    addCurves(objects, layer, model, "R", "Lcl Rotation", times, rotation);
    addCurves(objects, layer, model, "S", "Lcl Scaling", times, scale);
}

void addMorphs(Objects& objects, std::int64_t layer, const std::vector<std::int64_t>& times, const MorphTracks& morphs)
{
    const std::size_t count = morphs.channels.size();
    for (std::size_t m = 0; m < count; ++m) {
        Track percent;
        for (std::size_t i = m; i < morphs.weights.size(); i += count) percent.push_back(100 * morphs.weights[i]);
        Node& node = objects.add("AnimationCurveNode", "DeformPercent", "AnimCurveNode", "");
        const std::int64_t id = objects.lastId();
        Properties(node).animated("d|DeformPercent", percent[0]);
        objects.connect(id, layer);
        objects.connect(id, morphs.channels[m], "DeformPercent");
        addCurve(objects, id, "d|DeformPercent", times, percent);
    }
}

} // namespace

void addClip(Objects& objects, const BakedClip& clip, const std::map<JointId, std::int64_t>& modelOf,
             const std::vector<MorphTracks>& morphs)
{
    if (clip.times.empty()) return;
    std::vector<std::int64_t> times;
    for (const Time time : clip.times) times.push_back(ticksOf(time.seconds()));
    Node& stack = objects.add("AnimationStack", clip.name, "AnimStack", "");
    const std::int64_t stackId = objects.lastId();
    Properties(stack)
        .time("LocalStart", times.front())
        .time("LocalStop", times.back())
        .time("ReferenceStart", times.front())
        .time("ReferenceStop", times.back());
    objects.add("AnimationLayer", clip.name, "AnimLayer", "").scope();
    const std::int64_t layer = objects.lastId();
    objects.connect(layer, stackId);
    for (std::size_t j = 0; j < clip.joints.size(); ++j)
        if (const auto model = modelOf.find(clip.joints[j]); model != modelOf.end())
            addJoint(objects, layer, model->second, times, clip, j);
    for (const MorphTracks& tracks : morphs) addMorphs(objects, layer, times, tracks);
}

} // namespace tendon::fbx
