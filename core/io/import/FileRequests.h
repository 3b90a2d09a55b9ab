#pragma once

#include "core/io/model/ModelFolder.h"

#include <string_view>

namespace tendon {

// The child cannot open files. It asks the parent over a socket; the parent decides and sends back a descriptor.

/// In the child: asks for the file that `uri` names and waits for the answer.
[[nodiscard]] Result<Descriptor> requestFile(int socket, std::string_view uri);

/// In the parent: answers one request, if there is one, by what `open` returns. False when the child has closed its
/// end.
[[nodiscard]] bool answerRequest(int socket, const OpenCompanion& open);

} // namespace tendon
