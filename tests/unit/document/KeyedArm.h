#pragma once

#include "tests/support/TestDocument.h"

#include <cmath>
#include <vector>

namespace tendon::test {

/// An arm with the handle "hand" whose goal, pole and blend are keyed, and joint keys of both kinds: angles at the
/// elbow, whole rotations at the shoulder.
inline TestDocument keyedArm()
{
    TestDocument d = arm();
    for (const char* op :
         {R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist", "solver": "two-bone"})",
          R"({"op": "setHandle", "name": "hand", "pole": [0.4, 2, 0.3]})", R"({"op": "addClip", "name": "wave"})",
          R"({"op": "setRange", "from": 1, "to": 40})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.7, 1.2, 0]})", R"({"op": "key", "target": "hand"})",
          R"({"op": "key", "target": "hand", "channels": ["blend"]})",
          R"({"op": "key", "target": "elbow", "channels": ["angles"]})",
          R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})", R"({"op": "setFrame", "value": 21})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1, 0.3]})", R"({"op": "key", "target": "hand"})",
          R"({"op": "setPose", "joint": "elbow", "rotation": [10, 20, 50]})",
          R"({"op": "key", "target": "elbow", "channels": ["angles"]})",
          R"({"op": "setPose", "joint": "shoulder", "rotation": [30, -20, 40]})",
          R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})", R"({"op": "setFrame", "value": 40})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.6, 0.8, 0.2]})", R"({"op": "key", "target": "hand"})"})
        d(op);
    return d;
}

inline ChannelValue shown(const TestDocument& d, const char* target, Property property, double frame)
{
    return sampleChannel(d.scene(), d.document.clip(), {}, {d.id(target), property}, d.scene().fps.timeOf(frame));
}

inline JointPose shownJoint(const TestDocument& d, const char* joint, double frame)
{
    return sampleJoint(d.scene(), d.document.clip(), {}, d.joint(joint), d.scene().fps.timeOf(frame));
}

inline const KeyList* corrections(const TestDocument& d, const char* target, Property property)
{
    return d.document.clip()->find({d.id(target), property, Layer::Corrections});
}

/// The solved pose of each frame, as numbers.
inline std::vector<double> motion(const Scene& scene, const Clip* clip, int from, int to, SolvedPoses& poses)
{
    std::vector<double> numbers;
    for (int frame = from; frame <= to; ++frame) {
        const auto pose = poses.at(scene, clip, {}, scene.fps.timeOf(frame));
        if (!pose) qFatal("%s", pose.error().text().c_str());
        for (const Affine& world : (*pose)->model.modelFromJoint)
            numbers.insert(numbers.end(), world.data(), world.data() + 12);
        for (const HandleTarget& target : (*pose)->targets) {
            numbers.insert(numbers.end(), target.goal.position.data(), target.goal.position.data() + 3);
            numbers.push_back(target.blend);
        }
    }
    return numbers;
}

inline std::vector<double> motion(const TestDocument& d, int from = -5, int to = 50)
{
    return motion(d.scene(), d.document.clip(), from, to, *d.document.poses);
}

/// Where the goal of the handle is in the world.
inline std::vector<double> goals(const TestDocument& d, int from, int to)
{
    std::vector<double> numbers;
    for (int frame = from; frame <= to; ++frame) {
        const auto pose = d.document.poses->at(d.scene(), d.document.clip(), {}, d.scene().fps.timeOf(frame));
        if (!pose) qFatal("%s", pose.error().text().c_str());
        const Vector3& goal = (*pose)->targets[0].goal.position;
        numbers.insert(numbers.end(), goal.data(), goal.data() + 3);
    }
    return numbers;
}

inline double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = a.size() == b.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// Corrections of all kinds: the goal at 10, 20 and 30, the shoulder and the elbow at 10 and 25, the blend at 30.
inline TestDocument corrected()
{
    TestDocument d = keyedArm();
    for (const char* op :
         {R"({"op": "editLayer", "layer": "corrections"})", R"({"op": "setFrame", "value": 10})",
          R"({"op": "key", "target": "hand"})", R"({"op": "key", "target": "elbow", "channels": ["angles"]})",
          R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})", R"({"op": "setFrame", "value": 20})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1.3, 0.1]})", R"({"op": "key", "target": "hand"})",
          R"({"op": "setFrame", "value": 25})", R"({"op": "setPose", "joint": "elbow", "rotation": [0, 30, 80]})",
          R"({"op": "key", "target": "elbow", "channels": ["angles"]})",
          R"({"op": "setPose", "joint": "shoulder", "rotation": [10, 30, 60]})",
          R"({"op": "key", "target": "shoulder", "channels": ["rotation"]})", R"({"op": "setFrame", "value": 30})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.6, 0.9, 0.3]})", R"({"op": "key", "target": "hand"})",
          R"({"op": "setHandle", "name": "hand", "blend": 0.6})",
          R"({"op": "key", "target": "hand", "channels": ["blend"], "interpolation": "step"})"})
        d(op);
    return d;
}

} // namespace tendon::test
