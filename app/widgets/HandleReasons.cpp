#include "app/widgets/HandleReasons.h"

#include "app/widgets/StatusStrip.h"
#include "core/solve/StatusNames.h"

namespace tendon::editor {

JumpCause causeOfJump(const Handle& handle, JumpReason reason, const SolverRegistry& solvers)
{
    const SolverInfo* solver = solvers.find(handle.solver);
    if (reason != JumpReason::Branch || solver == nullptr) return JumpCause::Motion;
    if (handle.hasPole && isUsed(Setting::Pole, *solver)) return JumpCause::Pole;
    return solver->has("follows-seed") ? JumpCause::Motion : JumpCause::Solver;
}

QString jumpText(const Handle& handle, JumpReason reason, const SolverRegistry& solvers)
{
    switch (causeOfJump(handle, reason, solvers)) {
    case JumpCause::Motion: break;
    case JumpCause::Pole:
        return StatusStrip::tr("its pole makes the chain bend to another side than before; move the pole or turn it "
                               "off, or move the goal");
    case JumpCause::Solver:
        return StatusStrip::tr("its solver, %1, solves each frame anew and does not go on from the pose before; use "
                               "another one, or move the goal")
            .arg(QString::fromStdString(solvers.find(handle.solver)->name));
    }
    return QString::fromStdString(reasonOfJump(reason));
}

} // namespace tendon::editor
