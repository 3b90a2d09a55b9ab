#include "core/solve/HandleSwitch.h"

#include "core/solve/ChainBend.h"
#include "core/solve/Evaluator.h"
#include "core/solve/SolveGroups.h"

#include <algorithm>
#include <cmath>

namespace tendon {
namespace {

/// One handle of one scene at one moment.
class Matching
{
public:
    static Result<Matching> create(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                                   const SolverRegistry& registry, HandleId id)
    {
        auto rig = compile(scene);
        if (!rig) return rig.error();
        Matching matching(scene, clip, pending, time, *rig);
        const auto found = std::find_if((*rig)->handles.begin(), (*rig)->handles.end(),
                                        [id](const Handle& h) { return h.id == id; });
        if (found == (*rig)->handles.end()) return Error{ErrorCode::NotFound, "there is no such handle", "switch"};
        matching.m_handle = *found;
        auto evaluator = Evaluator::create(*rig, registry);
        if (!evaluator) return evaluator.error();
        matching.m_evaluator = *std::move(evaluator);
        matching.m_chain = movableJoints(**rig, matching.m_handle);
        return matching;
    }

    HandleSwitch toIk()
    {
        const FrameResult fk = evaluated({{{m_handle.id.value, Property::Blend}, {0}}});
        const JointIndex end = m_rig->index(m_handle.end);
        const Affine& worldFromEnd = fk.model.modelFromJoint[at(end)];
        const Vector3 effector = worldFromEnd * m_handle.offset;

        HandleSwitch best;
        best.positionJump = -1;
        Vector3 goal = effector;
        // The goal is where the effector is, unless the solver holds back (soft reach): then it is moved on until the
        // effector is met, each step scaled by what the last one gained (the secant method on an easing curve).
        double gain = 1, lastMiss = 0, lastStep = 0;
        for (int round = 0; round < 60; ++round) {
            HandleSwitch trial;
            appendGoalPosition(*m_rig, m_handle, fk.model, goal, trial.writes);
            appendGoalRotation(*m_rig, m_handle, fk.model, rotationOf(worldFromEnd), trial.writes);
            appendPole(fk.model, goal, trial.writes);
            trial.writes.push_back({{m_handle.id.value, Property::Blend}, {1}});
            const FrameResult ik = evaluated(trial.writes);
            measure(fk, ik, trial);
            if (best.positionJump < 0 || trial.positionJump < best.positionJump) best = trial;
            if (best.positionJump <= 1e-9) break;
            const Vector3 miss = effector - ik.model.modelFromJoint[at(end)] * m_handle.offset;
            if (lastStep > 0) gain = std::clamp((lastMiss - miss.norm()) / lastStep, 1e-3, 1.0);
            lastMiss = miss.norm();
            lastStep = lastMiss / gain;
            goal += miss / gain;
        }
        return best;
    }

    HandleSwitch toFk()
    {
        PoseSampler sampler(m_rig);
        sampler.prepare(m_scene, m_clip);
        LocalPose fk;
        sampler.sample(m_pending, m_time, fk);
        const FrameResult ik = evaluated({});
        HandleSwitch result;
        for (const JointIndex joint : m_chain)
            appendJointWrites(*m_rig, joint, fk, ik.local, WriteAxes::Active, result.writes);
        result.writes.push_back({{m_handle.id.value, Property::Blend}, {0}});
        measure(ik, evaluated(result.writes), result);
        return result;
    }

private:
    Matching(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
             std::shared_ptr<const CompiledRig> rig)
        : m_scene(scene), m_clip(clip), m_pending(pending), m_time(time), m_rig(std::move(rig))
    {
    }

    [[nodiscard]] FrameResult evaluated(const ChannelWrites& writes)
    {
        FrameResult result;
        m_evaluator->evaluate(m_scene, m_clip, withWrites(m_pending, writes), m_time, result);
        return result;
    }

    [[nodiscard]] ChannelValue value(Property property) const
    {
        return sampleChannel(m_scene, m_clip, m_pending, {m_handle.id.value, property}, m_time);
    }

    /// The pole so that the bend lies in its half plane, the twist taken into account; where the pole is a joint's, the
    /// twist.
    void appendPole(const ModelPose& fk, const Vector3& goal, ChannelWrites& writes) const
    {
        if (!m_handle.hasPole) {
            // Without a pole a twist counts from the FK pose itself.
            if (value(Property::Twist)[0] != 0) writes.push_back({{m_handle.id.value, Property::Twist}, {0}});
            return;
        }
        if (m_chain.size() < 3) return;
        const ChainBend bend = chainBend(*m_rig, fk, m_chain.front(), m_rig->index(m_handle.end), m_handle.offset);
        if (bend.direction.isZero()) return; // straight: any pole will do
        const Vector3 axis = (goal - bend.start).normalized();
        if (m_handle.poleTarget.isValid()) {
            const Vector3 pole = fk.modelFromJoint[at(m_rig->index(m_handle.poleTarget))].translation() - bend.start;
            const Vector3 across = pole - pole.dot(axis) * axis;
            const double twist = std::atan2(axis.dot(across.cross(bend.direction)), across.dot(bend.direction));
            writes.push_back({{m_handle.id.value, Property::Twist}, {twist}});
            return;
        }
        const double twist = value(Property::Twist)[0];
        const Vector3 direction = Eigen::AngleAxisd(-twist, axis) * bend.direction;
        const Vector3 pole = 0.5 * (bend.start + bend.end) + bend.reach * direction;
        writes.push_back({{m_handle.id.value, Property::Pole}, {pole.x(), pole.y(), pole.z(), 0}});
    }

    void measure(const FrameResult& before, const FrameResult& after, HandleSwitch& result) const
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

    const Scene& m_scene;
    const Clip* m_clip;
    const PendingValues& m_pending;
    Time m_time;
    std::shared_ptr<const CompiledRig> m_rig;
    Handle m_handle;
    std::unique_ptr<Evaluator> m_evaluator;
    std::vector<JointIndex> m_chain;
};

} // namespace

Result<HandleSwitch> switchToIk(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                                const SolverRegistry& registry, HandleId handle)
{
    auto matching = Matching::create(scene, clip, pending, time, registry, handle);
    if (!matching) return matching.error();
    return matching->toIk();
}

Result<HandleSwitch> switchToFk(const Scene& scene, const Clip* clip, const PendingValues& pending, Time time,
                                const SolverRegistry& registry, HandleId handle)
{
    auto matching = Matching::create(scene, clip, pending, time, registry, handle);
    if (!matching) return matching.error();
    return matching->toFk();
}

} // namespace tendon
