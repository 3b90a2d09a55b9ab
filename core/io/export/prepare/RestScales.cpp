#include "core/io/export/prepare/RestScales.h"

#include <cmath>
#include <optional>
#include <unordered_map>

namespace tendon {
namespace {

constexpr double kEven = 1e-6; ///< share by which the axes may differ: the last digits of a float

/// The even scale of a transform that is to be taken out; 1 when there is none.
double evenScale(const Vector3& scale)
{
    const double mean = scale.mean();
    const bool isUsable = std::isfinite(mean) && mean > 1e-12 &&
                          (scale.array() - mean).abs().maxCoeff() <= kEven * mean;
    return isUsable && std::abs(mean - 1) > kEven ? mean : 1;
}

/// Per joint the product of the even scales at rest from its root down to itself.
std::unordered_map<std::uint64_t, double> factorsOf(const ObjectList<Joint>& joints)
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

bool isUneven(const Vector3& scale)
{
    return (scale.array() - scale.mean()).abs().maxCoeff() > kEven * scale.cwiseAbs().maxCoeff();
}

/// How much a joint was scaled when the mesh was bound that hangs on it by `jointFromMesh`; nothing when it was sheared
/// or flat.
std::optional<Vector3> bindScale(const Affine& jointFromMesh)
{
    const Eigen::Matrix3d linear = jointFromMesh.linear().inverse();
    const Vector3 scale = linear.colwise().norm().transpose();
    if (!scale.allFinite() || scale.minCoeff() < kFlat) return std::nullopt;
    const Eigen::Matrix3d rotation = linear * scale.cwiseInverse().asDiagonal();
    if (!(rotation.transpose() * rotation).isApprox(Eigen::Matrix3d::Identity(), kEven)) return std::nullopt;
    return scale;
}

/// Of the ends of chains what is to be taken out of their scale: of those that skins bind the scale they were bound
/// with, of others that at rest; 1 where there is none, 0 where they are flat.
std::unordered_map<std::uint64_t, Vector3> endScales(const Scene& scene)
{
    std::unordered_map<std::uint64_t, Vector3> scales;
    for (const Joint& joint : *scene.joints)
        if (joint.segment.shape == Segment::Shape::None && (joint.rest.scale.array() >= 0).all()) {
            const bool isFlat = joint.rest.scale.minCoeff() < kFlat;
            scales[joint.id.value] = isFlat                       ? Vector3(Vector3::Zero())
                                     : isUneven(joint.rest.scale) ? joint.rest.scale
                                                                  : Vector3(Vector3::Ones());
        }
    for (const Joint& joint : *scene.joints) scales.erase(joint.parent.value);
    if (!scene.model) return scales;
    for (const Mesh& mesh : scene.model->meshes)
        for (std::size_t k = 0; !mesh.skin.isRigid() && k < mesh.skin.joints.size(); ++k)
            if (const auto end = scales.find(mesh.skin.joints[k].value); end != scales.end() && !end->second.isZero()) {
                const auto scale = bindScale(mesh.skin.jointFromMesh[k]);
                end->second = scale && isUneven(*scale) ? *scale : Vector3(Vector3::Ones());
            }
    return scales;
}

} // namespace

Rescaled withoutEndScales(Scene scene, std::vector<BakedClip> clips)
{
    auto scales = endScales(scene);
    std::erase_if(scales, [](const auto& end) { return end.second == Vector3::Ones(); });
    if (scales.empty()) return {std::move(scene), std::move(clips)};

    std::vector<Joint> joints = scene.joints->toVector();
    for (Joint& joint : joints)
        if (const auto end = scales.find(joint.id.value); end != scales.end())
            joint.rest.scale = end->second.isZero() || !clips.empty()
                                   ? Vector3(Vector3::Ones())
                                   : Vector3(joint.rest.scale.cwiseQuotient(end->second));
    scene.joints = std::move(joints);
    std::erase_if(scales, [](const auto& end) { return end.second.isZero(); });
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
        for (Mount* mount : mountsOf(model))
            if (const auto end = scales.find(mount->joint.value); end != scales.end())
                mount->jointFromMount = withoutScale(Eigen::Scaling(end->second) * mount->jointFromMount);
        scene.model = std::make_shared<const ModelAsset>(std::move(model));
    }
    return {std::move(scene), std::move(clips)};
}

Rescaled withoutRestScales(Scene scene, std::vector<BakedClip> clips)
{
    const auto factors = factorsOf(*scene.joints);
    bool isNeeded = false;
    for (const auto& [joint, factor] : factors) isNeeded = isNeeded || factor != 1;
    if (!isNeeded) return {std::move(scene), std::move(clips)};

    std::unordered_map<std::uint64_t, double> above;
    std::vector<Joint> joints = scene.joints->toVector();
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
                mesh.skin.jointFromMesh[k] = Eigen::Scaling(factors.at(mesh.skin.joints[k].value)) *
                                             mesh.skin.jointFromMesh[k];
        for (Mount* mount : mountsOf(model))
            if (const auto factor = factors.find(mount->joint.value); factor != factors.end())
                mount->jointFromMount.translation() *= factor->second;
        scene.model = std::make_shared<const ModelAsset>(std::move(model));
    }
    return {std::move(scene), std::move(clips)};
}

} // namespace tendon
