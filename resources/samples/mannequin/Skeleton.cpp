#include "resources/samples/mannequin/Skeleton.h"

#include "core/math/Degrees.h"

#include <cassert>
#include <cmath>
#include <map>

namespace tendon::mannequin {

namespace {

/// A finger in the hand's own directions: first joint, how far its bones fan out to the thumb's side, lengths and
/// bends.
struct FingerPlan
{
    double along, across, fan;     // [m], [m], [deg]
    std::array<double, 3> lengths; // [m]
};
constexpr std::array<FingerPlan, 4> kFingers = {{{0.0900, 0.0330, 9.0, {0.0425, 0.0265, 0.0215}},
                                                 {0.0935, 0.0110, 2.5, {0.0470, 0.0300, 0.0225}},
                                                 {0.0890, -0.0110, -4.0, {0.0430, 0.0280, 0.0220}},
                                                 {0.0800, -0.0318, -11.5, {0.0335, 0.0215, 0.0195}}}};
constexpr std::array<double, 3> kCurl = {9, 20, 29}; // [deg] from the hand's direction: a hand at ease

void placeHand(Landmarks& l)
{
    const auto direction = [&](double along, double across, double palm) -> Vector3 {
        return along * l.handAlong + across * l.handThumb + palm * l.handPalm;
    };
    for (std::size_t f = 0; f < kFingers.size(); ++f) {
        const FingerPlan& plan = kFingers[f];
        auto& joints = l.fingers[f + 1];
        joints[0] = l.wrist + direction(plan.along, plan.across, -0.001);
        const double fan = radians(plan.fan);
        for (std::size_t bone = 0; bone < 3; ++bone) {
            const double curl = radians(kCurl[bone] + 2.5 * static_cast<double>(f)); // the little finger curls most
            joints[bone + 1] = joints[bone] + plan.lengths[bone] * direction(std::cos(curl) * std::cos(fan),
                                                                             std::cos(curl) * std::sin(fan),
                                                                             std::sin(curl));
        }
        l.palmward[f + 1] = l.handPalm;
    }
    auto& thumb = l.fingers[0];
    thumb[0] = l.wrist + direction(0.020, 0.021, 0.009);
    thumb[1] = thumb[0] + 0.044 * direction(0.70, 0.60, 0.36).normalized();
    thumb[2] = thumb[1] + 0.034 * direction(0.84, 0.43, 0.30).normalized();
    thumb[3] = thumb[2] + 0.027 * direction(0.90, 0.30, 0.26).normalized();
    l.palmward[0] = direction(0, -0.75, 0.65).normalized();
}

Affine frame(const Vector3& origin, const Vector3& tail, const Vector3& front)
{
    const Vector3 y = (tail - origin).normalized();
    const Vector3 z = (front - front.dot(y) * y).normalized();
    Affine result = Affine::Identity();
    result.linear() << y.cross(z), y, z;
    result.translation() = origin;
    return result;
}

class SkeletonBuilder
{
public:
    int add(std::string name, int parent, const Vector3& at, const Vector3& tail, const Vector3& front)
    {
        bones.push_back({std::move(name), parent, frame(at, tail, front), tail});
        return static_cast<int>(bones.size()) - 1;
    }

    void addLimbs(const Landmarks& l, bool isLeft)
    {
        const std::string suffix = isLeft ? "_L" : "_R";
        const auto put = [&](std::string_view name, int parent, const Vector3& at, const Vector3& tail,
                             const Vector3& front) {
            if (isLeft) return add(std::string(name) + suffix, parent, at, tail, front);
            return add(std::string(name) + suffix, parent, mirrored(at), mirrored(tail), mirrored(front));
        };
        const Vector3 front = Vector3::UnitZ(), up = Vector3::UnitY();
        const int clavicle = put("Clavicle", chest, l.clavicle, l.shoulder, front);
        const int upper = put("UpperArm", clavicle, l.shoulder, l.elbow, l.armFront);
        const int forearm = put("Forearm", upper, l.elbow, l.wrist, l.armFront);
        const int hand = put("Hand", forearm, l.wrist, l.knuckles, l.handThumb);
        for (std::size_t f = 0; f < kFingerNames.size(); ++f) {
            int parent = hand;
            for (std::size_t i = 0; i < 3; ++i)
                parent = put(std::string(kFingerNames[f]) + std::to_string(i + 1), parent, l.fingers[f][i],
                             l.fingers[f][i + 1], l.palmward[f]);
        }
        const int thigh = put("Thigh", hips, l.hip, l.knee, front);
        const int shin = put("Shin", thigh, l.knee, l.ankle, front);
        const int foot = put("Foot", shin, l.ankle, l.ball, up);
        put("Toe", foot, l.ball, l.toe, up);
    }

    std::vector<Bone> bones;
    int hips = 0, chest = 0;
};

std::vector<Bone> build()
{
    const Landmarks l;
    const Vector3 front = Vector3::UnitZ();
    SkeletonBuilder b;
    b.hips = b.add("Hips", -1, l.hips, l.hips + 0.09 * Vector3::UnitY(),
                   front); // upright: its channels read as the world's
    const int spine1 = b.add("Spine1", b.hips, l.spine1, l.spine2, front);
    const int spine2 = b.add("Spine2", spine1, l.spine2, l.chest, front);
    b.chest = b.add("Chest", spine2, l.chest, l.neck, front);
    const int neck = b.add("Neck", b.chest, l.neck, l.head, front);
    b.add("Head", neck, l.head, l.crown, front);
    b.addLimbs(l, true);
    b.addLimbs(l, false);
    return b.bones;
}

/// Degrees a joint may turn about x, y and z; an axis with from = to does not turn.
struct Range
{
    std::string_view name;
    std::array<double, 2> x, y, z;
    double bend = 0; ///< [deg] preferred about x
};
constexpr Range kRanges[] = {
    {"Spine1", {-15, 25}, {-12, 12}, {-14, 14}},
    {"Spine2", {-15, 25}, {-14, 14}, {-14, 14}},
    {"Chest", {-15, 22}, {-16, 16}, {-12, 12}},
    {"Neck", {-30, 35}, {-40, 40}, {-25, 25}},
    {"Head", {-35, 30}, {-45, 45}, {-20, 20}},
    {"Clavicle", {-15, 22}, {0, 0}, {-12, 38}},
    {"Forearm", {-12, 138}, {0, 0}, {0, 0}, 35}, // stands bent by 14 degrees: all but straight at -12
    {"Hand", {-22, 32}, {-85, 85}, {-75, 70}},
    {"Shin", {-142, 6}, {0, 0}, {0, 0}, -35}, // stands bent by 8 degrees: never straight, so never backward
    {"Foot", {-55, 50}, {-22, 22}, {-28, 28}},
    {"Toe", {-30, 62}, {0, 0}, {0, 0}},
    {"Thumb1", {-20, 45}, {-15, 25}, {-30, 30}},
    {"Thumb2", {-15, 60}, {0, 0}, {0, 0}, 15},
    {"Thumb3", {-20, 80}, {0, 0}, {0, 0}, 15},
};
constexpr std::array<double, 2> kFingerX[] = {{-25, 82}, {-14, 100}, {-12, 75}}; // [deg] of a finger's three joints
constexpr std::array<double, 2> kFingerZ = {-14, 14};

void setAxis(AxisFreedom& axis, std::array<double, 2> degrees, bool isMirrored)
{
    if (isMirrored) degrees = {-degrees[1], -degrees[0]};
    axis = {};
    axis.active = degrees[0] != degrees[1];
    axis.limited = axis.active;
    axis.from = radians(degrees[0]);
    axis.to = radians(degrees[1]);
}

/// Swing about z (sideways) and x (forward), twist about the bone.
BallLimits ball(double outward, double inward, double forward, double backward, double twist, bool isRight)
{
    BallLimits result;
    result.twistAxis = 1;
    if (isRight) std::swap(outward, inward);
    result.swing = {radians(outward), radians(inward), radians(forward), radians(backward)};
    result.twist = {radians(-twist), radians(twist)};
    return result;
}

} // namespace

Landmarks::Landmarks()
{
    const Vector3 upper = Vector3(0.68, -0.74, -0.05).normalized();
    armFront = (Vector3::UnitZ() - upper.z() * upper).normalized();
    elbow = shoulder + 0.283 * upper;
    const double bend = radians(14);
    handAlong = std::cos(bend) * upper + std::sin(bend) * armFront;
    handThumb = (armFront - armFront.dot(handAlong) * handAlong).normalized();
    handPalm = handAlong.cross(handThumb);
    wrist = elbow + 0.250 * handAlong;
    knuckles = wrist + 0.092 * handAlong;
    placeHand(*this);
}

const std::vector<Bone>& skeleton()
{
    static const std::vector<Bone> bones = build();
    return bones;
}

int boneNamed(std::string_view name)
{
    static const std::map<std::string_view, int> indices = [] {
        std::map<std::string_view, int> result;
        for (const Bone& bone : skeleton()) result.emplace(bone.name, static_cast<int>(result.size()));
        return result;
    }();
    const auto found = indices.find(name);
    assert(found != indices.end());
    return found->second;
}

void setAnatomy(Joint& joint)
{
    std::string_view name = joint.name;
    const bool isRight = name.ends_with("_R");
    if (name.ends_with("_L") || isRight) name.remove_suffix(2);

    if (name == "Hips") {
        for (AxisFreedom& axis : joint.sliding) axis.active = true;
        return;
    }
    if (name == "UpperArm") {
        joint.ball = ball(140, 85, 140, 65, 110, isRight);
        return;
    }
    if (name == "Thigh") {
        joint.ball = ball(55, 32, 125, 40, 45, isRight);
        return;
    }
    for (const Range& range : kRanges) {
        if (range.name != name) continue;
        setAxis(joint.turning[0], range.x, false);
        setAxis(joint.turning[1], range.y, isRight);
        setAxis(joint.turning[2], range.z, isRight);
        joint.preferredAngle.x() = radians(range.bend);
        return;
    }
    const auto phalanx = static_cast<std::size_t>(name.back() - '1');
    setAxis(joint.turning[0], kFingerX[phalanx], false);
    setAxis(joint.turning[1], {0, 0}, isRight);
    setAxis(joint.turning[2], phalanx == 0 ? kFingerZ : std::array<double, 2>{0, 0}, isRight);
    joint.preferredAngle.x() = radians(20);
}

} // namespace tendon::mannequin
