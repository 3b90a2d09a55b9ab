#include "core/base/Counted.h"
#include "core/document/Families.h"
#include "core/document/Lookup.h"
#include "core/math/Degrees.h"
#include "core/solve/ClipCheck.h"

#include <algorithm>
#include <span>

namespace tendon {
namespace {

using Type = Field::Type;

constexpr std::size_t kMostFindings = 100; // that one check names: more than anyone reads at a time

Result<ClipThresholds> thresholdsIn(const Arguments& arguments)
{
    ClipThresholds thresholds;
    thresholds.goal = arguments.number("goal", thresholds.goal);
    thresholds.limits = arguments.number("limits", thresholds.limits);
    thresholds.jump = arguments.number("jump", thresholds.jump);
    thresholds.kneeRate = radians(arguments.number("kneeRate", degrees(thresholds.kneeRate)));
    for (const char* name : {"goal", "limits", "jump", "kneeRate"})
        if (arguments.number(name) < 0) return Error{ErrorCode::InvalidArgument, "must not be negative", name};
    return thresholds;
}

Result<void> checkClipOperation(Draft& draft, const Arguments& arguments)
{
    const Clip* clip = draft.clip();
    if (arguments.has("clip")) {
        const auto id = clipIn(draft.scene, arguments, "clip");
        if (!id) return id.error();
        clip = draft.scene.find(*id);
    }
    const int first = arguments.integer("from", draft.scene.firstFrame),
              last = arguments.integer("to", draft.scene.lastFrame);
    if (last < first) return Error{ErrorCode::InvalidArgument, "must not be before the first frame", "to"};
    const auto thresholds = thresholdsIn(arguments);
    if (!thresholds) return thresholds.error();

    ClipSamples samples;
    for (int frame = first; frame <= last; ++frame) {
        if (draft.services.cancelled != nullptr && *draft.services.cancelled)
            return Error{ErrorCode::Cancelled, "was cancelled", ""};
        const auto solved = draft.poses.at(draft.scene, clip, {}, draft.scene.fps.timeOf(frame),
                                           draft.services.cancelled);
        if (!solved) return solved.error();
        samples[frame] = std::make_shared<const ClipSample>(sampleOf(*draft.poses.rig(), **solved));
        if (draft.services.progress) draft.services.progress((frame - first + 1.0) / (last - first + 1.0));
    }
    const CompiledRig& rig = *draft.poses.rig();
    const ClipReport report = checkClip(rig, samples, *thresholds);
    const std::size_t told = std::min(report.findings.size(), kMostFindings);
    for (const ClipFinding& finding : std::span(report.findings).first(told)) {
        draft.say(Severity::Warning, titleOf(rig, finding) + ": " + detailOf(finding), "frame " + framesOf(finding),
                  finding.object);
    }
    if (const std::size_t more = report.findings.size() - told; more > 0)
        draft.say(Severity::Warning,
                  "and " + counted(more, "more finding", "more findings") +
                      ", each of them less bad than those of its kind above; give from and to, or raise the thresholds",
                  clip == nullptr ? "" : clip->name);
    if (report.findings.empty()) draft.say(Severity::Info, praiseOf(report), clip == nullptr ? "" : clip->name);
    return {};
}

constexpr Field kCheckClip[] = {
    {"clip", Type::String, kOptional, "Name of the clip. Left out: the current one"},
    {"from", Type::Frame, kOptional, "First frame. Left out: that of the range"},
    {"to", Type::Frame, kOptional, "Last frame. Left out: that of the range"},
    {"goal", Type::Number, kOptional, "How far a goal may be missed, in metres. Left out: 0.001"},
    {"limits", Type::Integer, kOptional, "How many joints may be at a limit at the same time. Left out: 0"},
    {"jump", Type::Number, kOptional,
     "How many times as far as in the frames around a joint may turn in one frame. Left out: 3"},
    {"kneeRate", Type::Number, kOptional,
     "By how many degrees a chain may bend or straighten in one frame. Left out: 25"},
};

constexpr Operation kCheckOperations[] = {
    {"checkClip", kCheckClip, false,
     "Solves a clip and says what is worth a look, one message a cause: goals that are missed, joints that jump or are "
     "at a limit, knees that bend fast. The worst come first; of more than 100, the others are counted. Changes "
     "nothing.",
     checkClipOperation, nullptr, kTakesTime},
};

} // namespace

std::span<const Operation> checkOperations() { return kCheckOperations; }

} // namespace tendon
