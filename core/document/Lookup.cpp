#include "core/document/Lookup.h"

#include "core/scene/Check.h"

#include <algorithm>

namespace tendon {
namespace {

/// `"a", "b", "c" and 12 more`, for messages.
template <typename Names>
std::string listed(const Names& names)
{
    constexpr std::size_t kMaxNamed = 8;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMaxNamed; ++i) text += (i == 0 ? "" : ", ") + inQuotes(names[i]);
    if (names.size() > kMaxNamed) text += " and " + std::to_string(names.size() - kMaxNamed) + " more";
    return text;
}

Result<HandleId> handleNamed(const Scene& scene, const std::string& name)
{
    if (const Handle* handle = scene.handleNamed(name)) return handle->id;
    std::vector<std::string> names;
    for (const Handle& handle : *scene.handles) names.push_back(handle.name);
    return Error{ErrorCode::NotFound,
                 "there is no handle called " + inQuotes(name) +
                     (names.empty() ? "; there are no handles yet, add one first" : "; there are " + listed(names)),
                 ""};
}

Result<JointId> jointNamed(const Scene& scene, const std::string& name)
{
    auto found = scene.jointNamed(name);
    if (found || found.error().code != ErrorCode::NotFound) return found;
    std::vector<std::string> names;
    for (const Joint& joint : *scene.joints) names.push_back(joint.name);
    std::string rest = names.empty() ? "; there are no joints yet, import a model or add one first"
                                     : "; there are " + listed(names);
    if (scene.handleNamed(name) != nullptr) rest = ", but a handle of that name";
    return Error{ErrorCode::NotFound, "there is no joint called " + inQuotes(name) + rest, ""};
}

} // namespace

Result<JointId> jointIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    return jointNamed(scene, arguments.text(field));
}

Result<JointId> jointOrNoneIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    if (!arguments.has(field) || arguments.isNull(field)) return JointId{};
    return jointIn(scene, arguments, field);
}

Result<HandleId> handleIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    return handleNamed(scene, arguments.text(field));
}

namespace {

Result<ObjectId> targetNamed(const Scene& scene, const std::string& name)
{
    if (const Handle* handle = scene.handleNamed(name)) return handle->id.value;
    const auto joint = scene.jointNamed(name);
    if (joint) return joint->value;
    if (joint.error().code != ErrorCode::NotFound) return joint.error();
    return Error{ErrorCode::NotFound, "there is no joint or handle called " + inQuotes(name), ""};
}

} // namespace

Result<ObjectId> targetIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    return targetNamed(scene, arguments.text(field));
}

Result<ObjectId> channelOwnerIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    const std::string name = arguments.text(field);
    auto target = targetNamed(scene, name);
    if (target || target.error().code != ErrorCode::NotFound) return target;
    if (const Clip* clip = scene.clipNamed(name)) return clip->id.value;
    return Error{ErrorCode::NotFound, "there is no joint, handle or clip called " + inQuotes(name), ""};
}

Result<Layer> layerIn(const Draft& draft, const Arguments& arguments, ObjectId target)
{
    const bool isOfClip = draft.scene.find(ClipId{target}) != nullptr;
    if (!arguments.has("layer")) return isOfClip ? Layer::Keys : draft.edit.layer;
    const Layer layer = *layerFromName(arguments.text("layer"));
    if (isOfClip && layer == Layer::Corrections)
        return Error{ErrorCode::InvalidArgument,
                     "the weight of the corrections is always keyed itself, never corrected; leave layer out", "layer"};
    return layer;
}

Result<ObjectId> targetOrNoneIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    if (!arguments.has(field) || arguments.isNull(field)) return ObjectId{0};
    return targetIn(scene, arguments, field);
}

Result<std::vector<ObjectId>> targetsIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    std::vector<ObjectId> targets;
    for (const std::string& name : arguments.names(field)) {
        const auto target = targetNamed(scene, name);
        if (!target) return target.error();
        if (std::find(targets.begin(), targets.end(), *target) == targets.end()) targets.push_back(*target);
    }
    return targets;
}

Result<ClipId> clipIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    const std::string name = arguments.text(field);
    if (const Clip* clip = scene.clipNamed(name)) return clip->id;
    std::vector<std::string> names;
    for (const auto& clip : scene.clips) names.push_back(clip->name);
    return Error{ErrorCode::NotFound,
                 "there is no clip called " + inQuotes(name) +
                     (names.empty() ? "; there are no clips yet, add one first" : "; there are " + listed(names)),
                 ""};
}

Result<std::vector<JointId>> jointsIn(const Scene& scene, const Arguments& arguments, const char* field)
{
    std::vector<JointId> joints;
    if (!arguments.has(field)) {
        for (const Joint& joint : *scene.joints) joints.push_back(joint.id);
        return joints;
    }
    for (const std::string& name : arguments.names(field)) {
        const auto joint = jointNamed(scene, name);
        if (!joint) return joint.error();
        if (std::find(joints.begin(), joints.end(), *joint) == joints.end()) joints.push_back(*joint);
    }
    return joints;
}

Result<std::vector<Property>> channelsIn(const Scene& scene, ObjectId target, const Arguments& arguments)
{
    std::vector<Property> channels;
    const auto add = [&](Property p) {
        if (std::find(channels.begin(), channels.end(), p) == channels.end()) channels.push_back(p);
    };
    const bool isJoint = scene.find(JointId{target}) != nullptr;
    if (scene.find(ClipId{target}) != nullptr) {
        for (const std::string& name : arguments.names("channels"))
            if (name != propertyName(Property::Weight))
                return Error{ErrorCode::InvalidArgument,
                             "the clip " + inQuotes(nameOf(scene, target)) + " has no channel " + inQuotes(name) +
                                 "; it has weight, that of its corrections",
                             "channels"};
        if (arguments.has("channels")) add(Property::Weight);
        return channels;
    }
    for (const std::string& name : arguments.names("channels")) {
        if (name == "translation" && isJoint) {
            for (const Property p : {Property::Tx, Property::Ty, Property::Tz}) add(p);
        } else if (name == "angles" && isJoint) {
            for (const Property p : {Property::Rx, Property::Ry, Property::Rz}) add(p);
        } else if (name == "scale" && isJoint) {
            for (const Property p : {Property::Sx, Property::Sy, Property::Sz}) add(p);
        } else if (name == "curve" && !isJoint) {
            for (int i = 0; i < scene.find(HandleId{target})->curvePoints; ++i) add(curvePoint(i));
        } else if (name == "goal" && !isJoint) {
            for (const Property p : {Property::GoalPosition, Property::GoalRotation}) add(p);
        } else {
            const auto property = propertyFromName(name);
            if (!property || belongsToJoint(*property) != isJoint)
                return Error{ErrorCode::InvalidArgument,
                             inQuotes(nameOf(scene, target)) + " has no channel " + inQuotes(name) + "; it has " +
                                 (isJoint ? "tx ty tz rx ry rz sx sy sz rotation"
                                          : "goal.position goal.rotation pole twist blend weight roll space "
                                            "pole.space, and curve.0, curve.1 "
                                            "... if it follows a curve"),
                             "channels"};
            add(*property);
        }
    }
    return channels;
}

} // namespace tendon
