#include "core/solve/PoseTurn.h"

#include <algorithm>

namespace tendon {

PoseTurn largestTurn(const LocalPose& from, const LocalPose& to, std::span<const JointIndex> joints)
{
    PoseTurn largest;
    for (const JointIndex joint : joints) {
        const double angle = from.joints[at(joint)].rotation.angularDistance(to.joints[at(joint)].rotation);
        if (largest.joint < 0 || angle > largest.angle) largest = {angle, joint};
    }
    return largest;
}

std::vector<JointIndex> chainOf(const CompiledRig& rig, const Handle& handle)
{
    std::vector<JointIndex> chain;
    const JointIndex start = rig.index(handle.start);
    for (JointIndex joint = rig.index(handle.end); joint >= 0; joint = rig.parent[at(joint)]) {
        chain.push_back(joint);
        if (joint == start) break;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace tendon
