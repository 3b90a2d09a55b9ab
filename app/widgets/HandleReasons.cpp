#include "app/widgets/HandleReasons.h"

#include "app/widgets/StatusStrip.h"
#include "core/scene/Check.h"
#include "core/solve/StatusNames.h"

#include <QStringList>

#include <algorithm>
#include <vector>

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

QString missText(const Scene& scene, const HandleResult& result)
{
    const Joint* blocking = scene.find(result.blockedBy);
    const bool isLimit = !result.limitHits.empty() && (blocking == nullptr || !blocking->isTerminator);
    const Handle* handle = scene.find(result.handle);
    const bool isTooFar = result.shortfall > 0 &&
                          (result.shortfall >= 0.5 * result.positionError || (handle != nullptr && handle->hasCurve()));
    if (!isLimit || isTooFar || !result.blockedBy.isValid()) return QString::fromStdString(reasonOfMiss(scene, result));
    std::vector<JointId> met; // each joint once
    for (const HandleResult::LimitHit& hit : result.limitHits)
        if (std::find(met.begin(), met.end(), hit.joint) == met.end()) met.push_back(hit.joint);
    std::stable_partition(met.begin(), met.end(), [&](JointId joint) { return joint == result.blockedBy; });
    constexpr std::size_t kMostNames = 3;
    QStringList names;
    for (std::size_t i = 0; i < std::min(met.size(), kMostNames); ++i)
        names << QString::fromStdString(nameOf(scene, met[i].value));
    QString reason = StatusStrip::tr("joint limits at %1").arg(names.join(QStringLiteral(", ")));
    if (met.size() > kMostNames) reason += StatusStrip::tr(" and %1 more").arg(met.size() - kMostNames);
    HandleResult others = result; // what else there is to say
    others.blockedBy = {};
    const QString rest = QString::fromStdString(reasonOfMiss(scene, others));
    return rest.isEmpty() ? reason : reason + QStringLiteral("; ") + rest;
}

} // namespace tendon::editor
