#pragma once

#include <map>
#include <string>
#include <vector>

namespace tendon::test {

/// The roles that the joints of some files have: see role_truth.txt.
struct RoleTruth
{
    std::string convention;
    std::map<std::string, std::vector<std::string>> joints; ///< by role; any of them is right
    std::vector<std::string> files;                         ///< below the folder of assets
};

[[nodiscard]] std::vector<RoleTruth> readRoleTruth(const std::string& path);

} // namespace tendon::test
