#pragma once

#include "core/runtime/Pose.h"
#include "core/runtime/Skinning.h"

#include <memory>
#include <span>
#include <vector>

namespace Qt3DCore {
class QGeometry;
} // namespace Qt3DCore

namespace tendon::viewport {

class RenderHost;

/// One draw call of a model: a part of a mesh.
struct DrawablePart
{
    std::size_t mesh = 0;
    int influences = 0;                ///< of a vertex
    std::vector<std::uint16_t> joints; ///< of the mesh's skin, by their places in the palette
    Qt3DCore::QGeometry* geometry = nullptr;
};

/// The model in one more pose.
struct GhostPose
{
    const ModelPose* pose = nullptr;
    Eigen::Vector4f colour{1, 1, 1, 1}; ///< sRGB, and how strong it is at most
    bool operator==(const GhostPose&) const = default;
};

/// Draws a model in several more poses, each as a tint of one colour behind everything else. They share the model's
/// geometry; each has palettes of its own. GUI thread only. Destroy it before the geometry and the host.
class GhostDrawing
{
public:
    explicit GhostDrawing(RenderHost& host);
    ~GhostDrawing();

    /// Ghosts are of these parts from now on; there are none yet.
    void setParts(std::vector<DrawablePart> parts);
    /// `bindings`: of each mesh, the joints' own bodies last. `joints`: 1 = shown; empty: all. Returns true if more or
    /// fewer are shown than before.
    bool setGhosts(std::span<const GhostPose> ghosts, std::span<const SkinBinding> bindings,
                   std::span<const std::uint8_t> joints, const std::vector<bool>& meshes);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Writes a part's palette: three rows of four floats for each of its joints. Hidden joints draw nothing.
void writePalette(const DrawablePart& part, const SkinBinding& binding, const ModelPose& pose,
                  std::span<const std::uint8_t> joints, char* rows);

} // namespace tendon::viewport
