#pragma once

// The edits of a scene: pure functions from one scene to the next. An edit is made completely or returns an Error. A
// scene made by edits alone is always valid: validate() finds nothing worse than a warning.

#include "core/scene/ClipEdit.h"
#include "core/scene/HandleEdit.h"
#include "core/scene/JointEdit.h"
#include "core/scene/KeyEdit.h"
