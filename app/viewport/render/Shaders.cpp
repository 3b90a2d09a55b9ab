#include "app/viewport/render/Shaders.h"

#include <QFile>

// Resources of a static library must be initialised; the macro must be outside of any namespace.
static void takeShadersAlong() { Q_INIT_RESOURCE(shaders); }

namespace tendon::viewport {

QByteArray shaderSource(const QString& name, const QStringList& defines)
{
    takeShadersAlong();
    QFile file(QStringLiteral(":/tendon/viewport/") + name);
    const bool isThere = file.open(QIODevice::ReadOnly);
    Q_ASSERT(isThere);
    QByteArray source = "#version 330 core\n";
    for (const QString& define : defines) source += "#define " + define.toUtf8() + '\n';
    return isThere ? source + "#line 1\n" + file.readAll() : source;
}

} // namespace tendon::viewport
