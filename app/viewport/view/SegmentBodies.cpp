#include "app/viewport/view/SegmentBodies.h"

#include "core/scene/SegmentMesh.h"

namespace tendon::viewport {
namespace {

const Eigen::Vector4f kLight(0.62f, 0.63f, 0.65f, 1); // linear
const Eigen::Vector4f kDark(0.16f, 0.165f, 0.175f, 1);

} // namespace

Mesh segmentBodies(const CompiledRig& rig)
{
    Mesh bodies;
    for (const Joint& joint : rig.authored) {
        const Mesh segment = segmentMesh(joint.segment);
        if (segment.positions.empty()) continue;
        const auto first = static_cast<std::uint32_t>(bodies.positions.size());
        const auto place = static_cast<std::uint16_t>(bodies.skin.joints.size());
        bodies.skin.joints.push_back(joint.id);
        bodies.skin.jointFromMesh.push_back(Affine::Identity());
        bodies.positions.insert(bodies.positions.end(), segment.positions.begin(), segment.positions.end());
        bodies.normals.insert(bodies.normals.end(), segment.normals.begin(), segment.normals.end());
        bodies.colours.insert(bodies.colours.end(), segment.positions.size(),
                              joint.segment.shape == Segment::Shape::Sphere ? kDark : kLight);
        for (const std::uint32_t index : segment.indices) bodies.indices.push_back(first + index);
        for (std::size_t v = 0; v < segment.positions.size(); ++v) {
            bodies.skin.influenceBegin.push_back(first + static_cast<std::uint32_t>(v));
            bodies.skin.influenceJoint.push_back(place);
            bodies.skin.influenceWeight.push_back(1);
        }
    }
    if (!bodies.positions.empty())
        bodies.skin.influenceBegin.push_back(static_cast<std::uint32_t>(bodies.positions.size()));
    return bodies;
}

Material segmentMaterial()
{
    Material material;
    material.name = "segments";
    material.roughness = 0.5f;
    return material;
}

} // namespace tendon::viewport
