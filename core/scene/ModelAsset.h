#pragma once

#include "core/base/Id.h"
#include "core/math/Transform.h"
#include "core/scene/ModelCamera.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tendon {

/// Binds a mesh to joints. Bind pose: jointFromMesh[k] converts from mesh space to the space of joints[k] at the time
/// of skinning (glTF's inverse bind matrix). A vertex moves by  sum_w  modelFromJoint * jointFromMesh.
struct Skin
{
    std::vector<JointId> joints;
    std::vector<Affine> jointFromMesh; ///< one per joint

    /// Influences of vertex v: entries influenceBegin[v] up to influenceBegin[v + 1]; weights of a vertex sum to 1.
    /// All three empty: a rigid mesh. Every vertex has the full weight of joints[0]; without a joint, worldFromMesh
    /// places the mesh in the world.
    std::vector<std::uint32_t> influenceBegin; ///< (vertices + 1)
    std::vector<std::uint16_t> influenceJoint; ///< index into joints
    std::vector<float> influenceWeight;
    Affine worldFromMesh = Affine::Identity();

    [[nodiscard]] bool isRigid() const { return influenceBegin.empty(); }
};

struct MorphTarget
{
    std::string name;
    float restWeight = 0;                        ///< weight of the target without animation
    std::vector<Eigen::Vector3f> positionDeltas; ///< (vertices)
    std::vector<Eigen::Vector3f> normalDeltas;   ///< (vertices) or empty
};

/// Triangles of one material.
struct Mesh
{
    std::string name;
    std::string node; ///< name of the node that holds it in the source; empty if that node is a joint or has no name
    std::vector<Eigen::Vector3f> positions;          ///< [m] mesh space
    std::vector<Eigen::Vector3f> normals;            ///< unit, or empty
    std::vector<Eigen::Vector2f> textureCoordinates; ///< v grows downward as in glTF; or empty
    bool hasMoreTextureCoordinates = false;          ///< the source has further sets, which are not held here
    std::vector<Eigen::Vector4f> colours;            ///< linear rgba, or empty
    std::vector<std::uint32_t> indices;              ///< three per triangle, counter-clockwise front
    std::int32_t material = -1;                      ///< index into ModelAsset::materials, -1 = plain
    Skin skin;
    std::vector<MorphTarget> morphTargets;
};

/// Metallic-roughness, as in glTF. Texture entries index ModelAsset::textures, -1 = none.
struct Material
{
    std::string name;
    Eigen::Vector4f baseColour{1, 1, 1, 1}; ///< linear
    float metallic = 0;
    float roughness = 0.8f;
    Eigen::Vector3f emissive{0, 0, 0};
    std::int32_t baseColourTexture = -1;
    std::int32_t normalTexture = -1;
    std::int32_t metallicRoughnessTexture = -1;
    std::int32_t emissiveTexture = -1;
    std::int32_t occlusionTexture = -1; ///< share of the ambient light that reaches a point: red
    float normalScale = 1;              ///< factor of the x and y of normals
    float occlusionStrength = 1;        ///< 0 ... 1: strength of the occlusion
    bool isDoubleSided = false;
    bool isTransparent = false; ///< blended with the background by alpha; otherwise opaque
    bool isCutOut = false;      ///< not drawn where alpha is below alphaCutoff
    float alphaCutoff = 0.5f;
};

struct Texture
{
    std::string name;
    std::string mimeType;              ///< "image/png", "image/jpeg", ...
    std::vector<std::uint8_t> encoded; ///< the file's bytes
};

/// The file that a model was read from. A glTF export patches it.
struct ModelSource
{
    std::string format; ///< "glb", "gltf", "fbx", ... ; empty = made here, there is no file
    std::string path;   ///< absolute; projects store it relative to themselves
    std::string sha256; ///< of the main file's bytes, lower-case hex
    std::shared_ptr<const std::vector<std::uint8_t>> embedded; ///< the file itself, self-contained (glb), or null
};

/// The weight of a morph target over time: linear between keys, constant before the first and after the last.
struct MorphCurve
{
    std::int32_t mesh = 0;       ///< index into the model's meshes
    std::int32_t target = 0;     ///< index into its morph targets
    std::vector<double> times;   ///< [s] in ascending order, at least one
    std::vector<double> weights; ///< one per time; 1 = the whole target
};

/// The morph weights of an animation of the source. They cannot be edited and are exported with its clip.
struct MorphAnimation
{
    std::int32_t sourceAnimation = -1; ///< as Clip::sourceAnimation
    std::vector<MorphCurve> curves;
};

/// The parts of a model that posing does not change: meshes, materials, cameras, lights, and the source file.
/// Immutable, and shared by all versions of a document, so comparing pointers is enough.
struct ModelAsset
{
    ModelSource source;
    std::vector<Mesh> meshes;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<MorphAnimation> morphAnimations;
    std::vector<ModelCamera> cameras;
    std::vector<ModelLight> lights;
    std::vector<ModelEmpty> empties;
    std::string skeletonName; ///< of the node above the topmost joints, if that is no joint; may be empty
    std::string missing;      ///< why the source could not be read as it was imported: one line; empty = it was
    double metresPerUnit = 1; ///< of the source file; already applied to all lengths here
    int upAxis = 1;           ///< of the source file: 0 x, 1 y, 2 z; already applied
};

/// The mounts of the model's cameras, lights and empties, to be edited in place.
[[nodiscard]] std::vector<Mount*> mountsOf(ModelAsset& model);

} // namespace tendon
