#include "core/document/Document.h"

#include "core/io/project/ProjectFile.h"
#include "core/scene/Check.h"
#include "core/solve/SolvedPoses.h"

namespace tendon {

Document openDocument(Project project, std::string path, const SolverRegistry& solvers)
{
    Document document;
    document.edit.currentClip = project.state.currentClip;
    document.edit.frame = project.state.frame;
    document.edit.camera = project.state.camera;
    document.edit.layer = project.state.layer;
    pruneEditState(project.scene, document.edit);
    document.history = History(versionOf(std::move(project.scene), document.edit));
    document.solvers = &solvers;
    document.path = std::move(path);
    document.services = fileServices();
    document.poses = std::make_shared<SolvedPoses>(solvers);
    return document;
}

Project projectOf(const Document& document)
{
    return {document.scene(),
            {document.edit.currentClip, document.edit.frame, document.edit.camera, document.edit.layer}};
}

Version versionOf(Scene scene, const EditState& edit)
{
    return {std::move(scene), edit.currentClip, edit.pending, edit.frame};
}

void followHistory(Document& document)
{
    const Version& version = document.history.current();
    document.edit.currentClip = version.currentClip;
    document.edit.pending = version.pending;
    pruneEditState(version.scene, document.edit);
}

void pruneEditState(const Scene& scene, EditState& edit)
{
    std::erase_if(edit.pending, [&](const auto& entry) { return !checkChannel(scene, entry.first); });
    std::erase_if(edit.copiedPose.joints, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    std::erase_if(edit.copiedPose.curves, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    std::erase_if(edit.copiedPose.goals, [&](const auto& entry) { return scene.find(entry.first) == nullptr; });
    if (scene.find(edit.currentClip) == nullptr)
        edit.currentClip = scene.clips.empty() ? ClipId{} : scene.clips.front()->id;
}

} // namespace tendon
