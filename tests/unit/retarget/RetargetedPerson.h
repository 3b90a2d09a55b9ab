#pragma once

#include "core/retarget/Retargeter.h"
#include "core/runtime/ForwardKinematics.h"
#include "tests/support/Person.h"

#include <QtGlobal>

#include <string>
#include <utility>

namespace tendon::test {

inline RoledFigure figureOf(const Person& person)
{
    auto compiled = compile(person.rig.scene);
    if (!compiled) qFatal("%s", compiled.error().text().c_str());
    return {*compiled, person.roles};
}

inline Retargeter retargeter(const Person& motion, const Person& character, const RetargetOptions& options = {})
{
    auto made = Retargeter::create(motion.rig.scene, motion.clip(), motion.roles, character.rig.scene, character.roles,
                                   options);
    if (!made) qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

inline WorldPose worldOf(const Retargeter& retargeter, const LocalPose& local)
{
    ModelPose model;
    forwardKinematics(*retargeter.characterRig(), local, model);
    WorldPose pose;
    pose.take(model);
    return pose;
}

/// Both sides at one frame, by role.
struct Moment
{
    Retargeter& by;
    WorldPose own;
    Moment(Retargeter& retargeter, int frame) : by(retargeter)
    {
        LocalPose local;
        by.pose(FrameRate{24, 1}.timeOf(frame), local);
        own = worldOf(by, local);
    }
    [[nodiscard]] Vector3 there(const std::string& role) const
    {
        return by.motionPose().position[at(by.motionFigure().first(role))];
    }
    [[nodiscard]] Vector3 here(const std::string& role) const
    {
        return own.position[at(by.characterFigure().first(role))];
    }
    [[nodiscard]] Quaternion turnThere(const std::string& role) const
    {
        return by.motionPose().rotation[at(by.motionFigure().first(role))];
    }
    [[nodiscard]] Quaternion turnHere(const std::string& role) const
    {
        return own.rotation[at(by.characterFigure().first(role))];
    }
};

inline const std::string kSides[] = {"left", "right"};

} // namespace tendon::test
