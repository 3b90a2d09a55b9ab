#include "core/io/project/ProjectModel.h"

#include "core/io/Files.h"
#include "core/io/project/Names.h"

#include <QByteArray>
#include <QDir>
#include <QFileInfo>

namespace tendon::project {
namespace {

QDir folderOf(const std::string& projectPath) { return QFileInfo(QString::fromStdString(projectPath)).absoluteDir(); }

QString base64(const std::vector<std::uint8_t>& bytes)
{
    const auto raw = QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
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

} // namespace

QJsonObject modelToJson(const ModelAsset* model, const std::string& projectPath, WriteState& state)
{
    if (model == nullptr) return {};
    const ModelSource& source = model->source;
    ObjectWriter json("/model", "model", state);
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

std::shared_ptr<const ModelAsset> modelFromJson(const QJsonObject& project, const std::string& projectPath, ReadState& state)
{
    const QJsonValue value = project.value(QStringLiteral("model"));
    if (value.isUndefined()) return nullptr;
    ObjectReader json(value, "/model", "model", state);
    auto model = std::make_shared<ModelAsset>();
    model->source.format = json.string("format");
    model->source.sha256 = json.string("sha256");
    model->source.embedded = takeEmbedded(json);
    const std::string path = json.string("path");
    if (model->source.embedded == nullptr && path.empty())
        json.fail("path", "is missing; a model has a path or is embedded");
    if (!path.empty())
        model->source.path = QDir::cleanPath(folderOf(projectPath).absoluteFilePath(QString::fromStdString(path))).toStdString();
    model->metresPerUnit = json.number("metresPerUnit", 1);
    if (!(model->metresPerUnit > 0)) json.fail("metresPerUnit", "is not above 0");
    model->upAxis = static_cast<int>(json.oneOf("upAxis", kAxes, 1));
    return model;
}

} // namespace tendon::project
