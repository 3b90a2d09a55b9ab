#include "core/io/project/ProjectModel.h"

#include "core/io/base/Files.h"
#include "core/io/export/gltf/GltfWriter.h"
#include "core/io/import/ModelImport.h"
#include "core/io/project/Names.h"

#include <QByteArray>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <map>

namespace tendon::project {
namespace {

QDir folderOf(const std::string& projectPath) { return QFileInfo(QString::fromStdString(projectPath)).absoluteDir(); }

QString base64(const std::vector<std::uint8_t>& bytes)
{
    const auto raw = QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()),
                                             static_cast<qsizetype>(bytes.size()));
    return QString::fromLatin1(raw.toBase64());
}

std::shared_ptr<const std::vector<std::uint8_t>> takeEmbedded(ObjectReader& json)
{
    if (!json.has("embedded")) return nullptr;
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromStdString(json.string("embedded")),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded || (*decoded).isEmpty()) {
        json.fail("embedded", "is not base64");
        return nullptr;
    }
    return std::make_shared<const std::vector<std::uint8_t>>((*decoded).begin(), (*decoded).end());
}

/// Where the model's bytes can be read: its file, or what is embedded put into `folder`. Error: neither can be had.
Result<std::string> placeToRead(const ModelSource& source, const QTemporaryDir& folder)
{
    if (source.embedded == nullptr) {
        if (!QFileInfo::exists(QString::fromStdString(source.path)))
            return Error{ErrorCode::NotFound, "the model's file is not there", source.path};
        return source.path;
    }
    const std::string path =
        folder.filePath(QStringLiteral("model.") + QString::fromStdString(source.format)).toStdString();
    const auto* bytes = reinterpret_cast<const char*>(source.embedded->data());
    const auto written = writeFile(path, std::string_view(bytes, source.embedded->size()));
    if (!written) return written.error();
    return path;
}

/// Names the joints of the project in the place of those that the import made.
void bindToScene(ModelAsset& model, const Scene& imported, const Scene& scene)
{
    std::map<std::int32_t, JointId> bySourceNode;
    for (const Joint& joint : *scene.joints)
        if (joint.sourceNode >= 0) bySourceNode.emplace(joint.sourceNode, joint.id);
    std::map<JointId, JointId> ours;
    for (const Joint& joint : *imported.joints)
        if (const auto found = bySourceNode.find(joint.sourceNode); found != bySourceNode.end())
            ours[joint.id] = found->second;
    const auto oursOf = [&](JointId joint) {
        return ours.contains(joint) ? ours[joint] : JointId{};
    }; // none: no longer there
    for (Mesh& mesh : model.meshes)
        for (JointId& joint : mesh.skin.joints) joint = oursOf(joint);
    for (Mount* mount : mountsOf(model)) mount->joint = oursOf(mount->joint);
}

} // namespace

std::shared_ptr<const ModelAsset> loadModel(const std::shared_ptr<const ModelAsset>& reference, const Scene& scene,
                                            Issues& issues)
{
    const auto refuse = [&](const Error& error) {
        issues.push_back(
            {Severity::Warning,
             error.message + "; the project opens without its meshes. Put the file back, or import it again",
             error.where, 0});
        return reference;
    };
    const QTemporaryDir folder;
    const auto path = placeToRead(reference->source, folder);
    if (!path) return refuse(path.error());
    ImportOptions options;
    options.metresPerUnit = reference->metresPerUnit;
    options.upAxis = reference->upAxis;
    const auto imported = importModel(*path, options);
    if (!imported) return refuse(imported.error());
    if (imported->scene.model == nullptr) return reference;

    auto model = std::make_shared<ModelAsset>(*imported->scene.model);
    const std::string& expected = reference->source.sha256;
    if (!expected.empty() && model->source.sha256 != expected)
        issues.push_back(
            {Severity::Warning,
             "the model's file has changed since the project was saved; meshes and joints may no longer fit. "
             "Import it again to be sure",
             reference->source.path, 0});
    bindToScene(*model, imported->scene, scene);
    model->source = reference->source;
    return model;
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
    for (Joint& joint : bare.joints.edit()) joint.segment = {};
    auto written = writeGltf(bare, {});
    if (!written) return written.error();

    Scene embedded = scene;
    for (Joint& joint : embedded.joints.edit()) {
        const auto node = written->nodeOf.find(joint.id);
        joint.sourceNode = node == written->nodeOf.end() ? -1 : static_cast<std::int32_t>(node->second);
    }
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
    model->source.format = json.string("format");
    for (const char c : model->source.format)
        if ((c < 'a' || c > 'z') && (c < '0' || c > '9'))
            json.fail("format", "is not a format such as glb, gltf or fbx");
    model->source.sha256 = json.string("sha256");
    model->source.embedded = takeEmbedded(json);
    const std::string path = json.string("path");
    if (model->source.embedded == nullptr && path.empty())
        json.fail("path", "is missing; a model has a path or is embedded");
    if (!path.empty())
        model->source.path =
            QDir::cleanPath(folderOf(projectPath).absoluteFilePath(QString::fromStdString(path))).toStdString();
    model->metresPerUnit = json.number("metresPerUnit", 1);
    if (!(model->metresPerUnit > 0)) json.fail("metresPerUnit", "is not above 0");
    model->upAxis = static_cast<int>(json.oneOf("upAxis", kAxes, 1));
    return model;
}

} // namespace tendon::project
