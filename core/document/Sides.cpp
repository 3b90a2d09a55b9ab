#include "core/document/Sides.h"

#include "core/roles/NameReading.h"

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

std::vector<std::string> otherSides(std::string_view name)
{
    std::vector<std::string> others;
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
            others.push_back(std::string(name.substr(0, begin)) + inCaseOf(word, std::string(other)) +
                             std::string(name.substr(end)));
        begin = end;
    }
    return others;
}

Counterparts::Counterparts(const Scene& scene) : m_scene(scene), m_guessed(guessRoles(scene).map(kSureRole))
{
    std::vector<std::string> names;
    for (const Joint& joint : *scene.joints) names.push_back(joint.name);
    const std::vector<NameReading> readings = readNames(names);
    for (std::size_t j = 0; j < readings.size(); ++j)
        if (readings[j].hasSide) m_sided.insert((*scene.joints)[j].id);
}

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

/// The joint whose name differs in one side; where there are several, the one that differs in the last.
JointId Counterparts::byName(const std::string& name) const
{
    const std::vector<std::string> others = otherSides(name);
    for (auto other = others.rbegin(); other != others.rend(); ++other)
        if (const std::vector<std::size_t> places = m_scene.joints->placesNamed(*other); !places.empty())
            return (*m_scene.joints)[places.front()].id;
    return {};
}

JointId Counterparts::of(JointId joint) const
{
    const Joint* found = m_scene.find(joint);
    if (found == nullptr) return {};
    if (const JointId decided = byRole(joint, *m_scene.roles); decided.isValid()) return decided;
    if (const JointId named = byName(found->name); named.isValid()) return named;
    if (const JointId guessed = byRole(joint, m_guessed); guessed.isValid()) return guessed;
    return m_sided.count(joint) == 0 ? joint : JointId();
}

JointId counterpart(const Scene& scene, JointId joint) { return Counterparts(scene).of(joint); }

} // namespace tendon
