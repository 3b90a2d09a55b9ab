#include "core/io/export/prepare/LengthUnit.h"

namespace tendon {

Scene withLengthsTimes(const Scene& scene, double factor)
{
    Scene scaled = scene;
    std::vector<Joint> joints = scene.joints->toVector();
    for (Joint& joint : joints) {
        joint.rest.translation *= factor;
        joint.segment.size *= factor;
        joint.segment.offset *= factor;
    }
    scaled.joints = std::move(joints);
    if (!scene.model) return scaled;
    auto model = std::make_shared<ModelAsset>(*scene.model);
    const auto single = static_cast<float>(factor);
    for (Mesh& mesh : model->meshes) {
        for (auto& position : mesh.positions) position *= single;
        for (Affine& matrix : mesh.skin.jointFromMesh) matrix.translation() *= factor;
        mesh.skin.worldFromMesh.translation() *= factor;
        for (MorphTarget& target : mesh.morphTargets)
            for (auto& delta : target.positionDeltas) delta *= single;
    }
    for (ModelCamera& camera : model->cameras) multiplyLengths(camera, factor);
    for (ModelLight& light : model->lights) multiplyLengths(light, factor);
    for (ModelEmpty& empty : model->empties) multiplyLengths(empty, factor);
    scaled.model = std::move(model);
    return scaled;
}

BakedClip withLengthsTimes(const BakedClip& clip, double factor)
{
    BakedClip scaled = clip;
    for (LocalTransform& local : scaled.locals) local.translation *= factor;
    return scaled;
}

PreparingStep lengthUnitStep()
{
    return {"length unit", [](Prepared& prepared, const ExportPreset& preset) {
                if (preset.metresPerUnit == 1) return;
                prepared.scene = withLengthsTimes(prepared.scene, 1 / preset.metresPerUnit);
                for (BakedClip& clip : prepared.clips) clip = withLengthsTimes(clip, 1 / preset.metresPerUnit);
            }};
}

} // namespace tendon
