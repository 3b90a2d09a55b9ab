#include "core/document/GoalTally.h"

#include "core/base/Counted.h"
#include "core/base/SmallLength.h"
#include "core/math/Degrees.h"
#include "core/runtime/BakedPoses.h"
#include "core/scene/Check.h"
#include "core/solve/ClipCheck.h"
#include "core/solve/StatusNames.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tendon {
namespace {

std::string shortNumber(double value) { return QString::number(value, 'g', 3).toStdString(); }

/// What of a bake is judged as a clip that is played: its jumps.
ClipSamples jumpSamplesOf(const CompiledRig& rig, const BakedClip& clip)
{
    std::vector<std::size_t> columns(rig.jointCount(), clip.joints.size()); // of the rig's joints in the clip
    for (std::size_t c = 0; c < clip.joints.size(); ++c)
        if (const JointIndex joint = rig.index(clip.joints[c]); joint >= 0)
            columns[static_cast<std::size_t>(joint)] = c;
    ClipSamples samples;
    for (std::size_t s = 0; s < clip.times.size(); ++s) {
        const double frame = sampleFrame(clip, s);
        if (frame != std::floor(frame)) continue;
        ClipSample sample;
        for (const std::size_t column : columns)
            sample.turns.push_back(column < clip.joints.size()
                                       ? clip.locals[s * clip.joints.size() + column].rotation.cast<float>()
                                       : Eigen::Quaternionf::Identity());
        if (s < clip.handles.size())
            for (const HandleResult& result : clip.handles[s]) {
                ClipSample::Chain& chain = sample.chains.emplace_back();
                chain.handle = result.handle;
                chain.jump = result.jump;
                for (const HandleResult::LimitHit& hit : result.limitHits) sample.limited.push_back(hit.joint);
            }
        samples[static_cast<std::int32_t>(frame)] = std::make_shared<const ClipSample>(std::move(sample));
    }
    return samples;
}

/// The jumps of a clip: those that checkClip() names.
void noteJumps(const Scene& scene, const CompiledRig& rig, const BakedClip& clip, std::vector<JumpResult>& jumps)
{
    const auto first = static_cast<std::ptrdiff_t>(jumps.size());
    for (const ClipFinding& finding : checkClip(rig, jumpSamplesOf(rig, clip), {}).findings) {
        if (finding.kind != ClipFinding::Kind::Jump) continue;
        const JointId joint{finding.object};
        jumps.push_back({clip.name, nameOf(scene, finding.handle.value), nameOf(scene, joint.value),
                         finding.handle.value, static_cast<double>(finding.first), static_cast<double>(finding.last),
                         HandleResult::Jump{finding.first, finding.size, finding.reason, finding.cause, joint}});
    }
    std::stable_sort(jumps.begin() + first, jumps.end(),
                     [](const JumpResult& a, const JumpResult& b) { return a.frame < b.frame; });
}

/// Goes on with the entry of the sample before, or begins one.
void noteHaste(const Scene& scene, const BakedClip& clip, std::size_t sample, const HandleResult& result,
               std::vector<HasteResult>& hastes)
{
    const Handle* handle = scene.find(result.handle);
    const HandleResult::TooFast& haste = *result.tooFast;
    const double frame = sampleFrame(clip, sample);
    const double before = sample == 0 ? frame : sampleFrame(clip, sample - 1);
    for (auto known = hastes.rbegin(); known != hastes.rend(); ++known) {
        if (known->clip != clip.name || known->object != haste.joint.value || known->kind != haste.kind) continue;
        if (known->last != before) break;
        known->last = frame;
        known->stretch = std::max(known->stretch, haste.stretch);
        return;
    }
    hastes.push_back({clip.name, handle != nullptr ? handle->name : "", nameOf(scene, haste.joint.value),
                      haste.joint.value, frame, frame, haste.kind, haste.stretch});
}

bool isLess(const GoalResult& a, const GoalResult& b) { return a.error < b.error; }

} // namespace

const GoalResult* GoalTally::worstMissed() const
{
    const auto largest = std::max_element(missed.begin(), missed.end(), isLess);
    return largest == missed.end() ? nullptr : &*largest;
}

GoalTally tallyGoals(const Scene& scene, const std::vector<BakedClip>& clips)
{
    GoalTally tally;
    const auto rig = compile(scene);
    for (const BakedClip& clip : clips) {
        if (rig) noteJumps(scene, **rig, clip, tally.jumps);
        for (std::size_t s = 0; s < clip.handles.size(); ++s) {
            if (clip.handles[s].empty()) continue;
            const std::size_t missedBefore = tally.missed.size();
            for (const HandleResult& result : clip.handles[s]) {
                const Handle* handle = scene.find(result.handle);
                GoalResult goal{.clip = clip.name,
                                .handle = handle != nullptr ? handle->name : "",
                                .status = statusName(result),
                                .reason = reasonOfMiss(scene, result),
                                .object = result.handle.value,
                                .frame = sampleFrame(clip, s),
                                .error = result.positionError,
                                .rotationError = result.rotationError};
                if (result.tooFast) noteHaste(scene, clip, s, result, tally.hastes);
                if (!tally.hasGoals || isLess(tally.worst, goal)) tally.worst = goal;
                tally.hasGoals = true;
                if (result.status != sdk::Status::Converged) tally.missed.push_back(std::move(goal));
            }
            ++tally.samples;
            if (tally.missed.size() == missedBefore) ++tally.samplesMet;
        }
    }
    return tally;
}

Issues missedGoalIssues(const Scene& scene, const GoalTally& goals)
{
    struct Misses
    {
        std::size_t count = 0;
        GoalResult worst;
    };
    std::map<std::pair<std::string, std::string>, Misses> byHandle;
    for (const GoalResult& goal : goals.missed) {
        Misses& misses = byHandle[{goal.clip, goal.handle}];
        const auto size = [](const GoalResult& g) { return std::max(g.error, g.rotationError); };
        if (misses.count++ == 0 || size(goal) > size(misses.worst)) misses.worst = goal;
    }
    Issues issues;
    for (const auto& [where, misses] : byHandle) {
        const std::string frames = std::to_string(misses.count) + (misses.count == 1 ? " frame" : " frames");
        const std::string place = "clip " + where.first + ", handle " + where.second;
        if (misses.worst.status == statusName(sdk::Status::Unsupported)) {
            issues.push_back({Severity::Warning,
                              "is not solved on " + frames +
                                  ", because its solver cannot take its chain or its goals (unsupported); choose "
                                  "another solver, or other start and end joints",
                              place, misses.worst.object});
            continue;
        }
        const Handle* handle = scene.find(HandleId{misses.worst.object});
        const bool hasCurve = handle != nullptr && handle->hasCurve();
        std::string text = (hasCurve ? "leaves its curve on " : "misses its goal on ") + frames + ", at worst by " +
                           smallLength(misses.worst.error);
        if (misses.worst.rotationError > 0)
            text += " and " + shortNumber(misses.worst.rotationError * kDegrees) + " degrees";
        text += " at frame " + shortNumber(misses.worst.frame) + " (" + misses.worst.status + ")";
        if (!misses.worst.reason.empty()) text += ": " + misses.worst.reason;
        issues.push_back(
            {.severity = Severity::Warning, .text = std::move(text), .where = place, .object = misses.worst.object});
    }
    return issues;
}

Issues jumpIssues(const Scene& scene, const GoalTally& goals)
{
    std::map<std::pair<std::string, std::string>, std::vector<const JumpResult*>> byHandle;
    for (const JumpResult& jump : goals.jumps)
        if (jump.jump.reason != JumpReason::Asked) byHandle[{jump.clip, jump.handle}].push_back(&jump);
    Issues issues;
    for (const auto& [where, jumps] : byHandle) {
        const JumpResult& worst = **std::max_element(
            jumps.begin(), jumps.end(), [](const auto* a, const auto* b) { return a->jump.size < b->jump.size; });
        std::string text = "jumps at frame " + shortNumber(worst.frame) + ", " + worst.joint + " by " +
                           shortNumber(worst.jump.size * kDegrees) + " degrees";
        if (jumps.size() > 1) text += ", and on " + counted(jumps.size() - 1, "more frame", "more frames");
        const Handle* handle = scene.find(HandleId{worst.object});
        text += ": " + reasonOfJump(worst.jump.reason, worst.jump.cause, handle != nullptr ? handle->solver : "");
        issues.push_back({.severity = Severity::Warning,
                          .text = std::move(text),
                          .where = "clip " + where.first + ", handle " + where.second,
                          .object = worst.object});
    }
    return issues;
}

Issues hasteIssues(const GoalTally& goals)
{
    std::map<std::tuple<std::string, ObjectId, RateKind>, std::vector<const HasteResult*>> byJoint;
    for (const HasteResult& haste : goals.hastes) byJoint[{haste.clip, haste.object, haste.kind}].push_back(&haste);
    Issues issues;
    for (const auto& [where, hastes] : byJoint) {
        const HasteResult& worst = **std::max_element(
            hastes.begin(), hastes.end(), [](const auto* a, const auto* b) { return a->stretch < b->stretch; });
        std::string frames = worst.first == worst.last
                                 ? "at frame " + shortNumber(worst.first)
                                 : "at frames " + shortNumber(worst.first) + " to " + shortNumber(worst.last);
        if (hastes.size() > 1) frames += " and " + counted(hastes.size() - 1, "more place", "more places");
        issues.push_back({.severity = Severity::Warning,
                          .text = frames + ", " + reasonOfHaste(worst.joint, worst.kind, worst.stretch),
                          .where = "clip " + worst.clip + ", handle " + worst.handle,
                          .object = worst.object});
    }
    return issues;
}

} // namespace tendon
