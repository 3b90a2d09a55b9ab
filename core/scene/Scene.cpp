#include "core/scene/Scene.h"

#include <algorithm>
#include <numbers>

namespace tendon {
namespace {

template <typename Objects, typename IdType>
auto findById(const Objects& objects, IdType id) -> decltype(&*objects.begin())
{
    const auto found = std::find_if(objects.begin(), objects.end(),
                                    [id](const auto& object) { return object.id == id; });
    return found == objects.end() ? nullptr : &*found;
}

std::string pathOf(const Scene& scene, const Joint& joint)
{
    std::string path = joint.name;
    for (const Joint* at = scene.find(joint.parent); at != nullptr; at = scene.find(at->parent))
        path = at->name + "/" + path;
    return path;
}

ChannelValue defaultOf(const Joint& joint, Property property)
{
    const int p = static_cast<int>(property);
    if (property <= Property::Tz) return {joint.rest.translation[p]};
    if (property <= Property::Rz) return {0};
    if (property <= Property::Sz) return {joint.rest.scale[p - static_cast<int>(Property::Sx)]};
    const auto& q = joint.rest.rotation.coeffs();
    return {q[0], q[1], q[2], q[3]};
}

} // namespace

double Segment::volume() const
{
    constexpr double kPi = std::numbers::pi;
    switch (shape) {
    case Shape::None: return 0;
    case Shape::Box: return size.x() * size.y() * size.z();
    case Shape::Cylinder: return kPi * size.x() * size.x() * size.y();
    case Shape::Sphere: return 4.0 / 3.0 * kPi * size.x() * size.x() * size.x();
    case Shape::Torus: return 2 * kPi * kPi * size.x() * size.y() * size.y();
    case Shape::Cone: return kPi / 3 * size.x() * size.x() * size.y();
    }
    return 0;
}

const Joint* Scene::find(JointId id) const { return id.isValid() ? findById(*joints, id) : nullptr; }
const Handle* Scene::find(HandleId id) const { return id.isValid() ? findById(*handles, id) : nullptr; }

const Clip* Scene::find(ClipId id) const
{
    for (const auto& clip : clips)
        if (clip->id == id) return &*clip;
    return nullptr;
}

const Clip* Scene::clipNamed(std::string_view name) const
{
    for (const auto& clip : clips)
        if (clip->name == name) return &*clip;
    return nullptr;
}

const Handle* Scene::handleNamed(std::string_view name) const
{
    for (const Handle& handle : *handles)
        if (handle.name == name) return &handle;
    return nullptr;
}

Result<JointId> Scene::jointNamed(std::string_view nameOrPath) const
{
    const Joint* found = nullptr;
    int count = 0;
    for (const Joint& joint : *joints)
        if (joint.name == nameOrPath) {
            found = &joint;
            ++count;
        }
    if (count == 0 && nameOrPath.find('/') != std::string_view::npos) {
        for (const Joint& joint : *joints) {
            const std::string path = pathOf(*this, joint);
            const bool isWhole = path == nameOrPath;
            const bool isTail = path.size() > nameOrPath.size() && path.ends_with(nameOrPath) &&
                                path[path.size() - nameOrPath.size() - 1] == '/';
            if (isWhole || isTail) {
                found = &joint;
                ++count;
            }
        }
    }
    const std::string quoted = "\"" + std::string(nameOrPath) + "\"";
    if (count == 0)
        return Error{ErrorCode::NotFound, "there is no joint " + quoted + "; `tendon info` lists the joints", ""};
    if (count > 1)
        return Error{ErrorCode::InvalidArgument,
                     "several joints are called " + quoted + "; name one by its path, such as parent/" +
                         std::string(nameOrPath),
                     ""};
    return found->id;
}

ChannelValue Scene::staticValue(ChannelId channel) const
{
    if (const auto stored = statics->find(channel); stored != statics->end()) return stored->second;
    if (const Joint* joint = find(JointId{channel.target})) return defaultOf(*joint, channel.property);
    switch (channel.property) {
    case Property::Blend:
    case Property::Weight: return {1};
    case Property::GoalRotation: return {0, 0, 0, 1};
    default: return {};
    }
}

bool isAncestor(const Scene& scene, JointId ancestor, JointId joint)
{
    const Joint* at = scene.find(joint);
    while (at != nullptr && at->parent.isValid()) {
        if (at->parent == ancestor) return true;
        at = scene.find(at->parent);
    }
    return false;
}

std::vector<JointId> subtree(const Scene& scene, JointId joint)
{
    std::vector<JointId> found{joint};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const Joint& candidate : *scene.joints)
            if (candidate.parent == found[i]) found.push_back(candidate.id);
    return found;
}

std::vector<JointId> chain(const Scene& scene, JointId start, JointId end)
{
    std::vector<JointId> ids;
    for (const Joint* at = scene.find(end); at != nullptr; at = scene.find(at->parent)) {
        ids.push_back(at->id);
        if (at->id == start) {
            std::reverse(ids.begin(), ids.end());
            return ids;
        }
    }
    return {};
}

} // namespace tendon
