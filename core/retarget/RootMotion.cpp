#include "core/retarget/RootMotion.h"

#include "core/retarget/ClipSurvey.h"
#include "core/retarget/RetargetClip.h"
#include "core/retarget/RoledFigure.h"
#include "core/runtime/CorrectionMerge.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/JointPose.h"
#include "core/scene/RestPose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace tendon {
namespace {

constexpr std::array kLocalProperties{Property::Tx, Property::Ty, Property::Tz,      Property::Rx,
                                      Property::Ry, Property::Rz, Property::Rotation};

bool isKeyed(const Clip& clip, JointId joint)
{
    for (const Property property : kLocalProperties)
        if (clip.find({joint.value, property}) != nullptr) return true;
    return false;
}

void removeKeys(Clip& clip, JointId joint)
{
    for (const Property property : kLocalProperties) clip.channels.erase({joint.value, property});
}

/// The travel of a figure, frame by frame.
class TravelReader
{
public:
    TravelReader(const Affine& hipsAtRest, const RootMotion& options) : m_rest(hipsAtRest), m_options(options) {}

    struct Travel
    {
        Vector3 way = Vector3::Zero(); ///< of the hips since rest [m]: along the floor, and up where that goes along
        double turn = 0;               ///< [rad] about +Y since rest, continuous
    };
    Travel at(const Affine& hips)
    {
        Travel travel;
        travel.way = hips.translation() - m_rest.translation();
        if (m_options.staysHigh) travel.way.y() = 0;
        if (!m_options.turns) return travel;
        const Quaternion sinceRest = rotationOf(hips) * rotationOf(m_rest).conjugate();
        const Vector3 ahead = sinceRest * m_options.forward, before = m_options.forward;
        // Somebody who faces up or down faces as they did before.
        if (std::hypot(ahead.x(), ahead.z()) > 0.1) {
            double turn = std::atan2(before.z() * ahead.x() - before.x() * ahead.z(),
                                     before.x() * ahead.x() + before.z() * ahead.z());
            turn += 2 * std::numbers::pi * std::round((m_turn - turn) / (2 * std::numbers::pi));
            m_turn = turn;
        }
        travel.turn = m_turn;
        return travel;
    }

private:
    Affine m_rest;
    RootMotion m_options;
    double m_turn = 0;
};

/// What moves along by `travel` when it stands about `centre`, in the world.
Affine movedBy(const TravelReader::Travel& travel, const Vector3& centre)
{
    const Affine turn(Eigen::AngleAxisd(travel.turn, Vector3::UnitY()));
    return Affine(Eigen::Translation3d(centre + travel.way)) * turn * Affine(Eigen::Translation3d(-centre));
}

/// Moves the travel of one pose after the other, in order of time.
class TravelMover
{
public:
    /// `moves`: by joint, whether the clip moves it.
    static Result<TravelMover> create(const Scene& scene, std::shared_ptr<const CompiledRig> rig,
                                      const RootMotion& options, const std::vector<bool>& moves)
    {
        const JointIndex hips = rig->index(options.hips);
        if (hips < 0) return Error{ErrorCode::NotFound, "there is no joint whose travel it is", "hips"};
        std::vector<JointIndex> above; // from the hips up
        for (JointIndex joint = hips; joint >= 0; joint = rig->parent[at(joint)]) above.push_back(joint);
        JointIndex bone = options.bone.isValid() ? rig->index(options.bone) : -1;
        if (options.bone.isValid() && std::find(above.begin() + 1, above.end(), bone) == above.end())
            return Error{ErrorCode::InvalidArgument,
                         "\"" + (bone >= 0 ? rig->authored[at(bone)].name : std::string()) + "\" is not above the hips",
                         "bone"};
        if (options.travel == RootTravel::Bone && bone < 0)
            return Error{ErrorCode::InvalidArgument, "say which joint takes the travel", "bone"};
        // The joint that carries the figure: the topmost that moves, at or above the hips; below the bone.
        JointIndex carrier = hips;
        for (const JointIndex joint : above) {
            if (joint == bone) break;
            if (moves[at(joint)]) carrier = joint;
        }
        if (options.travel == RootTravel::Travels && bone < 0 && carrier != hips) {
            bone = carrier; // the topmost that moves had the travel
            for (const JointIndex joint : above)
                if (rig->parent[at(joint)] == bone) carrier = joint;
        }
        TravelMover mover(worldInRestPose(scene, options.hips), options);
        mover.m_hips = hips, mover.m_bone = bone, mover.m_carrier = carrier;
        if (bone >= 0) mover.findOthers(*rig, above);
        if (options.travel == RootTravel::InPlace) mover.findAlong(*rig, above, moves);
        if (bone >= 0) mover.m_boneAtRest = worldInRestPose(scene, rig->id[at(bone)]);
        mover.m_rig = std::move(rig);
        return mover;
    }

    /// The joints that get other poses: the carrier, and, if there is a bone, it and what else hangs from it.
    [[nodiscard]] std::vector<JointIndex> changed() const
    {
        std::vector<JointIndex> joints = m_others;
        joints.insert(joints.end(), m_along.begin(), m_along.end());
        joints.push_back(m_carrier);
        if (m_bone >= 0) joints.push_back(m_bone);
        return joints;
    }
    [[nodiscard]] JointIndex bone() const { return m_bone; }
    [[nodiscard]] const std::vector<JointIndex>& along() const { return m_along; }
    /// There is nothing to move: travel is on the hips already.
    [[nodiscard]] bool isIdle() const { return m_options.travel == RootTravel::Travels && m_bone < 0; }

    /// Returns by what it has moved, in the world, that which is taken out.
    Affine move(Time time, LocalPose& pose)
    {
        forwardKinematics(*m_rig, pose, m_model);
        const Affine carried = worldOf(m_carrier), parent = worldOf(m_rig->parent[at(m_carrier)]);
        const TravelReader::Travel travel = m_reader.at(m_options.solvedHips ? m_options.solvedHips(time)
                                                                             : worldOf(m_hips));
        if (m_options.travel == RootTravel::InPlace) {
            const Affine back = movedBy(travel, m_centre).inverse();
            set(pose, m_carrier, parent.inverse() * back * carried);
            for (const JointIndex joint : m_along)
                set(pose, joint, worldOf(m_rig->parent[at(joint)]).inverse() * back * worldOf(joint));
            return back;
        }
        if (m_bone < 0) return Affine::Identity();
        const Affine bone = m_options.travel == RootTravel::Bone ? movedBy(travel, m_centre) * m_boneAtRest
                                                                 : m_boneAtRest;
        // Joints between the bone and the carrier keep their local poses; what else hangs from them stays in the world.
        const Affine moved = bone * worldOf(m_bone).inverse();
        set(pose, m_bone, worldOf(m_rig->parent[at(m_bone)]).inverse() * bone);
        set(pose, m_carrier, (moved * parent).inverse() * carried);
        for (const JointIndex joint : m_others)
            set(pose, joint, (moved * worldOf(m_rig->parent[at(joint)])).inverse() * worldOf(joint));
        return Affine::Identity();
    }

private:
    TravelMover(const Affine& hipsAtRest, const RootMotion& options)
        : m_options(options), m_reader(hipsAtRest, m_options),
          m_centre(hipsAtRest.translation().x(), 0, hipsAtRest.translation().z())
    {
    }

    /// `above`: the hips and what is above them.
    void findOthers(const CompiledRig& rig, const std::vector<JointIndex>& above)
    {
        std::vector<JointIndex> between; // from the carrier up to the bone
        for (JointIndex joint = m_carrier; joint != m_bone; joint = rig.parent[at(joint)]) between.push_back(joint);
        between.push_back(m_bone);
        const auto isIn = [](const std::vector<JointIndex>& joints, JointIndex joint) {
            return std::find(joints.begin(), joints.end(), joint) != joints.end();
        };
        for (JointIndex joint = 0; joint < static_cast<JointIndex>(rig.jointCount()); ++joint)
            if (const JointIndex parent = rig.parent[at(joint)];
                parent >= 0 && parent != m_carrier && isIn(between, parent) && !isIn(above, joint))
                m_others.push_back(joint);
    }

    /// The topmost joints beside what carries the figure that move, or are to go along.
    void findAlong(const CompiledRig& rig, const std::vector<JointIndex>& above, const std::vector<bool>& moves)
    {
        std::vector<bool> goes(rig.jointCount(), false); // it, or one above it
        const auto isIn = [](const auto& list, auto one) {
            return std::find(list.begin(), list.end(), one) != list.end();
        };
        for (JointIndex joint = 0; joint < static_cast<JointIndex>(rig.jointCount()); ++joint) {
            const JointIndex parent = rig.parent[at(joint)];
            goes[at(joint)] = joint == m_carrier || (parent >= 0 && goes[at(parent)]);
            if (goes[at(joint)] || isIn(above, joint)) continue;
            if (!moves[at(joint)] && !isIn(m_options.along, rig.id[at(joint)])) continue;
            m_along.push_back(joint);
            goes[at(joint)] = true;
        }
    }

    [[nodiscard]] Affine worldOf(JointIndex joint) const
    {
        return joint < 0 ? Affine::Identity() : m_model.modelFromJoint[at(joint)];
    }
    static void set(LocalPose& pose, JointIndex joint, const Affine& parentFromJoint)
    {
        const LocalTransform local = decompose(parentFromJoint);
        pose.joints[at(joint)].translation = local.translation;
        pose.joints[at(joint)].rotation = local.rotation;
    }

    std::shared_ptr<const CompiledRig> m_rig;
    RootMotion m_options;
    TravelReader m_reader;
    Vector3 m_centre; ///< about which the figure turns: on the floor below the hips at rest
    Affine m_boneAtRest = Affine::Identity();
    ModelPose m_model;
    JointIndex m_hips = -1, m_bone = -1, m_carrier = -1;
    std::vector<JointIndex> m_others; ///< below the bone, beside what carries the figure: thighs beside the hips
    std::vector<JointIndex> m_along;  ///< what else moves in the world, and goes where the figure goes
};

} // namespace

Result<MovedTravel> withRootMotion(const Scene& scene, const Clip& clip, const RootMotion& options)
{
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    std::vector<bool> moves;
    for (const JointId joint : (*rig)->id) moves.push_back(isKeyed(clip, joint));
    auto mover = TravelMover::create(scene, *rig, options, moves);
    if (!mover) return mover.error();
    if (mover->isIdle()) return MovedTravel{clip, {}, {}};

    std::set<Time> times;
    for (const Time time : frameTimes(clip, scene.fps)) times.insert(time);
    for (JointIndex joint = (*rig)->index(options.hips); joint >= 0; joint = (*rig)->parent[at(joint)])
        for (const Property property : kLocalProperties)
            if (const KeyList* keys = clip.find({(*rig)->id[at(joint)].value, property}))
                for (std::size_t k = 0; k < keys->size(); ++k) times.insert((*keys)[k].time);
    if (options.travel == RootTravel::InPlace) // what goes along keeps its own keys' moments
        for (const auto& [channel, keys] : clip.channels)
            for (std::size_t k = 0; k < keys->size(); ++k) times.insert((*keys)[k].time);

    const std::vector<JointIndex> changed = mover->changed();
    Clip result = clip; // what is sampled has their corrections in it
    for (const JointIndex joint : changed) {
        auto merged = mergedCorrections(scene, result, (*rig)->id[at(joint)].value);
        if (!merged) return merged.error();
        result = std::move(*merged);
    }
    PoseSampler sampler(*rig);
    sampler.prepare(scene, &clip);
    LocalPose local;
    JointKeys keys;
    MovedTravel moved;
    for (const Time time : times) {
        sampler.sample({}, time, local);
        const Affine by = mover->move(time, local);
        if (options.travel == RootTravel::InPlace) moved.moments.push_back({time, by});
        for (const JointIndex joint : changed) {
            keys.add((*rig)->id[at(joint)], time, local.joints[at(joint)].rotation);
            keys.add((*rig)->id[at(joint)], time, local.joints[at(joint)].translation);
        }
    }
    for (const JointIndex joint : changed) removeKeys(result, (*rig)->id[at(joint)]);
    keys.writeInto(result.channels);
    if (options.travel == RootTravel::Travels) removeKeys(result, (*rig)->id[at(mover->bone())]); // it rests
    for (const JointIndex joint : mover->along()) moved.along.push_back((*rig)->id[at(joint)]);
    moved.clip = std::move(result);
    return moved;
}

Result<BakedClip> withRootMotion(const Scene& scene, BakedClip clip, const RootMotion& options)
{
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    std::vector<bool> moves((*rig)->jointCount(), false);
    std::vector<std::size_t> column((*rig)->jointCount(), clip.joints.size());
    for (std::size_t j = 0; j < clip.joints.size(); ++j)
        if (const JointIndex joint = (*rig)->index(clip.joints[j]); joint >= 0) {
            moves[at(joint)] = clip.isAnimated[j];
            column[at(joint)] = j;
        }
    auto mover = TravelMover::create(scene, *rig, options, moves);
    if (!mover) return mover.error();
    if (mover->isIdle()) return clip;

    const std::size_t n = clip.joints.size();
    std::vector<JointIndex> changed = mover->changed();
    std::erase_if(changed, [&](JointIndex joint) { return column[at(joint)] == n; }); // it is not in the clip
    LocalPose local;
    local.joints = (*rig)->rest;
    for (std::size_t s = 0; s < clip.times.size(); ++s) {
        for (std::size_t j = 0; j < (*rig)->jointCount(); ++j)
            if (column[j] < n) local.joints[j] = clip.locals[s * n + column[j]];
        (void)mover->move(clip.times[s], local);
        for (const JointIndex joint : changed) {
            const std::size_t place = s * n + column[at(joint)];
            LocalTransform& now = clip.locals[place];
            now = local.joints[at(joint)];
            const Vector3 near = s == 0 ? Vector3(Vector3::Zero()) : clip.angles[place - n];
            if (s > 0 && clip.locals[place - n].rotation.dot(now.rotation) < 0) now.rotation.coeffs() *= -1;
            clip.angles[place] = anglesOf((*rig)->authored[at(joint)], now.rotation, near);
        }
    }
    for (const JointIndex joint : changed) {
        bool isAnimated = false;
        for (std::size_t s = 1; s < clip.times.size(); ++s)
            isAnimated = isAnimated || !(clip.locals[s * n + column[at(joint)]] == clip.locals[column[at(joint)]]);
        clip.isAnimated[column[at(joint)]] = isAnimated;
    }
    return clip;
}

} // namespace tendon
