#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <span>

namespace tendon::assimp {

/// A BVH file as Assimp can read it: no byte order mark, and no blanks in the names of joints, which stand there as one
/// other character each. `issues` gets what of the motion is left out or made up. Errors: motion that is cut short, or
/// a number of frames that is none; each with what there is and what there should be.
[[nodiscard]] Result<std::vector<std::uint8_t>> plainBvh(std::span<const std::uint8_t> file, Issues& issues);

/// A joint's position channels replace its OFFSET, as most programs have it. Some (MakeHuman, from Blender) write what
/// is added to it: positions of about zero at every joint but the root, whose bones would have no length. A file of
/// which most joints do so, and none does otherwise, gets the OFFSETs added, and an issue says so.
void addOffsets(SourceModel& model);

/// Puts the blanks back into the names of the nodes.
void restoreBlanks(SourceModel& model);

} // namespace tendon::assimp
