#pragma once

// What may be done to a scene: pure functions from a scene to the next one. An edit either fits in whole or is an Error
// that says why not; scenes made by edits alone are always valid (Validate.h finds nothing worse than a warning).

#include "core/scene/ClipEdit.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/JointEdit.h"
#include "core/scene/KeyEdit.h"
