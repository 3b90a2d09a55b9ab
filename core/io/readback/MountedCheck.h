#pragma once

#include "core/io/readback/ReadBack.h"
#include "core/scene/ModelCamera.h"

#include <vector>

namespace tendon {

/// The cameras and lights of a scene or a file, and where they stand at one moment.
struct Mounted
{
    template <typename T>
    struct InWorld
    {
        T what; ///< its mount is not used
        Affine worldFromMount = Affine::Identity();
    };
    std::vector<InWorld<ModelCamera>> cameras;
    std::vector<InWorld<ModelLight>> lights;
};

/// Adds to result.missing each camera and light without a counterpart in `found`: of its kind, with its numbers, in its
/// place and with its direction. Names are not compared: readers make them unique in their own ways.
void checkMounted(const Mounted& original, Mounted found, ReadBack& result);

} // namespace tendon
