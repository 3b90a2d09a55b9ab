#include "tests/unit/roles/RoleTruth.h"

#include <cctype>
#include <fstream>
#include <sstream>

namespace tendon::test {
namespace {

std::vector<std::string> parts(const std::string& text, char separator)
{
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) result.push_back(part);
    return result;
}

std::vector<std::string> withSide(std::vector<std::string> names, const std::string& side)
{
    for (std::string& name : names)
        if (const auto at = name.find('%'); at != std::string::npos) name.replace(at, 1, side);
    return names;
}

} // namespace

std::vector<RoleTruth> readRoleTruth(const std::string& path)
{
    std::vector<RoleTruth> truths;
    std::ifstream file(path);
    std::string left, right;
    for (std::string line; std::getline(file, line);) {
        const auto space = line.find(' ');
        if (line.empty() || line[0] == '#' || space == std::string::npos) continue;
        const std::string key = line.substr(0, space), value = line.substr(space + 1);
        if (key == "convention") {
            truths.push_back({value, {}, {}});
        } else if (key == "sides") {
            left = parts(value, ' ')[0];
            right = parts(value, ' ')[1];
        } else if (key == "file") {
            truths.back().files.push_back(value);
        } else if (key != "source") {
            const std::vector<std::string> joints = parts(value, '|');
            if (std::isupper(static_cast<unsigned char>(key[0])) != 0) {
                truths.back().joints["left" + key] = withSide(joints, left);
                truths.back().joints["right" + key] = withSide(joints, right);
            } else {
                truths.back().joints[key] = joints;
            }
        }
    }
    return truths;
}

} // namespace tendon::test
