#pragma once

#include "core/runtime/CompiledRig.h"
#include "core/runtime/Pose.h"
#include "core/scene/ModelAsset.h"

#include <functional>
#include <memory>

namespace tendon::viewport {

class RenderHost;

/// The model's meshes and the joints' drawn segments as Qt 3D entities. Geometry is sent to the graphics card once for
/// a model; a pose only rewrites the palettes. GUI thread only; must go before the host it draws with.
class ModelDrawing
{
public:
    /// `wantsFrame` is called when a texture that was decoded in the background has come.
    ModelDrawing(RenderHost& host, std::function<void()> wantsFrame);
    ~ModelDrawing();

    /// Takes up what is drawn; costs nothing when neither the model nor a segment has changed. True: it had changed.
    bool setModel(const std::shared_ptr<const ModelAsset>& model, const std::shared_ptr<const CompiledRig>& rig);

    /// Precondition: the pose is of the rig given last.
    void setPose(const ModelPose& pose);

    void setShown(bool isShown);

    [[nodiscard]] bool hasPendingTextures() const;
    void waitForTextures();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
