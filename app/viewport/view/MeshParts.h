#pragma once

#include "core/scene/ModelAsset.h"

#include <cstdint>
#include <vector>

namespace tendon::viewport {

/// Joints that one draw call's palette holds: three rows of four floats each in the 16 KB that every OpenGL 3.3 gives a
/// uniform block.
inline constexpr std::size_t kPaletteJoints = 341;

/// What the graphics card is given of a mesh: the whole of it, or a share whose joints fit one palette. Interleaved
/// floats: position 3, normal 3 (0 = none: the shader takes the face's), then what the flags say: texture coordinates
/// 2, linear colour 4, and `influences` palette places followed by as many weights.
struct MeshPart
{
    std::vector<float> vertices;
    std::vector<std::uint32_t> indices;    ///< three per triangle, into `vertices`
    std::vector<std::uint16_t> joints;     ///< palette place -> index into the skin's joints
    std::vector<std::uint32_t> meshVertex; ///< the mesh's vertex that each of ours was made from
    bool hasTextureCoordinates = false;
    bool hasColours = false;
    int influences = 0; ///< 0: rigid, one joint; else 4 or 8

    [[nodiscard]] int floatsPerVertex() const
    {
        return 6 + (hasTextureCoordinates ? 2 : 0) + (hasColours ? 4 : 0) + 2 * influences;
    }
};

/// Cuts a mesh into as few parts as its joints need. Influences beyond the eight strongest of a vertex are left out and
/// the rest made to sum to 1. Indices that point outside the mesh are dropped with their triangle.
[[nodiscard]] std::vector<MeshPart> meshParts(const Mesh& mesh, std::size_t paletteJoints = kPaletteJoints);

/// Unit normals averaged over the faces around each vertex, weighted by their area; for meshes that come without.
[[nodiscard]] std::vector<Eigen::Vector3f> smoothNormals(const Mesh& mesh);

} // namespace tendon::viewport
