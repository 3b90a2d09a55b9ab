#pragma once

#include "core/base/Result.h"

#include <tendon/sdk/Plugin.h>

#include <functional>
#include <string>

namespace tendon::host {

using LoadPlugin = std::function<Result<const sdk::SolverPlugin*>(const std::string& file)>;

/// The program tendon-plugin-host: confines itself (PluginSandbox.h), loads the plugin that its first argument names,
/// and serves the calls of the process that its second argument numbers, in the shared memory at kArenaDescriptor. Ends
/// with that process.
int runPluginHost(int argc, char** argv, const LoadPlugin& load);

} // namespace tendon::host
