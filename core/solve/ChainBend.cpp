#include "core/solve/ChainBend.h"

namespace tendon {

ChainBend chainBend(const CompiledRig& rig, const ModelPose& model, JointIndex start, JointIndex end,
                    const Vector3& offset)
{
    const auto positionOf = [&](JointIndex joint) -> Vector3 {
        return model.modelFromJoint[static_cast<std::size_t>(joint)].translation();
    };
    ChainBend bend;
    bend.start = positionOf(start);
    bend.end = model.modelFromJoint[static_cast<std::size_t>(end)] * offset;
    bend.reach = (bend.end - positionOf(end)).norm();
    Vector3 sum = Vector3::Zero();
    int inner = 0;
    for (JointIndex joint = end; joint != start && joint >= 0; joint = rig.parent[static_cast<std::size_t>(joint)]) {
        const JointIndex parent = rig.parent[static_cast<std::size_t>(joint)];
        bend.reach += (positionOf(joint) - positionOf(parent)).norm();
        if (joint == end) continue;
        sum += positionOf(joint) - bend.start;
        ++inner;
    }
    const Vector3 span = bend.end - bend.start;
    if (inner == 0 || !(span.norm() > 0)) return bend;
    const Vector3 along = span.normalized(), mean = sum / inner;
    const Vector3 across = mean - mean.dot(along) * along;
    if (across.norm() > 1e-6 * bend.reach) bend.direction = across.normalized();
    return bend;
}

} // namespace tendon
