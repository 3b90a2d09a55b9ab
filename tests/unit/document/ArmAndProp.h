#pragma once

#include "core/scene/GoalPose.h"
#include "tests/support/TestDocument.h"

#include <algorithm>

namespace tendon::test {

/// An arm with the handle "hand", whose pole and rotation count, and a "prop" that turns and travels between the frames
/// 1 and 60. The hand moves in the world up to frame 60.
inline TestDocument armAndProp()
{
    TestDocument d = arm();
    d(R"({"op": "addJoint", "name": "prop", "translation": [0.4, 0.9, 0.3]})");
    d(R"({"op": "addJoint", "name": "grip", "parent": "prop", "translation": [0.1, 0.05, 0]})");
    d(R"({"op": "addHandle", "name": "hand", "start": "shoulder", "end": "wrist"})");
    d(R"({"op": "setHandle", "name": "hand", "orientationWeight": 0.5, "pole": [0.4, 2, 0.3]})");
    d(R"({"op": "addClip", "name": "carry"})");
    d(R"({"op": "key", "target": "prop", "channels": ["translation", "angles"]})");
    d(R"({"op": "setFrame", "value": 60})");
    d(R"({"op": "setPose", "joint": "prop", "translation": [0.7, 0.7, 0.55]})");
    d(R"({"op": "rotate", "joint": "prop", "axis": "y", "value": 70})");
    d(R"({"op": "key", "target": "prop", "channels": ["translation", "angles"]})");
    for (const char* move :
         {R"({"op": "setFrame", "value": 1})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.7, 1.2, 0], "rotation": [0, 0, 10]})",
          R"({"op": "key", "target": "hand", "channels": ["goal"]})", R"({"op": "setFrame", "value": 25})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.5, 1, 0.3], "rotation": [0, 40, 0]})",
          R"({"op": "key", "target": "hand", "channels": ["goal"]})", R"({"op": "setFrame", "value": 60})",
          R"({"op": "setGoal", "handle": "hand", "position": [0.6, 0.8, 0.2], "rotation": [30, 0, 0]})",
          R"({"op": "key", "target": "hand", "channels": ["goal"]})"})
        d(move);
    return d;
}

/// What a handle asks for at a frame, in the world.
inline HandleTarget asked(const TestDocument& d, double frame, const char* handle = "hand")
{
    const auto pose = d.document.poses->at(d.scene(), d.document.clip(), {}, d.scene().fps.timeOf(frame));
    if (!pose) qFatal("%s", pose.error().text().c_str());
    return (*pose)->targets[d.scene().handles->placeOf(d.handle(handle).id)];
}

inline double distance(const GoalPose& a, const GoalPose& b)
{
    return std::max((a.position - b.position).norm(), a.rotation.angularDistance(b.rotation));
}

/// The goal as the prop has it.
inline GoalPose inProp(const TestDocument& d, double frame)
{
    return goalInSpace(d.worldAt("prop", frame), asked(d, frame).goal);
}

} // namespace tendon::test
