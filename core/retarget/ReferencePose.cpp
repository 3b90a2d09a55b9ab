#include "core/retarget/ReferencePose.h"

#include "core/math/Degrees.h"
#include "core/retarget/ClipSurvey.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tendon {
namespace {

constexpr double kUprightTrunk = 20 / kDegrees; ///< [rad] a stance leans less
constexpr double kFolded = 70 / kDegrees;       ///< [rad] legs farther from the trunk's line are no rest pose
constexpr double kStraightLeg = 35 / kDegrees;  ///< [rad] thighs and shins of a stance are nearer to the trunk's line

/// The joints that have a role and a parent among the joints, with bones of some length.
std::vector<Vector3> boneDirections(const RoledFigure& figure, const WorldPose& pose)
{
    std::vector<Vector3> directions;
    for (const auto& [role, ids] : figure.roles)
        for (const JointIndex joint : figure.joints(role)) {
            const JointIndex parent = figure.rig->parent[at(joint)];
            if (parent < 0) continue;
            const Vector3 bone = pose.position[at(joint)] - pose.position[at(parent)];
            if (bone.norm() > 1e-6) directions.push_back(bone.normalized());
        }
    return directions;
}

/// True if all bones lie along one line: offsets that are lengths and say nothing about directions.
bool isCollapsed(const RoledFigure& figure, const WorldPose& pose)
{
    const std::vector<Vector3> bones = boneDirections(figure, pose);
    if (bones.size() < 6) return false;
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (const Vector3& bone : bones) sum += bone * bone.transpose();
    const double along =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(sum / static_cast<double>(bones.size())).eigenvalues()[2];
    return along > 0.93; // the roots of the hips and shoulders may point sideways; a standing T-pose has about 0.5
}

/// [rad] How far the legs are, at most, from the trunk's line, down which they run when somebody stands or lies
/// straight. 0 where nothing says so.
double bendOfLegs(const RoledFigure& figure, const WorldPose& pose)
{
    const auto axes = trunkAxes(figure, pose);
    if (!axes) return 0;
    const Vector3 down = *axes * Vector3(-Vector3::UnitY());
    double most = 0;
    for (const LimbRoles& limb : kLimbs) {
        if (!limb.isLeg || !limbLength(figure, pose, limb)) continue;
        const Vector3& hip = pose.position[at(figure.first(limb.upper))];
        const Vector3& knee = pose.position[at(figure.first(limb.lower))];
        const Vector3& foot = pose.position[at(figure.first(limb.end))];
        for (const Vector3& bone : {Vector3(knee - hip), Vector3(foot - knee)})
            if (bone.norm() > 1e-9)
                most = std::max(most, std::acos(std::clamp(bone.normalized().dot(down), -1.0, 1.0)));
    }
    return most;
}

bool isStraight(const RoledFigure& figure, const WorldPose& pose) { return bendOfLegs(figure, pose) < kStraightLeg; }

bool isUpright(const RoledFigure& figure, const WorldPose& pose)
{
    const auto axes = trunkAxes(figure, pose);
    return !axes || (*axes * Vector3::UnitY()).dot(Vector3::UnitY()) > std::cos(kUprightTrunk);
}

/// The pose in which the scene's skins were bound, at rest for joints that no skin moves.
ModelPose bindPose(const Scene& scene, const CompiledRig& rig)
{
    std::vector<const Affine*> jointFromMesh(rig.jointCount(), nullptr);
    std::vector<const Skin*> skinOf(rig.jointCount(), nullptr);
    if (scene.model != nullptr)
        for (const Mesh& mesh : scene.model->meshes)
            for (std::size_t k = 0; !mesh.skin.isRigid() && k < mesh.skin.joints.size(); ++k)
                if (const JointIndex joint = rig.index(mesh.skin.joints[k]);
                    joint >= 0 && jointFromMesh[at(joint)] == nullptr) {
                    jointFromMesh[at(joint)] = &mesh.skin.jointFromMesh[k];
                    skinOf[at(joint)] = &mesh.skin;
                }
    // Mesh space may be anywhere: where the topmost joint of a skin rests says where. Parents come first.
    std::map<const Skin*, Affine> worldFromMesh;
    const auto invertible = [](const Affine& m) { return std::abs(m.linear().determinant()) > 1e-18; };
    LocalPose local;
    local.joints = rig.rest;
    ModelPose rest;
    forwardKinematics(rig, local, rest);
    ModelPose bound = rest;
    for (std::size_t j = 0; j < rig.jointCount(); ++j) {
        if (jointFromMesh[j] != nullptr && invertible(*jointFromMesh[j])) {
            const auto found = worldFromMesh.emplace(skinOf[j], rest.modelFromJoint[j] * *jointFromMesh[j]).first;
            bound.modelFromJoint[j] = found->second * jointFromMesh[j]->inverse();
        } else if (rig.parent[j] >= 0) {
            bound.modelFromJoint[j] = bound.modelFromJoint[at(rig.parent[j])] * rig.rest[j].parentFromJoint();
        }
    }
    return bound;
}

/// The largest turn of a joint with a role between two poses. [rad]
std::pair<double, JointIndex> largestTurn(const RoledFigure& figure, const WorldPose& a, const WorldPose& b)
{
    std::pair<double, JointIndex> largest{0, -1};
    for (const auto& [role, ids] : figure.roles)
        for (const JointIndex joint : figure.joints(role)) {
            const double turn = a.rotation[at(joint)].angularDistance(b.rotation[at(joint)]);
            if (turn > largest.first) largest = {turn, joint};
        }
    return largest;
}

/// The rest pose, or the bind pose where that is another one.
ReferencePose restOrBindPose(const Scene& scene, const RoledFigure& figure)
{
    ReferencePose reference;
    reference.pose = worldAtRest(*figure.rig);
    if (scene.model == nullptr) return reference;
    LocalPose local;
    local.joints = figure.rig->rest;
    ModelPose rest;
    forwardKinematics(*figure.rig, local, rest);
    reference.soles = solesOfMeshes(*scene.model, figure, rest);
    const ModelPose boundModel = bindPose(scene, *figure.rig);
    WorldPose bound;
    bound.take(boundModel);
    constexpr double kOtherPose = 5 / kDegrees;
    const auto [turn, where] = largestTurn(figure, reference.pose, bound);
    if (turn < kOtherPose) return reference;
    // Of the two the one that is a stance; the skin's where both are.
    if (!isStraight(figure, bound) && isStraight(figure, reference.pose)) return reference;
    char text[64];
    std::snprintf(text, sizeof text, " by %.0f° at ", turn * kDegrees);
    reference.note = "the mesh was bound in another pose than the joints rest in, different" + std::string(text) +
                     figure.name(where) + "; the bind pose counts";
    reference.pose = std::move(bound);
    reference.soles = solesOfMeshes(*scene.model, figure, boundModel);
    return reference;
}

/// True if a joint slides along its parent, within a clip or from one to another: its offset says where it is, and not
/// how long a bone is. A clip without keys for it leaves it where it rests.
bool slides(const std::vector<const Clip*>& clips, JointId joint, double most)
{
    for (const Property property : {Property::Tx, Property::Ty, Property::Tz}) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Clip* clip : clips) {
            const KeyList* keys = clip->find({joint.value, property});
            if (keys == nullptr) return true;
            for (std::size_t k = 0; k < keys->size(); ++k) {
                low = std::min(low, (*keys)[k].value[0]);
                high = std::max(high, (*keys)[k].value[0]);
            }
        }
        if (high - low > most) return true;
    }
    return false;
}

/// Some exporters write the lengths of bones into the motion only: the offsets that all its frames have then hold.
/// `first` is one of them.
void useMovedOffsets(const RoledFigure& figure, const std::vector<const Clip*>& clips, const WorldPose& first,
                     ReferencePose& reference)
{
    const CompiledRig& rig = *figure.rig;
    WorldPose& pose = reference.pose;
    double size = 0, moved = 0;
    std::vector<Vector3> local(rig.jointCount(), Vector3::Zero());
    for (std::size_t j = 0; j < rig.jointCount(); ++j) {
        if (rig.parent[j] < 0) continue;
        const std::size_t p = at(rig.parent[j]);
        local[j] = pose.rotation[p].conjugate() * (pose.position[j] - pose.position[p]);
        if (clips.front()->find({rig.id[j].value, Property::Tx}) == nullptr) continue;
        // Offsets above the hips are travel, not bones.
        const JointIndex hips = figure.first("hips");
        if (hips >= 0 && rig.isAtOrBelow(hips, static_cast<JointIndex>(j))) continue;
        const Vector3 offset = first.rotation[p].conjugate() * (first.position[j] - first.position[p]);
        if (slides(clips, rig.id[j], 0.02 * offset.norm())) continue;
        moved = std::max(moved, (offset - local[j]).norm());
        size = std::max(size, offset.norm());
        local[j] = offset;
    }
    if (moved < 0.02 * size) return;
    for (std::size_t j = 0; j < rig.jointCount(); ++j)
        if (rig.parent[j] >= 0)
            pose.position[j] = pose.position[at(rig.parent[j])] + pose.rotation[at(rig.parent[j])] * local[j];
}

/// The first frame of the first clip that begins in a stance, else of the first clip.
WorldPose firstStanding(const Scene& scene, const RoledFigure& figure, const std::vector<const Clip*>& clips)
{
    const auto firstOf = [&](const Clip& clip) { return worldAt(scene, figure, clip, clip.begin()); };
    for (const Clip* clip : clips)
        if (WorldPose first = firstOf(*clip); isStraight(figure, first) && isUpright(figure, first)) return first;
    return firstOf(*clips.front());
}

} // namespace

WorldPose worldAt(const Scene& scene, const RoledFigure& figure, const Clip& clip, Time time)
{
    PoseSampler sampler(figure.rig);
    sampler.prepare(scene, &clip);
    LocalPose local;
    sampler.sample({}, time, local);
    ModelPose model;
    forwardKinematics(*figure.rig, local, model);
    WorldPose pose;
    pose.take(model);
    return pose;
}

ReferencePose characterReference(const Scene& scene, const RoledFigure& figure)
{
    ReferencePose reference = restOrBindPose(scene, figure);
    reference.isStance = isStraight(figure, reference.pose);
    return reference;
}

Result<ReferencePose> motionReference(const Scene& scene, const RoledFigure& figure, const Clip& clip, RestAlign align,
                                      double frame)
{
    if (align == RestAlign::Frame) {
        const double first = std::ceil(scene.fps.frameAt(clip.begin()) - 1e-3) + 0.0,
                     last = std::floor(scene.fps.frameAt(clip.end()) + 1e-3);
        if (!(frame >= first && frame <= last)) {
            char text[96];
            std::snprintf(text, sizeof text, "the motion has frames %.0f to %.0f, not %.10g", first, last, frame);
            return Error{ErrorCode::InvalidArgument, text, "frame"};
        }
        ReferencePose reference;
        reference.pose = worldAt(scene, figure, clip, scene.fps.timeOf(frame));
        return reference;
    }
    const std::vector<const Clip*> clips = clipsToSurvey(scene, clip);
    ReferencePose reference = restOrBindPose(scene, figure);
    useMovedOffsets(figure, clips, worldAt(scene, figure, *clips.front(), clips.front()->begin()), reference);
    const WorldPose first = firstStanding(scene, figure, clips);
    const bool isFlat = isCollapsed(figure, reference.pose);
    const double bend = bendOfLegs(figure, reference.pose);
    if (align == RestAlign::Directions && (isFlat || (bend > kFolded && bendOfLegs(figure, first) < bend))) {
        reference.pose = first;
        reference.soles.clear();
        reference.isFrame = true;
        reference.isStance = isStraight(figure, first) && isUpright(figure, first);
        reference.note = isFlat
                             ? "The motion rests with flat offsets: all bones lie along one line. Rest directions are "
                               "read from frame 1 instead."
                             : "The motion rests folded up, in no pose that anybody takes. Rest directions are read "
                               "from frame 1 instead.";
        return reference;
    }
    reference.isStance = isStraight(figure, reference.pose);
    if (align == RestAlign::Directions && !isUpright(figure, reference.pose) && isUpright(figure, first))
        reference.note = "The motion rests lying down. Its bones' directions are taken as if it stood.";
    else if (!reference.isStance)
        reference.note =
            "The motion rests in a pose with bent legs or trunk. All bones are aligned by their directions; "
            "a frame in which it stands straight serves better (align: frame).";
    return reference;
}

} // namespace tendon
