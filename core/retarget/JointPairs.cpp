#include "core/retarget/JointPairs.h"

#include "core/roles/RoleNames.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tendon {
namespace {

constexpr std::string_view kSpine[] = {"spine", "chest", "upperChest"};

bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isFinger(std::string_view role)
{
    for (const std::string_view finger : {"Thumb", "Index", "Middle", "Ring", "Little"})
        if (role.find(finger) != std::string_view::npos) return true;
    return false;
}

Follows ruleOf(std::string_view role)
{
    if (role == "hips") return Follows::Root;
    if (endsWith(role, "Hand")) return Follows::Hand;
    if (endsWith(role, "Foot")) return Follows::Foot;
    for (const std::string_view part : {"UpperArm", "LowerArm", "UpperLeg", "LowerLeg"})
        if (endsWith(role, part)) return Follows::Bone;
    return isFinger(role) ? Follows::Bone : Follows::Trunk;
}

/// Pairs a chain of joints with another one between the same two ends, `below` above both and, for a neck, `above` (the
/// head) after both. Where they have the same number of joints, one by one.
void pairChains(const std::vector<JointIndex>& motion, const std::vector<JointIndex>& character, JointIndex below,
                JointIndex above, const std::string& role, std::vector<JointPair>& pairs)
{
    const std::size_t from = motion.size(), to = character.size();
    if (to == 0 || (from == 0 && above < 0)) return;
    const bool isOpen = above < 0; // the last joints of both correspond
    const auto source = [&](std::size_t i) { return i == 0 ? below : i <= from ? motion[i - 1] : above; };
    for (std::size_t i = 1; i <= to; ++i) {
        const double along = isOpen ? static_cast<double>(i * from) / static_cast<double>(to)
                                    : static_cast<double>(i * (from + 1)) / static_cast<double>(to + 1);
        const auto lower = static_cast<std::size_t>(along + 1e-9);
        const double blend = along - static_cast<double>(lower);
        JointPair pair{.target = character[i - 1], .start = source(lower), .source = source(lower), .role = role};
        if (blend > 1e-6) {
            pair.second = source(lower + 1);
            pair.blend = blend;
            if (pair.source < 0) pair.source = pair.start = pair.second, pair.second = -1;
        }
        pair.follows = Follows::Trunk;
        pairs.push_back(std::move(pair));
    }
}

std::vector<JointIndex> spineOf(const RoledFigure& figure)
{
    std::vector<JointIndex> joints;
    for (const std::string_view role : kSpine)
        for (const JointIndex joint : figure.joints(role)) joints.push_back(joint);
    std::sort(joints.begin(), joints.end());
    return joints;
}

/// The name as other files may have it: without a namespace, blanks and dots as "_".
std::string plainName(std::string name)
{
    if (const auto colon = name.rfind(':'); colon != std::string::npos) name = name.substr(colon + 1);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == '.'; }, '_');
    return name;
}

void pairByName(const RoledFigure& motion, const RoledFigure& character, const std::vector<bool>& moved,
                std::vector<JointPair>& pairs)
{
    std::set<JointIndex> usedTargets, usedSources;
    for (const JointPair& pair : pairs) {
        usedTargets.insert(pair.target);
        for (const JointIndex joint : {pair.start, pair.source, pair.second}) usedSources.insert(joint);
    }
    for (const RoledFigure* figure : {&motion, &character})
        for (const auto& [role, ids] : figure->roles)
            for (const JointIndex joint : figure->joints(role))
                (figure == &motion ? usedSources : usedTargets).insert(joint);
    std::map<std::string, JointIndex> byName;
    for (std::size_t j = 0; j < character.rig->jointCount(); ++j)
        if (const auto joint = static_cast<JointIndex>(j); usedTargets.count(joint) == 0)
            byName.emplace(plainName(character.name(joint)), joint);
    const JointIndex hips = motion.first("hips");
    for (std::size_t j = 0; j < motion.rig->jointCount(); ++j) {
        const auto joint = static_cast<JointIndex>(j);
        if (!moved[j] || usedSources.count(joint) != 0) continue;
        // What is above the hips travels with them, and that is read off them.
        if (hips >= 0 && motion.rig->isAtOrBelow(hips, joint)) continue;
        const auto found = byName.find(plainName(motion.name(joint)));
        if (found == byName.end()) continue;
        pairs.push_back(
            {.target = found->second, .start = joint, .source = joint, .follows = Follows::Carried, .role = {}});
        byName.erase(found);
    }
}

/// Sets which pair is above which, and the one that each bone points to.
void connect(const RoledFigure& character, std::vector<JointPair>& pairs)
{
    const CompiledRig& rig = *character.rig;
    std::vector<int> pairOf(rig.jointCount(), -1);
    for (std::size_t p = 0; p < pairs.size(); ++p) pairOf[at(pairs[p].target)] = static_cast<int>(p);
    for (JointPair& pair : pairs)
        for (JointIndex joint = rig.parent[at(pair.target)]; joint >= 0 && pair.parent < 0;
             joint = rig.parent[at(joint)])
            pair.parent = pairOf[at(joint)];
    std::vector<int> children(pairs.size(), 0);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        if (pairs[p].parent < 0 || pairs[p].role.empty()) continue;
        JointPair& parent = pairs[static_cast<std::size_t>(pairs[p].parent)];
        if (++children[static_cast<std::size_t>(pairs[p].parent)] == 1 ||
            pairs[p].role.find("Middle") != std::string::npos)
            parent.child = static_cast<int>(p);
    }
    for (std::size_t p = 0; p < pairs.size(); ++p)
        if (children[p] > 1 && pairs[p].follows == Follows::Bone) {
            // A limb's part with two bones below it: the one of its own limb.
            const std::string& role = pairs[p].role;
            for (std::size_t c = 0; c < pairs.size(); ++c)
                if (pairs[c].parent == static_cast<int>(p) &&
                    ((endsWith(role, "UpperArm") && endsWith(pairs[c].role, "LowerArm")) ||
                     (endsWith(role, "LowerArm") && endsWith(pairs[c].role, "Hand")) ||
                     (endsWith(role, "UpperLeg") && endsWith(pairs[c].role, "LowerLeg")) ||
                     (endsWith(role, "LowerLeg") && endsWith(pairs[c].role, "Foot"))))
                    pairs[p].child = static_cast<int>(c);
        }
    // A foot may stand apart from its shin, which points to it nevertheless.
    for (JointPair& pair : pairs)
        if (const auto cut = pair.role.find("LowerLeg"); pair.child < 0 && cut != std::string::npos)
            for (std::size_t c = 0; c < pairs.size(); ++c)
                if (pairs[c].role == pair.role.substr(0, cut) + "Foot") pair.child = static_cast<int>(c);
}

} // namespace

std::vector<JointPair> pairJoints(const RoledFigure& motion, const RoledFigure& character,
                                  const std::vector<bool>& moved)
{
    std::vector<JointPair> pairs;
    for (const auto& [role, ids] : character.roles) {
        if (role == "neck" || role == "root" ||
            std::find(std::begin(kSpine), std::end(kSpine), role) != std::end(kSpine))
            continue;
        const JointIndex target = character.first(role), start = motion.first(role);
        if (target < 0 || start < 0) continue;
        pairs.push_back(
            {.target = target, .start = start, .source = motion.last(role), .follows = ruleOf(role), .role = role});
    }
    const std::vector<JointIndex> spine = spineOf(motion);
    pairChains(spine, spineOf(character), motion.last("hips"), -1, "spine", pairs);
    const JointIndex top = spine.empty() ? motion.last("hips") : spine.back();
    if (top >= 0) pairChains(motion.joints("neck"), character.joints("neck"), top, motion.first("head"), "neck", pairs);
    pairByName(motion, character, moved, pairs);
    std::sort(pairs.begin(), pairs.end(), [](const JointPair& a, const JointPair& b) { return a.target < b.target; });
    connect(character, pairs);
    return pairs;
}

std::vector<Unpaired> unpairedRoles(const RoledFigure& motion, const RoledFigure& character)
{
    std::vector<Unpaired> unpaired;
    int fingers = 0;
    for (const auto& [role, ids] : character.roles) {
        if (!character.has(role) || motion.has(role) || role == "root") continue;
        if (isFinger(role)) {
            ++fingers;
            continue;
        }
        std::string reason = "the motion has none; it keeps its rest pose";
        if (endsWith(role, "Toes")) reason = "the motion has no toes; they follow the foot";
        if (role == "upperChest" || role == "chest" || role == "spine")
            reason = "the motion's spine has fewer joints; its turns are spread";
        if (role == "neck") reason = "the motion has no neck; it turns halfway with the head";
        if (endsWith(role, "Shoulder")) reason = "the motion has no shoulder; it follows the chest";
        unpaired.push_back({role, character.name(character.first(role)), false, std::move(reason)});
    }
    if (fingers > 0)
        unpaired.push_back({"fingers", "", false,
                            "the motion lacks " + std::to_string(fingers) + " of their joints, which follow the hand"});
    const bool hasFingers = std::any_of(character.roles.begin(), character.roles.end(), [&](const auto& entry) {
        return isFinger(entry.first) && character.has(entry.first);
    });
    for (const auto& [role, ids] : motion.roles) {
        if (!motion.has(role) || character.has(role) || role == "root") continue;
        const char* reason = !isFinger(role) ? "the character has none; it is left out"
                             : hasFingers    ? "the character's fingers have no such joints; they are left out"
                                             : "the character has no fingers; they are left out";
        unpaired.push_back({role, motion.name(motion.first(role)), true, reason});
    }
    return unpaired;
}

RoleCount countRoles(const RoledFigure& motion, const RoledFigure& character)
{
    RoleCount count;
    for (const auto& [role, ids] : character.roles) {
        if (!character.has(role) || role == "root") continue;
        const int matched = motion.has(role) ? 1 : 0;
        (isFinger(role) ? count.fingers : count.all) += 1;
        (isFinger(role) ? count.matchedFingers : count.matched) += matched;
    }
    return count;
}

std::string missingRoles(const RoledFigure& motion, const RoledFigure& character)
{
    if (!motion.has("hips")) return "the motion has no hips";
    if (!character.has("hips")) return "the character has no hips";
    std::vector<std::string> fewest;
    for (const LimbRoles& limb : kLimbs) {
        std::vector<std::string> missing;
        for (const std::string_view role : {limb.upper, limb.lower, limb.end}) {
            if (!motion.has(role)) missing.push_back("the motion has no " + roleInWords(role));
            if (!character.has(role)) missing.push_back("the character has no " + roleInWords(role));
        }
        if (missing.empty()) return {};
        if (fewest.empty() || missing.size() < fewest.size()) fewest = std::move(missing);
    }
    return fewest.front();
}

} // namespace tendon
