#pragma once

#include "core/io/project/ProjectFile.h"

#include <random>

namespace tendon::test {

/// A project that uses every member there is, with random values: a joint tree, handles, static values, clips of all
/// kinds of keys (at most `maxKeys` on a channel). Structurally sound, so that it can be saved, read and compiled.
[[nodiscard]] Project randomProject(std::mt19937& random, int maxKeys = 100);

/// A clip of `count` keys on the rotations of the scene's joints.
[[nodiscard]] Clip longClip(Scene& scene, std::size_t count, std::mt19937& random);

} // namespace tendon::test
