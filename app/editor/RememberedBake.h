#pragma once

#include "core/document/Services.h"

namespace tendon::editor {

/// Makes `services.bake` remember its last result: it then bakes again only when the joints, handles, static values,
/// clip or options differ, so that scrubbing does not start a bake from the beginning. One thread at a time may bake.
void rememberBakes(Services& services);

} // namespace tendon::editor
