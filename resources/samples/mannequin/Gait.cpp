#include "resources/samples/mannequin/Gait.h"

#include "core/math/Degrees.h"
#include "resources/samples/mannequin/Skeleton.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace tendon::mannequin {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
Quaternion about(const Vector3& axis, double angle) { return Quaternion(Eigen::AngleAxisd(angle, axis)); }

struct Point
{
    double at, value;
};

/// A smooth curve through points that does not overshoot them (Fritsch and Butland 1984).
double curve(std::span<const Point> points, double at)
{
    const auto secant = [&](std::size_t i) {
        return (points[i + 1].value - points[i].value) / (points[i + 1].at - points[i].at);
    };
    const auto slope = [&](std::size_t i) {
        if (i == 0) return secant(0);
        if (i + 1 == points.size()) return secant(i - 1);
        const double before = secant(i - 1), after = secant(i);
        return before * after > 0 ? 2 * before * after / (before + after) : 0.0;
    };
    std::size_t i = 0;
    while (i + 2 < points.size() && points[i + 1].at < at) ++i;
    const double width = points[i + 1].at - points[i].at;
    const double u = (at - points[i].at) / width;
    return points[i].value + u * u * (3 - 2 * u) * (points[i + 1].value - points[i].value) +
           width * (u * (1 - u) * (1 - u) * slope(i) + u * u * (u - 1) * slope(i + 1));
}

/// One foot's part of the walk, in its own plane: x forward along the foot, y up, angles with the toe up.
class FootPath
{
public:
    explicit FootPath(const Landmarks& l) { m_ankle = {0, l.ankle.y()}; }

    /// [rad] of pitch at `phase` (0 ... 1 from strike to strike).
    [[nodiscard]] static double pitch(double phase)
    {
        static constexpr std::array<Point, 11> kDegrees = {{{0, 19},
                                                            {Gait::kFlatFrom, 0},
                                                            {Gait::kFlatTo, 0},
                                                            {0.44, -6},
                                                            {0.52, -20},
                                                            {Gait::kToeOff, -51},
                                                            {0.69, -60},
                                                            {0.80, -34},
                                                            {0.90, 4},
                                                            {0.96, 18},
                                                            {1, 19}}};
        return radians(curve(kDegrees, phase));
    }

    /// The point of the sole that the foot turns about at this pitch, where it is on the ground: heel or ball while
    /// these bear, then one corner of the toe's rounding after another, each where the edge before it has laid it down.
    [[nodiscard]] Eigen::Vector2d pivotOnGround(double pitch) const
    {
        if (pitch > 0) return kHeel;
        double x = kRoll[0].x();
        for (std::size_t i = 0; i < bearing(pitch); ++i) x += (kRoll[i + 1] - kRoll[i]).norm();
        return {x, 0};
    }

    /// The ankle, measured from where it is while the foot stands flat.
    [[nodiscard]] Eigen::Vector2d ankle(double phase) const
    {
        if (phase <= Gait::kToeOff) return onGround(pitch(phase));
        const Eigen::Vector2d off = onGround(pitch(Gait::kToeOff)),
                              strike = onGround(pitch(0)) + Eigen::Vector2d(Gait::kStride, 0);
        const double u = (phase - Gait::kToeOff) / (1 - Gait::kToeOff);
        // Forward: leaves with the speed it rolled off with and comes down with little.
        constexpr double kOffSpeed = 0.42, kStrikeSpeed = 0.12; // [m] over the swing
        const double x = off.x() + u * u * (3 - 2 * u) * (strike.x() - off.x()) + u * (1 - u) * (1 - u) * kOffSpeed +
                         u * u * (u - 1) * kStrikeSpeed;
        const std::array<Point, 6> height = {{{Gait::kToeOff, off.y()},
                                              {0.69, off.y() + 0.026},
                                              {0.79, off.y() - 0.012},
                                              {0.88, 0.139},
                                              {0.95, 0.106},
                                              {1, strike.y()}}};
        return {x, curve(height, phase)};
    }

private:
    static Eigen::Vector2d turned(const Eigen::Vector2d& v, double angle)
    {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
    }

    /// Index into kRoll of the corner on the ground when the heel has lifted by -pitch.
    [[nodiscard]] static std::size_t bearing(double pitch)
    {
        std::size_t i = 0;
        while (i + 1 < kRoll.size()) {
            const Eigen::Vector2d edge = kRoll[i + 1] - kRoll[i];
            if (-pitch <= std::atan2(edge.y(), edge.x())) break;
            ++i;
        }
        return i;
    }

    [[nodiscard]] Eigen::Vector2d onGround(double pitch) const
    {
        const Eigen::Vector2d pivot = pitch > 0 ? kHeel : kRoll[bearing(pitch)];
        return pivotOnGround(pitch) + turned(m_ankle - pivot, pitch);
    }

    // The sole as the body's shape has it [m]: flat from heel to ball, then the corners of its rounding up to the toe.
    static inline const Eigen::Vector2d kHeel{-0.046, 0};
    static inline const std::array<Eigen::Vector2d, 5> kRoll = {
        {{0.138, 0}, {0.168, 0.0045}, {0.206, 0.0113}, {0.212, 0.0155}, {0.215, 0.0209}}};
    Eigen::Vector2d m_ankle;
};

constexpr double kTrack = 0.082; // [m] of each ankle from the middle
constexpr double kAhead = 0.338; // [m] of a flat foot's ankle before the hips at its strike

const Landmarks& landmarks()
{
    static const Landmarks marks;
    return marks;
}

/// Forward along the foot and the axis that lifts the toe.
struct FootFrame
{
    Vector3 forward, pitchAxis;
};
FootFrame footFrame(bool isLeft)
{
    Vector3 forward = landmarks().toe - landmarks().ankle;
    forward.y() = 0;
    forward.x() *= isLeft ? 1 : -1;
    forward.normalize();
    return {forward, forward.cross(Vector3::UnitY())};
}

/// Where a flat foot's ankle stands in the cycle that `phase` belongs to, but on the ground.
Vector3 footprint(bool isLeft, double cycle)
{
    return {isLeft ? kTrack : -kTrack, 0, Gait::kStride * (cycle - (isLeft ? 0 : 0.5)) + kAhead};
}

double cyclesOf(bool isLeft, double cycles) { return isLeft ? cycles : cycles + 0.5; }

Affine restOf(std::string_view bone) { return skeleton()[static_cast<std::size_t>(boneNamed(bone))].modelFromJoint; }

Affine posed(const Vector3& at, const Quaternion& turn, const Affine& rest)
{
    Affine result = Affine::Identity();
    result.linear() = turn.toRotationMatrix() * rest.linear();
    result.translation() = at;
    return result;
}

Affine footAt(bool isLeft, double cycles)
{
    static const FootPath path(landmarks());
    const double own = cyclesOf(isLeft, cycles);
    const double cycle = std::floor(own + 1e-9), phase = std::max(own - cycle, 0.0);
    const FootFrame frame = footFrame(isLeft);
    const Eigen::Vector2d ankle = path.ankle(phase);
    // The swing goes straight ahead, only the roll along the foot.
    const double rolled = phase <= Gait::kToeOff ? ankle.x() : 0;
    Vector3 at = footprint(isLeft, cycle) + rolled * frame.forward + Vector3(0, ankle.y(), 0);
    if (phase > Gait::kToeOff) {
        const Vector3 off = path.ankle(Gait::kToeOff).x() * frame.forward, strike = path.ankle(0).x() * frame.forward;
        const double whole = Gait::kStride + path.ankle(0).x() - path.ankle(Gait::kToeOff).x();
        const double u = (ankle.x() - path.ankle(Gait::kToeOff).x()) / whole;
        at += (1 - u) * off + u * (strike + Vector3(0, 0, Gait::kStride));
    }
    return posed(at, about(frame.pitchAxis, FootPath::pitch(phase)), restOf(isLeft ? "Foot_L" : "Foot_R"));
}

struct Trunk
{
    Affine hips, head;
};

Trunk trunkAt(double cycles)
{
    const Landmarks& l = landmarks();
    const auto wave = [&](double perCycle, double peak) { return std::cos(perCycle * kTurn * (cycles - peak)); };
    const Vector3 hipsAt(0.020 * wave(1, 0.29), l.hips.y() - 0.034 - 0.0200 * wave(2, 0.030), Gait::kStride * cycles);
    // Left hip forward at the left strike, its side high while it carries, a little lean.
    const Quaternion hipsTurn = about(Vector3::UnitY(), -radians(7) * wave(1, 0.0)) *
                                about(Vector3::UnitZ(), radians(3.5) * wave(1, 0.17)) *
                                about(Vector3::UnitX(), radians(3));
    const Quaternion chestTurn = about(Vector3::UnitY(), radians(5) * wave(1, 0.0)) *
                                 about(Vector3::UnitZ(), -radians(1.5) * wave(1, 0.17)) *
                                 about(Vector3::UnitX(), radians(2));
    const Quaternion headTurn = about(Vector3::UnitX(), radians(1.5 + 0.8 * wave(2, 0.10)));

    // The spine carries the turn from hips to chest bone by bone, the neck from chest to head.
    Vector3 at = hipsAt + hipsTurn * (l.spine1 - l.hips);
    at += hipsTurn.slerp(1.0 / 3, chestTurn) * (l.spine2 - l.spine1);
    at += hipsTurn.slerp(2.0 / 3, chestTurn) * (l.chest - l.spine2);
    at += chestTurn * (l.neck - l.chest);
    at += chestTurn.slerp(0.5, headTurn) * (l.head - l.neck);
    return {posed(hipsAt, hipsTurn, restOf("Hips")), posed(at, headTurn, restOf("Head"))};
}

/// The hand in the chest's space, with the arm hanging and swung.
Affine handAt(bool isLeft, double cycles)
{
    const Landmarks& l = landmarks();
    const double own = cyclesOf(isLeft, cycles) - 0.03; // arms lag a little behind the legs
    const double forward = -std::cos(kTurn * own);      // against the leg of the same side
    const double swing = radians(-1 + 22 * forward);
    const double bend = radians(2 + 8 * (1 + forward) / 2 + 8 * std::max(forward, 0.0));
    const Quaternion hang = about(Vector3::UnitX(), -swing) * about(Vector3::UnitZ(), -radians(32.5));
    const Vector3 hinge = hang * (l.elbow - l.shoulder).normalized().cross(l.armFront);
    const Quaternion fore = about(hinge, bend) * hang;
    const Vector3 wrist = l.shoulder + hang * (l.elbow - l.shoulder) + fore * (l.wrist - l.elbow);
    Affine hand = posed(wrist, fore, restOf("Hand_L"));
    if (!isLeft) { // the mirror image, its X turned round as the skeleton's right side has it
        const Eigen::Vector3d mirror(-1, 1, 1);
        hand.translation() = mirror.asDiagonal() * hand.translation();
        hand.linear() = (mirror.asDiagonal() * hand.linear() * mirror.asDiagonal()).eval();
    }
    return restOf("Chest").inverse(Eigen::Isometry) * hand;
}

} // namespace

GaitPose Gait::at(double cycles)
{
    const Trunk trunk = trunkAt(cycles);
    GaitPose pose;
    pose.hips = trunk.hips;
    pose.head = trunk.head;
    pose.footLeft = footAt(true, cycles);
    pose.footRight = footAt(false, cycles);
    pose.handLeft = handAt(true, cycles);
    pose.handRight = handAt(false, cycles);
    return pose;
}

Vector3 Gait::contact(bool isLeft, double cycles)
{
    static const FootPath path(landmarks());
    const double own = cyclesOf(isLeft, cycles);
    const double cycle = std::floor(own + 1e-9);
    const Eigen::Vector2d pivot = path.pivotOnGround(FootPath::pitch(std::max(own - cycle, 0.0)));
    return footprint(isLeft, cycle) + pivot.x() * footFrame(isLeft).forward + Vector3(0, pivot.y(), 0);
}

} // namespace tendon::mannequin
