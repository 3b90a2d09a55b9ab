#pragma once

#include "core/base/Result.h"
#include "core/io/model/SourceModel.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace tendon {

/// What the import child writes to its standard output: magic, version, length, checksum, then a model or the error
/// that kept it from reading one. Own format, between one build and itself; never stored.
using ImportOutcome = std::variant<SourceModel, Error>;

[[nodiscard]] std::vector<std::uint8_t> writeIntermediate(const ImportOutcome& outcome);

/// Trusts nothing of it but its type. Error: not whole, another version, a wrong checksum, a length that does not fit.
[[nodiscard]] Result<ImportOutcome> readIntermediate(std::span<const std::uint8_t> bytes);

/// Checks a model in full before anything uses it: indices, sizes, finiteness, unit rotations, names in UTF-8, parents
/// that form trees, keys in order, counts within limits. Error: what does not fit.
[[nodiscard]] Result<void> check(const SourceModel& model);

/// True for well-formed UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace tendon
