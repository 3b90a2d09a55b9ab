#include "core/io/export/gltf/GltfAnimation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tendon::gltf {

namespace {

/// Samples to write: of those whose times become one float the last, which is the one a reader would arrive at.
struct Times
{
    std::vector<float> seconds;
    std::vector<std::size_t> sample;
};

Result<Times> distinctTimes(const AnimationTracks& tracks)
{
    Times times;
    for (std::size_t s = 0; s < tracks.seconds.size(); ++s) {
        const auto second = static_cast<float>(tracks.seconds[s]);
        if (second < 0)
            return Error{ErrorCode::InvalidArgument,
                         "begins before time 0, which glTF cannot hold; move its keys or give --range",
                         "clip " + tracks.name};
        if (!times.seconds.empty() && second <= times.seconds.back())
            times.sample.back() = s;
        else {
            times.seconds.push_back(second);
            times.sample.push_back(s);
        }
    }
    return times;
}

enum Path { Translation, Rotation, Scale };
constexpr std::array<const char*, 3> kPathNames{"translation", "rotation", "scale"};

/// Numbers of one path over the samples, quaternions with the sign nearest to the one before.
std::vector<float> valuesOf(const NodeTrack& track, Path path, const std::vector<std::size_t>& samples)
{
    std::vector<float> values;
    values.reserve(samples.size() * (path == Rotation ? 4 : 3));
    Eigen::Vector4d last = Eigen::Vector4d::Zero();
    for (const std::size_t s : samples) {
        const LocalTransform& local = track.locals[s];
        if (path == Rotation) {
            Eigen::Vector4d q = local.rotation.normalized().coeffs();
            if (q.dot(last) < 0) q = -q;
            last = q;
            for (int k = 0; k < 4; ++k) values.push_back(static_cast<float>(q[k]));
        } else {
            const Vector3& v = path == Translation ? local.translation : local.scale;
            for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(v[k]));
        }
    }
    for (float& value : values)
        if (value == 0) value = 0; // no negative zeros: equal constants then have equal bytes
    return values;
}

bool isConstant(const std::vector<float>& values, std::size_t components)
{
    for (std::size_t i = components; i < values.size(); ++i)
        if (values[i] != values[i - components]) return false;
    return true;
}

bool isConstant(const NodeTrack& track, const std::vector<std::size_t>& samples)
{
    return isConstant(valuesOf(track, Translation, samples), 3) && isConstant(valuesOf(track, Rotation, samples), 4) &&
           isConstant(valuesOf(track, Scale, samples), 3);
}

} // namespace

Result<Json> writeTracks(DataWriter& data, const AnimationTracks& tracks)
{
    const auto times = distinctTimes(tracks);
    if (!times) return times.error();

    data.beginView(DataWriter::Use::Animation);
    const std::size_t allTimes = data.addFloats(times->seconds, "SCALAR", true);
    const std::size_t firstTime = data.addFloats(std::span(times->seconds).first(1), "SCALAR", true);
    // Where nothing moves, the first path has a second key at the end, so that the clip lasts as long as it should.
    const auto& seconds = times->seconds;
    const bool isStill = std::all_of(tracks.nodes.begin(), tracks.nodes.end(),
                                     [&](const NodeTrack& track) { return isConstant(track, times->sample); });
    const std::vector<float> ends{seconds.front(), seconds.back()};
    const std::size_t endTimes = isStill && seconds.size() > 1 ? data.addFloats(ends, "SCALAR", true) : firstTime;
    Json channels = Json::array(), samplers = Json::array();
    for (const NodeTrack& track : tracks.nodes) {
        for (const Path path : {Translation, Rotation, Scale}) {
            const std::size_t components = path == Rotation ? 4 : 3;
            std::vector<float> values = valuesOf(track, path, times->sample);
            for (const float value : values)
                if (!std::isfinite(value))
                    return Error{ErrorCode::InvalidArgument,
                                 std::string("a ") + kPathNames[path] + " is not a finite float number",
                                 "clip " + tracks.name + ", node " + std::to_string(track.node)};
            const bool isOneKey = isConstant(values, components);
            const bool holdsEnd = isOneKey && channels.empty() && endTimes != firstTime;
            if (isOneKey) values.resize(components);
            if (holdsEnd)
                values.insert(values.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components));
            const std::size_t output = data.addFloats(values, path == Rotation ? "VEC4" : "VEC3", false);
            samplers.push_back({{"input", holdsEnd   ? endTimes
                                          : isOneKey ? firstTime
                                                     : allTimes},
                                {"interpolation", track.isStepped[path] ? "STEP" : "LINEAR"},
                                {"output", output}});
            channels.push_back(
                {{"sampler", samplers.size() - 1}, {"target", {{"node", track.node}, {"path", kPathNames[path]}}}});
        }
    }
    for (const WeightTrack& track : tracks.weights) {
        std::vector<float> values;
        for (const std::size_t s : times->sample)
            for (std::size_t t = 0; t < track.targets; ++t)
                values.push_back(static_cast<float>(track.weights[s * track.targets + t]));
        const bool isOneKey = isConstant(values, track.targets);
        if (isOneKey) values.resize(track.targets);
        samplers.push_back({{"input", isOneKey ? firstTime : allTimes},
                            {"interpolation", "LINEAR"},
                            {"output", data.addFloats(values, "SCALAR", false)}});
        channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", track.node}, {"path", "weights"}}}});
    }
    data.endView();
    return Json{{"channels", std::move(channels)}, {"samplers", std::move(samplers)}};
}

} // namespace tendon::gltf
