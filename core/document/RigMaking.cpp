#include "core/document/RigMaking.h"

#include "core/base/Counted.h"
#include "core/document/HandleMotion.h"
#include "core/document/Operation.h"
#include "core/runtime/KeySampling.h"
#include "core/scene/JointEdit.h"
#include "core/scene/KeyEdit.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace tendon {
namespace {

/// While handles are made, the current clip holds still at the current frame: each pose that is asked for is then one
/// solve, and not the solution of all the clip's frames.
class StillClip
{
public:
    explicit StillClip(Draft& draft) : m_draft(draft)
    {
        const Clip* clip = draft.clip();
        if (clip == nullptr || !clip->hasKeys()) return;
        m_moving = *clip;
        Clip& still = *editableClip(draft.scene, m_moving.id);
        for (const auto& [channel, keys] : m_moving.channels) {
            const ChannelValue value = sampleKeys(*keys, channel.property, draft.time());
            still.channels[channel] = Shared(KeyList({{.time = draft.time(), .value = value}}));
        }
    }
    /// The clip moves again. Keys that were set meanwhile on other channels stay.
    void release()
    {
        if (m_moving.channels.empty()) return;
        Clip& clip = *editableClip(m_draft.scene, m_moving.id);
        for (const auto& [channel, keys] : m_moving.channels) clip.channels[channel] = keys;
    }

private:
    Draft& m_draft;
    Clip m_moving; ///< without channels: there is none
};

/// Carries operations out that belong together: all of them, or none. Of their messages only warnings stay: what the
/// handle is for is said once, by the rig.
Result<void> carryOutAll(Draft& draft, std::initializer_list<QJsonObject> operations)
{
    const Draft before = draft;
    for (const QJsonObject& operation : operations) {
        const std::size_t said = draft.messages.size();
        if (const auto done = carryOut(draft, operation); !done) {
            draft.scene = before.scene;
            draft.edit = before.edit;
            draft.messages = before.messages;
            draft.posed = before.posed;
            return done.error();
        }
        const auto isInfo = [](const Issue& issue) { return issue.severity == Severity::Info; };
        draft.messages.erase(
            std::remove_if(draft.messages.begin() + static_cast<std::ptrdiff_t>(said), draft.messages.end(), isInfo),
            draft.messages.end());
    }
    return {};
}

/// What becomes of the clips that move the joints of new handles: in the current one the goals follow the motion, in
/// the others the joints are left to their keys.
Result<void> keepClips(Draft& draft, const std::vector<PlannedHandle>& planned)
{
    std::size_t others = 0;
    for (const Shared<Clip>& clip : std::vector(draft.scene.clips.begin(), draft.scene.clips.end())) {
        std::vector<HandleId> moved;
        for (const PlannedHandle& one : planned)
            if (const Handle& handle = *draft.scene.handleNamed(one.name);
                movesChain(draft.scene, *clip, handle.start, handle.end))
                moved.push_back(handle.id);
        if (moved.empty()) continue;
        if (clip->id != draft.edit.currentClip) {
            ++others;
            for (const HandleId handle : moved)
                if (const auto keyed = keyBlendOff(draft, *clip, handle); !keyed) return keyed;
            continue;
        }
        const auto times = keyGoalsAlongMotion(draft, moved);
        if (!times) return times.error();
        draft.say(Severity::Info,
                  "the goals of " + counted(moved.size(), "handle", "handles") + " follow the motion: keys at up to " +
                      counted(*times, "time", "times"),
                  clip->name);
    }
    if (others > 0)
        draft.say(Severity::Info, "in " + counted(others, "other clip", "other clips") +
                                      " the limbs are FK as before; switch them to IK where you need it");
    return {};
}

/// Sets the limits and preferred angles that can be set.
void makeLimits(Draft& draft, RigPlan& plan, std::optional<Error>& firstRefusal)
{
    std::vector<Joint> made;
    for (const Joint& joint : plan.joints) {
        auto changed = changeJoint(draft.scene, joint);
        if (changed) {
            draft.scene = *std::move(changed);
            made.push_back(joint);
            continue;
        }
        std::erase_if(plan.limits, [&](const LimitGuess& limit) { return limit.joint.id == joint.id; });
        draft.say(Severity::Warning, "keeps its limits as they are: " + changed.error().message, joint.name,
                  joint.id.value);
        if (!firstRefusal) firstRefusal = changed.error();
    }
    plan.joints = std::move(made);
    plan.limitCount = plan.limits.size();
    for (const LimitGuess& limit : plan.limits)
        draft.say(Severity::Info, limit.reason, limit.joint.name, limit.joint.id.value);
}

/// "moves the left leg, 98 %: named thigh and shin".
void sayWhatItMoves(Draft& draft, const PlannedHandle& planned, const Limb* limb)
{
    const HandleId id = draft.scene.handleNamed(planned.name)->id;
    std::string text = "moves the " + roleInWords(planned.limb);
    if (limb != nullptr)
        text += ", " + std::to_string(static_cast<int>(std::floor(100 * limb->confidence))) + " %: " + limb->reason;
    if (limb != nullptr && !limb->toDo.empty()) text += "; " + limb->toDo;
    const bool isSure = limb == nullptr || !limb->isToCheck();
    draft.say(isSure ? Severity::Info : Severity::Warning, text, planned.name, id.value);
}

/// Makes the handles that can be made.
void makeHandles(Draft& draft, RigPlan& plan, std::optional<Error>& firstRefusal)
{
    StillClip still(draft);
    std::vector<PlannedHandle> made;
    for (PlannedHandle& planned : plan.handles) {
        const Limb* limb = plan.guesses.limb(planned.limb);
        const auto done = carryOutAll(draft, {planned.add, planned.set});
        if (done) {
            sayWhatItMoves(draft, planned, limb);
            made.push_back(std::move(planned));
            continue;
        }
        const std::string& reason = done.error().message;
        draft.say(Severity::Warning, "gets no handle: " + reason, roleInWords(planned.limb),
                  limb != nullptr ? limb->joints.front().value : 0);
        plan.without.push_back({.limb = planned.limb, .reason = reason, .isRefused = true});
        if (!firstRefusal) firstRefusal = done.error();
    }
    plan.handles = std::move(made);
    still.release();
}

} // namespace

Result<RigPlan> makeRig(Draft& draft, RigPlan plan)
{
    if (!(plan.roles == *draft.scene.roles)) draft.scene.roles = plan.roles;
    std::optional<Error> firstRefusal;
    makeLimits(draft, plan, firstRefusal);
    makeHandles(draft, plan, firstRefusal);
    if (firstRefusal && plan.handles.empty() && plan.present.empty() && plan.joints.empty()) return *firstRefusal;
    if (const auto kept = keepClips(draft, plan.handles); !kept) return kept.error();
    if (!plan.present.empty())
        draft.say(Severity::Info, std::to_string(plan.present.size()) + " of " +
                                      counted(plan.present.size() + plan.handles.size(), "handle is", "handles are") +
                                      " there already and stay as they are");
    if (plan.guesses.areSidesSwapped) draft.say(Severity::Warning, sidesNote(plan.guesses));
    draft.text = "Rig it";
    return plan;
}

} // namespace tendon
