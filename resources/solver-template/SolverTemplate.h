#pragma once

#include "core/base/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tendon {

struct TemplateFile
{
    std::string name; ///< in the folder of the plugin
    std::string text;
    bool isProgram = false;
};

/// The start of a solver plugin: the files of the plugin guide, which its test builds and checks, under another name,
/// and a script that builds them by one command. `name` is what people will see ("My Reach"); `sdk` the folder in which
/// the SDK is installed. Error: a name that does not begin with a letter, or has other signs than letters, digits,
/// blanks, - and _.
[[nodiscard]] Result<std::vector<TemplateFile>> solverTemplate(std::string_view name, std::string_view sdk);

/// Writes it for the SDK of this program into a new folder, whole or not at all. Errors: those of solverTemplate(), a
/// folder that is there already, or cannot be made.
[[nodiscard]] Result<void> writeSolverTemplate(std::string_view name, const std::string& folder);

/// The alias of a solver of this name, which its library is called by: "my-reach", in tendon-my-reach.so.
[[nodiscard]] std::string aliasOf(std::string_view name);

/// Where the SDK of this program is: beside it in the build folder, or where both are installed.
[[nodiscard]] std::string sdkFolder();

} // namespace tendon
