#pragma once

#include "core/retarget/ClipTrack.h"
#include "core/retarget/LimbReach.h"
#include "core/retarget/RestAlignment.h"
#include "core/retarget/ShortLimbs.h"
#include "core/retarget/TurnShare.h"
#include "core/retarget/TwinJoints.h"
#include "core/runtime/PoseSampler.h"
#include "core/scene/Scene.h"

#include <array>

namespace tendon {

struct RetargetOptions
{
    RestAlign align = RestAlign::Directions;
    double frame = 0;                           ///< of RestAlign::Frame, at the motion's rate
    double armSpread = 0;                       ///< [rad] opens (+) or closes (-) the arms after aligning
    std::optional<double> scale = std::nullopt; ///< of the travel; none = by the length of the legs
    bool handReach = true; ///< hands keep their place relative to the shoulder, scaled by the length of the arm
};

/// What a retarget has found out about its two sides, for people to judge.
struct RetargetFacts
{
    RoleCount roles;
    std::vector<Unpaired> unpaired;
    double scale = 1;                                ///< of the travel
    double legScale = 1;                             ///< of the hips' height and the feet's places
    std::optional<double> motionLegs, characterLegs; ///< [m]
    double armsDiffer = 0;                           ///< [rad]
    bool isSameSkeleton = false;
    std::vector<std::string> notes; ///< whole sentences: about rest poses, axes, what was left out
};

/// "arms differ by 38°", "legs are 0.83 m here, 0.88 m in the motion": one line each.
[[nodiscard]] std::vector<std::string> inWords(const RetargetFacts& facts);

/// Puts a motion onto a character, frame by frame: each frame depends on the motion's pose at its time alone. For
/// previews as for whole clips. One thread each.
class Retargeter
{
public:
    /// `motion` and its clip are the motion's own scene, `character` the scene to move. Error: too few roles on both
    /// sides ("3 of 23 roles matched. Hips and at least one limb are needed; the motion has no hips."), a frame that is
    /// not there.
    [[nodiscard]] static Result<Retargeter> create(const Scene& motion, const Clip& clip, RoleMap motionRoles,
                                                   const Scene& character, RoleMap characterRoles,
                                                   const RetargetOptions& options);

    /// The character's pose at a time of the motion, in the order of characterRig(). Joints that nothing moves stand as
    /// their static values say. Allocates at the first call only.
    void pose(Time time, LocalPose& result);

    /// The motion's pose that pose() has read last, as it is in the file.
    [[nodiscard]] const WorldPose& motionPose() const { return m_source; }

    [[nodiscard]] const RetargetFacts& facts() const { return m_facts; }
    [[nodiscard]] const std::vector<JointPair>& pairs() const { return m_pairs; }
    [[nodiscard]] const RoledFigure& motionFigure() const { return m_motion; }
    [[nodiscard]] const RoledFigure& characterFigure() const { return m_character; }
    [[nodiscard]] const std::shared_ptr<const CompiledRig>& characterRig() const { return m_character.rig; }

    /// Turns the motion's own world upright and to the character's front.
    [[nodiscard]] const Quaternion& worldFromMotion() const { return m_alignment.worldFromMotion; }

    /// The joint whose translation is the travel: the hips, or one above them that carries legs and spine alike.
    [[nodiscard]] JointIndex carrier() const { return m_carrier; }
    /// Joints of the character that get a rotation, those that also get a translation, and those that get a scale.
    [[nodiscard]] const std::vector<JointIndex>& turned() const { return m_turned; }
    [[nodiscard]] const std::vector<JointIndex>& moved() const { return m_moved; }
    [[nodiscard]] const std::vector<JointIndex>& scaled() const { return m_scaled; }

private:
    Retargeter(RoledFigure motion, RoledFigure character)
        : m_motion(std::move(motion)), m_character(std::move(character))
    {
    }

    /// A limb that both sides have.
    struct Limb
    {
        LimbRoles roles;
        std::array<JointIndex, 3> source{};     ///< upper, lower, end
        std::array<std::size_t, 3> pair{};      ///< the same, of m_pairs
        double scale = 1;                       ///< of its length, character to motion
        double length = 1, ownLength = 1;       ///< [m] along its bones
        bool isInProportion = false;            ///< directions alone bring its end to its place
        Vector3 hinge = Vector3::UnitX();       ///< in the space of the upper joint
        Vector3 widening = Vector3::Zero();     ///< [m] of the stance, see wideningOf()
        bool standsApart = false;               ///< the end does not hang from the lower joint
        Vector3 endFromLower = Vector3::Zero(); ///< [m] its end in the space of the lower joint
        Sole sole, ownSole;                     ///< of the motion and of the character; empty: ankles alone count
        bool hasEnds = false;
        std::array<std::size_t, 2> ends{}, ownEnds{}; ///< of the soles' points the foremost and the hindmost, if it has
        std::array<double, 3> heights{};              ///< [m] of the motion's ankle and ends over its sole, when flat
        std::array<double, 2> longer{1, 1};           ///< how much longer the foot is than feet are, before and behind
        Vector3 soleUp = Vector3::UnitY(), soleAhead = Vector3::UnitZ(); ///< in the space of the character's foot
        std::array<ClipTrack, 3> offsets;  ///< [m] of its end from where scaling puts it, evened out
        Vector3 offset = Vector3::Zero();  ///< [m] the same now
        Vector3 opening = Vector3::Zero(); ///< of arms: rotation vector of the arm spread, in the aligned rest pose
    };
    /// A point of a foot that may stand: where the motion has it, scaled, and where it is on the character, whose ankle
    /// is at its scaled place.
    struct FootPoint
    {
        Vector3 wanted, now;
        double lift = 0; ///< [m] how much higher it is than the lowest of them, beyond what it is when the foot is flat
    };
    /// Joints with one axis each that share a role, as robots have them.
    struct AxisGroup
    {
        std::vector<JointIndex> joints;
        std::vector<int> axes;
    };
    void prepareSource(const Scene& scene, const Clip& clip);
    void prepareBase(const Scene& scene);
    void prepareRoot(const ReferencePose& motion, const ReferencePose& character);
    void prepareShares(const Clip& clip, FrameRate fps);
    void prepareLimbs(const ReferencePose& motion, const ReferencePose& character, const RetargetOptions& options,
                      const std::vector<WorldPose>& poses);
    [[nodiscard]] Vector3 restHingeOf(const Limb& limb, const std::array<Vector3, 3>& place,
                                      const ReferencePose& character, const Vector3& forward,
                                      const std::vector<WorldPose>& poses) const;
    [[nodiscard]] bool standsApart(const JointPair& pair) const;
    [[nodiscard]] Vector3 rootOffset(const Limb& limb, const ReferencePose& motion,
                                     const ReferencePose& character) const;
    [[nodiscard]] Vector3 wideningOf(const Limb& limb, const ReferencePose& motion,
                                     const ReferencePose& character) const;
    [[nodiscard]] bool isInProportion(const Limb& limb, const ReferencePose& motion,
                                      const ReferencePose& character) const;
    [[nodiscard]] bool isOnAnotherFloor(const ReferencePose& motion, const std::vector<WorldPose>& own,
                                        const std::vector<WorldPose>& all) const;
    void prepareSoles(const ReferencePose& motion, const ReferencePose& character, const std::vector<WorldPose>& poses);
    void preparePelvis(const ReferencePose& motion, const ReferencePose& character);
    void prepareFoot(Limb& limb, const WorldPose& motion, const ReferencePose& character);
    [[nodiscard]] double lowestAlong(const std::vector<Sole>& soles, const std::vector<WorldPose>& poses) const;
    [[nodiscard]] double ankleHeightOfMotion(const ReferencePose& motion, std::vector<Sole>& soles, double level) const;
    [[nodiscard]] double ankleHeightOfBones(const ReferencePose& motion, const ReferencePose& character,
                                            double there) const;
    void levelHips(const std::vector<WorldPose>& poses);
    void prepareTracks(const Clip& clip, FrameRate fps);
    [[nodiscard]] double loweringFor(const Limb& limb, const Vector3& root, const Vector3& foot) const;
    [[nodiscard]] bool isAsAtFirst(const WorldPose& first) const;
    void prepareAxisGroups();
    void prepareShortLimbs(const Scene& scene, const ReferencePose& motion, const std::vector<WorldPose>& poses);
    void noteScale(const Clip& clip);
    void noteProportions();
    void prepareTwins(const Clip& clip);
    void poseTwins(LocalPose& result);
    void placeTwin(JointIndex top, LocalPose& result) const;
    void prepareCarried(const Clip& clip, const ReferencePose& motion);

    void readMotion(Time time);
    void turnPairs();
    [[nodiscard]] Quaternion turnAs(JointIndex source, const Quaternion& sourceToTarget) const;
    void openArms();
    void leaveToHips(JointIndex joint);
    void aimShortLimbs();
    [[nodiscard]] double heightOnShortLegs() const;
    void levelWidePelvis();
    void levelLongFeet();
    void turnJoints();
    [[nodiscard]] double standingShare() const;
    void compose(LocalPose& result);
    void turnAxes(const AxisGroup& group, const Quaternion& wanted, LocalPose& result);
    bool reachPlaces(LocalPose& result);
    [[nodiscard]] Vector3 scaledPoint(const Limb& limb, const Vector3& point) const;
    [[nodiscard]] Vector3 scaledPlace(const Limb& limb) const;
    [[nodiscard]] std::array<FootPoint, 3> footPoints(const Limb& limb) const;
    [[nodiscard]] Vector3 placeOfAnkle(const Limb& limb) const;
    [[nodiscard]] Vector3 offsetOf(const Limb& limb) const;
    [[nodiscard]] static double straightest(const Limb& limb);
    [[nodiscard]] static Vector3 offsetAt(const Limb& limb, Time time);
    [[nodiscard]] double liftOf(const Limb& limb) const;
    [[nodiscard]] Vector3 placeOfHand(const Limb& limb, const Vector3& root) const;
    [[nodiscard]] Quaternion openingOf(const Limb& limb) const;
    [[nodiscard]] Vector3 hingeOf(const Limb& limb) const;
    [[nodiscard]] double stretchOf(const Limb& limb) const;
    [[nodiscard]] Vector3 easedPlace(const Limb& limb, const Vector3& root, const Vector3& wanted) const;
    [[nodiscard]] double shareOfSole(const Limb& limb) const;
    [[nodiscard]] double riseOf(const Limb& limb, double now, double wanted) const;
    [[nodiscard]] Vector3 endOf(const Limb& limb) const;
    void putApart(const Limb& limb, LocalPose& result);
    [[nodiscard]] Vector3 middleOfLegs() const; ///< of the motion, in the turned world [m]
    [[nodiscard]] Vector3 scaledMiddle() const; ///< where that is on the character
    void put(JointIndex joint, LocalPose& result);

    RoledFigure m_motion, m_character;
    std::vector<JointPair> m_pairs;
    RestAlignment m_alignment;
    RetargetFacts m_facts;

    // the motion
    std::unique_ptr<PoseSampler> m_sampler;
    Time m_time; ///< that is read
    LocalPose m_motionLocal;
    ModelPose m_motionModel;
    WorldPose m_source;
    std::vector<JointIndex> m_motionThighs; ///< both; empty: travel is read off the hips
    JointIndex m_motionHips = -1;

    // the character
    LocalPose m_base; ///< its static pose
    ModelPose m_model;
    std::vector<Vector3> m_worldPosition;                       ///< (n)
    std::vector<Quaternion> m_worldRotation;                    ///< (n)
    std::vector<int> m_pairOf;                                  ///< (n) -1 = none
    std::vector<Quaternion> m_sourceToTarget, m_secondToTarget; ///< (pairs) constant: worldFromJoint = motion's * this
    std::vector<TurnShare> m_share;                             ///< (pairs) of the turn to the second joint
    std::vector<Quaternion> m_turn;                             ///< (pairs) worldFromJoint of the frame
    TwinJoints m_twins; ///< not empty: the character is the motion's own skeleton
    JointIndex m_carrier = -1;
    Vector3 m_middleFromCarrier = Vector3::Zero(); ///< of the legs, in the carrier's space, unscaled [m]
    Vector3 m_hipLine = Vector3::Zero();           ///< unit, from right to left, in the carrier's space; zero: none
    double m_pelvisWider = 1;                      ///< how much wider the hips are for their legs than hips are
    double m_motionFloor = 0;                      ///< [m] height at which the motion's feet stand
    double m_soleRise = 0;                         ///< [m] how much higher it stands than the motion, scaled
    ClipTrack m_lowering;                          ///< [m] of the hips, so that feet that stand are within reach
    std::vector<Limb> m_limbs;
    std::vector<ShortLimb> m_shortLimbs; ///< that point to where the motion's ends are
    bool m_standsOnShortLegs = false;    ///< all of its legs are such
    double m_ankleHeight = 0;            ///< [m] of the motion's ankles when its feet stand, if so
    std::vector<int> m_groupOf;          ///< (n) of the group's first joint, -1 = none
    std::vector<AxisGroup> m_groups;
    struct Shift
    {
        JointIndex target = -1, source = -1;
        Vector3 rest = Vector3::Zero(); ///< local translation of the motion's joint in its reference pose
    };
    std::vector<Shift> m_shifts; ///< joints whose own translation moves along
    std::vector<int> m_shiftOf;  ///< (n)
    std::vector<JointIndex> m_turned, m_moved, m_scaled;
    bool m_reachesHands = true;
    bool m_shinsAreFeet = false; ///< what moves with a shin is part of a sole
};

} // namespace tendon
