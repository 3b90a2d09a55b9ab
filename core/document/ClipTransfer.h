#pragma once

#include "core/document/Draft.h"

#include <map>
#include <string>

namespace tendon {

/// Adds all of an imported scene to the draft: ids drawn anew, names that are taken made unique. Frame rate and range are
/// the model's unless the draft has keys. Precondition: the draft holds no model.
void mergeModel(Draft& draft, Scene imported);

struct TransferOptions
{
    std::string name;                          ///< of the new clip; free
    std::map<std::string, std::string> names;  ///< source joint -> joint of the draft; others by the same name
    bool byRest = false; ///< turns from rest, in world axes, instead of whole local transforms; roots' motion scaled
};

/// Puts a clip of another scene onto the draft's joints as a new clip, which becomes current. Errors: no joint fits; a
/// name in the map is not there. Joints left out are told of.
[[nodiscard]] Result<void> transferClip(Draft& draft, const Scene& source, const Clip& clip, const TransferOptions& options);

} // namespace tendon
