#pragma once

#include "app/cli/RetargetClips.h"
#include "app/cli/RetargetReport.h"

#include <set>
#include <string>
#include <vector>

namespace tendon::cli {

/// The files that are given, and those in the folders that are given. Error: a folder without a motion.
[[nodiscard]] Result<std::vector<std::string>> motionFiles(const std::vector<std::string>& given);

/// What a batch makes: of each motion a file, or a clip of a project. A motion with several animations gives one for
/// each of them; if one is asked for that one alone, with the name that it has among all. What animations there are
/// stands in the report of a former run if the file is still the same, else each file that may hold several is read. A
/// motion that cannot be read is one task, which fails. `suffix` is that of the files; empty = clips of a project, none
/// of which takes the name of one in `taken`.
[[nodiscard]] std::vector<RetargetTask> tasksOf(const RetargetArguments& arguments,
                                                const std::vector<std::string>& motions, const std::string& suffix,
                                                const std::set<std::string>& taken, const RetargetReport& report);

/// The first motion as a task, for what is said of it alone.
[[nodiscard]] RetargetTask firstTask(const std::vector<std::string>& motions);

} // namespace tendon::cli
