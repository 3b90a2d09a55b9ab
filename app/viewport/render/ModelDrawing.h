#pragma once

#include "app/viewport/render/GhostDrawing.h"
#include "core/runtime/CompiledRig.h"
#include "core/scene/ModelAsset.h"

#include <functional>
#include <memory>

namespace tendon::viewport {

class RenderHost;

/// The model's meshes and the joints' segments as Qt 3D entities. Geometry is uploaded to the GPU once per model; a
/// pose only rewrites the palettes. GUI thread only. Destroy it before its host.
class ModelDrawing
{
public:
    /// `wantsFrame` is called when a texture has been decoded in the background.
    ModelDrawing(RenderHost& host, std::function<void()> wantsFrame);
    ~ModelDrawing();

    /// Sets the model and segments to draw and returns true if they have changed; otherwise costs nothing.
    bool setModel(const std::shared_ptr<const ModelAsset>& model, const std::shared_ptr<const CompiledRig>& rig);

    /// Precondition: the pose belongs to the rig that was set last.
    void setPose(const ModelPose& pose);

    /// The model in more poses: see GhostDrawing. Returns true if more or fewer are shown than before.
    bool setGhosts(std::span<const GhostPose> ghosts);

    void setShown(bool isShown);
    /// Which joints (of the rig; 1 = shown, empty = all) have their segments drawn, and which meshes of the model are.
    /// Returns true if that has changed; then the pose has to be set again.
    bool setVisible(std::span<const std::uint8_t> joints, const std::vector<bool>& meshes);

    [[nodiscard]] bool hasPendingTextures() const;
    void waitForTextures();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
