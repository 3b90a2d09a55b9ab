#include "app/viewport/overlay/Picker.h"

#include "app/viewport/view/Picking.h"
#include "app/viewport/view/SegmentBodies.h"
#include "core/runtime/Skinning.h"

#include <algorithm>

namespace tendon::viewport {
namespace {

using editor::SelectionItem;

constexpr double kHandleReach = 14; // [px] hit.handle of the tokens
constexpr double kJointReach = 9;   // [px]
constexpr double kBoneReach = 5;    // [px] least half width of a bone
constexpr double kBoneShare = 0.06; // of its length
constexpr double kArm = 88;         // [px] of the gizmo

struct Nearest
{
    SelectionItem item;
    double distance;

    void offer(const View& view, const Vector3& at, const Vector2& pixel, SelectionItem candidate)
    {
        const View::Projected p = view.project(at);
        if (!p.isInFront) return;
        const double d = (p.pixel - pixel).norm();
        if (d < distance) {
            distance = d;
            item = candidate;
        }
    }
};

} // namespace

SelectionItem Picker::pickRig(const View& view, const editor::FrameResult& frame, const editor::ViewState& state,
                              const Vector2& pixel, double scale)
{
    if (state.showsHandles) {
        Nearest nearest{{}, kHandleReach * scale};
        for (const editor::HandleView& handle : frame.handles) {
            nearest.offer(view, handle.goal, pixel, SelectionItem::of(handle.handle));
            if (handle.pole) nearest.offer(view, *handle.pole, pixel, SelectionItem::poleOf(handle.handle));
        }
        if (nearest.item.isValid()) return nearest.item;
    }
    if (!state.showsJoints) return {};

    const std::vector<Affine>& world = frame.pose.model.modelFromJoint;
    Nearest nearest{{}, kJointReach * scale};
    for (std::size_t i = 0; i < world.size(); ++i) nearest.offer(view, world[i].translation(), pixel, SelectionItem::of(frame.rig->id[i]));
    if (nearest.item.isValid()) return nearest.item;

    const Ray ray = view.ray(pixel);
    std::optional<double> first;
    SelectionItem item;
    for (const Bone& bone : m_bones) {
        const Vector3 from = world[static_cast<std::size_t>(bone.joint)].translation(),
                      to = world[static_cast<std::size_t>(bone.child)].translation();
        const double radius = std::max(kBoneShare * (to - from).norm(), kBoneReach * scale * view.metresPerPixel(0.5 * (from + to)));
        const std::optional<double> distance = rayCapsule(ray, from, to, radius);
        if (!distance || (first && *distance >= *first)) continue;
        first = distance;
        item = SelectionItem::of(frame.rig->id[static_cast<std::size_t>(bone.joint)]);
    }
    return item;
}

SelectionItem Picker::pickMeshes(const View& view, const editor::FrameResult& frame, const Vector2& pixel)
{
    const Ray ray = view.ray(pixel);
    double nearest = 1e300;
    SelectionItem item;
    const auto offer = [&](const Mesh& mesh) {
        const SkinBinding binding = bindSkin(*frame.rig, mesh.skin);
        std::vector<Eigen::Vector3f> positions(mesh.positions.size());
        skinVertices(mesh, binding, frame.pose.model, positions);
        const std::optional<MeshHit> hit = pickMesh(ray, positions, mesh.indices);
        if (!hit || hit->distance >= nearest) return;
        nearest = hit->distance;
        const JointIndex joint = binding.joints[strongestJoint(mesh.skin, hit->vertex)];
        item = joint < 0 ? SelectionItem() : SelectionItem::of(frame.rig->id[static_cast<std::size_t>(joint)]);
    };
    if (frame.scene->model)
        for (const Mesh& mesh : frame.scene->model->meshes) offer(mesh);
    if (!m_bodies.positions.empty()) offer(m_bodies);
    return item;
}

SelectionItem Picker::pick(const View& view, const editor::FramePtr& frame, const editor::ViewState& state, const Vector2& pixel,
                           double scale, bool alsoMeshes)
{
    if (!frame || !frame->rig) return {};
    if (m_rig != frame->rig) {
        m_rig = frame->rig;
        m_bones = bonesOf(*m_rig);
        m_bodies = segmentBodies(*m_rig);
    }
    const SelectionItem item = pickRig(view, *frame, state, pixel, scale);
    return item.isValid() || !alsoMeshes || !state.showsMesh ? item : pickMeshes(view, *frame, pixel);
}

std::vector<SelectionItem> Picker::inside(const View& view, const editor::FramePtr& frame, const editor::ViewState& state,
                                          const Vector2& corner, const Vector2& opposite)
{
    std::vector<SelectionItem> items;
    if (!frame || !frame->rig) return items;
    const Vector2 low = corner.cwiseMin(opposite), high = corner.cwiseMax(opposite);
    const auto offer = [&](const Vector3& at, SelectionItem item) {
        const View::Projected p = view.project(at);
        if (p.isInFront && (p.pixel.array() >= low.array()).all() && (p.pixel.array() <= high.array()).all()) items.push_back(item);
    };
    if (state.showsHandles)
        for (const editor::HandleView& handle : frame->handles) {
            offer(handle.goal, SelectionItem::of(handle.handle));
            if (handle.pole) offer(*handle.pole, SelectionItem::poleOf(handle.handle));
        }
    if (!items.empty() || !state.showsJoints) return items;
    for (std::size_t i = 0; i < frame->rig->jointCount(); ++i)
        offer(frame->pose.model.modelFromJoint[i].translation(), SelectionItem::of(frame->rig->id[i]));
    return items;
}

std::optional<GizmoPlace> gizmoPlace(const View& view, const editor::FrameResult& frame, const SelectionItem& item,
                                     editor::GizmoSpace space, double scale)
{
    if (!frame.rig) return std::nullopt;
    const auto rotationOfJoint = [&](JointIndex joint) {
        return joint < 0 ? Quaternion::Identity() : rotationOf(frame.pose.model.modelFromJoint[static_cast<std::size_t>(joint)]);
    };
    const auto parentOf = [&](JointIndex joint) { return joint < 0 ? -1 : frame.rig->parent[static_cast<std::size_t>(joint)]; };

    Vector3 origin;
    Quaternion local = Quaternion::Identity(), parent = Quaternion::Identity();
    if (item.kind == SelectionItem::Kind::Joint) {
        const JointIndex joint = frame.rig->index(item.joint());
        if (joint < 0) return std::nullopt;
        origin = frame.pose.model.modelFromJoint[static_cast<std::size_t>(joint)].translation();
        local = rotationOfJoint(joint);
        parent = rotationOfJoint(parentOf(joint));
    } else {
        const editor::HandleView* handle = frame.find(item.handle());
        if (handle == nullptr) return std::nullopt;
        const bool isPole = item.kind == SelectionItem::Kind::Pole;
        if (isPole && !handle->pole) return std::nullopt;
        origin = isPole ? *handle->pole : handle->goal;
        if (!isPole) local = handle->goalRotation;
        const Handle* authored = frame.scene->find(handle->handle);
        if (authored != nullptr) parent = rotationOfJoint(frame.rig->index(authored->follow));
    }
    const Quaternion axes = space == editor::GizmoSpace::Local    ? local
                            : space == editor::GizmoSpace::Parent ? parent
                                                                  : Quaternion::Identity();
    return gizmoAt(view, origin, axes, kArm * scale);
}

} // namespace tendon::viewport
