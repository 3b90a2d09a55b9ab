#include "resources/samples/mannequin/Mannequin.h"

#include "core/io/export/gltf/GltfWriter.h"
#include "resources/samples/mannequin/Figure.h"
#include "resources/samples/mannequin/Walk.h"

#include <QCryptographicHash>

namespace tendon::mannequin {

namespace {

/// Gives the model a source, so that projects hold it as they hold any other: a glTF file, embedded.
Result<Scene> withEmbeddedSource(Scene scene)
{
    auto written = writeGltf(scene, {});
    if (!written) return written.error();

    auto model = std::make_shared<ModelAsset>(*scene.model);
    const QByteArray bytes = QByteArray::fromRawData(reinterpret_cast<const char*>(written->glb.data()),
                                                     static_cast<qsizetype>(written->glb.size()));
    model->source.format = "glb";
    model->source.sha256 = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
    std::vector<Joint> joints = scene.joints->toVector();
    for (Joint& joint : joints) joint.sourceNode = static_cast<std::int32_t>(written->nodeOf.at(joint.id));
    scene.joints = std::move(joints);
    model->source.embedded = std::make_shared<const std::vector<std::uint8_t>>(std::move(written->glb));
    scene.model = std::move(model);
    return scene;
}

} // namespace

Result<Project> makeProject()
{
    auto scene = withEmbeddedSource(figure());
    if (scene) scene = withHandles(std::move(*scene));
    if (scene) scene = withWalk(std::move(*scene));
    if (!scene) return scene.error().within("sample mannequin");
    Project project;
    project.state.currentClip = scene->clips.back()->id;
    project.state.frame = scene->firstFrame;
    project.scene = std::move(*scene);
    return project;
}

} // namespace tendon::mannequin
