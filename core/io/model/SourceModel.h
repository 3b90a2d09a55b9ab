#pragma once

#include "core/base/Issue.h"
#include "core/math/Transform.h"
#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// A model as it is in its file, before it becomes a scene: the result of every reader, in the file's own axes and
/// unit. Nodes are referred to by their index in the file.

struct SourceNode
{
    std::string name; ///< as in the file: may be empty, or the same as another
    std::int32_t parent = -1;
    LocalTransform local;
    bool isInScene = true;
    bool isPosed = false; ///< it was saved in another pose than `local`: in `pose`
    LocalTransform pose = {};
};

/// Triangles of one material under one node.
struct SourceMesh
{
    std::int32_t node = -1;
    std::vector<std::int32_t> jointNodes; ///< the future Skin::joints, one per mesh.skin.jointFromMesh; empty = rigid
    Mesh mesh;                            ///< skin.joints and skin.worldFromMesh are not used; weights as in the file
};

/// A camera or a light on a node; mount.joint is not used, mount.jointFromMount goes to the node's space.
struct SourceCamera
{
    std::int32_t node = -1;
    ModelCamera camera;
};
struct SourceLight
{
    std::int32_t node = -1;
    ModelLight light;
};

enum class SourcePath : std::uint8_t { Translation, Rotation, Scale };
enum class SourceInterpolation : std::uint8_t { Step, Linear, Cubic };

struct SourceChannel
{
    std::int32_t node = 0;
    SourcePath path = SourcePath::Translation;
    SourceInterpolation interpolation = SourceInterpolation::Linear;
    std::vector<double> times;  ///< [s] in ascending order
    std::vector<double> values; ///< 3 or 4 (xyzw) per key; Cubic: in-tangent, value, out-tangent of each key
};

struct SourceAnimation
{
    std::string name;
    std::int32_t index = -1; ///< in the source
    std::vector<SourceChannel> channels;
    std::vector<MorphCurve>
        morphs; ///< from a reader, `mesh` is the node; the import worker replaces it by the meshes of that node
};

/// How a node of a robot may move, and the segment it is drawn as. Lengths in the file's unit; springs are not used. A
/// joint without an entry gets the default freedoms.
struct SourceFreedoms
{
    std::int32_t node = -1;
    std::array<AxisFreedom, 3> turning{};
    std::array<AxisFreedom, 3> sliding{};
    double turningSpeed = 0, slidingSpeed = 0; ///< [rad/s], [unit/s] at most; 0 = any
    Segment segment;
};

/// What a file says of the role of a node: VRM's table of humanoid bones. Roles are VRM 1.0's.
struct SourceRole
{
    std::string role;
    std::int32_t node = -1;
};

struct SourceModel
{
    std::string format; ///< "glb", "gltf", ...
    double metresPerUnit = 1;
    bool isUnitStated = true; ///< false: the format states no unit, and metresPerUnit is still to be guessed
    int upAxis = 1;
    std::vector<SourceNode> nodes;
    std::vector<std::int32_t> skinJoints; ///< nodes that any skin uses as joints, each once
    std::vector<SourceFreedoms> freedoms; ///< at most one per node
    std::vector<SourceRole> roles;        ///< each role and each node at most once
    std::vector<SourceMesh> meshes;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<SourceCamera> cameras;
    std::vector<SourceLight> lights;
    std::vector<SourceAnimation> animations;
    double framesPerSecond = 0; ///< stated in the file; 0 = not stated
    std::vector<std::uint8_t>
        selfContained; ///< if requested: glTF with everything it needs as one .glb, other formats unchanged
    Issues issues;
};

/// The largest model that is read. Larger ones are refused with one line.
namespace limits {
inline constexpr std::size_t kNodes = 200'000;
inline constexpr std::size_t kJoints = 16'384;
inline constexpr std::size_t kMeshes = 20'000;
inline constexpr std::size_t kVertices = 16'000'000; ///< FBX has one for each corner of a triangle
inline constexpr std::size_t kIndices = 48'000'000;
inline constexpr std::size_t kKeys = 20'000'000;
inline constexpr std::size_t kIssues = 1'000;
inline constexpr std::size_t kFileBytes = std::size_t{512} << 20;
inline constexpr std::size_t kIntermediateBytes = std::size_t{1} << 30;
inline constexpr double kLastSecond = 1e6; ///< keys are within +-11 days
} // namespace limits

} // namespace tendon
