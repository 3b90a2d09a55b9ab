#pragma once

#include "core/io/project/ProjectFile.h"

#include <random>

namespace tendon::test {

/// A project that uses every member of the format, with random values: a joint tree, handles, static values, and clips
/// with all kinds of keys (at most `maxKeys` per channel). It is valid, so that it can be saved, loaded and compiled.
[[nodiscard]] Project randomProject(std::mt19937& random, int maxKeys = 100);

/// A clip of `count` keys on the rotations of the scene's joints.
[[nodiscard]] Clip longClip(Scene& scene, std::size_t count, std::mt19937& random);

} // namespace tendon::test
