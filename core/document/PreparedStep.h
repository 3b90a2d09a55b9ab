#pragma once

#include "core/document/Document.h"

#include <QJsonObject>

#include <string>

namespace tendon {

/// What an operation makes of a scene and an editing state, apart from any document, so that it can be prepared in
/// another thread while the document's own thread goes on.
struct PreparedStep
{
    Scene scene;
    EditState edit;
    bool isUndoStep = true;
    std::string text; ///< name of the step in the Undo menu
    Issues messages;
};

/// Carries out an operation that edits. Any thread: everything is only read, except `poses`, which belongs to the
/// calling thread meanwhile. Errors: as carryOut(); an operation on files or the history.
[[nodiscard]] Result<PreparedStep> prepare(const Scene& scene, const EditState& edit, const SolverRegistry& solvers,
                                           const Services& services, SolvedPoses& poses, const QJsonObject& operation);

/// Puts a step into a document that is as it was when the step was prepared. The document's thread.
void takeStep(Document& document, PreparedStep step);

} // namespace tendon
