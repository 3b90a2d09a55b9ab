#include "core/io/export/prepare/SteppedPaths.h"

#include <algorithm>

namespace tendon {

namespace {

bool isDriven(const Scene& scene, JointId joint)
{
    return std::any_of(scene.handles->begin(), scene.handles->end(), [&](const Handle& handle) {
        const auto joints = chain(scene, handle.start, handle.end);
        return std::find(joints.begin(), joints.end(), joint) != joints.end();
    });
}

bool isStepped(const Clip& clip, JointId joint, std::initializer_list<Property> properties)
{
    bool hasKeys = false;
    for (const Property property : properties) {
        const KeyList* keys = clip.find({joint.value, property});
        if (keys == nullptr) continue;
        hasKeys = true;
        const auto isHeld = [](Infinity infinity) {
            return infinity == Infinity::Constant || infinity == Infinity::Linear; // a step goes on level
        };
        if (!isHeld(keys->before()) || !isHeld(keys->after())) return false;
        for (std::size_t i = 0; i < keys->size(); ++i)
            if ((*keys)[i].interpolation != Interpolation::Step) return false;
    }
    return hasKeys;
}

} // namespace

std::array<bool, 3> steppedPaths(const Scene& scene, const BakedClip& clip, JointId joint)
{
    const Clip* authored = scene.clipNamed(clip.name);
    if (authored == nullptr) return {};
    const std::array<bool, 3> stepped{
        isStepped(*authored, joint, {Property::Tx, Property::Ty, Property::Tz}),
        isStepped(*authored, joint, {Property::Rotation, Property::Rx, Property::Ry, Property::Rz}),
        isStepped(*authored, joint, {Property::Sx, Property::Sy, Property::Sz})};
    const bool isAny = stepped[0] || stepped[1] || stepped[2]; // few are: only those are looked for in all chains
    return isAny && !isDriven(scene, joint) ? stepped : std::array<bool, 3>{};
}

} // namespace tendon
