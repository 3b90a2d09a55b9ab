#include "app/widgets/HandleReasons.h"

#include "core/solve/StatusNames.h"

namespace tendon::editor {

QString jumpText(const Handle& handle, JumpReason reason, JumpCause cause, const SolverRegistry& solvers)
{
    const SolverInfo* solver = solvers.find(handle.solver);
    return QString::fromStdString(reasonOfJump(reason, cause, solver != nullptr ? solver->name : handle.solver));
}

} // namespace tendon::editor
