#include "core/io/readers/gltf/Parts.h"
#include "core/math/Interpolate.h"

#include <cmath>
#include <set>

namespace tendon::gltf {
namespace {

struct Sampler
{
    std::size_t input = 0, output = 0;
    SourceInterpolation interpolation = SourceInterpolation::Linear;
};

std::vector<Sampler> readSamplers(const Fields& animation, const Asset& asset)
{
    std::vector<Sampler> samplers;
    for (const Json& json : animation.objects("samplers")) {
        const Fields fields = animation.inside(json, "sampler " + std::to_string(samplers.size()));
        Sampler sampler;
        const std::int64_t input = fields.index("input", asset.accessors.size(), true);
        const std::int64_t output = fields.index("output", asset.accessors.size(), true);
        const std::string interpolation = fields.text("interpolation");
        if (interpolation == "STEP")
            sampler.interpolation = SourceInterpolation::Step;
        else if (interpolation == "CUBICSPLINE")
            sampler.interpolation = SourceInterpolation::Cubic;
        else if (!interpolation.empty() && interpolation != "LINEAR")
            fields.fail("invalid \"interpolation\"");
        if (fields.problem()) return {};
        sampler.input = static_cast<std::size_t>(input);
        sampler.output = static_cast<std::size_t>(output);
        samplers.push_back(sampler);
    }
    return samplers;
}

/// The key times, checked: scalars, finite, not falling, within reach.
std::vector<double> readTimes(const Fields& channel, const Asset& asset, std::size_t input)
{
    const Accessor& accessor = asset.accessors[input];
    if (accessor.components != 1 || accessor.type != ComponentType::Float) {
        channel.fail("the key times are not scalar floats");
        return {};
    }
    const auto numbers = readFloats(asset, input);
    if (!numbers) {
        channel.problem().set(numbers.error());
        return {};
    }
    std::vector<double> times(numbers->begin(), numbers->end());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (std::abs(times[i]) > limits::kLastSecond)
            channel.fail("key " + std::to_string(i) + " is more than 10^6 s away");
        if (i > 0 && times[i] < times[i - 1])
            channel.fail("the time of key " + std::to_string(i) + " is before that of the previous key");
        if (channel.problem()) return {};
    }
    return times;
}

void normaliseRotations(const Fields& channel, const std::string& place, SourceChannel& keys, Issues& issues)
{
    const std::size_t perKey = keys.interpolation == SourceInterpolation::Cubic ? 12 : 4;
    const std::size_t offset = perKey == 12 ? 4 : 0;
    bool isFar = false;
    for (std::size_t k = 0; k < keys.times.size(); ++k) {
        double* key = keys.values.data() + k * perKey;
        const double norm = std::sqrt(key[offset] * key[offset] + key[offset + 1] * key[offset + 1] +
                                      key[offset + 2] * key[offset + 2] + key[offset + 3] * key[offset + 3]);
        if (!(norm > 1e-6)) return channel.fail("the rotation of key " + std::to_string(k) + " is zero");
        isFar = isFar || std::abs(norm - 1) > 1e-2;
        for (std::size_t i = 0; i < perKey; ++i) key[i] /= norm; // slopes go along, so that the curve keeps its shape
    }
    if (isFar)
        issues.push_back({Severity::Warning, "rotation keys were not unit quaternions; they were normalised", place});
}

SourceChannel readChannel(const Fields& channel, const std::string& place, const Asset& asset, const Sampler& sampler,
                          SourcePath path, Issues& issues)
{
    SourceChannel keys;
    keys.path = path;
    keys.interpolation = sampler.interpolation;
    keys.times = readTimes(channel, asset, sampler.input);
    const int components = path == SourcePath::Rotation ? 4 : 3;
    const Accessor& output = asset.accessors[sampler.output];
    const bool isFraction = output.isNormalised && output.type != ComponentType::UnsignedInt;
    if (output.components != components || (output.type != ComponentType::Float && !isFraction))
        channel.fail("the key values have the wrong type");
    const std::size_t perKey = sampler.interpolation == SourceInterpolation::Cubic ? 3 : 1;
    if (!channel.problem() && output.count != keys.times.size() * perKey)
        channel.fail("has " + std::to_string(output.count) + " values for " + std::to_string(keys.times.size()) +
                     " keys");
    if (channel.problem()) return keys;
    const auto values = readFloats(asset, sampler.output);
    if (!values) {
        channel.problem().set(values.error());
        return keys;
    }
    keys.values.assign(values->begin(), values->end());
    if (path == SourcePath::Rotation) normaliseRotations(channel, place, keys, issues);
    return keys;
}

/// The weights of all morph targets of a node's mesh, target by target; `mesh` is the node. Straight
/// pieces: steps stand at one time twice, cubics are cut so fine that no frame sees it.
std::vector<MorphCurve> readWeights(const Fields& channel, const Asset& asset, const Sampler& sampler,
                                    std::int32_t node)
{
    constexpr double kPiecesPerSecond = 240, kMaxPieces = 256;
    const std::vector<double> times = readTimes(channel, asset, sampler.input);
    const auto values = channel.problem() ? readFloats(asset, sampler.input) : readFloats(asset, sampler.output);
    if (channel.problem() || !values || times.empty()) return {};
    const bool isCubic = sampler.interpolation == SourceInterpolation::Cubic;
    const std::size_t perKey = values->size() / times.size(), targets = isCubic ? perKey / 3 : perKey;
    if (targets * (isCubic ? 3 : 1) * times.size() != values->size()) return {}; // the patcher keeps what is odd
    std::vector<MorphCurve> curves(targets);
    for (std::size_t t = 0; t < targets; ++t) {
        MorphCurve& curve = curves[t];
        curve.mesh = node;
        curve.target = static_cast<std::int32_t>(t);
        const auto at = [&](std::size_t key, std::size_t part) {
            return static_cast<double>((*values)[key * perKey + part * targets + t]);
        };
        const auto add = [&](double time, double weight) {
            curve.times.push_back(time), curve.weights.push_back(weight);
        };
        for (std::size_t k = 0; k < times.size(); ++k) {
            if (k > 0 && sampler.interpolation == SourceInterpolation::Step) add(times[k], curve.weights.back());
            const double span = k > 0 && isCubic ? times[k] - times[k - 1] : 0;
            const double pieces = std::min(std::ceil(span * kPiecesPerSecond), kMaxPieces);
            for (double p = 1; p < pieces; ++p)
                add(times[k - 1] + span * p / pieces,
                    hermite(at(k - 1, 1), at(k - 1, 2), at(k, 1), at(k, 0), span, p / pieces));
            add(times[k], at(k, isCubic ? 1 : 0));
        }
    }
    return curves;
}

std::optional<SourcePath> pathNamed(const std::string& name)
{
    if (name == "translation") return SourcePath::Translation;
    if (name == "rotation") return SourcePath::Rotation;
    if (name == "scale") return SourcePath::Scale;
    return std::nullopt;
}

SourceAnimation readAnimation(const Fields& fields, const Asset& asset, std::size_t& keyCount, SourceModel& model)
{
    SourceAnimation animation;
    animation.name = fields.text("name");
    const std::vector<Sampler> samplers = readSamplers(fields, asset);
    std::set<std::pair<std::int64_t, SourcePath>> taken;
    const Json& channels = fields.objects("channels");
    for (std::size_t c = 0; c < channels.size() && !fields.problem(); ++c) {
        const Fields channel = fields.inside(channels[c], "channel " + std::to_string(c));
        const std::int64_t sampler = channel.index("sampler", samplers.size(), true);
        const Json* targetJson = channel.object("target", true);
        if (fields.problem()) break;
        const Fields target = channel.inside(*targetJson, "target");
        const std::int64_t node = target.index("node", model.nodes.size());
        const std::string pathName = target.text("path", true);
        const auto path = pathNamed(pathName);
        if (!path && pathName != "weights" && pathName != "pointer") target.fail("\"path\" is none that glTF has");
        if (fields.problem()) break;
        if (node >= 0 && pathName == "weights") {
            auto morphs = readWeights(channel, asset, samplers[static_cast<std::size_t>(sampler)],
                                      static_cast<std::int32_t>(node));
            for (MorphCurve& curve : morphs)
                keyCount += curve.times.size(), animation.morphs.push_back(std::move(curve));
        }
        if (node < 0 || !path) continue; // a channel without a node drives nothing
        if (!taken.insert({node, *path}).second) {
            model.issues.push_back(
                {Severity::Warning, "a second channel for the same target was left out", channel.place()});
            continue;
        }
        SourceChannel keys = readChannel(channel, channel.place(), asset, samplers[static_cast<std::size_t>(sampler)],
                                         *path, model.issues);
        keys.node = static_cast<std::int32_t>(node);
        keyCount += keys.times.size();
        animation.channels.push_back(std::move(keys));
        if (keyCount > limits::kKeys) break;
    }
    if (keyCount > limits::kKeys)
        fields.problem().set(
            Error{ErrorCode::LimitExceeded, "it has more than " + std::to_string(limits::kKeys) + " keys", ""});
    return animation;
}

} // namespace

void readAnimations(const Fields& root, const Asset& asset, SourceModel& model)
{
    std::size_t keyCount = 0;
    const Json& animations = root.objects("animations");
    for (std::size_t a = 0; a < animations.size() && !root.problem(); ++a) {
        const Fields fields = root.inside(animations[a], "animation " + std::to_string(a));
        SourceAnimation animation = readAnimation(fields, asset, keyCount, model);
        animation.index = static_cast<std::int32_t>(a);
        if (animation.channels.empty() && animation.morphs.empty())
            model.issues.push_back({Severity::Info, "drives no joint and stays as it is in the file", fields.place()});
        else
            model.animations.push_back(std::move(animation));
    }
}

} // namespace tendon::gltf
