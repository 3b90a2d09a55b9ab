#include "core/scene/ViewSetup.h"

#include "core/scene/Scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tendon {

const SelectionSet* ViewSetup::setNamed(std::string_view name) const
{
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const SelectionSet& s) { return s.name == name; });
    return found == sets.end() ? nullptr : &*found;
}

const CameraBookmark* ViewSetup::bookmarkNamed(std::string_view name) const
{
    const auto found = std::find_if(bookmarks.begin(), bookmarks.end(),
                                    [&](const CameraBookmark& b) { return b.name == name; });
    return found == bookmarks.end() ? nullptr : &*found;
}

Result<void> checkViewCamera(const ViewCamera& camera)
{
    constexpr double kFarthest = 1e6, kQuarter = std::numbers::pi / 2 + 1e-9;
    const auto wrong = [](const char* message, const char* where) {
        return Error{ErrorCode::InvalidArgument, message, where};
    };
    if (!camera.target.allFinite() || camera.target.cwiseAbs().maxCoeff() > kFarthest)
        return wrong("must be within 1 000 000 m of the origin", "target");
    if (!(camera.distance > 0 && camera.distance <= kFarthest))
        return wrong("must be above 0 and at most 1 000 000 m", "distance");
    if (!std::isfinite(camera.yaw) || std::abs(camera.yaw) > kFarthest) return wrong("is too large an angle", "yaw");
    if (!(std::abs(camera.pitch) <= kQuarter)) return wrong("must be from -90 to 90 degrees", "pitch");
    if (!(camera.fieldOfView > 0.01 && camera.fieldOfView < 3))
        return wrong("must be from 1 to 170 degrees", "fieldOfView");
    return {};
}

void forgetInView(Scene& scene, const std::set<ObjectId>& gone)
{
    const auto isGone = [&](ObjectId object) { return gone.count(object) != 0; };
    const auto isNamed = [&](const std::set<ObjectId>& objects) {
        return std::any_of(objects.begin(), objects.end(), isGone);
    };
    const auto isIn = [&](const SelectionSet& set) {
        return std::any_of(set.objects.begin(), set.objects.end(), isGone);
    };
    const ViewSetup& before = *scene.view;
    if (!isNamed(before.hidden) && !isNamed(before.locked) &&
        std::none_of(before.sets.begin(), before.sets.end(), isIn))
        return; // so that it stays shared
    ViewSetup& view = scene.view.edit();
    std::erase_if(view.hidden, isGone);
    std::erase_if(view.locked, isGone);
    for (SelectionSet& set : view.sets) std::erase_if(set.objects, isGone);
    std::erase_if(view.sets, [](const SelectionSet& set) { return set.objects.empty(); });
}

bool isJointHidden(const Scene& scene, JointId joint)
{
    if (scene.view->hidden.empty()) return false;
    for (const Joint* at = scene.find(joint); at != nullptr; at = scene.find(at->parent))
        if (scene.view->hidden.count(at->id.value) != 0) return true;
    return false;
}

std::set<ObjectId> allHidden(const Scene& scene)
{
    std::set<ObjectId> hidden = scene.view->hidden;
    if (hidden.empty()) return hidden;
    for (const ObjectId object : scene.view->hidden)
        if (scene.find(JointId{object}) != nullptr)
            for (const JointId below : subtree(scene, JointId{object})) hidden.insert(below.value);
    return hidden;
}

} // namespace tendon
