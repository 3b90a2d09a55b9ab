#pragma once

#include "core/document/Operation.h"

#include <span>

namespace tendon {

// The operations by family, each defined in the file of its name; operations() puts them in order.
[[nodiscard]] std::span<const Operation> fileOperations();
[[nodiscard]] std::span<const Operation> jointOperations();
[[nodiscard]] std::span<const Operation> freedomOperations();
[[nodiscard]] std::span<const Operation> handleOperations();
[[nodiscard]] std::span<const Operation> curveOperations();
[[nodiscard]] std::span<const Operation> roleOperations();
[[nodiscard]] std::span<const Operation> posingOperations();
[[nodiscard]] std::span<const Operation> solvedOperations();
[[nodiscard]] std::span<const Operation> keyOperations();
[[nodiscard]] std::span<const Operation> keyClipboardOperations();
[[nodiscard]] std::span<const Operation> tangentOperations();
[[nodiscard]] std::span<const Operation> keyShapingOperations();
[[nodiscard]] std::span<const Operation> poseLibraryOperations();
[[nodiscard]] std::span<const Operation> retargetOperations();
[[nodiscard]] std::span<const Operation> clipOperations();
[[nodiscard]] std::span<const Operation> correctionOperations();
[[nodiscard]] std::span<const Operation> checkOperations();
[[nodiscard]] std::span<const Operation> viewOperations();
[[nodiscard]] std::span<const Operation> markerOperations();
[[nodiscard]] std::span<const Operation> editingOperations();

} // namespace tendon
