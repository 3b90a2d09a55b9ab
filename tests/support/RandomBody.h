#pragma once

#include "core/scene/Scene.h"

#include <map>
#include <random>
#include <string>
#include <vector>

namespace tendon::test {

/// A body of random proportions and build, and which joint has which role in it.
struct RandomBody
{
    Scene scene;
    std::map<std::string, std::string> joints; ///< by role: the name of the first joint that has it
    std::string description;                   ///< for messages: what was drawn
    Vector3 forward = Vector3::UnitZ();
};

/// Upright, with two arms and two legs; with or without collarbones, toes, fingers, ends, twist helpers and a joint
/// below the hips; in a T-pose or with the arms lowered; turned about the vertical; called as one of several
/// conventions does. Names without a meaning are made by blank().
[[nodiscard]] RandomBody randomHumanoid(std::mt19937& random);

/// On four legs, with a tail.
[[nodiscard]] RandomBody randomQuadruped(std::mt19937& random);

/// The same without the joint of a role and what hangs on it.
[[nodiscard]] RandomBody without(RandomBody body, const std::string& role);

/// The same with numbers for names.
[[nodiscard]] RandomBody blank(RandomBody body);

} // namespace tendon::test
