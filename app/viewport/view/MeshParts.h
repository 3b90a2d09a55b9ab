#pragma once

#include "core/scene/ModelAsset.h"

#include <cstdint>
#include <vector>

namespace tendon::viewport {

/// The number of joints in one draw call's palette: three rows of four floats each, in the 16 KB that every OpenGL 3.3
/// supports for a uniform block.
inline constexpr std::size_t kPaletteJoints = 341;

/// A mesh, or a part of it whose joints fit one palette, as the GPU reads it. Interleaved floats: position 3, normal 3
/// (0 = none: the shader uses the face's normal), then, depending on the flags, texture coordinates 2, linear colour 4,
/// and `influences` palette indices followed by as many weights.
struct MeshPart
{
    std::vector<float> vertices;
    std::vector<std::uint32_t> indices;    ///< three per triangle, into `vertices`
    std::vector<std::uint16_t> joints;     ///< palette index -> index into the skin's joints
    std::vector<std::uint32_t> meshVertex; ///< the mesh's vertex for each vertex of the part
    bool hasTextureCoordinates = false;
    bool hasColours = false;
    int influences = 0; ///< 0: rigid, one joint; otherwise 4 or 8

    [[nodiscard]] int floatsPerVertex() const
    {
        return 6 + (hasTextureCoordinates ? 2 : 0) + (hasColours ? 4 : 0) + 2 * influences;
    }
};

/// Splits a mesh into as few parts as its joints need. A vertex keeps its eight strongest influences, normalised to sum
/// to 1. Triangles with an invalid index are dropped.
[[nodiscard]] std::vector<MeshPart> meshParts(const Mesh& mesh, std::size_t paletteJoints = kPaletteJoints);

/// Unit normals for meshes without normals: the mean over the faces around each vertex, weighted by area.
[[nodiscard]] std::vector<Eigen::Vector3f> smoothNormals(const Mesh& mesh);

} // namespace tendon::viewport
