#include "resources/samples/mannequin/Figure.h"

#include "resources/samples/mannequin/Paint.h"
#include "resources/samples/mannequin/Panels.h"
#include "resources/samples/mannequin/SkinWeights.h"

namespace tendon::mannequin {

namespace {

constexpr double kBodyCell = 0.0170; // [m] about the edge of a quad
constexpr double kHandCell = 0.0050;

/// A surface with the bones that hold each vertex.
struct Skinned
{
    Surface surface;
    std::vector<std::vector<Influence>> influences;
    std::vector<Eigen::Vector2f> paint; ///< or empty
};

QuadMesh bodyNet(const Implicit& shape)
{
    Grid grid;
    grid.cell = kBodyCell;
    grid.modelFromGrid.translation() = Vector3(0, -0.02, -0.19);
    grid.cells = {38, 106, 28};
    grid.isHalf = true;
    return surfaceNet(shape, grid, 6);
}

QuadMesh handNet(const Implicit& shape, const Landmarks& l)
{
    Grid grid;
    grid.cell = kHandCell;
    grid.modelFromGrid.linear() << l.handPalm, l.handAlong, l.handThumb;
    grid.modelFromGrid.translation() = l.wrist - 0.075 * l.handPalm - 0.02 * l.handAlong - 0.065 * l.handThumb;
    grid.cells = {31, 50, 31};
    return surfaceNet(shape, grid, 5);
}

Surface handSurface(const Landmarks& l)
{
    const Implicit shape = handShape(l);
    const QuadMesh net = handNet(shape, l);
    Surface result;
    result.positions = result.skinPositions = net.positions;
    for (const Vector3& p : net.positions) result.normals.push_back(shape.normal(p));
    result.triangles = triangulated(net);
    return result;
}

void append(Skinned& to, const Skinned& more)
{
    const auto shift = static_cast<std::uint32_t>(to.surface.positions.size());
    const auto add = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
    add(to.surface.positions, more.surface.positions);
    add(to.surface.normals, more.surface.normals);
    add(to.surface.skinPositions, more.surface.skinPositions);
    add(to.influences, more.influences);
    add(to.paint, more.paint);
    for (auto triangle : more.surface.triangles) {
        for (auto& corner : triangle) corner += shift;
        to.surface.triangles.push_back(triangle);
    }
}

/// The bone of the other side, or the same where there is none.
int mirroredBone(int bone)
{
    std::string name = skeleton()[static_cast<std::size_t>(bone)].name;
    if (!name.ends_with("_L") && !name.ends_with("_R")) return bone;
    name.back() = name.back() == 'L' ? 'R' : 'L';
    return boneNamed(name);
}

/// Left and right: vertices on the plane of symmetry are shared.
Skinned withMirrorImage(const Skinned& left)
{
    Skinned whole = left;
    const Surface& half = left.surface;
    std::vector<std::uint32_t> image(half.positions.size());
    for (std::uint32_t v = 0; v < half.positions.size(); ++v) {
        if (half.positions[v].x() == 0) {
            image[v] = v;
            continue;
        }
        image[v] = static_cast<std::uint32_t>(whole.surface.positions.size());
        whole.surface.positions.push_back(mirrored(half.positions[v]));
        whole.surface.normals.push_back(mirrored(half.normals[v]));
        whole.influences.push_back(left.influences[v]);
        for (Influence& influence : whole.influences.back()) influence.bone = mirroredBone(influence.bone);
        if (!left.paint.empty()) whole.paint.push_back(left.paint[v]);
    }
    for (const auto& t : half.triangles) whole.surface.triangles.push_back({image[t[2]], image[t[1]], image[t[0]]});
    return whole;
}

Mesh meshOf(const Skinned& skinned, std::string name, std::int32_t material, const std::vector<Joint>& joints)
{
    Mesh mesh;
    mesh.name = std::move(name);
    mesh.material = material;
    for (const Vector3& p : skinned.surface.positions) mesh.positions.push_back(p.cast<float>());
    for (const Vector3& n : skinned.surface.normals) mesh.normals.push_back(n.cast<float>());
    mesh.textureCoordinates = skinned.paint;
    for (const auto& triangle : skinned.surface.triangles)
        mesh.indices.insert(mesh.indices.end(), triangle.begin(), triangle.end());

    for (std::size_t i = 0; i < joints.size(); ++i) {
        mesh.skin.joints.push_back(joints[i].id);
        mesh.skin.jointFromMesh.push_back(skeleton()[i].modelFromJoint.inverse(Eigen::Isometry));
    }
    mesh.skin.influenceBegin.push_back(0);
    for (const auto& influences : skinned.influences) {
        for (const Influence& influence : influences) {
            mesh.skin.influenceJoint.push_back(static_cast<std::uint16_t>(influence.bone));
            mesh.skin.influenceWeight.push_back(static_cast<float>(influence.weight));
        }
        mesh.skin.influenceBegin.push_back(static_cast<std::uint32_t>(mesh.skin.influenceJoint.size()));
    }
    return mesh;
}

std::vector<Joint> makeJoints(Scene& scene)
{
    std::vector<Joint> joints;
    for (const Bone& bone : skeleton()) {
        Joint joint;
        joint.id = {scene.takeId()};
        joint.name = bone.name;
        Affine parentFromJoint = bone.modelFromJoint;
        if (bone.parent >= 0) {
            const auto parent = static_cast<std::size_t>(bone.parent);
            joint.parent = joints[parent].id;
            parentFromJoint = skeleton()[parent].modelFromJoint.inverse(Eigen::Isometry) * bone.modelFromJoint;
        }
        joint.rest.translation = parentFromJoint.translation();
        joint.rest.rotation = Quaternion(parentFromJoint.linear()).normalized();
        setAnatomy(joint);
        joints.push_back(std::move(joint));
    }
    return joints;
}

/// The left half's shells and dark body, skinned and with the shells' places in the picture.
std::array<Skinned, 2> leftHalf(const Landmarks& l)
{
    const Implicit shape = bodyShape(l);
    const PanelPlan plan(l);
    PanelSurfaces cut = cutPanels(bodyNet(shape), shape, plan, kBodyCell);
    const SkinWeights weights(l);

    Skinned shells, body, hand;
    shells.surface = std::move(cut.shells);
    body.surface = std::move(cut.body);
    hand.surface = handSurface(l);
    for (Skinned* part : {&shells, &body})
        for (const Vector3& p : part->surface.skinPositions) part->influences.push_back(weights.onBody(p));
    for (const Vector3& p : hand.surface.skinPositions) hand.influences.push_back(weights.onLeftHand(p));

    std::vector<Panel> panels;
    for (const Vector3& p : shells.surface.skinPositions) panels.push_back(plan.panelAt(p));
    append(shells, hand);
    panels.resize(shells.surface.positions.size(), Panel::Hand);
    shells.paint = paintCoordinates(shells.surface, panels, l);
    return {shells, body};
}

} // namespace

Scene figure()
{
    Scene scene;
    const std::vector<Joint> joints = makeJoints(scene);
    const auto [shells, body] = leftHalf(Landmarks());

    ModelAsset model;
    Material shell;
    shell.name = "Shell";
    shell.baseColourTexture = 0;
    shell.roughness = 0.55f;
    Material dark;
    dark.name = "Joints";
    dark.baseColour = {0.035f, 0.037f, 0.042f, 1};
    dark.roughness = 0.45f;
    model.materials = {shell, dark};
    model.textures.push_back({"Paint", "image/png", paintedPicture()});
    model.meshes.push_back(meshOf(withMirrorImage(shells), "Shells", 0, joints));
    model.meshes.push_back(meshOf(withMirrorImage(body), "Body", 1, joints));

    scene.joints = joints;
    scene.model = std::make_shared<const ModelAsset>(std::move(model));
    return scene;
}

} // namespace tendon::mannequin
