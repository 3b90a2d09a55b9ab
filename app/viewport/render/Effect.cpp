#include "app/viewport/render/Effect.h"

#include "app/viewport/render/Shaders.h"

#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QBuffer>
#include <Qt3DCore/QEntity>
#include <Qt3DCore/QGeometry>
#include <Qt3DRender/QBlendEquation>
#include <Qt3DRender/QBlendEquationArguments>
#include <Qt3DRender/QDepthTest>
#include <Qt3DRender/QEffect>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QGraphicsApiFilter>
#include <Qt3DRender/QNoDepthMask>
#include <Qt3DRender/QRenderPass>
#include <Qt3DRender/QShaderProgram>
#include <Qt3DRender/QTechnique>

namespace tendon::viewport {
namespace {

void addBlending(Qt3DRender::QRenderPass* pass)
{
    auto* arguments = new Qt3DRender::QBlendEquationArguments(pass);
    arguments->setSourceRgba(Qt3DRender::QBlendEquationArguments::One);
    arguments->setDestinationRgba(Qt3DRender::QBlendEquationArguments::OneMinusSourceAlpha);
    pass->addRenderState(arguments);
    auto* equation = new Qt3DRender::QBlendEquation(pass);
    equation->setBlendFunction(Qt3DRender::QBlendEquation::Add);
    pass->addRenderState(equation);
}

} // namespace

Qt3DRender::QEffect* makeEffect(const EffectSpec& spec, Qt3DCore::QNode* parent)
{
    auto* effect = new Qt3DRender::QEffect(parent);
    auto* technique = new Qt3DRender::QTechnique(effect);
    Qt3DRender::QGraphicsApiFilter* api = technique->graphicsApiFilter();
    api->setApi(Qt3DRender::QGraphicsApiFilter::OpenGL);
    api->setProfile(Qt3DRender::QGraphicsApiFilter::CoreProfile);
    api->setMajorVersion(3);
    api->setMinorVersion(3);

    auto* pass = new Qt3DRender::QRenderPass(technique);
    // Each pass has its own program: Qt 3D ignores programs elsewhere in the tree, and shares programs with equal
    // source.
    auto* program = new Qt3DRender::QShaderProgram(pass);
    program->setVertexShaderCode(shaderSource(spec.vertexShader, spec.defines));
    program->setFragmentShaderCode(shaderSource(spec.fragmentShader, spec.defines));
    pass->setShaderProgram(program);

    auto* depth = new Qt3DRender::QDepthTest(pass);
    depth->setDepthFunction(spec.hasDepthTest ? Qt3DRender::QDepthTest::LessOrEqual : Qt3DRender::QDepthTest::Always);
    pass->addRenderState(depth);
    if (spec.isBlended) addBlending(pass);
    if (!spec.writesDepth) pass->addRenderState(new Qt3DRender::QNoDepthMask(pass));

    technique->addRenderPass(pass);
    effect->addTechnique(technique);
    return effect;
}

void addFullScreenTriangle(Qt3DCore::QEntity* entity)
{
    using Qt3DCore::QAttribute;
    auto* renderer = new Qt3DRender::QGeometryRenderer(entity);
    auto* geometry = new Qt3DCore::QGeometry(renderer);
    auto* buffer = new Qt3DCore::QBuffer(geometry);
    const float corners[] = {-1, -1, 0, 3, -1, 0, -1, 3, 0};
    buffer->setData(QByteArray(reinterpret_cast<const char*>(corners), sizeof corners));
    geometry->addAttribute(new QAttribute(buffer, QAttribute::defaultPositionAttributeName(), QAttribute::Float, 3, 3,
                                          0, 3 * sizeof(float)));
    renderer->setGeometry(geometry);
    renderer->setVertexCount(3);
    entity->addComponent(renderer);
}

} // namespace tendon::viewport
