#pragma once

#include "core/base/Issue.h"
#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tendon {

struct FbxOptions
{
    double metresPerUnit = 1; ///< of the lengths in the scene and the clips, which the file states
    bool hasArmature = true;  ///< false: a single root joint stands at the top itself
};

struct WrittenFbx
{
    std::vector<std::uint8_t> bytes;
    std::map<JointId, std::string> nameOf; ///< of the joints in the file: readers bind by name, so no two are alike
    Issues issues;
};

/// A binary FBX 7.4 file of the scene, +Y up, with the clips as its animation stacks: joints as limb nodes in their
/// rest pose below one null ("Armature"), skins with their bind pose, drawn segments, materials, embedded pictures,
/// morph targets, vertex colours. One key per sample on the translation, rotation (unrolled XYZ angles) and scale of
/// every joint; two keys where nothing moves. No leaf bones. Same scene, same bytes. Errors: nothing to write; more
/// than the format's 4 GiB.
[[nodiscard]] Result<WrittenFbx> writeFbx(const Scene& scene, const std::vector<BakedClip>& clips,
                                          const FbxOptions& options = {});

} // namespace tendon
