#include "core/io/import/SceneBuilder.h"

#include "core/io/import/ModelImport.h"
#include "core/scene/KeyEdit.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace tendon {
namespace {

void scaleLengths(SourceModel& model)
{
    const double metres = model.metresPerUnit;
    if (metres == 1) return;
    const auto factor = static_cast<float>(metres);
    for (SourceNode& node : model.nodes) {
        node.local.translation *= metres;
        node.pose.translation *= metres;
    }
    for (SourceMesh& source : model.meshes) {
        for (auto& position : source.mesh.positions) position *= factor;
        for (Affine& matrix : source.mesh.skin.jointFromMesh) matrix.translation() *= metres;
        for (MorphTarget& target : source.mesh.morphTargets)
            for (auto& delta : target.positionDeltas) delta *= factor;
    }
    for (SourceCamera& source : model.cameras) multiplyLengths(source.camera, metres);
    for (SourceLight& source : model.lights) multiplyLengths(source.light, metres);
    for (SourceAnimation& animation : model.animations)
        for (SourceChannel& channel : animation.channels)
            if (channel.path == SourcePath::Translation)
                for (double& value : channel.values) value *= metres;
}

/// Turns the file's up axis to +Y, right-handed: about x for a z-up file, about z for an x-up file.
Affine worldFromFile(int upAxis)
{
    Affine turn = Affine::Identity();
    if (upAxis == 2) turn.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    if (upAxis == 0) turn.linear() << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    return turn;
}

void setRange(const Clip& clip, Scene& scene)
{
    constexpr double kNearEnough = 1e-3; // of a frame
    constexpr double kFarthest = 1e9;
    const auto frame = [&](double value) {
        return static_cast<std::int32_t>(std::clamp(value, -kFarthest, kFarthest));
    };
    scene.firstFrame = frame(std::floor(scene.fps.frameAt(clip.begin()) + kNearEnough));
    scene.lastFrame = std::max(scene.firstFrame, frame(std::ceil(scene.fps.frameAt(clip.end()) - kNearEnough)));
}

void buildJoints(const JointPlan& plan, const SourceModel& model, std::vector<JointId>& ids, Scene& scene,
                 Issues& issues)
{
    const std::vector<std::string> names = jointNames(plan, model, issues);
    for (std::size_t i = 0; i < plan.joints.size(); ++i) ids.push_back(JointId{scene.takeId()});
    std::vector<Joint> joints(plan.joints.size());
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointPlan::Entry& entry = plan.joints[i];
        joints[i].id = ids[i];
        joints[i].name = names[i];
        if (entry.parent >= 0) joints[i].parent = ids[static_cast<std::size_t>(entry.parent)];
        joints[i].rest = entry.rest;
        joints[i].sourceNode = entry.node;
    }
    scene.joints = std::move(joints);
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
        const JointPlan::Entry& entry = plan.joints[i];
        const SourceNode& node = model.nodes[static_cast<std::size_t>(entry.node)];
        if (node.isPosed)
            poseStatically(scene, (*scene.joints)[i], decompose(entry.parentFromFolded * node.pose.parentFromJoint()));
    }
}

/// What the file says of the roles of its joints.
void buildRoles(const JointPlan& plan, const SourceModel& model, const std::vector<JointId>& ids, Scene& scene)
{
    for (const SourceRole& role : model.roles)
        if (const std::int32_t entry = plan.entryOfNode[static_cast<std::size_t>(role.node)]; entry >= 0)
            scene.roles.edit()[role.role] = {ids[static_cast<std::size_t>(entry)]};
}

/// An animation of morph targets alone lasts as long as they move: the joint at or above their mesh stands still for
/// that long.
void standStill(const JointPlan& plan, const SourceModel& model, SourceAnimation& animation)
{
    if (plan.joints.empty()) return;
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (const MorphCurve& curve : animation.morphs) {
        first = std::min(first, curve.times.front());
        last = std::max(last, curve.times.back());
    }
    const std::int32_t mesh = model.meshes[static_cast<std::size_t>(animation.morphs.front().mesh)].node;
    const std::int32_t entry = std::max(0, plan.anchorOf(mesh, model, Affine::Identity()).entry);
    const std::int32_t node = plan.joints[static_cast<std::size_t>(entry)].node;
    const Vector3 at = model.nodes[static_cast<std::size_t>(node)].local.translation;
    animation.channels.push_back({node,
                                  SourcePath::Translation,
                                  SourceInterpolation::Linear,
                                  {first, last},
                                  {at[0], at[1], at[2], at[0], at[1], at[2]}});
}

/// Clips of joints come first, those of morph targets alone after them.
std::vector<MorphAnimation> buildClips(const JointPlan& plan, SourceModel& model, const std::vector<JointId>& ids,
                                       Scene& scene, Issues& issues)
{
    std::vector<MorphAnimation> morphs;
    scene.fps = guessFrameRate(model.animations, model.framesPerSecond, issues);
    std::stable_partition(model.animations.begin(), model.animations.end(),
                          [](const SourceAnimation& animation) { return !animation.channels.empty(); });
    for (SourceAnimation& animation : model.animations)
        if (animation.channels.empty() && !animation.morphs.empty()) standStill(plan, model, animation);
    const std::vector<std::string> names = clipNames(model.animations, issues);
    for (std::size_t i = 0; i < model.animations.size(); ++i) {
        Clip clip = buildClip(model.animations[i], plan, ids, scene.fps);
        if (!clip.hasKeys()) continue; // it moves only what is outside the scene
        if (!model.animations[i].morphs.empty())
            morphs.push_back({model.animations[i].index, std::move(model.animations[i].morphs)});
        clip.id = ClipId{scene.takeId()};
        clip.name = names[i];
        scene.clips.push_back(std::move(clip));
    }
    if (!scene.clips.empty()) setRange(*scene.clips.front(), scene);
    return morphs;
}

/// Nodes that are no joints and hold nothing themselves: sockets, markers, targets. Of those with nodes below them the
/// ones that hang on a joint, such as a socket with its sword; the others only group what a file consists of.
std::vector<std::int32_t> emptyNodes(const JointPlan& plan, const SourceModel& model, const Affine& turn)
{
    std::vector<bool> isEmpty(model.nodes.size()), hasNodesBelow(model.nodes.size());
    for (std::size_t n = 0; n < isEmpty.size(); ++n) isEmpty[n] = model.nodes[n].isInScene && plan.entryOfNode[n] < 0;
    const auto fill = [&](std::int32_t node) {
        if (node >= 0) isEmpty[static_cast<std::size_t>(node)] = false;
    };
    for (const SourceMesh& mesh : model.meshes) fill(mesh.node);
    for (const SourceCamera& camera : model.cameras) fill(camera.node);
    for (const SourceLight& light : model.lights) fill(light.node);
    for (const SourceNode& node : model.nodes)
        if (node.parent >= 0) hasNodesBelow[static_cast<std::size_t>(node.parent)] = true;
    std::vector<std::int32_t> nodes;
    for (std::size_t n = 0; n < isEmpty.size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        if (isEmpty[n] && (!hasNodesBelow[n] || plan.anchorOf(node, model, turn).entry >= 0)) nodes.push_back(node);
    }
    return nodes;
}

/// The name of the node above the topmost joints: what programs call the armature.
std::string skeletonName(const JointPlan& plan, const SourceModel& model)
{
    for (const JointPlan::Entry& entry : plan.joints) {
        const std::int32_t above = model.nodes[static_cast<std::size_t>(entry.node)].parent;
        if (entry.parent >= 0 || above < 0) continue;
        const SourceNode& node = model.nodes[static_cast<std::size_t>(above)];
        if (node.isInScene) return node.name;
    }
    return {};
}

/// What hangs on a node hangs on the joint at or above it.
void hang(Mount& mount, const JointPlan::Anchor& anchor, const std::vector<JointId>& ids)
{
    if (anchor.entry >= 0) mount.joint = ids[static_cast<std::size_t>(anchor.entry)];
    mount.jointFromMount = withoutScale(anchor.anchorFromNode * mount.jointFromMount);
}

} // namespace

Result<Scene> buildScene(SourceModel model, ModelSource source, Issues& issues)
{
    scaleLengths(model);
    const Affine turn = worldFromFile(model.upAxis);
    const JointPlan plan = planJoints(model, turn, issues);
    if (plan.joints.size() > limits::kJoints)
        return Error{ErrorCode::LimitExceeded,
                     "it has " + std::to_string(plan.joints.size()) + " joints; at most " +
                         std::to_string(limits::kJoints) + " are supported",
                     ""};
    Scene scene;
    std::vector<JointId> ids;
    buildJoints(plan, model, ids, scene, issues);
    applyFreedoms(model, plan, scene, issues);
    buildRoles(plan, model, ids, scene);
    std::vector<MorphAnimation> morphs = buildClips(plan, model, ids, scene, issues);
    for (const Affine& world : worldInRestPose(scene))
        if (!world.matrix().allFinite())
            return Error{ErrorCode::InvalidArgument, "corrupt file: the transforms overflow", ""};

    ModelAsset asset;
    asset.source = std::move(source);
    asset.metresPerUnit = model.metresPerUnit;
    asset.upAxis = model.upAxis;
    asset.materials = std::move(model.materials);
    asset.textures = std::move(model.textures);
    asset.morphAnimations = std::move(morphs);
    asset.skeletonName = skeletonName(plan, model);
    for (const std::int32_t node : emptyNodes(plan, model, turn))
        hang(asset.empties.emplace_back(model.nodes[static_cast<std::size_t>(node)].name).mount,
             plan.anchorOf(node, model, turn), ids);
    std::vector<SourceMesh> meshes = std::move(model.meshes);
    for (SourceMesh& mesh : meshes) asset.meshes.push_back(bindMesh(std::move(mesh), model, plan, ids, turn, issues));
    for (auto& [node, camera] : model.cameras)
        hang(asset.cameras.emplace_back(std::move(camera)).mount, plan.anchorOf(node, model, turn), ids);
    for (auto& [node, light] : model.lights)
        hang(asset.lights.emplace_back(std::move(light)).mount, plan.anchorOf(node, model, turn), ids);
    scene.model = std::make_shared<const ModelAsset>(std::move(asset));
    return scene;
}

Vector3 sizeAtRest(const Scene& scene)
{
    const std::vector<Affine> world = worldInRestPose(scene);
    std::unordered_map<std::uint64_t, std::size_t> indexOf;
    for (std::size_t i = 0; i < world.size(); ++i) indexOf[(*scene.joints)[i].id.value] = i;
    Eigen::AlignedBox3d box;
    for (const Mesh& mesh : scene.model ? scene.model->meshes : std::vector<Mesh>()) {
        const Skin& skin = mesh.skin;
        std::vector<Affine> worldFromMesh;
        for (std::size_t j = 0; j < skin.joints.size(); ++j)
            worldFromMesh.push_back(world[indexOf.at(skin.joints[j].value)] * skin.jointFromMesh[j]);
        if (worldFromMesh.empty()) worldFromMesh.push_back(skin.worldFromMesh);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
            const Vector3 position = mesh.positions[v].cast<double>();
            if (skin.isRigid()) {
                box.extend(worldFromMesh[0] * position);
                continue;
            }
            Vector3 sum = Vector3::Zero();
            for (std::uint32_t i = skin.influenceBegin[v]; i < skin.influenceBegin[v + 1]; ++i)
                sum += static_cast<double>(skin.influenceWeight[i]) *
                       (worldFromMesh[skin.influenceJoint[i]] * position);
            box.extend(sum);
        }
    }
    if (box.isEmpty())
        for (const Affine& joint : world) box.extend(Vector3(joint.translation()));
    return box.isEmpty() ? Vector3(Vector3::Zero()) : box.sizes();
}

} // namespace tendon
