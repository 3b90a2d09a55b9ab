#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace tendon {

/// What the import child writes to its standard output: magic, version, length, checksum, then the model, or the error
/// that prevented reading it. The format is private to one build and is never stored.
using ImportOutcome = std::variant<SourceModel, Error>;

[[nodiscard]] std::vector<std::uint8_t> writeIntermediate(const ImportOutcome& outcome);

/// Trusts nothing but the type. Errors: incomplete, another version, a wrong checksum or length.
[[nodiscard]] Result<ImportOutcome> readIntermediate(std::span<const std::uint8_t> bytes);

/// Checks a whole model before anything uses it: indices, sizes, finiteness, unit rotations, names in UTF-8, parents
/// that form trees, keys in order, counts within limits. Error: the first inconsistency.
[[nodiscard]] Result<void> check(const SourceModel& model);

/// True for well-formed UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace tendon
