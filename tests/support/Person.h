#pragma once

#include "core/math/Convert.h"
#include "core/math/RotationVector.h"
#include "core/scene/RestPose.h"
#include "tests/support/TestRig.h"

#include <cmath>
#include <random>
#include <string>

namespace tendon::test {

/// A person of 33 joints who faces +Z, in a T-pose with the arms `armsDown` radians below it.
struct Person
{
    static constexpr int kFrames = 24;

    TestRig rig;
    RoleMap roles;
    double legs = 1, arms = 1;

    explicit Person(double legScale = 1, double armScale = 1, double armsDown = 0, int spineJoints = 3)
        : legs(legScale), arms(armScale)
    {
        // The root of the thighs is in proportion to the legs, so that all of the lower body is scaled.
        const JointId hips = add("hips", {}, {0, 0.95 * legs, 0});
        JointId top = hips;
        const char* const spine[] = {"spine", "chest", "upperChest"};
        for (int i = 0; i < spineJoints; ++i)
            top = add(i + 1 == spineJoints && spineJoints == 2 ? "chest" : spine[i], top,
                      {0, 0.36 / spineJoints, 0.01});
        const JointId neck = add("neck", top, {0, 0.16, -0.01});
        add("head", neck, {0, 0.09, 0.015});
        for (const double x : {1.0, -1.0}) {
            const std::string side = x > 0 ? "left" : "right";
            const JointId shoulder = add(side + "Shoulder", top, {0.03 * x, 0.12, 0});
            const Eigen::AngleAxisd down(-armsDown * x, Vector3::UnitZ());
            const JointId upper = add(side + "UpperArm", shoulder, {0.14 * x, 0, 0});
            const JointId lower = add(side + "LowerArm", upper, down * Vector3(0.28 * arms * x, 0, 0));
            const JointId hand = add(side + "Hand", lower, down * Vector3(0.25 * arms * x, 0, 0));
            for (const char* finger : {"Index", "Little"}) {
                const double z = finger[0] == 'I' ? 0.03 : -0.03;
                const JointId first = add(side + finger + "Proximal", hand, down * Vector3(0.09 * x, 0, z));
                add(side + finger + "Intermediate", first, down * Vector3(0.03 * x, 0, 0));
            }
            const JointId thigh = add(side + "UpperLeg", hips, {0.09 * x, -0.07, 0});
            const JointId shin = add(side + "LowerLeg", thigh, {0.005 * x, -0.42 * legs, 0.005});
            const JointId foot = add(side + "Foot", shin, {0, -0.40 * legs, -0.02});
            add(side + "Toes", foot, {0, -0.05 * legs, 0.13 * legs});
        }
    }

    JointId add(const std::string& role, JointId parent, const Vector3& place)
    {
        const JointId id = rig.joint(role, parent, place);
        roles[role] = {id};
        return id;
    }

    [[nodiscard]] JointId id(const std::string& role) const { return roles.at(role).front(); }
    /// Renames every joint.
    Person& rename()
    {
        int number = 0;
        for (Joint& joint : rig.scene.joints.edit()) joint.name = "j" + std::to_string(++number);
        return *this;
    }

    /// Every joint rests turned by up to `angle` from where it did; bones keep their lengths.
    Person& turnAtRest(std::mt19937& random, double angle)
    {
        for (Joint& joint : rig.scene.joints.edit())
            joint.rest.rotation = (joint.rest.rotation * randomTurn(random, angle)).normalized();
        return *this;
    }

    /// The bones stay where they are, and the joints' own axes turn.
    Person& turnAxes(std::mt19937& random)
    {
        const Scene straight = rig.scene;
        for (Joint& joint : rig.scene.joints.edit()) {
            joint.rest.translation = worldInRestPose(rig.scene, joint.parent).inverse() *
                                     worldInRestPose(straight, joint.id).translation();
            joint.rest.rotation = randomTurn(random, 3);
        }
        return *this;
    }

    static Quaternion randomTurn(std::mt19937& random, double angle)
    {
        std::normal_distribution<double> normal;
        Vector3 axis(normal(random), normal(random), normal(random));
        std::uniform_real_distribution<double> share(-1, 1);
        return rotationFromVector(axis.normalized() * angle * share(random));
    }

    /// A motion: all joints swing, elbows and knees bend as they can, and the hips travel.
    Person& move(std::mt19937& random)
    {
        std::uniform_real_distribution<double> share(-1, 1);
        for (const auto& [role, joints] : roles) {
            const JointId joint = joints.front();
            const Vector3 a(0.3 * share(random), 0.3 * share(random), 0.3 * share(random)), b = 0.3 * a.reverse();
            const bool isKnee = role.find("LowerLeg") != std::string::npos,
                       isElbow = role.find("LowerArm") != std::string::npos;
            for (int frame = 0; frame < kFrames; ++frame) {
                const double phase = 0.3 * frame;
                Vector3 turn = a * std::sin(phase) + b * std::cos(1.7 * phase);
                if (isKnee) turn = Vector3(0.5 + 0.3 * std::sin(phase), 0, 0);
                if (isElbow) turn = Vector3(0, (role[0] == 'l' ? -1 : 1) * (0.6 + 0.4 * std::cos(phase)), 0);
                rig.key(joint, Property::Rotation, frame,
                        toValue((rig.scene.find(joint)->rest.rotation * rotationFromVector(turn)).normalized()));
            }
        }
        const Vector3 rest = rig.scene.find(id("hips"))->rest.translation;
        for (int frame = 0; frame < kFrames; ++frame)
            for (int axis = 0; axis < 3; ++axis)
                rig.key(id("hips"), offsetBy(Property::Tx, axis), frame,
                        {rest[axis] + (axis == 1 ? 0.03 * std::sin(frame) : 0.04 * frame)});
        return *this;
    }

    [[nodiscard]] const Clip& clip() const { return *rig.scene.clips.front(); }
};

} // namespace tendon::test
