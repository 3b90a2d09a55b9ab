#include "core/io/RestScales.h"

#include <cmath>
#include <unordered_map>

namespace tendon {
namespace {

constexpr double kEven = 1e-6; ///< share by which the axes may differ: the last digits of a float

/// The even scale of a transform that is to be taken out; 1 when there is none.
double evenScale(const Vector3& scale)
{
    const double mean = scale.mean();
    const bool isUsable = std::isfinite(mean) && mean > 1e-12 && (scale.array() - mean).abs().maxCoeff() <= kEven * mean;
    return isUsable && std::abs(mean - 1) > kEven ? mean : 1;
}

/// Per joint the product of the even scales at rest from its root down to itself.
std::unordered_map<std::uint64_t, double> factorsOf(const std::vector<Joint>& joints)
{
    std::unordered_map<std::uint64_t, const Joint*> byId;
    for (const Joint& joint : joints) byId[joint.id.value] = &joint;
    std::unordered_map<std::uint64_t, double> factors;
    std::vector<const Joint*> path;
    for (const Joint& joint : joints) {
        // Parents need not come first: climb to what is known, then come down again.
        const Joint* at = &joint;
        for (; at != nullptr && !factors.contains(at->id.value);
             at = at->parent.isValid() ? byId.at(at->parent.value) : nullptr)
            path.push_back(at);
        double factor = at == nullptr ? 1 : factors.at(at->id.value);
        for (; !path.empty(); path.pop_back())
            factors[path.back()->id.value] = factor *= evenScale(path.back()->rest.scale);
    }
    return factors;
}

/// The local transform when the space above is `above` times larger and the joint's own `own` times.
void rescale(LocalTransform& local, double above, double own)
{
    local.translation *= above;
    if (own != above) local.scale *= above / own;
}

constexpr double kFlat = 1e-6; ///< what is scaled to less cannot be scaled back

/// What the ends of chains scale by unevenly at rest goes into what is bound to them: below them nothing would be sheared. An
/// end that is flat at rest is not so in the file, where its clips say it.
Rescaled withoutEndScales(Scene scene, std::vector<BakedClip> clips)
{
    std::unordered_map<std::uint64_t, Vector3> scales; // of the ends that change
    for (const Joint& joint : *scene.joints)
        if (joint.rest.scale != Vector3::Ones() && joint.segment.shape == Segment::Shape::None && (joint.rest.scale.array() >= 0).all())
            scales[joint.id.value] = joint.rest.scale;
    for (const Joint& joint : *scene.joints) scales.erase(joint.parent.value);
    if (scales.empty()) return {std::move(scene), std::move(clips)};

    std::vector<Joint> joints(scene.joints->begin(), scene.joints->end());
    for (Joint& joint : joints)
        if (scales.contains(joint.id.value)) joint.rest.scale.setOnes();
    scene.joints = std::move(joints);
    std::erase_if(scales, [](const auto& end) { return end.second.minCoeff() < kFlat; });
    for (BakedClip& clip : clips)
        for (std::size_t i = 0; i < clip.locals.size(); ++i)
            if (const auto end = scales.find(clip.joints[i % clip.joints.size()].value); end != scales.end())
                clip.locals[i].scale = clip.locals[i].scale.cwiseQuotient(end->second);
    if (scene.model) {
        ModelAsset model = *scene.model;
        for (Mesh& mesh : model.meshes)
            for (std::size_t k = 0; k < mesh.skin.joints.size(); ++k)
                if (const auto end = scales.find(mesh.skin.joints[k].value); end != scales.end())
                    mesh.skin.jointFromMesh[k] = Eigen::Scaling(end->second) * mesh.skin.jointFromMesh[k];
        scene.model = std::make_shared<const ModelAsset>(std::move(model));
    }
    return {std::move(scene), std::move(clips)};
}

} // namespace

Rescaled withoutRestScales(Scene scene, std::vector<BakedClip> clips)
{
    const auto factors = factorsOf(*scene.joints);
    bool isNeeded = false;
    for (const auto& [joint, factor] : factors) isNeeded = isNeeded || factor != 1;
    if (!isNeeded) return withoutEndScales(std::move(scene), std::move(clips));

    std::unordered_map<std::uint64_t, double> above;
    std::vector<Joint> joints(scene.joints->begin(), scene.joints->end());
    for (Joint& joint : joints) {
        const double own = factors.at(joint.id.value);
        above[joint.id.value] = joint.parent.isValid() ? factors.at(joint.parent.value) : 1;
        rescale(joint.rest, above[joint.id.value], own);
        joint.segment.size *= own;
        joint.segment.offset *= own;
    }
    scene.joints = std::move(joints);
    for (BakedClip& clip : clips)
        for (std::size_t i = 0; i < clip.locals.size(); ++i) {
            const std::uint64_t joint = clip.joints[i % clip.joints.size()].value;
            rescale(clip.locals[i], above.at(joint), factors.at(joint));
        }
    if (scene.model) {
        ModelAsset model = *scene.model;
        for (Mesh& mesh : model.meshes)
            for (std::size_t k = 0; k < mesh.skin.joints.size(); ++k)
                mesh.skin.jointFromMesh[k] =
                    Eigen::Scaling(factors.at(mesh.skin.joints[k].value)) * mesh.skin.jointFromMesh[k];
        scene.model = std::make_shared<const ModelAsset>(std::move(model));
    }
    return withoutEndScales(std::move(scene), std::move(clips));
}

} // namespace tendon
