#include "core/retarget/RootMotion.h"

#include "core/retarget/Figure.h"
#include "core/retarget/RetargetClip.h"
#include "core/runtime/ForwardKinematics.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/RestPose.h"

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
    const RootMotion& m_options;
    double m_turn = 0;
};

/// What moves along by `travel` when it stands about `centre`, in the world.
Affine movedBy(const TravelReader::Travel& travel, const Vector3& centre)
{
    const Affine turn(Eigen::AngleAxisd(travel.turn, Vector3::UnitY()));
    return Affine(Eigen::Translation3d(centre + travel.way)) * turn * Affine(Eigen::Translation3d(-centre));
}

} // namespace

Result<Clip> withRootMotion(const Scene& scene, const Clip& clip, const RootMotion& options)
{
    const auto rig = compile(scene);
    if (!rig) return rig.error();
    const JointIndex hips = (*rig)->index(options.hips);
    if (hips < 0) return Error{ErrorCode::NotFound, "there is no joint whose travel it is", "hips"};

    // The joint that carries the figure: the topmost that moves, at or above the hips; below the bone.
    std::vector<JointIndex> above; // from the hips up
    for (JointIndex joint = hips; joint >= 0; joint = (*rig)->parent[at(joint)]) above.push_back(joint);
    JointIndex bone = options.bone.isValid() ? (*rig)->index(options.bone) : -1;
    if (options.bone.isValid() && std::find(above.begin() + 1, above.end(), bone) == above.end())
        return Error{ErrorCode::InvalidArgument,
                     "\"" + (bone >= 0 ? (*rig)->authored[at(bone)].name : std::string()) + "\" is not above the hips",
                     "bone"};
    JointIndex carrier = hips;
    for (const JointIndex joint : above) {
        if (joint == bone) break;
        if (isKeyed(clip, (*rig)->id[at(joint)])) carrier = joint;
    }
    if (options.travel == RootTravel::Travels && bone < 0) {
        if (carrier == hips) return clip; // nothing above them moves
        bone = carrier;                   // the topmost that moves had the travel
        carrier = hips;
        for (const JointIndex joint : above)
            if ((*rig)->parent[at(joint)] == bone) carrier = joint;
    }
    if (options.travel == RootTravel::Bone && bone < 0)
        return Error{ErrorCode::InvalidArgument, "say which joint takes the travel", "bone"};

    PoseSampler sampler(*rig);
    sampler.prepare(scene, &clip);
    LocalPose local;
    ModelPose model;
    std::set<Time> times;
    for (const Time time : frameTimes(clip, scene.fps)) times.insert(time);
    for (const JointIndex joint : above)
        for (const Property property : kLocalProperties)
            if (const KeyList* keys = clip.find({(*rig)->id[at(joint)].value, property}))
                for (std::size_t k = 0; k < keys->size(); ++k) times.insert((*keys)[k].time);

    const Affine hipsAtRest = worldInRestPose(scene, options.hips);
    const Affine boneAtRest = bone >= 0 ? worldInRestPose(scene, (*rig)->id[at(bone)]) : Affine::Identity();
    const Vector3 centre(hipsAtRest.translation().x(), 0, hipsAtRest.translation().z());
    TravelReader reader(hipsAtRest, options);
    JointKeys keys;
    const auto keyWorld = [&](JointIndex joint, Time time, const Affine& world, const Affine& worldFromParent) {
        const LocalTransform pose = decompose(worldFromParent.inverse() * world);
        keys.add((*rig)->id[at(joint)], time, pose.rotation);
        keys.add((*rig)->id[at(joint)], time, pose.translation);
    };
    const auto worldOf = [&](JointIndex joint) -> Affine {
        return joint < 0 ? Affine::Identity() : model.modelFromJoint[at(joint)];
    };
    for (const Time time : times) {
        sampler.sample({}, time, local);
        forwardKinematics(**rig, local, model);
        const Affine carried = worldOf(carrier);
        const TravelReader::Travel travel = reader.at(worldOf(hips));
        if (options.travel == RootTravel::InPlace) {
            keyWorld(carrier, time, movedBy(travel, centre).inverse() * carried, worldOf((*rig)->parent[at(carrier)]));
            continue;
        }
        const Affine boneThere = options.travel == RootTravel::Bone ? movedBy(travel, centre) * boneAtRest : boneAtRest;
        keyWorld(bone, time, boneThere, worldOf((*rig)->parent[at(bone)]));
        // Joints between the bone and the carrier keep their local poses.
        const Affine parentFromBone = worldOf(bone).inverse() * worldOf((*rig)->parent[at(carrier)]);
        keyWorld(carrier, time, carried, boneThere * parentFromBone);
    }
    Clip result = clip;
    removeKeys(result, (*rig)->id[at(carrier)]);
    if (bone >= 0) removeKeys(result, (*rig)->id[at(bone)]);
    keys.writeInto(result.channels);
    if (options.travel == RootTravel::Travels) removeKeys(result, (*rig)->id[at(bone)]); // it rests
    return result;
}

} // namespace tendon
