#pragma once

namespace tendon::editor {

/// Gives screen readers access to number fields: name, value, bounds, and changing the value. Call once, after the
/// application is created.
void installNumberReader();

} // namespace tendon::editor
