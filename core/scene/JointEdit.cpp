#include "core/scene/JointEdit.h"

#include "core/scene/Check.h"
#include "core/scene/FollowSpace.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <set>

namespace tendon {
namespace {

/// Precondition: the scene has a joint with this id.
void replace(Scene& scene, Joint joint)
{
    const std::size_t place = scene.joints->placeOf(joint.id);
    scene.joints.edit().replace(place, std::move(joint));
}

void replace(Scene& scene, Handle handle)
{
    const std::size_t place = scene.handles->placeOf(handle.id);
    scene.handles.edit().replace(place, std::move(handle));
}

Error noSuchJoint() { return {ErrorCode::NotFound, "there is no such joint", ""}; }

/// Binds what is skinned to `gone` to `heir`, as both stand in the rest pose; cameras, lights and empties hang on it
/// too, or stand in the world if there is none.
Result<std::shared_ptr<const ModelAsset>> rebind(const Scene& scene, const std::set<JointId>& gone, JointId heir)
{
    const auto isGone = [&](JointId id) { return gone.count(id) != 0; };
    const auto carries = [&](const Mesh& mesh) {
        return std::any_of(mesh.skin.joints.begin(), mesh.skin.joints.end(), isGone);
    };
    const auto isMountGone = [&](const auto& mounted) { return isGone(mounted.mount.joint); };
    if (scene.model == nullptr) return scene.model;
    const auto& meshes = scene.model->meshes;
    const auto& cameras = scene.model->cameras;
    const auto& lights = scene.model->lights;
    const auto& empties = scene.model->empties;
    const auto carried = std::find_if(meshes.begin(), meshes.end(), carries);
    if (carried == meshes.end() && std::none_of(cameras.begin(), cameras.end(), isMountGone) &&
        std::none_of(lights.begin(), lights.end(), isMountGone) &&
        std::none_of(empties.begin(), empties.end(), isMountGone))
        return scene.model;
    if (carried != meshes.end() && !heir.isValid())
        return Error{ErrorCode::InvalidArgument,
                     "the mesh " + inQuotes(carried->name) +
                         " is bound to it, and it has no parent that could take the mesh; "
                         "delete a joint further down, or start a new project",
                     ""};

    auto next = std::make_shared<ModelAsset>(*scene.model);
    const Affine heirFromWorld = heir.isValid() ? worldInRestPose(scene, heir).inverse() : Affine::Identity();
    for (Mesh& mesh : next->meshes)
        for (std::size_t k = 0; k < mesh.skin.joints.size(); ++k)
            if (isGone(mesh.skin.joints[k])) {
                const Affine heirFromGone = heirFromWorld * worldInRestPose(scene, mesh.skin.joints[k]);
                if (k < mesh.skin.jointFromMesh.size())
                    mesh.skin.jointFromMesh[k] = heirFromGone * mesh.skin.jointFromMesh[k];
                mesh.skin.joints[k] = heir;
            }
    for (Mount* mount : mountsOf(*next))
        if (isGone(mount->joint))
            *mount = {heir, withoutScale(heirFromWorld * worldInRestPose(scene, mount->joint) * mount->jointFromMount)};
    return std::shared_ptr<const ModelAsset>(std::move(next));
}

/// A role that loses its last joint is no longer decided.
void forgetRoles(RoleMap& roles, const std::set<JointId>& gone)
{
    for (auto role = roles.begin(); role != roles.end();) {
        const std::size_t lost = std::erase_if(role->second, [&](JointId id) { return gone.count(id) != 0; });
        role = lost != 0 && role->second.empty() ? roles.erase(role) : std::next(role);
    }
}

} // namespace

Result<Scene> addJoint(Scene scene, Joint joint)
{
    if (const auto free = checkNameIsFree(scene, joint.name, 0); !free) return free.error();
    if (const auto fits = checkJoint(joint); !fits) return fits.error();
    if (joint.parent.isValid() && scene.find(joint.parent) == nullptr)
        return Error{ErrorCode::NotFound, "the parent joint is not there", joint.name};
    joint.id = JointId{scene.takeId()};
    scene.joints.edit().push_back(std::move(joint));
    return scene;
}

Result<Scene> removeJoint(Scene scene, JointId joint)
{
    const Joint* found = scene.find(joint);
    if (found == nullptr) return noSuchJoint();
    const std::vector<JointId> below = subtree(scene, joint);
    const std::set<JointId> gone(below.begin(), below.end());

    auto model = rebind(scene, gone, found->parent);
    if (!model) return model.error();
    scene.model = *model;

    std::set<ObjectId> objects;
    for (const JointId id : gone) objects.insert(id.value);
    for (const Handle& handle : *scene.handles)
        if (gone.count(handle.start) != 0 || gone.count(handle.end) != 0) objects.insert(handle.id.value);

    releaseFollowers(scene, objects);
    if (std::any_of(scene.handles->begin(), scene.handles->end(),
                    [&](const Handle& h) { return objects.count(h.id.value) != 0; }))
        erase_if(scene.handles.edit(), [&](const Handle& h) { return objects.count(h.id.value) != 0; });
    std::vector<std::size_t> places;
    for (const JointId id : gone) places.push_back(scene.joints->placeOf(id));
    std::sort(places.begin(), places.end());
    scene.joints.edit().erase(places);
    removeChannelsOf(scene, objects);
    forgetInView(scene, objects);
    if (std::any_of(gone.begin(), gone.end(), [&](JointId id) { return !roleOf(*scene.roles, id).empty(); }))
        forgetRoles(scene.roles.edit(), gone);
    return scene;
}

Result<Scene> rename(Scene scene, ObjectId object, const std::string& to)
{
    if (const auto free = checkNameIsFree(scene, to, object); !free) return free.error();
    const auto renamed = [&](auto named) {
        named.name = to;
        replace(scene, std::move(named));
        return scene;
    };
    if (const Joint* joint = scene.find(JointId{object})) return renamed(*joint);
    if (const Handle* handle = scene.find(HandleId{object})) return renamed(*handle);
    return Error{ErrorCode::NotFound, "there is no such joint or handle", ""};
}

Result<Scene> changeJoint(Scene scene, const Joint& changed)
{
    const Joint* found = scene.find(changed.id);
    if (found == nullptr) return noSuchJoint();
    if (found->name != changed.name || found->parent != changed.parent)
        return Error{ErrorCode::Internal, "changeJoint neither renames nor links", changed.name};
    if (const auto fits = checkJoint(changed); !fits) return fits.error();
    replace(scene, changed);
    return scene;
}

namespace {

/// Takes sliding ranges along into another parent's space, where its axes are parallel to the old ones.
void moveSlidingRanges(Joint& joint, const Affine& newFromOld)
{
    const std::array<AxisFreedom, 3> before = joint.sliding;
    const bool hasRanges = std::any_of(before.begin(), before.end(),
                                       [](const AxisFreedom& a) { return a != AxisFreedom{}; });
    if (!hasRanges) return;
    std::array<AxisFreedom, 3> after{};
    const Eigen::Matrix3d axes = newFromOld.linear();
    for (int column = 0; column < 3; ++column) {
        int row = 0;
        axes.col(column).cwiseAbs().maxCoeff(&row);
        const double factor = axes(row, column);
        if ((axes.col(column) - factor * Vector3::Unit(row)).norm() > 1e-9 * std::abs(factor))
            return; // not parallel: as typed
        const auto along = [&](double value) { return factor * value + newFromOld.translation()[row]; };
        AxisFreedom moved = before[static_cast<std::size_t>(column)];
        if (moved.limited) {
            moved.from = along(moved.from);
            moved.to = along(moved.to);
        }
        if (moved.springBack) moved.springBack = along(*moved.springBack);
        after[static_cast<std::size_t>(row)] = moved;
    }
    joint.sliding = after;
}

} // namespace

Result<Scene> link(Scene scene, JointId joint, JointId parent, const std::optional<ChangeOfSpace>& change)
{
    const Joint* found = scene.find(joint);
    if (found == nullptr) return noSuchJoint();
    const Joint before = *found;
    if (parent.isValid() && scene.find(parent) == nullptr)
        return Error{ErrorCode::NotFound, "the parent joint is not there", ""};
    if (joint == parent || isAncestor(scene, joint, parent))
        return Error{ErrorCode::InvalidArgument,
                     inQuotes(before.name) + " cannot hang on " + inQuotes(nameOf(scene, parent.value)) +
                         ", which is " + (joint == parent ? "itself" : "below it") + "; link the other one first",
                     ""};
    if (parent == before.parent) return scene;

    const Affine restChange = worldInRestPose(scene, parent).inverse() * worldInRestPose(scene, before.parent);
    const ChangeOfSpace staticChange = change ? *change
                                              : changeOfSpace(worldInStaticPose(scene, parent),
                                                              worldInStaticPose(scene, before.parent));
    if (!restChange.matrix().allFinite() || !staticChange.isFinite())
        return Error{ErrorCode::InvalidArgument,
                     "the parent " + inQuotes(nameOf(scene, parent.value)) +
                         " is scaled to nothing, so nothing can keep its place under it",
                     ""};
    Joint after = before;
    after.parent = parent;
    after.rest = decompose(restChange * before.rest.parentFromJoint());
    moveSlidingRanges(after, restChange);
    if (const auto fits = checkJoint(after); !fits) return fits.error();
    const LocalTransform posed = decompose(staticChange.newFromOld * staticPose(scene, before).local.parentFromJoint());
    replace(scene, after);
    poseStatically(scene, after, posed);
    for (const Handle& handle : scene.handles->toVector())
        if (handle.start == joint && handle.isCarried()) moveCarried(scene, handle, staticChange);

    for (const Handle& handle : *scene.handles)
        if (const auto fits = checkHandle(scene, handle); !fits)
            return Error{ErrorCode::InvalidArgument,
                         "the handle " + inQuotes(handle.name) + " runs through " + inQuotes(before.name) +
                             " and would be torn apart; remove it first, or link a joint above its start",
                         ""};
    if (const auto fits = checkFollowing(scene); !fits) return fits.error();
    return scene;
}

Result<Scene> insertParent(Scene scene, JointId joint, const std::string& name)
{
    const Joint* found = scene.find(joint);
    if (found == nullptr) return noSuchJoint();
    const Joint before = *found;

    // The dummy has the axes of the old parent, so that all that changes for the joint is the origin it counts from.
    Joint dummy;
    dummy.name = name;
    dummy.parent = before.parent;
    dummy.rest.translation = before.rest.translation;
    auto added = addJoint(std::move(scene), dummy);
    if (!added) return added.error();
    Scene next = std::move(*added);
    dummy = next.joints->back();

    Affine dummyFromParent = Affine::Identity();
    dummyFromParent.translation() = -before.rest.translation;
    Joint after = before;
    after.parent = dummy.id;
    after.rest.translation.setZero();
    moveSlidingRanges(after, dummyFromParent);
    replace(next, after);
    shiftTranslations(next, joint, dummyFromParent.translation());
    for (const Handle& handle : next.handles->toVector())
        if (handle.start == joint && handle.isCarried())
            moveCarried(next, handle, {dummyFromParent, Quaternion::Identity()});

    // The dummy stands where the joint stood in the author's order: parents first reads best.
    std::vector<Joint> joints = next.joints->toVector();
    std::rotate(joints.begin() + static_cast<std::ptrdiff_t>(next.joints->placeOf(joint)), joints.end() - 1,
                joints.end());
    next.joints = std::move(joints);
    return next;
}

} // namespace tendon
