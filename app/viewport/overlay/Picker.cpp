#include "app/viewport/overlay/Picker.h"

#include "app/editor/HandleControls.h"
#include "app/viewport/view/Picking.h"
#include "app/viewport/view/SegmentBodies.h"
#include "core/runtime/Skinning.h"

#include <algorithm>

namespace tendon::viewport {
namespace {

using editor::SelectionItem;

constexpr double kHandleReach = 14; // [px] hit.handle of the tokens
constexpr double kHardlyNearer = 5; // [px] what is selected wins over what is nearer by no more than this
constexpr double kJointReach = 9;   // [px]
constexpr double kJointDot = 3.25;  // [px] radius that most joints are drawn with
constexpr double kCurveReach = 7;   // [px]
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

SelectionItem Picker::pickControl(const View& view, const PickedScene& scene, const Vector2& pixel)
{
    Nearest selected{{}, kHandleReach * scene.scale}, other = selected;
    if (!scene.frame || !scene.frame->rig || !scene.state.showsHandles) return {};
    for (const editor::HandleView& handle : scene.frame->handles) {
        if (!scene.visibility.isPickable(handle.handle)) continue;
        const bool isSelected = scene.selection.containsObject(handle.handle.value);
        for (const editor::HandleControl& control : controlsOf(handle))
            if (isSelected || control.item.kind != SelectionItem::Kind::Pole) // else it is not drawn
                (isSelected ? selected : other).offer(view, control.place, pixel, control.item);
    }
    const bool isOtherNearer = other.distance < selected.distance - kHardlyNearer * scene.scale;
    return selected.item.isValid() && !isOtherNearer ? selected.item : other.item;
}

SelectionItem Picker::pickRig(const View& view, const PickedScene& scene, const Vector2& pixel, bool alsoMeshes)
{
    if (!scene.frame || !scene.frame->rig) return {};
    const editor::FrameResult& frame = *scene.frame;
    const editor::ViewState& state = scene.state;
    const double scale = scene.scale;
    if (m_rig != frame.rig) {
        m_rig = frame.rig;
        m_bones = bonesOf(*m_rig);
        m_bodies = segmentBodies(*m_rig);
    }
    const Ray ray = view.ray(pixel);
    const bool canHide = !state.isXray && state.showsMesh && state.shading != editor::Shading::Wire;
    const double hiddenBeyond = canHide ? pickMeshes(view, scene, pixel).distance : 1e300; // [m] along the ray
    const std::vector<Affine>& world = frame.solved.model.modelFromJoint;
    Nearest nearest{{}, kJointReach * scale};
    for (std::size_t i = 0; i < world.size() && state.showsJoints; ++i) {
        if (!scene.visibility.isPickable(static_cast<JointIndex>(i))) continue;
        const Vector3 at = world[i].translation();
        if ((at - ray.origin).dot(ray.direction) < hiddenBeyond)
            nearest.offer(view, at, pixel, SelectionItem::of(frame.rig->id[i]));
    }
    if (state.showsHandles) {
        for (const editor::HandleView& handle : frame.handles)
            if (const Handle* authored = frame.scene->find(handle.handle);
                authored != nullptr && !authored->hasCurve() && !authored->offset.isZero() && // else the joint is there
                scene.visibility.isPickable(handle.handle))
                nearest.offer(view, handle.effector, pixel, SelectionItem::effectorOf(handle.handle));
        // A curve leads through its joints: on their dots they are nearer, between them the curve is.
        const CurvePick curve = nearestCurve(view, scene, pixel);
        if (curve.place && (!nearest.item.isValid() || curve.distance < nearest.distance - kJointDot * scale))
            return SelectionItem::of(curve.place->handle);
    }
    if (nearest.item.isValid()) return nearest.item;

    std::optional<double> first;
    SelectionItem item;
    for (const Bone& bone : m_bones) {
        if (!state.showsJoints) break;
        if (!scene.visibility.isPickable(bone.joint)) continue;
        const Vector3 from = world[static_cast<std::size_t>(bone.joint)].translation(),
                      to = world[static_cast<std::size_t>(bone.child)].translation();
        const double radius = std::max(kBoneShare * (to - from).norm(),
                                       kBoneReach * scale * view.metresPerPixel(0.5 * (from + to)));
        const std::optional<double> distance = rayCapsule(ray, from, to, radius);
        if (!distance || *distance + radius > hiddenBeyond || (first && *distance >= *first)) continue;
        first = distance;
        item = SelectionItem::of(frame.rig->id[static_cast<std::size_t>(bone.joint)]);
    }
    return item.isValid() || !alsoMeshes || !state.showsMesh ? item : pickMeshes(view, scene, pixel).item;
}

Picker::CurvePick Picker::nearestCurve(const View& view, const PickedScene& scene, const Vector2& pixel)
{
    CurvePick nearest{std::nullopt, kCurveReach * scene.scale};
    for (const editor::HandleView& handle : scene.frame->handles)
        for (std::size_t i = 1; scene.visibility.isPickable(handle.handle) && i < handle.curve.size(); ++i) {
            const View::Projected from = view.project(handle.curve[i - 1]), to = view.project(handle.curve[i]);
            if (!from.isInFront || !to.isInFront) continue;
            const Vector2 way = to.pixel - from.pixel;
            const double share = way.squaredNorm() > 0
                                     ? std::clamp((pixel - from.pixel).dot(way) / way.squaredNorm(), 0.0, 1.0)
                                     : 0;
            const double distance = (from.pixel + share * way - pixel).norm();
            if (distance >= nearest.distance) continue;
            nearest.distance = distance;
            nearest.place = {handle.handle, handle.curve[i - 1] + share * (handle.curve[i] - handle.curve[i - 1])};
        }
    return nearest;
}

std::optional<editor::Selection::CurvePlace> Picker::pickCurve(const View& view, const PickedScene& scene,
                                                               const Vector2& pixel)
{
    if (!scene.frame || !scene.frame->rig || !scene.state.showsHandles) return std::nullopt;
    return nearestCurve(view, scene, pixel).place;
}

const Picker::MeshPick& Picker::pickMeshes(const View& view, const PickedScene& scene, const Vector2& pixel)
{
    const editor::FramePtr& frame = scene.frame;
    std::vector<const Mesh*> meshes;
    if (frame->scene->model)
        for (const Mesh& mesh : frame->scene->model->meshes) meshes.push_back(&mesh);
    meshes.push_back(&m_bodies);

    const bool isNew = m_skinned != frame;
    m_skinned = frame;
    m_positions.resize(meshes.size());
    m_pick = {};
    const Ray ray = view.ray(pixel);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const Mesh& mesh = *meshes[i];
        if (mesh.positions.empty() || (&mesh != &m_bodies && !scene.visibility.isShown(mesh))) continue;
        const SkinBinding binding = bindSkin(*frame->rig, mesh.skin);
        if (isNew) {
            m_positions[i].resize(mesh.positions.size());
            skinVertices(mesh, binding, frame->solved.model, m_positions[i]);
        }
        const std::optional<MeshHit> hit = pickMesh(ray, m_positions[i], mesh.indices);
        if (!hit || hit->distance >= m_pick.distance) continue;
        const JointIndex joint = binding.joints[strongestJoint(mesh.skin, hit->vertex)];
        if (&mesh == &m_bodies && joint >= 0 && !scene.visibility.isShown(joint)) continue; // it is not drawn
        m_pick.distance = hit->distance;
        m_pick.item = joint < 0 || !scene.visibility.isPickable(joint)
                          ? SelectionItem()
                          : SelectionItem::of(frame->rig->id[static_cast<std::size_t>(joint)]);
    }
    return m_pick;
}

std::vector<SelectionItem> Picker::inside(const View& view, const PickedScene& scene, const Vector2& corner,
                                          const Vector2& opposite)
{
    std::vector<SelectionItem> items;
    if (!scene.frame || !scene.frame->rig) return items;
    const editor::FrameResult& frame = *scene.frame;
    const Vector2 low = corner.cwiseMin(opposite), high = corner.cwiseMax(opposite);
    const auto offer = [&](const Vector3& at, SelectionItem item) {
        const View::Projected p = view.project(at);
        if (p.isInFront && (p.pixel.array() >= low.array()).all() && (p.pixel.array() <= high.array()).all())
            items.push_back(item);
    };
    if (scene.state.showsHandles)
        for (const editor::HandleView& handle : frame.handles) {
            if (!scene.visibility.isPickable(handle.handle)) continue;
            const bool isSelected = scene.selection.containsObject(handle.handle.value);
            for (const editor::HandleControl& control : controlsOf(handle))
                if (isSelected || control.item.kind != SelectionItem::Kind::Pole) offer(control.place, control.item);
        }
    if (!items.empty() || !scene.state.showsJoints) return items;
    for (std::size_t i = 0; i < frame.rig->jointCount(); ++i)
        if (scene.visibility.isPickable(static_cast<JointIndex>(i)))
            offer(frame.solved.model.modelFromJoint[i].translation(), SelectionItem::of(frame.rig->id[i]));
    return items;
}

std::optional<GizmoKind> gizmoKind(editor::Tool tool)
{
    switch (tool) {
    case editor::Tool::Select:
    case editor::Tool::Link: break;
    case editor::Tool::Move: return GizmoKind::Move;
    case editor::Tool::Rotate: return GizmoKind::Rotate;
    case editor::Tool::Scale: return GizmoKind::Scale;
    }
    return std::nullopt;
}

std::optional<GizmoPlace> gizmoPlace(const View& view, const editor::FrameResult& frame, const SelectionItem& item,
                                     const editor::ViewState& state, double scale)
{
    const auto kind = gizmoKind(state.tool);
    const bool isJoint = item.kind == SelectionItem::Kind::Joint, isGoal = item.kind == SelectionItem::Kind::Handle;
    const bool isEffector = item.kind == SelectionItem::Kind::Effector;
    if (!frame.rig || !kind || !item.isValid() || (*kind == GizmoKind::Scale && !isJoint) ||
        (*kind == GizmoKind::Rotate && !isJoint && !isGoal))
        return std::nullopt;
    const editor::GizmoSpace space = *kind == GizmoKind::Scale ? editor::GizmoSpace::Local : state.space;
    const auto rotationOfJoint = [&](JointIndex joint) {
        return joint < 0 ? Quaternion::Identity()
                         : rotationOf(frame.solved.model.modelFromJoint[static_cast<std::size_t>(joint)]);
    };
    const auto parentOf = [&](JointIndex joint) {
        return joint < 0 ? -1 : frame.rig->parent[static_cast<std::size_t>(joint)];
    };

    Vector3 origin;
    Quaternion local = Quaternion::Identity(), parent = Quaternion::Identity();
    if (isJoint) {
        const JointIndex joint = frame.rig->index(item.joint());
        if (joint < 0) return std::nullopt;
        origin = frame.solved.model.modelFromJoint[static_cast<std::size_t>(joint)].translation();
        local = rotationOfJoint(joint);
        parent = rotationOfJoint(parentOf(joint));
    } else {
        const editor::HandleView* handle = frame.find(item.handle());
        if (handle == nullptr) return std::nullopt;
        if (isEffector) {
            origin = handle->effector;
            local = rotationOfJoint(handle->end);
            parent = rotationOfJoint(parentOf(handle->end));
        } else {
            const auto place = placeOf(*handle, item);
            if (!place) return std::nullopt;
            origin = *place;
            if (isGoal) local = handle->target.goal.rotation;
            parent = rotationOf(item.kind == SelectionItem::Kind::Pole ? handle->target.worldFromPoleSpace
                                                                       : handle->target.worldFromSpace);
        }
    }
    const Quaternion axes = space == editor::GizmoSpace::Local    ? local
                            : space == editor::GizmoSpace::Parent ? parent
                                                                  : Quaternion::Identity();
    return gizmoAt(view, origin, axes, kArm * scale);
}

} // namespace tendon::viewport
