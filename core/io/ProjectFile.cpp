#include "core/io/ProjectFile.h"

#include "core/io/Files.h"
#include "core/io/JsonText.h"
#include "core/io/Schema.h"
#include "core/io/project/ProjectJson.h"
#include "core/io/project/ProjectModel.h"

#include <QJsonDocument>

namespace tendon {
namespace {

Result<QJsonObject> parse(const std::string& bytes)
{
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(bytes), &problem);
    if (problem.error != QJsonParseError::NoError)
        return Error{ErrorCode::InvalidArgument,
                     "is not a Tendon project: not JSON at byte " + std::to_string(problem.offset) + " (" +
                         problem.errorString().toStdString() + ")",
                     ""};
    if (!document.isObject())
        return Error{ErrorCode::InvalidArgument, "is not a Tendon project: the JSON is not an object", ""};
    return document.object();
}

Result<Project> projectFrom(const QJsonObject& json, const std::string& path, project::ReadState& state)
{
    Project result;
    project::fromJson(json, result, state);
    if (!state.hasFailed()) result.scene.model = project::modelFromJson(json, path, state);
    if (state.hasFailed()) return *state.error;
    return result;
}

} // namespace

Result<Project> readProject(const std::string& path, Issues* issues, const ReadProjectOptions& options)
{
    static_cast<void>(options);
    const auto bytes = readFile(path);
    if (!bytes) return bytes.error();
    const auto json = parse(*bytes);
    if (!json) return json.error().within(path);
    const auto upgraded = upgradeProject(*json);
    if (!upgraded) return upgraded.error().within(path);
    project::ReadState state;
    auto result = projectFrom(*upgraded, path, state);
    if (!result) return result.error().within(path);
    if (issues != nullptr) {
        for (Issue& issue : state.issues) issue.where = path + ": " + issue.where;
        issues->insert(issues->end(), state.issues.begin(), state.issues.end());
    }
    return result;
}

Result<std::string> projectBytes(const Project& project, const std::string& path)
{
    project::WriteState state;
    QJsonObject json = project::toJson(project, state);
    const QJsonObject model = project::modelToJson(project.scene.model.get(), path, state);
    if (!model.isEmpty()) json.insert(QStringLiteral("model"), model);
    if (state.error) return state.error->within(path);
    return jsonText(json);
}

Result<void> writeProject(const Project& project, const std::string& path)
{
    const auto bytes = projectBytes(project, path);
    if (!bytes) return bytes.error();
    return writeFile(path, *bytes);
}

} // namespace tendon
