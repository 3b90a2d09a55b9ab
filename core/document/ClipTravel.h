#pragma once

#include "core/document/RetargetJob.h"

namespace tendon {

/// Moves the travel of a clip of the draft (Animate > Root Motion). What is taken out of the figure's motion is taken
/// out of all that is keyed in the world, too: joints beside the figure, and goals, poles and curves of handles, each
/// frame for itself. So hands stay on their props. On a bone, poses in the world stay, and so do these. Errors: as
/// rootMotionOf().
[[nodiscard]] Result<void> moveTravel(Draft& draft, ClipId clip, const RoleMap& roles, const TravelRequest& request);

/// Says what became of a clip's travel: how far it goes, and on which joint. `former`: the clip as it was.
void sayTravel(Draft& draft, const Clip& former, ClipId clip, const RoleMap& roles, const TravelRequest& request);

} // namespace tendon
