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

Counterparts::Counterparts(const Scene& scene) : m_scene(scene), m_guessed(guessRoles(scene).map(kSureRole)) {}

JointId Counterparts::byRole(JointId joint, const RoleMap& roles) const
{
    const std::string role(roleOf(roles, joint));
    if (role.empty() || sideOfRole(role) == Side::Centre) return {};
    const auto other = roles.find(mirroredRole(role));
    if (other == roles.end()) return {};
    const std::vector<JointId>& mine = roles.at(role);
    const auto place = static_cast<std::size_t>(std::find(mine.begin(), mine.end(), joint) - mine.begin());
    return place < other->second.size() ? other->second[place] : JointId();
}

JointId Counterparts::of(JointId joint) const
{
    const Joint* found = m_scene.find(joint);
    if (found == nullptr) return {};
    if (const JointId decided = byRole(joint, *m_scene.roles); decided.isValid()) return decided;
    const std::string name = otherSide(found->name);
    if (!name.empty())
        if (const std::vector<std::size_t> places = m_scene.joints->placesNamed(name); !places.empty())
            return (*m_scene.joints)[places.front()].id;
    if (const JointId guessed = byRole(joint, m_guessed); guessed.isValid()) return guessed;
    return name.empty() ? joint : JointId();
}

JointId counterpart(const Scene& scene, JointId joint) { return Counterparts(scene).of(joint); }

} // namespace tendon
