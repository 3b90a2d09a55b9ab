#include "core/scene/Scene.h"

#include <algorithm>
#include <numbers>
#include <unordered_map>

namespace tendon {
namespace {

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

const Joint* Scene::find(JointId id) const { return id.isValid() ? joints->find(id) : nullptr; }
const Handle* Scene::find(HandleId id) const { return id.isValid() ? handles->find(id) : nullptr; }

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
    const auto places = handles->placesNamed(name);
    return places.empty() ? nullptr : &(*handles)[places.front()];
}

Result<JointId> Scene::jointNamed(std::string_view nameOrPath) const
{
    std::vector<std::size_t> places = joints->placesNamed(nameOrPath);
    if (places.empty()) // the end of a path; names of imported joints may hold a '/' themselves
        for (auto slash = nameOrPath.find('/'); slash != std::string_view::npos;
             slash = nameOrPath.find('/', slash + 1))
            for (const std::size_t place : joints->placesNamed(nameOrPath.substr(slash + 1)))
                if (("/" + pathOf(*this, (*joints)[place])).ends_with("/" + std::string(nameOrPath)))
                    places.push_back(place);
    const std::string quoted = "\"" + std::string(nameOrPath) + "\"";
    if (places.empty())
        return Error{ErrorCode::NotFound, "there is no joint " + quoted + "; `tendon info` lists the joints", ""};
    if (places.size() > 1)
        return Error{ErrorCode::InvalidArgument,
                     "several joints are called " + quoted + "; name one by its path, such as parent/" +
                         std::string(nameOrPath),
                     ""};
    return (*joints)[places.front()].id;
}

ChannelValue Scene::staticValue(ChannelId channel) const
{
    if (const auto stored = statics->find(channel); stored != statics->end()) return stored->second;
    if (const Joint* joint = find(JointId{channel.target})) return defaultOf(*joint, channel.property);
    if (const Handle* handle = find(HandleId{channel.target}); handle != nullptr && isSpace(channel.property))
        return {static_cast<double>(channel.property == Property::Space ? handle->follow : handle->poleFollow)};
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
    const ObjectList<Joint>& joints = *scene.joints;
    if (std::none_of(joints.begin(), joints.end(), [&](const Joint& each) { return each.parent == joint; }))
        return {joint};
    std::unordered_multimap<JointId, JointId> children;
    for (const Joint& each : *scene.joints) children.emplace(each.parent, each.id);
    std::vector<JointId> found{joint};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t first = found.size();
        const auto [begin, end] = children.equal_range(found[i]);
        for (auto child = begin; child != end; ++child) found.push_back(child->second);
        std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                  [&](JointId a, JointId b) { return scene.joints->placeOf(a) < scene.joints->placeOf(b); });
    }
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
