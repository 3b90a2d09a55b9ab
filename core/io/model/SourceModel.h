#pragma once

#include "core/base/Issue.h"
#include "core/math/Transform.h"
#include "core/scene/Joint.h"
#include "core/scene/ModelAsset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tendon {

/// A model as its file has it, before it becomes a scene: what the child process hands back, the same for all formats.
/// Nodes are named by their index in the source. Space: the file's own axes and unit.

struct SourceNode
{
    std::string name; ///< as in the file: may be empty or shared
    std::int32_t parent = -1;
    LocalTransform local;
    bool isInScene = true;
};

/// Triangles of one material under one node.
struct SourceMesh
{
    std::int32_t node = -1;
    std::vector<std::int32_t> jointNodes; ///< what Skin::joints will be, one per mesh.skin.jointFromMesh; empty = rigid
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
    std::vector<double> times;  ///< [s] never falling
    std::vector<double> values; ///< 3 or 4 (xyzw) a key; Cubic: arriving slope, value, leaving slope for each key
};

struct SourceAnimation
{
    std::string name;
    std::int32_t index = -1; ///< in the source
    std::vector<SourceChannel> channels;
    std::vector<MorphCurve>
        morphs; ///< readers fill in `mesh` with the node; the import worker makes it the meshes under it
};

/// What a robot's description says of a node: how it moves and what it is drawn as. Lengths in the file's unit; springs
/// are not used. Without any a joint gets the usual freedoms.
struct SourceMobility
{
    std::int32_t node = -1;
    std::array<AxisFreedom, 3> turning{};
    std::array<AxisFreedom, 3> sliding{};
    Segment segment;
};

struct SourceModel
{
    std::string format; ///< "glb", "gltf", ...
    double metresPerUnit = 1;
    bool isUnitStated = true; ///< false: the format has no unit, metresPerUnit is a guess to be made
    int upAxis = 1;
    std::vector<SourceNode> nodes;
    std::vector<std::int32_t> skinJoints;   ///< nodes that are joints of any skin, each once
    std::vector<SourceMobility> mobilities; ///< at most one a node
    std::vector<SourceMesh> meshes;
    std::vector<Material> materials;
    std::vector<Texture> textures;
    std::vector<SourceCamera> cameras;
    std::vector<SourceLight> lights;
    std::vector<SourceAnimation> animations;
    double framesPerSecond = 0; ///< as the file states it; 0 = it does not
    std::vector<std::uint8_t>
        selfContained; ///< if asked for: glTF with all that it needs as one .glb, other formats as they are
    Issues issues;
};

/// What one model may hold. Larger ones are refused with a line that says so.
namespace limits {
inline constexpr std::size_t kNodes = 200'000;
inline constexpr std::size_t kJoints = 16'384;
inline constexpr std::size_t kMeshes = 20'000;
inline constexpr std::size_t kVertices = 8'000'000;
inline constexpr std::size_t kIndices = 48'000'000;
inline constexpr std::size_t kKeys = 20'000'000;
inline constexpr std::size_t kIssues = 1'000;
inline constexpr std::size_t kFileBytes = std::size_t{512} << 20;
inline constexpr std::size_t kIntermediateBytes = std::size_t{512} << 20;
inline constexpr double kLastSecond = 1e6; ///< keys stand within +-11 days
} // namespace limits

} // namespace tendon
