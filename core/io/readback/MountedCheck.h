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

/// Adds to result.missing what has no counterpart in `found`: of its kind, with its numbers, standing where it stands
/// and looking where it looks. Names are not compared: readers make them unique in their own ways.
void checkMounted(const Mounted& meant, Mounted found, ReadBack& result);

} // namespace tendon
