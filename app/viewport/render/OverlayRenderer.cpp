#include "app/viewport/render/OverlayRenderer.h"

#include "app/viewport/render/Shaders.h"

#include <QLoggingCategory>
#include <QOpenGLBuffer>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QVector2D>

#include <array>
#include <cstddef>

namespace tendon::viewport {
namespace {

Q_LOGGING_CATEGORY(logViewport, "tendon.viewport", QtWarningMsg)

constexpr unsigned kMultisampledTexture = 0x9100; // GL_TEXTURE_2D_MULTISAMPLE, which QOpenGLFunctions' headers may lack

} // namespace

struct OverlayRenderer::Impl
{
    std::array<std::unique_ptr<QOpenGLShaderProgram>, 2> programs; ///< for depths with one sample, and with several
    QOpenGLBuffer buffer{QOpenGLBuffer::VertexBuffer};
    QOpenGLVertexArrayObject layout;
    GLuint reading = 0; ///< framebuffer with the scene's texture attached

    static QOpenGLExtraFunctions* gl() { return QOpenGLContext::currentContext()->extraFunctions(); }
    QOpenGLShaderProgram& program(bool isMultisampled);
};

QOpenGLShaderProgram& OverlayRenderer::Impl::program(bool isMultisampled)
{
    std::unique_ptr<QOpenGLShaderProgram>& program = programs[isMultisampled ? 1 : 0];
    if (program) return *program;
    program = std::make_unique<QOpenGLShaderProgram>();
    const QStringList defines = isMultisampled ? QStringList{QStringLiteral("MULTISAMPLED")} : QStringList();
    bool isGood = program->addShaderFromSourceCode(QOpenGLShader::Vertex,
                                                   shaderSource(QStringLiteral("overlay.vert"), defines));
    isGood = isGood && program->addShaderFromSourceCode(QOpenGLShader::Fragment,
                                                        shaderSource(QStringLiteral("overlay.frag"), defines));
    int place = 0;
    for (const char* name : {"position", "shape", "ring", "depth", "colour"})
        program->bindAttributeLocation(name, place++);
    if (!isGood || !program->link()) qCWarning(logViewport) << "overlay shader:" << program->log();
    return *program;
}

OverlayRenderer::OverlayRenderer() : m_impl(std::make_unique<Impl>())
{
    Impl& impl = *m_impl;
    impl.buffer.create();
    impl.buffer.setUsagePattern(QOpenGLBuffer::StreamDraw);
    impl.layout.create();
    impl.layout.bind();
    impl.buffer.bind();
    constexpr int stride = sizeof(DisplayList::Vertex);
    auto* gl = Impl::gl();
    const auto attribute = [&](GLuint place, int size, std::size_t offset, GLenum type = GL_FLOAT) {
        gl->glEnableVertexAttribArray(place);
        gl->glVertexAttribPointer(place, size, type, type != GL_FLOAT, stride, reinterpret_cast<const void*>(offset));
    };
    attribute(0, 2, offsetof(DisplayList::Vertex, x));
    attribute(1, 4, offsetof(DisplayList::Vertex, along));
    attribute(2, 2, offsetof(DisplayList::Vertex, innerRadius));
    attribute(3, 1, offsetof(DisplayList::Vertex, depth));
    attribute(4, 4, offsetof(DisplayList::Vertex, colour), GL_UNSIGNED_BYTE);
    impl.layout.release();
    impl.buffer.release();
    gl->glGenFramebuffers(1, &impl.reading);
}

OverlayRenderer::~OverlayRenderer()
{
    Impl::gl()->glDeleteFramebuffers(1, &m_impl->reading);
    m_impl->layout.destroy();
    m_impl->buffer.destroy();
}

void OverlayRenderer::drawScene(unsigned texture, QSize pixels, bool isMultisampled, unsigned framebuffer)
{
    if (texture == 0) return;
    auto* gl = Impl::gl();
    const int w = pixels.width(), h = pixels.height();
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, m_impl->reading);
    gl->glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               isMultisampled ? kMultisampledTexture : static_cast<GLenum>(GL_TEXTURE_2D), texture, 0);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

void OverlayRenderer::draw(const DisplayList& list, const Vector2& size, QSize pixels, unsigned depth,
                           bool isMultisampled)
{
    if (list.vertices().empty()) return;
    Impl& impl = *m_impl;
    auto* gl = Impl::gl();
    gl->glViewport(0, 0, pixels.width(), pixels.height());
    gl->glDisable(GL_DEPTH_TEST);
    gl->glDisable(GL_CULL_FACE);
    gl->glEnable(GL_BLEND);
    gl->glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);

    const GLenum target = isMultisampled ? kMultisampledTexture : static_cast<GLenum>(GL_TEXTURE_2D);
    gl->glActiveTexture(GL_TEXTURE0);
    gl->glBindTexture(target, depth);
    QOpenGLShaderProgram& program = impl.program(isMultisampled);
    program.bind();
    program.setUniformValue("sceneDepth", 0);
    program.setUniformValue("size", QVector2D(static_cast<float>(size.x()), static_cast<float>(size.y())));
    program.setUniformValue("pixel", static_cast<float>(size.x() / std::max(pixels.width(), 1)));
    impl.buffer.bind();
    impl.buffer.allocate(list.vertices().data(), static_cast<int>(list.vertices().size_bytes()));
    impl.layout.bind();
    gl->glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(list.vertices().size()));
    impl.layout.release();
    impl.buffer.release();
    program.release();
    gl->glBindTexture(target, 0);
    gl->glDisable(GL_BLEND);
}

} // namespace tendon::viewport
