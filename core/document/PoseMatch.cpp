#include "core/document/PoseMatch.h"

#include "core/base/SmallLength.h"
#include "core/document/FirstKeys.h"
#include "core/document/FollowSpaces.h"
#include "core/document/Posing.h"
#include "core/document/WholePose.h"
#include "core/math/Convert.h"
#include "core/scene/Constraint.h"
#include "core/scene/KeyEdit.h"
#include "core/solve/HandleSwitch.h"
#include "core/solve/SolveGroups.h"

#include <QString>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tendon {
namespace {

constexpr double kSeenJump = 1e-4; ///< [m], [rad] less is not seen

/// A handle that moves joints which are being posed, and how.
struct PosedHandle
{
    Handle handle;
    std::vector<JointId> chain;          ///< those that it moves
    bool isMatched = true;               ///< false: its goal is the pose's own
    std::optional<HandleTarget> shown{}; ///< the pose is what its chain shows by this already, so nothing is posed anew
};

bool holdsGoalOf(const CopiedPose& pose, const Handle& handle)
{
    return pose.goals.count(handle.id) != 0 || pose.curves.count(handle.id) != 0;
}

class PoseMatch
{
public:
    PoseMatch(Draft& draft, const CopiedPose& pose, std::span<const JointId> joints)
        : m_draft(draft), m_pose(pose), m_joints(joints.begin(), joints.end())
    {
    }

    [[nodiscard]] Result<void> put()
    {
        const auto now = m_draft.pose();
        if (!now) return now.error();
        const auto rig = m_draft.poses.rig();
        findHandles(*rig, **now);
        findShown(*rig, **now);
        std::map<JointId, LocalTransform> locals;
        for (const PosedHandle& posed : m_handles)
            if (posed.isMatched && !posed.shown) // what the pose lacks of a chain stays as it is seen
                for (const JointId joint : posed.chain) locals[joint] = (*now)->local.joints[at(rig->index(joint))];
        for (const JointId joint : m_joints) locals[joint] = m_pose.joints.at(joint);
        for (const PosedHandle& posed : m_handles)
            if (posed.shown)
                for (const JointId joint : posed.chain)
                    if (!isMatchedAnew(joint)) locals.erase(joint);
        for (const auto& [joint, local] : locals)
            if (!isMatchedAnew(joint))
                if (const auto posed = poseLocal(m_draft, joint, local); !posed) return posed;
        if (const auto kept = keepShown(); !kept) return kept;
        const Scene former = m_draft.scene;
        const PendingValues pending = m_draft.edit.pending;
        std::erase_if(locals, [&](const auto& posed) { return !isMatchedAnew(posed.first); });
        for (const auto& [joint, local] : locals)
            if (const auto posed = poseLocal(m_draft, joint, local); !posed) return posed;
        if (const auto matched = matchHandles(); !matched) return matched;
        for (const PosedHandle& posed : m_handles)
            if (!posed.isMatched)
                if (const auto put = putOwn(posed.handle); !put) return put;
        return m_draft.clip() == nullptr ? Result<void>() : takeBackFk(locals, former, pending);
    }

private:
    void findHandles(const CompiledRig& rig, const SolvedFrame& now)
    {
        for (std::size_t h = 0; h < rig.handles.size(); ++h) {
            PosedHandle posed{.handle = rig.handles[h], .chain = {}};
            const Handle& handle = posed.handle;
            const bool isEnd = m_joints.count(handle.end) != 0, isOwn = holdsGoalOf(m_pose, handle);
            if (!now.targets[h].isActive()) continue;
            for (const JointIndex joint : movableJoints(rig, handle)) posed.chain.push_back(rig.id[at(joint)]);
            if (isEnd && !isOwn && !isConstraint(handle))
                for (const JointId joint : posed.chain)
                    if (m_pose.joints.count(joint) != 0) m_joints.insert(joint);
            const auto isPosed = [&](JointId joint) { return m_joints.count(joint) != 0; };
            const bool isWhole = std::all_of(posed.chain.begin(), posed.chain.end(), isPosed);
            if (isEnd && isOwn && (isConstraint(handle) || !isWhole))
                posed.isMatched = false;
            else if (isConstraint(handle) || std::none_of(posed.chain.begin(), posed.chain.end(), isPosed))
                continue;
            m_handles.push_back(std::move(posed));
        }
    }

    /// Finds the handles whose chains, and what carries them, are in the pose already.
    void findShown(const CompiledRig& rig, const SolvedFrame& now)
    {
        constexpr double kSame = 1e-9; // [m], [rad] a pose goes through the world and back
        const auto isMoved = [&](JointId joint) {
            if (m_joints.count(joint) == 0) return false;
            const LocalTransform &is = now.local.joints[at(rig.index(joint))], &wanted = m_pose.joints.at(joint);
            return (is.translation - wanted.translation).norm() > kSame || (is.scale - wanted.scale).norm() > kSame ||
                   is.rotation.angularDistance(wanted.rotation) > kSame;
        };
        const auto isSameGoal = [&](const Handle& handle, const HandleTarget& target) {
            const auto goal = m_pose.goals.find(handle.id);
            const auto curve = m_pose.curves.find(handle.id);
            const auto isNear = [](const Vector3& a, const Vector3& b) { return (a - b).norm() <= kSame; };
            if (goal != m_pose.goals.end())
                return isNear(goal->second.position, target.goal.position) &&
                       goal->second.rotation.angularDistance(target.goal.rotation) <= kSame;
            return curve == m_pose.curves.end() || std::equal(curve->second.begin(), curve->second.end(),
                                                              target.curve.begin(), target.curve.end(), isNear);
        };
        for (PosedHandle& posed : m_handles) {
            const HandleTarget& target = now.targets[m_draft.scene.handles->placeOf(posed.handle.id)];
            bool isShown = posed.isMatched && std::none_of(posed.chain.begin(), posed.chain.end(), isMoved) &&
                           isSameGoal(posed.handle, target);
            const Joint* above = m_draft.scene.find(posed.handle.start);
            for (; isShown && above != nullptr; above = m_draft.scene.find(above->parent))
                isShown = !isMoved(above->id);
            if (isShown) posed.shown = target;
        }
    }

    /// A handle that must be found a goal for moves the joint.
    [[nodiscard]] bool isMatchedAnew(JointId joint) const
    {
        return std::any_of(m_handles.begin(), m_handles.end(), [&](const PosedHandle& posed) {
            return posed.isMatched && !posed.shown &&
                   std::find(posed.chain.begin(), posed.chain.end(), joint) != posed.chain.end();
        });
    }

    /// In a clip, what a solver starts from at one frame is seen at others. So joints that handles move get back the FK
    /// that they had, but for the chains that need the pose's own to show it.
    [[nodiscard]] Result<void> takeBackFk(const std::map<JointId, LocalTransform>& locals, const Scene& former,
                                          const PendingValues& pending)
    {
        if (locals.empty()) return {};
        const auto posed = m_draft.pose();
        if (!posed) return posed.error();
        const SolvedFrame wanted = **posed;
        for (const auto& [joint, local] : locals)
            if (const auto back = takeBack(joint, former, pending); !back) return back;
        // Those nearest to the root first: what they carry may need nothing more.
        std::vector<const PosedHandle*> handles;
        for (const PosedHandle& handle : m_handles)
            if (handle.isMatched && !handle.shown) handles.push_back(&handle);
        const auto rig = m_draft.poses.rig();
        std::stable_sort(handles.begin(), handles.end(), [&](const PosedHandle* a, const PosedHandle* b) {
            return rig->index(a->handle.start) < rig->index(b->handle.start);
        });
        for (const PosedHandle* handle : handles) {
            const auto now = m_draft.pose();
            if (!now) return now.error();
            if (areAlike(*rig, handle->chain, wanted, **now)) continue;
            for (const JointId joint : handle->chain)
                if (const auto local = locals.find(joint); local != locals.end())
                    if (const auto needed = poseNeeded(joint, local->second); !needed) return needed;
        }
        return {};
    }

    [[nodiscard]] Result<void> poseNeeded(JointId joint, const LocalTransform& local)
    {
        if (m_draft.edit.isAutoKeyOn) {
            const auto channels = m_draft.clip()->channels;
            for (const auto& [channel, keys] : channels)
                if (channel.target == joint.value && channel.layer == Layer::Keys)
                    if (const auto held = holdBeside(m_draft, channel, m_draft.time()); !held) return held;
        }
        return poseLocal(m_draft, joint, local);
    }

    static bool areAlike(const CompiledRig& rig, const std::vector<JointId>& joints, const SolvedFrame& a,
                         const SolvedFrame& b)
    {
        return std::all_of(joints.begin(), joints.end(), [&](JointId joint) {
            const Affine &left = a.model.modelFromJoint[at(rig.index(joint))],
                         &right = b.model.modelFromJoint[at(rig.index(joint))];
            return (left.matrix() - right.matrix()).cwiseAbs().maxCoeff() <= kSeenJump;
        });
    }

    /// The keys, the static and the pending values that a joint had.
    [[nodiscard]] Result<void> takeBack(JointId joint, const Scene& former, const PendingValues& pending)
    {
        const auto isOf = [&](ChannelId channel) { return channel.target == joint.value; };
        std::erase_if(m_draft.edit.pending, [&](const auto& entry) { return isOf(entry.first); });
        for (const auto& [channel, value] : pending)
            if (isOf(channel)) m_draft.edit.pending[channel] = value;
        std::erase_if(m_draft.posed, isOf);
        const StaticValues statics = *m_draft.scene.statics;
        for (const auto& [channel, value] : statics)
            if (isOf(channel) && former.statics->count(channel) == 0) m_draft.scene.statics.edit().erase(channel);
        for (const auto& [channel, value] : *former.statics)
            if (isOf(channel)) m_draft.scene.statics.edit()[channel] = value;

        const ClipId clip = m_draft.edit.currentClip;
        const Clip* was = former.find(clip);
        const auto channels = m_draft.clip()->channels;
        for (const auto& [channel, keys] : channels)
            if (isOf(channel) && (was == nullptr || was->find(channel) == nullptr))
                if (const auto gone = m_draft.take(replaceKeys(std::move(m_draft.scene), clip, channel, {})); !gone)
                    return gone;
        if (was == nullptr) return {};
        for (const auto& [channel, keys] : was->channels) {
            if (!isOf(channel)) continue;
            if (const auto put = m_draft.take(replaceKeys(std::move(m_draft.scene), clip, channel, keys->toVector()));
                !put)
                return put;
            if (const auto set = m_draft.take(
                    setInfinity(std::move(m_draft.scene), clip, channel, keys->before(), keys->after()));
                !set)
                return set;
        }
        return {};
    }

    /// What is keyed of a handle that shows the pose is posed as it is, so that it can be keyed here.
    [[nodiscard]] Result<void> keepShown()
    {
        for (const PosedHandle& posed : m_handles) {
            if (!posed.shown) continue;
            ChannelWrites writes = posed.handle.hasCurve() ? ownGoal(posed.handle, *posed.shown)
                                                           : stillGoal(posed.handle, *posed.shown);
            std::erase_if(writes, [&](const ChannelWrite& write) { return !isKeyed(write.channel); });
            for (const ChannelWrite& write : writes)
                if (const auto kept = pose(posed.handle, *posed.shown, write); !kept) return kept;
        }
        return {};
    }

    /// What the handles ask for, from the pose that the joints have without any of them.
    [[nodiscard]] Result<void> matchHandles()
    {
        const auto isMatched = [](const PosedHandle& posed) { return posed.isMatched && !posed.shown; };
        if (std::none_of(m_handles.begin(), m_handles.end(), isMatched)) return {};
        if (m_draft.edit.isAutoKeyOn) // now: a new clip drops what is pending
            if (const auto clip = clipToKey(m_draft); !clip) return clip.error();
        std::map<ChannelId, std::optional<ChannelValue>> former;
        PendingValues& pending = m_draft.edit.pending;
        for (const PosedHandle& posed : m_handles) {
            if (!isMatched(posed)) continue;
            const ChannelId blend{posed.handle.id.value, Property::Blend};
            const auto found = pending.find(blend);
            former[blend] = found == pending.end() ? std::nullopt : std::optional(found->second);
            pending[blend] = {0};
        }
        for (const PosedHandle& posed : m_handles)
            if (isMatched(posed))
                if (const auto matched = match(posed.handle); !matched) return matched;
        for (auto& [off, miss] : m_misses) m_draft.messages.push_back(std::move(miss)); // the worst is the last word
        for (const auto& [blend, value] : former)
            if (value)
                pending[blend] = *value;
            else
                pending.erase(blend);
        return {};
    }

    [[nodiscard]] Result<void> match(const Handle& handle)
    {
        const PendingValues pending = m_draft.edit.pending;
        auto matched = switchHandle(m_draft.poses, m_draft.scene, m_draft.clip(), pending, m_draft.time(), handle.id,
                                    SwitchTo::Ik);
        if (!matched) return matched.error();
        const auto fk = m_draft.pose();
        if (!fk) return fk.error();
        const HandleTarget target = (*fk)->targets[m_draft.scene.handles->placeOf(handle.id)];
        const ChannelWrites own = ownGoal(handle, target);
        ChannelWrites goal = matched->writes;
        std::erase_if(goal, [](const ChannelWrite& write) { return isBend(write.channel.property); });
        const ChannelWrites still = stillGoal(handle, target);
        // What it asks for now, the pose's own goal, or one that is matched, each with the pole as it is if that
        // serves.
        for (const ChannelWrites& writes : {still, own, withRest(own, matched->writes), goal}) {
            if (writes.empty()) continue;
            auto shown = switchHandleWith(m_draft.poses, m_draft.scene, m_draft.clip(), pending, m_draft.time(),
                                          handle.id, writes);
            if (!shown) return shown.error();
            if (shown->positionJump > std::max(matched->positionJump, kSeenJump) ||
                shown->rotationJump > std::max(matched->rotationJump, kSeenJump))
                continue;
            *matched = *std::move(shown);
            if (writes == still) // and nothing of it that has no keys gets any
                std::erase_if(matched->writes, [&](const ChannelWrite& write) { return !isKeyed(write.channel); });
            break;
        }
        for (const ChannelWrite& write : matched->writes)
            if (const auto posed = pose(handle, target, write); !posed) return posed;
        constexpr double kToldOf = 1e-3; // [m] or so [rad]: 10 times that
        if (matched->positionJump > kToldOf || matched->rotationJump > 10 * kToldOf)
            m_misses.emplace(
                matched->positionJump + matched->rotationJump,
                Issue{.severity = Severity::Warning,
                      .text = "cannot show the pose exactly: off by " + smallLength(matched->positionJump) + " and " +
                              QString::number(degrees(matched->rotationJump), 'g', 2).toStdString() + " degrees",
                      .where = handle.name,
                      .object = handle.id.value});
        return {};
    }

    /// The goal, or the curve, of the pose, with the handle blended in; empty: the pose holds none.
    [[nodiscard]] ChannelWrites ownGoal(const Handle& handle, const HandleTarget& target) const
    {
        ChannelWrites writes;
        const auto goal = m_pose.goals.find(handle.id);
        const auto curve = m_pose.curves.find(handle.id);
        if (goal != m_pose.goals.end())
            appendGoal(handle, goalInSpace(target.worldFromSpace, goal->second), writes);
        else if (curve != m_pose.curves.end() && static_cast<std::int32_t>(curve->second.size()) == handle.curvePoints)
            appendCurve(handle, target.worldFromSpace, curve->second, writes);
        if (!writes.empty()) writes.push_back({{handle.id.value, Property::Blend}, {1}});
        return writes;
    }

    static bool isBend(Property property) { return property == Property::Pole || property == Property::Twist; }
    [[nodiscard]] bool isKeyed(ChannelId channel) const
    {
        return m_draft.clip() != nullptr && m_draft.clip()->find(channel) != nullptr;
    }

    /// The goal that the handle has now, with the handle blended in.
    [[nodiscard]] static ChannelWrites stillGoal(const Handle& handle, const HandleTarget& target)
    {
        ChannelWrites writes;
        if (handle.hasCurve() || isConstraint(handle)) return writes;
        appendGoal(handle, goalInSpace(target.worldFromSpace, target.goal), writes);
        writes.push_back({{handle.id.value, Property::Blend}, {1}});
        return writes;
    }

    /// `writes`, and of `more` the channels that they lack.
    static ChannelWrites withRest(ChannelWrites writes, const ChannelWrites& more)
    {
        const ChannelWrites own = writes;
        for (const ChannelWrite& write : more) {
            const auto isSame = [&](const ChannelWrite& other) { return other.channel == write.channel; };
            if (std::none_of(own.begin(), own.end(), isSame)) writes.push_back(write);
        }
        return writes;
    }

    [[nodiscard]] Result<void> pose(const Handle& handle, const HandleTarget& target, const ChannelWrite& write)
    {
        const Property property = write.channel.property;
        if (property == Property::Blend) return {};
        if (property == Property::GoalRotation && handle.orientationWeight == 0 && m_draft.edit.isAutoKeyOn) return {};
        if (!isPlace(property)) return poseChannel(m_draft, write.channel, write.value);
        const auto worldFromKeys = worldOfValues(m_draft, handle, property);
        if (!worldFromKeys) return worldFromKeys.error();
        const Affine& worldFromSpace = property == Property::Pole ? target.worldFromPoleSpace : target.worldFromSpace;
        const ChannelValue value = valueInSpace(property, write.value, changeOfSpace(*worldFromKeys, worldFromSpace));
        // The pole of a goal that has keys belongs to the pose at this frame alone, as the goal does.
        if (property == Property::Pole && !m_draft.edit.isAutoKeyOn && !isKeyed(write.channel) &&
            isKeyed({handle.id.value, Property::GoalPosition})) {
            m_draft.edit.pending[write.channel] = value;
            return {};
        }
        if (property == Property::Pole && m_draft.edit.isAutoKeyOn)
            if (const auto held = holdBeside(m_draft, write.channel, m_draft.time()); !held) return held;
        return poseChannel(m_draft, write.channel, value);
    }

    /// The goal or curve that the pose holds, whatever it makes of the chain.
    [[nodiscard]] Result<void> putOwn(const Handle& handle)
    {
        if (const auto goal = m_pose.goals.find(handle.id); goal != m_pose.goals.end())
            return poseGoal(m_draft, handle, goal->second);
        const std::vector<Vector3>& points = m_pose.curves.at(handle.id);
        if (handle.curvePoints == static_cast<std::int32_t>(points.size())) return poseCurve(m_draft, handle, points);
        m_draft.say(Severity::Warning, "its curve has another number of points than the copied one and stays",
                    handle.name, handle.id.value);
        return {};
    }

    Draft& m_draft;
    const CopiedPose& m_pose;
    std::set<JointId> m_joints; ///< that are posed as the pose holds them
    std::vector<PosedHandle> m_handles;
    std::multimap<double, Issue> m_misses; ///< by how far a handle is off [m] + [rad]
};

} // namespace

Result<void> poseShown(Draft& draft, const CopiedPose& pose, std::span<const JointId> joints)
{
    return PoseMatch(draft, pose, joints).put();
}

} // namespace tendon
