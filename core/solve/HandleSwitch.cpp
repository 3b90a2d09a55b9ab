#include "core/solve/HandleSwitch.h"

#include "core/math/Convert.h"
#include "core/scene/Constraint.h"
#include "core/solve/ChainBend.h"
#include "core/solve/CurveFit.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

constexpr double kGained = 0.98; ///< of a miss: what is left of it where a round gained nothing to speak of

/// One handle of one scene at one moment.
class Matching
{
public:
    /// Precondition: poses is prepared for the scene, and the handle is in it.
    Matching(SolvedPoses& poses, const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
             const Handle& handle)
        : m_poses(poses), m_scene(scene), m_clip(clip), m_pending(pending), m_time(time), m_rig(poses.rig()),
          m_handle(handle), m_chain(movableJoints(*m_rig, handle))
    {
        for (const HandleId later : poses.sharersOf(handle.id).after)
            m_withoutLater.push_back({{later.value, Property::Blend}, {0}});
    }

    HandleSwitch toIk()
    {
        const ChannelWrites off{{{m_handle.id.value, Property::Blend}, {0}}};
        const SolvedFrame fk = asLeft(off);
        if (m_handle.hasCurve()) return toCurve(fk);
        const JointIndex end = m_rig->index(m_handle.end);
        const Affine& worldFromEnd = fk.model.modelFromJoint[at(end)];
        const Vector3 effector = worldFromEnd * m_handle.offset;
        const Affine worldFromSpace = asked(fk).worldFromSpace;

        HandleSwitch best;
        best.positionJump = -1;
        Vector3 goal = effector;
        if (m_handle.aimAxis) { // in front of the end, as far off as it was
            const double distance = (asked(fk).goal.position - effector).norm();
            goal += (distance > 0 ? distance : 1) * aimedInWorld(m_handle, worldFromEnd, *m_handle.aimAxis);
        }
        // The goal is where the effector is, unless the solver holds back (soft reach): then it is moved on until the
        // effector is met, each step scaled by what the last one gained (the secant method on an easing curve).
        double gain = 1, lastMiss = 0, lastStep = 0;
        int stalled = 0; // rounds that gained little: the solver is as near as its tolerance lets it be
        for (int round = 0; round < 60 && stalled < 2; ++round) {
            HandleSwitch trial;
            appendGoal(m_handle, goalInSpace(worldFromSpace, {goal, rotationOf(worldFromEnd)}), trial.writes);
            appendPole(fk, goal, trial.writes);
            trial.writes.push_back({{m_handle.id.value, Property::Blend}, {1}});
            const SolvedFrame ik = asLeft(trial.writes);
            measure(fk, ik, trial);
            if (best.positionJump < 0 || trial.positionJump < best.positionJump) best = trial;
            if (best.positionJump <= 1e-9 || m_handle.aimAxis) break;
            const Vector3 miss = effector - ik.model.modelFromJoint[at(end)] * m_handle.offset;
            if (lastStep > 0) gain = std::clamp((lastMiss - miss.norm()) / lastStep, 1e-3, 1.0);
            if (miss.norm() <= 1e-9) break;
            if (lastStep > 0 && miss.norm() > kGained * lastMiss) ++stalled;
            lastMiss = miss.norm();
            lastStep = lastMiss / gain;
            goal += miss / gain;
        }
        if (!m_withoutLater.empty()) measure(evaluated(off), evaluated(best.writes), best);
        return best;
    }

    HandleSwitch toFk()
    {
        PoseSampler sampler(m_rig);
        sampler.prepare(m_scene, m_clip);
        LocalPose fk;
        sampler.sample(m_pending, m_time, fk);
        const SolvedFrame left = asLeft({});
        HandleSwitch result;
        for (const JointIndex joint : m_chain)
            appendJointWrites(*m_rig, joint, fk, left.local,
                              isConstraint(m_handle) ? WriteAxes::Changed : WriteAxes::Active, result.writes);
        result.writes.push_back({{m_handle.id.value, Property::Blend}, {0}});
        const SolvedFrame ik = evaluated({});
        measure(ik, evaluated(result.writes), result);
        return result;
    }

    HandleSwitch toIkWith(ChannelWrites writes)
    {
        const SolvedFrame fk = evaluated({{{m_handle.id.value, Property::Blend}, {0}}});
        HandleSwitch result;
        result.writes = std::move(writes);
        measure(fk, evaluated(result.writes), result);
        return result;
    }

private:
    /// The curve with as many points as it has that runs along the FK chain.
    HandleSwitch toCurve(const SolvedFrame& fk)
    {
        HandleSwitch result;
        std::vector<Vector3> places;
        for (const JointIndex joint : m_chain) places.push_back(fk.model.modelFromJoint[at(joint)].translation());
        if (places.size() > 1)
            appendCurve(m_handle, asked(fk).worldFromSpace, fittedCurve(places, m_handle.curvePoints), result.writes);
        for (const Property property : {Property::Twist, Property::Roll})
            if (value(property)[0] != 0) result.writes.push_back({{m_handle.id.value, property}, {0}});
        result.writes.push_back({{m_handle.id.value, Property::Blend}, {1}});
        measure(fk, evaluated(result.writes), result);
        return result;
    }

    [[nodiscard]] SolvedFrame evaluated(const ChannelWrites& writes)
    {
        return **m_poses.at(m_scene, m_clip, withWrites(m_pending, writes), m_time);
    }

    /// What the handle leaves to those that move its joints after it. They begin with it, in FK as in IK.
    [[nodiscard]] SolvedFrame asLeft(const ChannelWrites& writes)
    {
        return **m_poses.at(m_scene, m_clip, withWrites(withWrites(m_pending, writes), m_withoutLater), m_time);
    }

    [[nodiscard]] const HandleTarget& asked(const SolvedFrame& frame) const
    {
        return frame.targets[m_scene.handles->placeOf(m_handle.id)];
    }

    [[nodiscard]] ChannelValue value(Property property) const
    {
        return sampleChannel(m_scene, m_clip, m_pending, {m_handle.id.value, property}, m_time);
    }

    /// The pole so that the bend lies in its half plane, the twist taken into account; where the pole is a joint's, the
    /// twist.
    void appendPole(const SolvedFrame& fk, const Vector3& goal, ChannelWrites& writes) const
    {
        if (!m_handle.hasPole) {
            // Without a pole a twist counts from the FK pose itself.
            if (value(Property::Twist)[0] != 0) writes.push_back({{m_handle.id.value, Property::Twist}, {0}});
            return;
        }
        if (m_chain.size() < 3) return;
        const ChainBend bend = chainBend(*m_rig, fk.local, fk.model, m_chain.front(), m_rig->index(m_handle.end),
                                         m_handle.offset);
        if (bend.direction.isZero()) return; // straight: any pole will do
        const Vector3 axis = (goal - bend.start).normalized();
        if (m_handle.poleTarget.isValid()) {
            const Vector3 pole = fk.model.modelFromJoint[at(m_rig->index(m_handle.poleTarget))].translation() -
                                 bend.start;
            const Vector3 across = pole - pole.dot(axis) * axis;
            const double twist = std::atan2(axis.dot(across.cross(bend.direction)), across.dot(bend.direction));
            writes.push_back({{m_handle.id.value, Property::Twist}, {twist}});
            return;
        }
        const Vector3 pole = poleShowing(bend, axis, value(Property::Twist)[0]);
        writes.push_back(
            {{m_handle.id.value, Property::Pole}, toValue(Vector3(asked(fk).worldFromPoleSpace.inverse() * pole))});
    }

    void measure(const SolvedFrame& before, const SolvedFrame& after, HandleSwitch& result) const
    {
        result.positionJump = 0;
        for (const JointIndex joint : m_chain)
            result.positionJump = std::max(result.positionJump, (before.model.modelFromJoint[at(joint)].translation() -
                                                                 after.model.modelFromJoint[at(joint)].translation())
                                                                    .norm());
        const std::size_t end = at(m_rig->index(m_handle.end));
        const Affine &was = before.model.modelFromJoint[end], &is = after.model.modelFromJoint[end];
        result.positionJump = std::max(result.positionJump, (was * m_handle.offset - is * m_handle.offset).norm());
        result.rotationJump = rotationOf(was).angularDistance(rotationOf(is));
    }

    SolvedPoses& m_poses;
    const Scene& m_scene;
    const Clip* m_clip;
    const PendingValues& m_pending;
    Time m_time;
    std::shared_ptr<const CompiledRig> m_rig;
    const Handle& m_handle;
    std::vector<JointIndex> m_chain;
    ChannelWrites m_withoutLater; ///< those that move its joints after it, in FK
};

/// What `make` makes of one handle, if it is there and its solver can take its chain.
template <class Make>
Result<HandleSwitch> withMatching(SolvedPoses& poses, const Scene& scene, const Clip* clip,
                                  const PendingValues& pending, Time time, HandleId id, Make make)
{
    const Handle* handle = scene.find(id);
    if (handle == nullptr) return Error{ErrorCode::NotFound, "there is no such handle", "switch"};
    if (const auto prepared = poses.prepare(scene); !prepared) return prepared.error();
    if (const auto fits = poses.checkHandle(scene, id); !fits) return fits.error();
    Matching matching(poses, scene, clip, pending, time, *handle);
    return make(matching);
}

} // namespace

Result<HandleSwitch> switchHandle(SolvedPoses& poses, const Scene& scene, const Clip* clip,
                                  const PendingValues& pending, Time time, HandleId id, SwitchTo to)
{
    return withMatching(poses, scene, clip, pending, time, id,
                        [&](Matching& matching) { return to == SwitchTo::Ik ? matching.toIk() : matching.toFk(); });
}

Result<HandleSwitch> switchHandleWith(SolvedPoses& poses, const Scene& scene, const Clip* clip,
                                      const PendingValues& pending, Time time, HandleId id, ChannelWrites writes)
{
    return withMatching(poses, scene, clip, pending, time, id,
                        [&](Matching& matching) { return matching.toIkWith(std::move(writes)); });
}

} // namespace tendon
