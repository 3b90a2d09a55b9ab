#include "core/io/readers/assimp/SceneNodes.h"

#include <algorithm>
#include <cmath>

namespace tendon::assimp {
namespace {

constexpr double kUnstatedTicks = 25; // a second, where a file does not say

/// Keys of one kind of one node: times in ticks.
struct Keys
{
    SourcePath path = SourcePath::Translation;
    std::vector<double> times;
    std::vector<double> values; ///< 3 or 4 (xyzw) a key

    [[nodiscard]] std::size_t width() const { return path == SourcePath::Rotation ? 4 : 3; }
};

Keys keysOf(SourcePath path, const aiVectorKey* keys, unsigned count)
{
    Keys read{path, {}, {}};
    for (unsigned k = 0; k < count; ++k) {
        read.times.push_back(keys[k].mTime);
        const aiVector3D& v = keys[k].mValue;
        read.values.insert(read.values.end(), {v.x, v.y, v.z});
    }
    return read;
}

/// Rotations that are none (of no length) are left out; the others get length 1.
Keys keysOf(const aiQuatKey* keys, unsigned count)
{
    Keys read{SourcePath::Rotation, {}, {}};
    for (unsigned k = 0; k < count; ++k) {
        const aiQuaternion& q = keys[k].mValue;
        const Eigen::Vector4d xyzw(q.x, q.y, q.z, q.w);
        const double norm = xyzw.norm();
        if (norm < 1e-6) continue;
        read.times.push_back(keys[k].mTime);
        for (const double component : xyzw / norm) read.values.push_back(component);
    }
    return read;
}

void sortByTime(Keys& keys)
{
    if (std::is_sorted(keys.times.begin(), keys.times.end())) return;
    std::vector<std::size_t> order(keys.times.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return keys.times[a] < keys.times[b]; });
    Keys sorted{keys.path, {}, {}};
    for (const std::size_t i : order) {
        sorted.times.push_back(keys.times[i]);
        const auto at = keys.values.begin() + static_cast<std::ptrdiff_t>(i * keys.width());
        sorted.values.insert(sorted.values.end(), at, at + static_cast<std::ptrdiff_t>(keys.width()));
    }
    keys = std::move(sorted);
}

/// Files key every joint on every frame whether it moves or not: two keys say the same.
void thinConstant(Keys& keys)
{
    const std::size_t width = keys.width(), count = keys.times.size();
    if (count < 3) return;
    for (std::size_t i = width; i < keys.values.size(); ++i)
        if (keys.values[i] != keys.values[i % width]) return;
    keys.times = {keys.times.front(), keys.times.back()};
    keys.values.resize(2 * width);
}

/// True for scales that only repeat the rest pose: every joint of many files has them.
bool repeatsRestScale(const Keys& keys, const LocalTransform& rest)
{
    if (keys.path != SourcePath::Scale) return false;
    for (std::size_t k = 0; k < keys.times.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            if (std::abs(keys.values[3 * k + static_cast<std::size_t>(axis)] - rest.scale[axis]) >
                1e-5 * std::abs(rest.scale[axis]))
                return false;
    return true;
}

Result<void> append(Keys keys, std::int32_t node, double ticksPerSecond, const std::string& where, SourceModel& model,
                    SourceAnimation& animation)
{
    if (keys.times.empty()) return {};
    const auto isFinite = [](double number) { return std::isfinite(number); };
    if (!std::all_of(keys.times.begin(), keys.times.end(), isFinite) ||
        !std::all_of(keys.values.begin(), keys.values.end(), isFinite))
        return Error{ErrorCode::InvalidArgument, "corrupt file: a key is not finite", where};
    sortByTime(keys);
    if (repeatsRestScale(keys, model.nodes[static_cast<std::size_t>(node)].local)) return {};
    thinConstant(keys);
    for (double& time : keys.times) time /= ticksPerSecond;
    if (std::abs(keys.times.front()) > limits::kLastSecond || std::abs(keys.times.back()) > limits::kLastSecond)
        return Error{ErrorCode::InvalidArgument, "corrupt file: a key is more than 10^6 s away", where};
    animation.channels.push_back(
        {node, keys.path, SourceInterpolation::Linear, std::move(keys.times), std::move(keys.values)});
    return {};
}

} // namespace

Result<void> readAnimations(const aiScene& scene, const SceneNodes& nodes, SourceModel& model)
{
    for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
        const aiAnimation& from = *scene.mAnimations[a];
        SourceAnimation animation;
        animation.name = from.mName.C_Str();
        animation.index = static_cast<std::int32_t>(a);
        const bool statesTicks = std::isfinite(from.mTicksPerSecond) && from.mTicksPerSecond > 0;
        const double ticks = statesTicks ? from.mTicksPerSecond : kUnstatedTicks;
        for (unsigned c = 0; c < from.mNumChannels; ++c) {
            const aiNodeAnim& channel = *from.mChannels[c];
            const std::int32_t node = nodes.find(channel.mNodeName);
            if (node < 0) continue; // it moves nothing that is here
            const std::string where = "animation " + animation.name + ", node " + channel.mNodeName.C_Str();
            for (const Keys& keys :
                 std::vector<Keys>{keysOf(SourcePath::Translation, channel.mPositionKeys, channel.mNumPositionKeys),
                                   keysOf(channel.mRotationKeys, channel.mNumRotationKeys),
                                   keysOf(SourcePath::Scale, channel.mScalingKeys, channel.mNumScalingKeys)})
                if (const auto done = append(keys, node, ticks, where, model, animation); !done) return done.error();
        }
        if (!animation.channels.empty()) model.animations.push_back(std::move(animation));
    }
    return {};
}

} // namespace tendon::assimp
