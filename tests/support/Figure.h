#pragma once

#include "tests/support/TestRig.h"

#include <cmath>
#include <numbers>

namespace tendon::test {

/// A figure of 56 joints, including fingers and toes, with six handles (hands, feet, head, hips) that are keyed to walk
/// on the spot. Speed is measured with it.
struct Figure
{
    TestRig test;
    JointId hips;
    HandleId hipsHandle, head, hands[2], feet[2];

    explicit Figure(const std::string& solver = "dls")
    {
        hips = test.joint("hips", {}, {0, 1, 0});
        for (AxisFreedom& axis : test.edit(hips).sliding) axis.active = true;
        const JointId spine0 = test.joint("spine0", hips, {0, 0.1, 0}),
                      spine1 = test.joint("spine1", spine0, {0, 0.12, 0.01});
        const JointId chest = test.joint("chest", spine1, {0, 0.12, 0}),
                      neck = test.joint("neck", chest, {0, 0.2, -0.01});
        const JointId skull = test.joint("skull", neck, {0, 0.1, 0.02});
        for (const char* name : {"jaw", "eyeL", "eyeR"}) test.joint(name, skull, {0, 0.05, 0.1});
        hipsHandle = test.handle("hipsHandle", hips, hips, solver);
        head = test.handle("head", spine0, skull, solver);
        for (const int side : {0, 1}) addLimbs(side, chest, solver);
        keyWalk();
    }

private:
    void addLimbs(int side, JointId chest, const std::string& solver)
    {
        const double x = side == 0 ? 1 : -1;
        const std::string s = side == 0 ? "L" : "R";
        const JointId clavicle = test.joint("clavicle" + s, chest, {0.05 * x, 0.15, 0});
        const JointId upper = test.joint("upperArm" + s, clavicle, {0.13 * x, 0, 0}),
                      fore = test.joint("foreArm" + s, upper, {0.28 * x, 0, -0.02});
        const JointId hand = test.joint("hand" + s, fore, {0.25 * x, 0, 0.02});
        for (int finger = 0; finger < 5; ++finger) {
            JointId above = hand;
            for (int k = 0; k < 3; ++k)
                above = test.joint("finger" + s + std::to_string(finger) + std::to_string(k), above,
                                   {0.04 * x, 0, k == 0 ? 0.02 * (finger - 2) : 0});
        }
        const JointId thigh = test.joint("thigh" + s, hips, {0.1 * x, -0.05, 0}),
                      shin = test.joint("shin" + s, thigh, {0, -0.43, 0.02});
        const JointId foot = test.joint("foot" + s, shin, {0, -0.43, -0.02});
        test.joint("toe" + s, foot, {0, -0.05, 0.12});
        for (const int axis : {1, 2}) test.edit(shin).turning[static_cast<std::size_t>(axis)].active = false;
        test.edit(shin).turning[0] = {.active = true, .limited = true, .from = 0, .to = 2.5};
        hands[side] = test.handle("handHandle" + s, upper, hand, solver);
        feet[side] = test.handle("footHandle" + s, thigh, foot, solver);
        test.edit(feet[side]).orientationWeight = 1;
    }

    void keyWalk()
    {
        constexpr double kPi = std::numbers::pi;
        for (int frame = 1; frame <= 49; frame += 4) {
            const double phase = 2 * kPi * (frame - 1) / 24.0;
            test.key(hipsHandle, Property::GoalPosition, frame,
                     Vector3(0.02 * std::sin(phase), 0.96 + 0.01 * std::cos(2 * phase), 0), Interpolation::Bezier);
            test.key(head, Property::GoalPosition, frame, Vector3(0.01 * std::sin(phase), 1.58, 0.03),
                     Interpolation::Bezier);
            for (const int side : {0, 1}) {
                const double x = side == 0 ? 1 : -1, swing = std::sin(phase + side * kPi),
                             lift = std::max(0.0, std::cos(phase + side * kPi));
                test.key(hands[side], Property::GoalPosition, frame, Vector3(0.35 * x, 1.05, -0.2 * swing),
                         Interpolation::Bezier);
                test.key(feet[side], Property::GoalPosition, frame, Vector3(0.1 * x, 0.09 + 0.08 * lift, 0.25 * swing),
                         Interpolation::Bezier);
                test.key(feet[side], Property::GoalRotation, frame,
                         channelValue(Quaternion(Eigen::AngleAxisd(0.2 * swing, Vector3::UnitX()))),
                         Interpolation::Bezier);
            }
        }
    }
};

} // namespace tendon::test
