#pragma once

namespace tendon::editor {

/// Lets screen readers see number fields as what they are: their name, value, bounds, and a way to change them. Once,
/// after the application is made.
void installNumberReader();

} // namespace tendon::editor
