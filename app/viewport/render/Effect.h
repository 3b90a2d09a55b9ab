#pragma once

#include <QString>
#include <QStringList>

namespace Qt3DCore {
class QEntity;
class QNode;
} // namespace Qt3DCore
namespace Qt3DRender {
class QEffect;
}

namespace tendon::viewport {

/// The settings of an effect with one technique for OpenGL 3.3 core and one pass.
struct EffectSpec
{
    QString vertexShader; ///< file names in shaders/
    QString fragmentShader;
    QStringList defines = {};
    bool hasDepthTest = true; ///< false: drawn over everything, but still writes depth
    bool isBlended = false;   ///< colours are premultiplied by alpha
    bool writesDepth = true;
};

[[nodiscard]] Qt3DRender::QEffect* makeEffect(const EffectSpec& spec, Qt3DCore::QNode* parent);

/// Gives an entity one triangle that covers the whole picture; its corners are in clip space.
void addFullScreenTriangle(Qt3DCore::QEntity* entity);

} // namespace tendon::viewport
