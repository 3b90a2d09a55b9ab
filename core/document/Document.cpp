#include "core/document/Document.h"

#include "core/solve/SolvedPoses.h"

namespace tendon {

Document openDocument(Project project, std::string path, const SolverRegistry& solvers)
{
    Document document;
    document.edit.currentClip = project.state.currentClip;
    document.edit.frame = project.state.frame;
    if (project.scene.find(document.edit.currentClip) == nullptr)
        document.edit.currentClip = project.scene.clips.empty() ? ClipId{} : project.scene.clips.front()->id;
    document.history = History(std::move(project.scene));
    document.solvers = &solvers;
    document.path = std::move(path);
    document.services.import = importModel;
    document.services.exportTo = exportAnimation;
    document.services.bake = bake;
    document.poses = std::make_shared<SolvedPoses>(solvers);
    return document;
}

Project projectOf(const Document& document)
{
    return {document.scene(), {document.edit.currentClip, document.edit.frame}};
}

} // namespace tendon
