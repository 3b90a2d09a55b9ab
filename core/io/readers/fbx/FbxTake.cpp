#include "core/io/readers/fbx/FbxTake.h"

#include "core/io/formats/fbx/FbxTime.h"
#include "core/math/Degrees.h"

#include <algorithm>
#include <cmath>

namespace tendon::fbx {
namespace {

constexpr double kSameMoment = 1e-6;           ///< [s]
constexpr double kStraight = 1e-6;             ///< of a length or a turn: what counts as lying on a straight line
constexpr std::size_t kMaxSamples = 2'000'000; ///< a node

Vector3 blended(const Vector3& from, const Vector3& to, double share) { return from + share * (to - from); }

Vector3 powered(const Vector3& scale, double exponent)
{
    return scale.unaryExpr([exponent](double s) { return std::copysign(std::pow(std::abs(s), exponent), s); });
}

bool areNear(const LocalTransform& a, const LocalTransform& b)
{
    const double size = std::max({1e-3, a.translation.cwiseAbs().maxCoeff(), b.translation.cwiseAbs().maxCoeff()});
    return (a.translation - b.translation).cwiseAbs().maxCoeff() <= kStraight * size &&
           a.rotation.angularDistance(b.rotation) <= kStraight &&
           (a.scale - b.scale).cwiseAbs().maxCoeff() <= kStraight;
}

LocalTransform between(const LocalTransform& a, const LocalTransform& b, double share)
{
    return {blended(a.translation, b.translation, share), a.rotation.slerp(share, b.rotation),
            blended(a.scale, b.scale, share)};
}

void sortMoments(std::vector<double>& times)
{
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end(), [](double a, double b) { return b - a < kSameMoment; }),
                times.end());
}

void thinStill(SourceChannel& channel, std::size_t width)
{
    if (channel.times.size() < 3) return;
    for (std::size_t i = width; i < channel.values.size(); ++i)
        if (channel.values[i] != channel.values[i % width]) return;
    channel.times = {channel.times.front(), channel.times.back()};
    channel.values.resize(2 * width);
}

} // namespace

Take::Take(const Document& document, const Object& stack, const TakeTargets& targets)
    : m_targets(targets), m_name(stack.name)
{
    for (const auto& layer : document.below(stack.id, "AnimationLayer")) readLayer(document, *layer.object);
    findSpan(stack);
    findMoments();
    findMoved();
}

/// What hangs below an animated scale and does not take it on as matrices do moves against its parent.
void Take::findMoved()
{
    for (std::size_t n = 0; n < m_targets.parents.size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        std::int32_t at = m_targets.parents[n];
        for (; at >= 0; at = m_targets.parents[static_cast<std::size_t>(at)])
            if (const auto tracks = m_nodes.find(at); tracks != m_nodes.end() && !tracks->second[kScale].empty()) break;
        if (at >= 0 && feelsScales(node)) m_nodes.try_emplace(node);
    }
}

void Take::readLayer(const Document& document, const Object& layer)
{
    if (layer.choice("Mute", 0) != 0) return;
    Layer read;
    read.weight = layer.number("Weight", 100) / 100;
    const int mode = layer.choice("BlendMode", 0); // 0 adds, 1 overrides, 2 overrides and lets through
    read.adds = mode == 0;
    read.replaces = mode == 1;
    read.turnsMultiply = layer.choice("RotationAccumulationMode", 0) == 0;
    read.scalesMultiply = layer.choice("ScaleAccumulationMode", 0) == 0;
    if (m_layers.empty()) read.replaces = true, read.adds = false;
    m_layers.push_back(read);
    for (const auto& [curveNode, unused] : document.below(layer.id, "AnimationCurveNode"))
        for (const auto& [target, property] : document.above(curveNode->id)) {
            if (property == "Weight" && target->id == layer.id)
                for (const auto& [curve, axis] : document.below(curveNode->id, "AnimationCurve"))
                    if (Curve weight(*curve); !weight.isEmpty() && m_layers.back().weights.empty())
                        m_layers.back().weights.push_back(std::move(weight));
            if (property == "DeformPercent") {
                if (m_targets.morphsOf.contains(target->id))
                    addCurves(document, *curveNode, m_morphs[target->id], Vector3::Zero());
                continue;
            }
            const auto node = m_targets.nodeOf.find(target->id);
            const Path path = property == "Lcl Translation" ? kTranslation
                              : property == "Lcl Rotation"  ? kRotation
                              : property == "Lcl Scaling"   ? kScale
                                                            : kPaths;
            if (node == m_targets.nodeOf.end() || path == kPaths) continue;
            const Moving& rest = m_targets.shapes[static_cast<std::size_t>(node->second)].rest();
            addCurves(document, *curveNode, m_nodes[node->second][path],
                      path == kTranslation ? rest.translation
                      : path == kRotation  ? rest.degrees
                                           : rest.scale);
        }
}

void Take::addCurves(const Document& document, const Object& curveNode, Track& track, const Vector3& rest) const
{
    LayerTrack added;
    added.layer = m_layers.size() - 1;
    added.still = {curveNode.number("d|X", rest[0]), curveNode.number("d|Y", rest[1]),
                   curveNode.number("d|Z", rest[2])};
    if (const double percent = curveNode.number("d|DeformPercent", HUGE_VAL); std::isfinite(percent))
        added.still[0] = percent;
    for (const auto& [object, property] : document.below(curveNode.id, "AnimationCurve")) {
        const std::size_t axis = property.ends_with("|Y") ? 1 : property.ends_with("|Z") ? 2 : 0;
        Curve curve(*object);
        if (!curve.isEmpty() && added.curves[axis].empty()) added.curves[axis].push_back(std::move(curve));
    }
    track.push_back(std::move(added));
}

void Take::findSpan(const Object& stack)
{
    double first = HUGE_VAL, last = -HUGE_VAL;
    bool moves = false, goesOn = false;
    const auto include = [&](const Track& track) {
        for (const LayerTrack& layer : track)
            for (const auto& axis : layer.curves)
                for (const Curve& curve : axis) {
                    first = std::min(first, curve.timeOf(0));
                    last = std::max(last, curve.timeOf(curve.size() - 1));
                    moves = moves || curve.size() > 1;
                    goesOn = goesOn || (curve.goesOn() && curve.size() > 1);
                }
    };
    for (const auto& [node, tracks] : m_nodes)
        for (const Track& track : tracks) include(track);
    for (const auto& [channel, track] : m_morphs) include(track);
    m_begin = static_cast<double>(stack.time("LocalStart", 0)) / kTicksPerSecond;
    m_end = static_cast<double>(stack.time("LocalStop", 0)) / kTicksPerSecond;
    const bool isStated = m_end > m_begin && std::max(std::abs(m_begin), std::abs(m_end)) < limits::kLastSecond;
    m_hasCurves = first <= last;
    if (!m_hasCurves) first = last = 0;
    if (!isStated)
        m_begin = first, m_end = last;
    else if (moves && first < m_end && last > m_begin) {
        if (first < m_begin - kSameMoment || last > m_end + kSameMoment)
            m_issues.push_back({Severity::Info, "keys beyond its span are left out", "animation " + m_name});
        m_begin = std::max(m_begin, first), m_end = std::min(m_end, last);
    }
    if (goesOn)
        m_issues.push_back(
            {Severity::Warning,
             "curves that go on beyond their keys, in cycles for example, hold their first and last value "
             "there; bake the animation before exporting it to FBX",
             "animation " + m_name});
}

double Take::weightOf(const Layer& layer, double time) const
{
    return layer.weights.empty() ? layer.weight : layer.weights[0].at(time) / 100;
}

void Take::findMoments()
{
    for (const auto& [node, tracks] : m_nodes)
        for (const Track& track : tracks) addKeyTimes(track, m_moments);
    for (const auto& [channel, track] : m_morphs) addKeyTimes(track, m_moments);
    const double rate = m_targets.framesPerSecond;
    for (double frame = std::ceil(m_begin * rate); frame / rate < m_end && m_moments.size() < kMaxSamples; ++frame)
        m_moments.push_back(frame / rate);
    sortMoments(m_moments);
}

Vector3 Take::valueAt(const Track& track, Path path, const Vector3& rest, RotationOrder order, double time) const
{
    Vector3 result = rest;
    for (const LayerTrack& part : track) {
        Vector3 value = part.still;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!part.curves[axis].empty()) value[static_cast<Eigen::Index>(axis)] = part.curves[axis][0].at(time);
        const Layer& layer = m_layers[part.layer];
        const double weight = weightOf(layer, time);
        const bool turns = path == kRotation && layer.turnsMultiply, scales = path == kScale && layer.scalesMultiply;
        if (layer.replaces) {
            result = value;
        } else if (turns) {
            const Quaternion under = rotationFromAngles(result / kDegrees, order);
            const Quaternion over = rotationFromAngles(value / kDegrees, order);
            const Quaternion both = layer.adds ? Quaternion(under * Quaternion::Identity().slerp(weight, over))
                                               : under.slerp(weight, over);
            result = anglesFromRotation(both, order, result / kDegrees) * kDegrees;
        } else if (scales) {
            result = (layer.adds ? result : powered(result, 1 - weight)).cwiseProduct(powered(value, weight));
        } else {
            result = layer.adds ? Vector3(result + weight * value) : blended(result, value, weight);
        }
    }
    return result;
}

LocalTransform Take::ownAt(std::int32_t node, double time) const
{
    const NodeShape& shape = m_targets.shapes[static_cast<std::size_t>(node)];
    Moving moving = shape.rest();
    if (const auto tracks = m_nodes.find(node); tracks != m_nodes.end()) {
        moving.translation = valueAt(tracks->second[kTranslation], kTranslation, moving.translation, shape.order(),
                                     time);
        moving.degrees = valueAt(tracks->second[kRotation], kRotation, moving.degrees, shape.order(), time);
        moving.scale = valueAt(tracks->second[kScale], kScale, moving.scale, shape.order(), time);
    }
    return shape.local(moving);
}

Take::Standing Take::standingAt(std::int32_t node, double time) const
{
    const auto n = static_cast<std::size_t>(node);
    Standing standing{.own = ownAt(node, time), .above = {}, .world = {}};
    Vector3 parentScale = Vector3::Ones();
    if (const std::int32_t parent = m_targets.parents[n]; parent >= 0) {
        const Standing up = standingAt(parent, time);
        standing.above = up.world;
        parentScale = up.own.scale;
    }
    standing.world = worldScaleOf(standing.above, parentScale, standing.own, m_targets.shapes[n].inheritance());
    return standing;
}

bool Take::feelsScales(std::int32_t node) const
{
    if (m_targets.isSplit(node)) return true;
    if (m_targets.shapes[static_cast<std::size_t>(node)].inheritance() == ScaleInheritance::AsMatrices) return false;
    for (std::int32_t at = m_targets.parents[static_cast<std::size_t>(node)]; at >= 0;
         at = m_targets.parents[static_cast<std::size_t>(at)]) {
        const auto tracks = m_nodes.find(at);
        if (tracks != m_nodes.end() && !tracks->second[kScale].empty()) return true;
        if (m_targets.shapes[static_cast<std::size_t>(at)].rest().scale != Vector3::Ones()) return true;
    }
    return false;
}

LocalTransform Take::localAt(std::int32_t node, double time, bool& isExact) const
{
    if (m_targets.isSplit(node)) return splitAt(node, time, isExact).node;
    if (!feelsScales(node)) return ownAt(node, time);
    const Standing standing = standingAt(node, time);
    bool isExactNow = true;
    const LocalTransform local = asMatricesMultiply(standing.above, standing.world, standing.own, isExactNow);
    isExact = isExact && isExactNow;
    return local;
}

SplitTransform Take::splitAt(std::int32_t node, double time, bool& isExact) const
{
    const Standing standing = standingAt(node, time);
    const std::int32_t whole = m_targets.wholeAbove(node);
    const double even = whole < 0 ? 1 : evenScaleOf(standingAt(whole, time).world);
    const bool isParentSplit = m_targets.isSplit(m_targets.parents[static_cast<std::size_t>(node)]);
    bool isExactNow = true;
    const SplitTransform split = splitTransform(standing.above, isParentSplit, standing.world, standing.own, even,
                                                isExactNow);
    isExact = isExact && isExactNow;
    return split;
}

void Take::addKeyTimes(const Track& track, std::vector<double>& times) const
{
    const auto add = [&](const Curve& curve) {
        for (std::size_t k = 0; k < curve.size(); ++k)
            if (curve.timeOf(k) > m_begin && curve.timeOf(k) < m_end) times.push_back(curve.timeOf(k));
    };
    for (const LayerTrack& layer : track) {
        for (const Curve& weight : m_layers[layer.layer].weights) add(weight);
        for (const auto& axis : layer.curves)
            for (const Curve& curve : axis) add(curve);
    }
}

/// Both ends of the take, every key between, and every frame between two keys where the way is not straight.
std::vector<double> Take::timesOf(std::int32_t node, const NodeTracks& tracks, bool& isStepped) const
{
    std::vector<double> keys{m_begin};
    bool hasSteps = false, hasStillCurves = false;
    isStepped = std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return !track.empty(); });
    for (const Track& track : tracks) {
        addKeyTimes(track, keys);
        for (const LayerTrack& layer : track) {
            isStepped = isStepped && m_layers[layer.layer].weights.empty();
            for (const auto& axis : layer.curves)
                for (const Curve& curve : axis) {
                    const bool holds = curve.isHeld() || curve.size() == 1;
                    hasSteps = hasSteps || holds;
                    hasStillCurves = hasStillCurves || (!holds && curve.isConstant());
                    isStepped = isStepped && (holds || curve.isConstant());
                }
        }
    }
    isStepped = isStepped && (hasSteps || !hasStillCurves);
    if (feelsScales(node)) {
        isStepped = false;
        for (std::int32_t at = node; at >= 0; at = m_targets.parents[static_cast<std::size_t>(at)])
            if (const auto above = m_nodes.find(at); above != m_nodes.end()) addKeyTimes(above->second[kScale], keys);
    }
    if (m_end > m_begin) keys.push_back(m_end);
    sortMoments(keys);
    if (isStepped) return keys;
    std::vector<double> times;
    bool unused = true;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        times.push_back(keys[k]);
        if (k + 1 == keys.size()) continue;
        const LocalTransform from = localAt(node, keys[k], unused), to = localAt(node, keys[k + 1], unused);
        const bool isStraight = std::ranges::all_of(std::array{0.25, 0.5, 0.8}, [&](double share) {
            return areNear(between(from, to, share), localAt(node, keys[k] + share * (keys[k + 1] - keys[k]), unused));
        });
        if (isStraight) continue;
        const auto first = std::upper_bound(m_moments.begin(), m_moments.end(), keys[k] + kSameMoment);
        const auto last = std::lower_bound(first, m_moments.end(), keys[k + 1] - kSameMoment);
        times.insert(times.end(), first, last);
    }
    return times;
}

void Take::replayNode(std::int32_t node, const NodeTracks& tracks, SourceAnimation& animation, bool& isExact) const
{
    bool isStepped = false;
    const std::vector<double> times = timesOf(node, tracks, isStepped);
    const auto how = isStepped ? SourceInterpolation::Step : SourceInterpolation::Linear;
    SourceChannel translation{node, SourcePath::Translation, how, times, {}};
    SourceChannel rotation{node, SourcePath::Rotation, how, times, {}};
    SourceChannel scale{node, SourcePath::Scale, how, times, {}};
    for (const double time : times) {
        const LocalTransform local = localAt(node, time, isExact);
        for (Eigen::Index i = 0; i < 3; ++i) translation.values.push_back(local.translation[i]);
        for (Eigen::Index i = 0; i < 4; ++i) rotation.values.push_back(local.rotation.coeffs()[i]);
        for (Eigen::Index i = 0; i < 3; ++i) scale.values.push_back(local.scale[i]);
    }
    // Many files key the scale of every joint and never mean it.
    const auto n = static_cast<std::size_t>(node);
    const Vector3 rest = m_targets.bound[n] ? m_targets.bound[n]->scale : m_targets.shapes[n].rest().scale;
    const bool scales = feelsScales(node) || [&] {
        for (std::size_t i = 0; i < scale.values.size(); ++i) {
            const double meant = rest[static_cast<Eigen::Index>(i % 3)];
            if (std::abs(scale.values[i] - meant) > 1e-5 * std::abs(meant)) return true;
        }
        return false;
    }();
    thinStill(translation, 3), thinStill(rotation, 4), thinStill(scale, 3);
    animation.channels.push_back(std::move(translation));
    animation.channels.push_back(std::move(rotation));
    if (scales) animation.channels.push_back(std::move(scale));
    if (m_targets.isSplit(node)) replayLeaf(node, times, animation);
}

void Take::replayLeaf(std::int32_t node, const std::vector<double>& times, SourceAnimation& animation) const
{
    const std::int32_t leaf = m_targets.leafOf[static_cast<std::size_t>(node)];
    SourceChannel rotation{leaf, SourcePath::Rotation, SourceInterpolation::Linear, times, {}};
    SourceChannel scale{leaf, SourcePath::Scale, SourceInterpolation::Linear, times, {}};
    bool isExact = true;
    for (const double time : times) {
        const LocalTransform local = splitAt(node, time, isExact).leaf;
        for (Eigen::Index i = 0; i < 4; ++i) rotation.values.push_back(local.rotation.coeffs()[i]);
        for (Eigen::Index i = 0; i < 3; ++i) scale.values.push_back(local.scale[i]);
    }
    thinStill(rotation, 4), thinStill(scale, 3);
    animation.channels.push_back(std::move(rotation));
    animation.channels.push_back(std::move(scale));
}

void Take::replayMorphs(SourceAnimation& animation) const
{
    for (const auto& [channel, track] : m_morphs) {
        std::vector<double> times = m_moments; // a percentage rarely runs straight for long and costs little
        times.push_back(m_begin);
        times.push_back(m_end);
        sortMoments(times);
        const auto [from, to] = m_targets.morphsOf.equal_range(channel);
        for (auto morph = from; morph != to; ++morph) {
            MorphCurve read{morph->second.node, morph->second.target, times, {}};
            for (const double time : times)
                read.weights.push_back(
                    morph->second.weightAt(valueAt(track, kTranslation, Vector3::Zero(), RotationOrder::XYZ, time)[0]));
            animation.morphs.push_back(std::move(read));
        }
    }
}

std::int32_t TakeTargets::wholeAbove(std::int32_t node) const
{
    do node = parents[static_cast<std::size_t>(node)];
    while (isSplit(node));
    return node;
}

double TakeTargets::Morph::weightAt(double percent) const
{
    const double own = fullAt[place], before = place == 0 ? 0 : fullAt[place - 1];
    double weight = own == before ? 0 : (percent - before) / (own - before);
    if (place > 0) weight = std::max(weight, 0.0);
    if (place + 1 < fullAt.size() && weight > 1)
        weight = std::max(0.0, 1 - (percent - own) / (fullAt[place + 1] - own));
    return weight;
}

SourceAnimation Take::replay(std::vector<std::int32_t>& sheared) const
{
    SourceAnimation animation;
    animation.name = m_name;
    if (!m_hasCurves) return animation;
    for (const auto& [node, tracks] : m_nodes) {
        bool isExact = true;
        replayNode(node, tracks, animation, isExact);
        if (!isExact) sheared.push_back(node);
    }
    // What stands still does so where it was saved, which is not where it rests.
    for (std::size_t n = 0; n < m_targets.bound.size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        bool isExact = true;
        if (m_targets.bound[n] && !m_nodes.contains(node)) replayNode(node, {}, animation, isExact);
    }
    replayMorphs(animation);
    return animation;
}

} // namespace tendon::fbx
