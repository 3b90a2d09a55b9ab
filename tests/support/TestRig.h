#pragma once

#include "core/scene/Scene.h"

#include <random>
#include <string>

namespace tendon::test {

/// Builds small scenes in a line or two, without operations.
class TestRig
{
public:
    Scene scene;

    JointId joint(const std::string& name, JointId parent, const Vector3& translation)
    {
        Joint joint;
        joint.id = JointId{scene.takeId()};
        joint.name = name;
        joint.parent = parent;
        joint.rest.translation = translation;
        scene.joints.edit().push_back(joint);
        return joint.id;
    }

    /// Adds a chain of `count` joints, each `step` from its parent: name0 (at the origin of `parent`), name1, ...
    std::vector<JointId> chain(const std::string& name, int count, const Vector3& step, JointId parent = {})
    {
        std::vector<JointId> ids;
        for (int i = 0; i < count; ++i) {
            parent = joint(name + std::to_string(i), parent, i == 0 ? Vector3::Zero() : step);
            ids.push_back(parent);
        }
        return ids;
    }

    Joint& edit(JointId id)
    {
        for (Joint& candidate : scene.joints.edit())
            if (candidate.id == id) return candidate;
        std::abort();
    }

    HandleId handle(const std::string& name, JointId start, JointId end, const std::string& solver)
    {
        Handle handle;
        handle.id = HandleId{scene.takeId()};
        handle.name = name;
        handle.start = start;
        handle.end = end;
        handle.solver = solver;
        scene.handles.edit().push_back(handle);
        return handle.id;
    }

    Handle& edit(HandleId id)
    {
        for (Handle& candidate : scene.handles.edit())
            if (candidate.id == id) return candidate;
        std::abort();
    }

    template <typename Tag>
    void set(Id<Tag> target, Property property, const ChannelValue& value)
    {
        scene.statics.edit()[{target.value, property}] = value;
    }

    template <typename Tag>
    void set(Id<Tag> target, Property property, const Vector3& v)
    {
        set(target, property, ChannelValue{v.x(), v.y(), v.z(), 0});
    }

    template <typename Tag>
    void key(Id<Tag> target, Property property, double frame, const ChannelValue& value,
             Interpolation interpolation = Interpolation::Linear)
    {
        if (scene.clips.empty()) {
            Clip made;
            made.id = ClipId{scene.takeId()};
            made.name = "clip";
            scene.clips.push_back(made);
        }
        scene.clips.back().edit().channels[{target.value, property}].edit().insertOrReplace(
            {.time = scene.fps.timeOf(frame), .value = value, .interpolation = interpolation});
    }

    template <typename Tag>
    void key(Id<Tag> target, Property property, double frame, const Vector3& v,
             Interpolation interpolation = Interpolation::Linear)
    {
        key(target, property, frame, ChannelValue{v.x(), v.y(), v.z(), 0}, interpolation);
    }

    [[nodiscard]] const Clip* clip() const { return scene.clips.empty() ? nullptr : &*scene.clips.back(); }
};

inline Quaternion randomRotation(std::mt19937& random)
{
    std::normal_distribution<double> normal;
    Quaternion q(normal(random), normal(random), normal(random), normal(random));
    return q.normalized();
}

inline Vector3 randomVector(std::mt19937& random, double size = 1)
{
    std::uniform_real_distribution<double> number(-size, size);
    const double x = number(random), y = number(random), z = number(random);
    return {x, y, z};
}

inline ChannelValue channelValue(const Quaternion& q) { return {q.x(), q.y(), q.z(), q.w()}; }

} // namespace tendon::test
