#pragma once

#include "core/base/Result.h"
#include "core/solve/SolverInfo.h"

#include <tendon/sdk/Plugin.h>

#include <string>

namespace tendon {

/// The solver.json in a plugin's metadata, read without loading the library. Errors: not a library with metadata, a
/// foreign interface id, an SDK version that this host cannot load.
[[nodiscard]] Result<std::string> readPluginDescription(const std::string& file);

/// What such a solver.json of `file` says. Error: it is invalid.
[[nodiscard]] Result<SolverInfo> parsePluginDescription(const std::string& json, const std::string& file);

/// Both.
[[nodiscard]] Result<SolverInfo> readPluginInfo(const std::string& file);

/// Loads the library into this process, where it stays. Runs the plugin's code. Errors: as readPluginInfo(), a library
/// that cannot be loaded, another layout of the SDK's structs.
[[nodiscard]] Result<const sdk::SolverPlugin*> loadPlugin(const std::string& file);

/// SHA-256 of the file in lower-case hexadecimal digits; empty when it cannot be read. The content is read again when
/// anything of the file has changed that the system keeps: which file it is, its size, the times at which its content
/// and its status changed. [any thread]
[[nodiscard]] std::string contentHash(const std::string& file);

} // namespace tendon
