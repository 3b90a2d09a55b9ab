#pragma once

#include "core/document/Document.h"

#include <QJsonObject>

#include <span>
#include <string>
#include <vector>

namespace tendon {

struct Operation;
class Arguments;
class SolvedPoses;

/// What an operation makes of a scene and the state of its editing, worked out apart from any document: in another
/// thread, while the document's own goes on.
struct PreparedStep
{
    Scene scene;
    EditState edit;
    std::string text; ///< what the step is called in the undo menu
    Issues messages;
};

/// Carries out operations that edit, one on what the other left. Any one thread: what comes in is only read, but for
/// `poses`, which is this thread's for the time. Errors: as carryOut(); an operation on files or the history.
[[nodiscard]] Result<std::vector<PreparedStep>> prepareSteps(const Scene& scene, const EditState& edit,
                                                             const SolverRegistry& solvers, const Services& services,
                                                             SolvedPoses& poses,
                                                             std::span<const QJsonObject> operations);

/// Puts a step into a document that is what the step was prepared from. With `mergeKey`: see History::pushMerged().
void takeStep(Document& document, PreparedStep step, const std::string& mergeKey = {});

} // namespace tendon
