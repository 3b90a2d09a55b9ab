#pragma once

#include "app/viewport/view/MeshParts.h"

#include <memory>

namespace Qt3DCore {
class QBuffer;
class QNode;
} // namespace Qt3DCore
namespace Qt3DRender {
class QMaterial;
}

namespace tendon::viewport {

class TextureStore;

/// Makes Qt 3D materials for parts of meshes. One per model.
class ModelMaterials
{
public:
    ModelMaterials(Qt3DCore::QNode* parent, TextureStore& textures);
    ~ModelMaterials();

    /// `palette` is the uniform block with the part's joints.
    [[nodiscard]] Qt3DRender::QMaterial* make(const Material& material, const MeshPart& part,
                                              Qt3DCore::QBuffer* palette);

    /// True if the material is blended, so that it must be drawn after everything behind it.
    [[nodiscard]] static bool isTransparent(const Material& material) { return material.isTransparent; }

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tendon::viewport
