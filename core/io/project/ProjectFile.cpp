#include "core/io/project/ProjectFile.h"

#include "core/io/base/Files.h"
#include "core/io/export/KeptModel.h"
#include "core/io/project/ProjectJson.h"
#include "core/io/project/ProjectModel.h"
#include "core/io/project/Schema.h"
#include "core/json/JsonParse.h"
#include "core/json/JsonText.h"

#include <QFileInfo>

namespace tendon {
Result<Project> projectFromBytes(const std::string& bytes, const std::string& path, Issues* issues,
                                 const ReadProjectOptions& options)
{
    const auto json = parseJsonObject(bytes, "a Tendon project");
    if (!json) return json.error().within(path);
    const auto upgraded = upgradeProject(*json);
    if (!upgraded) return upgraded.error().within(path);

    project::ReadState state;
    Project result;
    project::fromJson(*upgraded, path, result, state);
    if (state.hasFailed()) return state.error.first->within(path);
    for (Issue& issue : state.issues) issue.where = path + ": " + issue.where;

    Scene& scene = result.scene;
    if (scene.model && options.loadsMeshes) scene.model = project::loadModel(scene.model, scene, state.issues);
    if (issues != nullptr) issues->insert(issues->end(), state.issues.begin(), state.issues.end());
    return result;
}

Result<Project> readProject(const std::string& path, Issues* issues, const ReadProjectOptions& options)
{
    const auto bytes = readFile(path);
    if (!bytes) return bytes.error();
    return projectFromBytes(*bytes, path, issues, options);
}

Result<std::string> projectBytes(const Project& project, const std::string& path)
{
    if (project::needsEmbedding(project.scene.model.get())) {
        auto embedded = project::withEmbeddedModel(project.scene);
        if (!embedded) return embedded.error().within(path);
        return projectBytes({*std::move(embedded), project.state}, path);
    }
    project::WriteState state;
    const QJsonObject json = project::toJson(project, path, state);
    if (state.error) return state.error->within(path);
    return jsonText(json);
}

bool isProjectName(const std::string& path)
{
    return QFileInfo(QString::fromStdString(path)).suffix().compare(QLatin1StringView("tendon"), Qt::CaseInsensitive) ==
           0;
}

Result<void> writeProject(const Project& project, const std::string& path, FileStage& stage)
{
    const auto bytes = projectBytes(project, path);
    if (!bytes) return bytes.error();
    keepModel(project.scene, stage);
    return stage.write(path, [&](const std::string& file) { return writePlainFile(file, *bytes); });
}

Result<void> writeProject(const Project& project, const std::string& path)
{
    FileStage stage;
    if (const auto staged = writeProject(project, path, stage); !staged) return staged;
    return stage.commit();
}

} // namespace tendon
