#include "app/cli/InfoCommand.h"

#include "core/io/import/ModelImport.h"
#include "core/io/project/ProjectFile.h"
#include "core/math/Degrees.h"

#include <CLI/CLI.hpp>
#include <QJsonArray>

#include <cstdio>
#include <memory>

namespace tendon::cli {
namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

QJsonArray jointsJson(const Scene& scene)
{
    QJsonArray joints;
    for (const Joint& joint : *scene.joints) {
        const Joint* parent = joint.parent.isValid() ? scene.find(joint.parent) : nullptr;
        joints.append(QJsonObject{{"name", text(joint.name)},
                                  {"parent", parent ? QJsonValue(text(parent->name)) : QJsonValue()}});
    }
    return joints;
}

/// The joint that carries a camera or a light; null = it stands in the world.
QJsonValue carrier(const Scene& scene, const Mount& mount)
{
    const Joint* joint = mount.joint.isValid() ? scene.find(mount.joint) : nullptr;
    return joint ? QJsonValue(text(joint->name)) : QJsonValue();
}

QJsonArray camerasJson(const Scene& scene)
{
    QJsonArray cameras;
    for (const ModelCamera& camera : scene.model->cameras) {
        QJsonObject json{{"name", text(camera.name)}, {"joint", carrier(scene, camera.mount)}};
        if (camera.projection == ModelCamera::Projection::Perspective)
            json["fieldOfView"] = camera.fieldOfView * kDegrees;
        else
            json["halfHeight"] = camera.halfHeight;
        cameras.append(json);
    }
    return cameras;
}

QJsonArray lightsJson(const Scene& scene)
{
    static constexpr const char* kKinds[] = {"directional", "point", "spot"};
    QJsonArray lights;
    for (const ModelLight& light : scene.model->lights)
        lights.append(QJsonObject{{"name", text(light.name)},
                                  {"kind", kKinds[static_cast<int>(light.kind)]},
                                  {"joint", carrier(scene, light.mount)},
                                  {"intensity", light.intensity}});
    return lights;
}

QJsonObject toJson(const ImportedModel& model)
{
    const ModelAsset& asset = *model.scene.model;
    QJsonArray handles, meshes, materials, clips, warnings;
    for (const Handle& handle : *model.scene.handles) handles.append(text(handle.name));
    for (const Mesh& mesh : asset.meshes)
        meshes.append(QJsonObject{{"name", text(mesh.name)},
                                  {"vertices", static_cast<qint64>(mesh.positions.size())},
                                  {"skinned", !mesh.skin.isRigid()}});
    for (const Material& material : asset.materials) materials.append(text(material.name));
    for (const auto& clip : model.scene.clips)
        clips.append(QJsonObject{{"name", text(clip->name)},
                                 {"seconds", clip->end().seconds()},
                                 {"keys", static_cast<qint64>(clip->keyCount())}});
    for (const Issue& issue : model.issues) warnings.append(text(issue.line()));
    return {{"format", text(model.format)},
            {"unit", asset.metresPerUnit},
            {"upAxis", kAxisNames[asset.upAxis]},
            {"heightMetres", model.heightMetres},
            {"joints", jointsJson(model.scene)},
            {"handles", handles},
            {"meshes", meshes},
            {"materials", materials},
            {"cameras", camerasJson(model.scene)},
            {"lights", lightsJson(model.scene)},
            {"clips", clips},
            {"warnings", warnings}};
}

std::string format(const char* pattern, auto... values)
{
    char line[512];
    std::snprintf(line, sizeof line, pattern, values...);
    return line;
}

std::string toText(const ImportedModel& model)
{
    const ModelAsset& asset = *model.scene.model;
    std::size_t vertices = 0;
    for (const Mesh& mesh : asset.meshes) vertices += mesh.positions.size();
    std::string lines = format("format     %s, unit %g m, up %s\n", model.format.c_str(), asset.metresPerUnit,
                               kAxisNames[asset.upAxis]);
    lines += format("height     %.3f m\n", model.heightMetres);
    lines += format("joints     %zu\n", model.scene.joints->size());
    if (!model.scene.handles->empty()) lines += format("handles    %zu\n", model.scene.handles->size());
    lines += format("meshes     %zu of %zu vertices\n", asset.meshes.size(), vertices);
    lines += format("materials  %zu, textures %zu\n", asset.materials.size(), asset.textures.size());
    if (!asset.cameras.empty() || !asset.lights.empty())
        lines += format("cameras    %zu, lights %zu\n", asset.cameras.size(), asset.lights.size());
    lines += format("clips      %zu\n", model.scene.clips.size());
    for (const auto& clip : model.scene.clips)
        lines += format("  %8.3f s  %7zu keys  ", clip->end().seconds(), clip->keyCount()) + clip->name + "\n";
    for (const Issue& issue : model.issues) lines += "note       " + issue.line() + "\n";
    return lines;
}

/// A project, seen as the model that it holds.
Result<ImportedModel> readAsModel(const std::string& path)
{
    Issues issues;
    auto project = readProject(path, &issues);
    if (!project) return project.error();
    ImportedModel model;
    model.scene = std::move(project->scene);
    if (model.scene.model == nullptr) model.scene.model = std::make_shared<ModelAsset>();
    model.format = "Tendon project";
    model.heightMetres = sizeAtRest(model.scene).y();
    model.issues = std::move(issues);
    return model;
}

Exit runInfo(const Cli& cli, const std::string& path)
{
    const auto model = isProjectName(path) ? readAsModel(path) : importModel(path);
    if (!model) return fail(model.error());
    if (cli.json)
        printJson(toJson(*model));
    else
        print(toText(*model));
    return Exit::Done;
}

} // namespace

void addInfoCommand(CLI::App& app, Cli& cli)
{
    const auto path = std::make_shared<std::string>();
    CLI::App* command = addCommand(app, cli, "info", "List the contents of a model or a project",
                                   [&cli, path] { return runInfo(cli, *path); });
    command->add_option("MODEL", *path, "Model file or project file (.tendon)")->required();
}

} // namespace tendon::cli
