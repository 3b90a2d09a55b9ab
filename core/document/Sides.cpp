#include "core/document/Sides.h"

#include <algorithm>
#include <cctype>

namespace tendon {
namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool isLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// `word` in the case of `like`: all capitals, a capital first, or small.
std::string inCaseOf(std::string_view like, std::string word)
{
    const auto upper = [](char& c) { c = static_cast<char>(std::toupper(static_cast<unsigned char>(c))); };
    if (std::all_of(like.begin(), like.end(), isUpper))
        std::for_each(word.begin(), word.end(), upper);
    else if (isUpper(like.front()))
        upper(word.front());
    return word;
}

std::string_view mirroredWord(const std::string& word)
{
    if (word == "left") return "right";
    if (word == "right") return "left";
    if (word == "l") return "r";
    if (word == "r") return "l";
    return {};
}

} // namespace

std::string otherSide(std::string_view name)
{
    for (std::size_t begin = 0; begin < name.size();) {
        if (!isLetter(name[begin])) {
            ++begin;
            continue;
        }
        // A word runs to the next non-letter, to a capital after a small letter, or, from "LThigh", to the last
        // capital.
        std::size_t end = begin + 1;
        while (end < name.size() && isLetter(name[end]) && !(isLower(name[end - 1]) && isUpper(name[end])) &&
               !(isUpper(name[end - 1]) && isUpper(name[end]) && end + 1 < name.size() && isLower(name[end + 1])))
            ++end;
        const std::string_view word = name.substr(begin, end - begin);
        const std::string_view other = mirroredWord(lowered(word));
        if (!other.empty())
            return std::string(name.substr(0, begin)) + inCaseOf(word, std::string(other)) +
                   std::string(name.substr(end));
        begin = end;
    }
    return {};
}

JointId counterpart(const Scene& scene, JointId joint)
{
    const Joint* found = scene.find(joint);
    if (found == nullptr) return {};
    const std::string name = otherSide(found->name);
    if (name.empty()) return joint;
    for (const Joint& candidate : *scene.joints)
        if (candidate.name == name) return candidate.id;
    return {};
}

} // namespace tendon
