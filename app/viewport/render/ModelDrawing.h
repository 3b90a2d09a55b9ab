#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
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

    void setShown(bool isShown);

    [[nodiscard]] bool hasPendingTextures() const;
    void waitForTextures();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
