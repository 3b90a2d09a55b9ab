#pragma once

#include "core/document/Draft.h"

#include <map>
#include <string>

namespace tendon {

/// Adds all of an imported scene to the draft: ids drawn anew, names that are taken made unique. Frame rate and range
/// are the model's unless the draft has keys. Precondition: the draft holds no model.
void mergeModel(Draft& draft, Scene imported);

enum class TransferMode {
    Auto,   ///< Whole where the rest poses agree, else ByRest; says which if they do not
    Whole,  ///< local transforms as they are
    ByRest, ///< turns from rest, in world axes; the roots' motion scaled by size
};

struct TransferOptions
{
    std::string name;                         ///< of the new clip; free
    std::map<std::string, std::string> names; ///< source joint -> joint of the draft; others by the same name
    TransferMode mode = TransferMode::Auto;
    bool isUnitGuessed = false; ///< of the source: its lengths are then taken from the draft's bones
};

/// Puts a clip of another scene onto the draft's joints as a new clip, which becomes current. Errors: no joint fits; a
/// name in the map is not there. Joints left out are told of. Onto the same skeleton
/// (equal rest poses, or rest poses that differ in the joints' own axes only, as BVH has them) every joint's world pose
/// is the source's.
[[nodiscard]] Result<void> transferClip(Draft& draft, const Scene& source, const Clip& clip,
                                        const TransferOptions& options);

} // namespace tendon
