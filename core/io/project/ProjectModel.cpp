#include "core/io/project/ProjectModel.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/GltfWriter.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/Names.h"

#include <QByteArray>
#include <QDir>
#include <QFileInfo>

namespace tendon::project {
namespace {

QDir folderOf(const std::string& projectPath) { return QFileInfo(QString::fromStdString(projectPath)).absoluteDir(); }

QString base64(const std::vector<std::uint8_t>& bytes)
{
    const auto raw = QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()),
                                             static_cast<qsizetype>(bytes.size()));
    return QString::fromLatin1(raw.toBase64());
}

std::shared_ptr<const std::vector<std::uint8_t>> readEmbedded(ObjectReader& json)
{
    if (!json.has("embedded")) return nullptr;
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromStdString(json.text("embedded")),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || (*decoded).isEmpty()) {
        json.fail("embedded", "is not valid base64");
        return nullptr;
    }
    return std::make_shared<const std::vector<std::uint8_t>>((*decoded).begin(), (*decoded).end());
}

} // namespace

std::shared_ptr<const ModelAsset> loadModel(const std::shared_ptr<const ModelAsset>& reference, const Scene& scene,
                                            Issues& issues)
{
    const auto model = reloadModel(*reference, *scene.joints, issues);
    if (model) return *model;
    issues.push_back(
        {Severity::Warning,
         model.error().message + "; the project opens without its meshes. Put the file back, or import it again",
         model.error().where});
    auto missing = std::make_shared<ModelAsset>(*reference);
    missing->missing = model.error().message + "; exporting needs the original model file";
    return missing;
}

bool needsEmbedding(const ModelAsset* model)
{
    return model != nullptr && model->source.format.empty() && model->source.embedded == nullptr &&
           !model->meshes.empty();
}

Result<Scene> withEmbeddedModel(const Scene& scene)
{
    // Segments are drawn from the joints: in the file they would come back as meshes beside them.
    Scene bare = scene;
    std::vector<Joint> joints = scene.joints->toVector();
    for (Joint& joint : joints) joint.segment = {};
    bare.joints = joints;
    auto written = writeGltf(bare, {});
    if (!written) return written.error();

    Scene embedded = scene;
    joints = scene.joints->toVector();
    for (Joint& joint : joints) {
        const auto node = written->nodeOf.find(joint.id);
        joint.sourceNode = node == written->nodeOf.end() ? -1 : static_cast<std::int32_t>(node->second);
    }
    embedded.joints = std::move(joints);
    auto model = std::make_shared<ModelAsset>(*scene.model);
    const auto* bytes = reinterpret_cast<const char*>(written->glb.data());
    model->source = {.format = "glb",
                     .path = {},
                     .sha256 = sha256(std::string_view(bytes, written->glb.size())),
                     .embedded = std::make_shared<const std::vector<std::uint8_t>>(std::move(written->glb))};
    model->metresPerUnit = 1;
    model->upAxis = 1;
    embedded.model = std::move(model);
    return embedded;
}

QJsonObject modelToJson(const ModelAsset* model, const std::string& projectPath, WriteState& state)
{
    if (model == nullptr) return {};
    const ModelSource& source = model->source;
    ObjectWriter json("/model", "model", state);
    if (!source.embedded && source.path.empty()) return {}; // nothing to refer to, and nothing in it
    json.string("format", source.format);
    if (source.embedded)
        json.put("embedded", base64(*source.embedded));
    else
        json.put("path", folderOf(projectPath).relativeFilePath(QString::fromStdString(source.path)));
    json.string("sha256", source.sha256);
    json.number("metresPerUnit", model->metresPerUnit, 1);
    json.string("upAxis", std::string(kAxes[static_cast<std::size_t>(model->upAxis)]), "y");
    return json.take();
}

std::shared_ptr<const ModelAsset> modelFromJson(const QJsonValue& value, const std::string& projectPath,
                                                ReadState& state)
{
    ObjectReader json(value, "/model", "model", state);
    auto model = std::make_shared<ModelAsset>();
    model->source.format = json.text("format");
    for (const char c : model->source.format)
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9'))
            json.fail("format", "is not a format such as glb, gltf or fbx");
    model->source.sha256 = json.text("sha256");
    model->source.embedded = readEmbedded(json);
    const std::string path = json.text("path");
    if (model->source.embedded == nullptr && path.empty())
        json.fail("path", "is missing; a model needs a path or must be embedded");
    if (!path.empty())
        model->source.path =
            QDir::cleanPath(folderOf(projectPath).absoluteFilePath(QString::fromStdString(path))).toStdString();
    model->metresPerUnit = json.number("metresPerUnit", 1);
    if (!(model->metresPerUnit > 0)) json.fail("metresPerUnit", "must be above 0");
    model->upAxis = static_cast<int>(json.oneOf("upAxis", kAxes, 1));
    return model;
}

} // namespace tendon::project
