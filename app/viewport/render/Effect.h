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

/// What an effect of ours differs in: one technique for OpenGL 3.3 core, one pass.
struct EffectSpec
{
    QString vertexShader; ///< file names in shaders/
    QString fragmentShader;
    QStringList defines = {};
    bool hasDepthTest = true; ///< else it is drawn over everything, and its depth is written all the same
    bool isBlended = false;   ///< colours come multiplied by their alpha
    bool writesDepth = true;
};

[[nodiscard]] Qt3DRender::QEffect* makeEffect(const EffectSpec& spec, Qt3DCore::QNode* parent);

/// Gives an entity one triangle over the whole picture; corners in clip space.
void addFullScreenTriangle(Qt3DCore::QEntity* entity);

} // namespace tendon::viewport
