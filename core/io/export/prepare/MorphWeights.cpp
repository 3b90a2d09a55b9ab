#include "core/io/export/prepare/MorphWeights.h"

#include <algorithm>

namespace tendon {
namespace {

double weightAt(const MorphCurve& curve, double seconds)
{
    const auto after = std::upper_bound(curve.times.begin(), curve.times.end(), seconds);
    if (after == curve.times.begin()) return curve.weights.front();
    if (after == curve.times.end()) return curve.weights.back();
    const auto k = static_cast<std::size_t>(after - curve.times.begin());
    const double share = (seconds - curve.times[k - 1]) / (curve.times[k] - curve.times[k - 1]);
    return curve.weights[k - 1] + share * (curve.weights[k] - curve.weights[k - 1]);
}

} // namespace

std::vector<double> morphWeights(const ModelAsset& model, std::size_t mesh, const BakedClip& clip)
{
    const std::vector<MorphTarget>& targets = model.meshes[mesh].morphTargets;
    const auto animation = std::find_if(
        model.morphAnimations.begin(), model.morphAnimations.end(), [&](const MorphAnimation& morphs) {
            return clip.sourceAnimation >= 0 && morphs.sourceAnimation == clip.sourceAnimation;
        });
    std::vector<double> weights;
    if (animation == model.morphAnimations.end()) return weights;
    for (const MorphCurve& curve : animation->curves) {
        if (curve.mesh != static_cast<std::int32_t>(mesh)) continue;
        for (std::size_t s = 0; weights.empty() && s < clip.times.size(); ++s)
            for (const MorphTarget& target : targets) weights.push_back(static_cast<double>(target.restWeight));
        weights.resize(clip.times.size() * targets.size());
        for (std::size_t s = 0; s < clip.times.size(); ++s)
            weights[s * targets.size() + static_cast<std::size_t>(curve.target)] = weightAt(curve,
                                                                                            clip.times[s].seconds());
    }
    return weights;
}

} // namespace tendon
