#include "app/cli/RoleTable.h"

#include "app/cli/Cli.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace tendon::cli {
namespace {

std::string nameOf(const Scene& scene, JointId id)
{
    const Joint* joint = scene.find(id);
    return joint != nullptr ? joint->name : std::string();
}

/// The joints as a way; of a long one the first two and the last.
std::string wayOf(const Scene& scene, const std::vector<JointId>& joints)
{
    constexpr std::size_t kMost = 5;
    std::string way;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (joints.size() > kMost && i >= 2 && i + 1 < joints.size()) {
            if (i == 2) way += " › …";
            continue;
        }
        way += (way.empty() ? "" : " › ") + nameOf(scene, joints[i]);
    }
    return way;
}

std::string listOf(const Scene& scene, const std::vector<JointId>& joints)
{
    constexpr std::size_t kMost = 3;
    std::string list;
    for (std::size_t i = 0; i < std::min(kMost, joints.size()); ++i)
        list += (list.empty() ? "" : ", ") + nameOf(scene, joints[i]);
    return joints.size() > kMost ? list + " and " + std::to_string(joints.size() - kMost) + " more" : list;
}

std::size_t shownWidth(const std::string& text)
{
    return static_cast<std::size_t>(QString::fromStdString(text).size());
}

std::string padded(const std::string& text, std::size_t width)
{
    const std::size_t is = shownWidth(text);
    return text + std::string(width > is ? width - is : 0, ' ');
}

std::string percent(double confidence, double sure)
{
    const int value = static_cast<int>(std::floor(100 * confidence + 1e-9));
    std::string text = std::to_string(value) + " %";
    text.insert(0, 5 - std::min<std::size_t>(5, text.size()), ' ');
    return text + (confidence < sure ? " ?" : "  ");
}

std::string titleOf(const Limb& limb)
{
    return limb.kind == LimbKind::Neck && limb.joints.size() > 1 ? "neck, head" : roleInWords(limb.name);
}

/// A line of the table of limbs. Fingers of both hands that are alike stand on one.
struct Line
{
    std::string name, way, sure, reason;
};

std::vector<Line> linesOf(const Scene& scene, const SkeletonRoles& roles, double sure)
{
    std::vector<Line> lines;
    for (const Limb& limb : roles.limbs) {
        if (limb.kind != LimbKind::Fingers) {
            lines.push_back({titleOf(limb), wayOf(scene, limb.joints), percent(limb.confidence, sure), limb.reason});
            continue;
        }
        const Limb* other = limb.mirror.empty() ? nullptr : roles.limb(limb.mirror);
        const bool isPair = other != nullptr && other->chains.size() == limb.chains.size();
        if (isPair && limb.side == Side::Right) continue;
        std::size_t longest = 0;
        for (const auto& chain : limb.chains) longest = std::max(longest, chain.size());
        const std::string count = std::to_string(limb.chains.size()) +
                                  (limb.chains.size() == 1 ? " chain of " : " chains of ") + std::to_string(longest);
        const double confidence = isPair ? std::min(limb.confidence, other->confidence) : limb.confidence;
        lines.push_back(
            {isPair ? "fingers" : roleInWords(limb.name), (isPair ? "2 × " : "") + count, percent(confidence, sure),
             limb.reason.find(';') != std::string::npos ? limb.reason.substr(limb.reason.find(';') + 2) : limb.reason});
    }
    return lines;
}

const char* useInWords(JointUse use)
{
    switch (use) {
    case JointUse::Helper: return "left alone as twist helpers: ";
    case JointUse::Limb: return "taken as a limb: ";
    case JointUse::Tail: return "taken as a tail: ";
    default: return "left as joints: ";
    }
}

QJsonArray namesOf(const Scene& scene, const std::vector<JointId>& joints)
{
    QJsonArray names;
    for (const JointId id : joints) names.append(text(nameOf(scene, id)));
    return names;
}

/// With three decimals: more are noise.
double rounded(double value) { return std::round(value * 1000) / 1000; }

QJsonObject partsAsJson(const RoleParts& parts)
{
    return {{"names", rounded(parts.names)}, {"shape", rounded(parts.shape)}, {"mirror", rounded(parts.mirror)}};
}

} // namespace

std::string limbsAsText(const Scene& scene, const SkeletonRoles& roles, double sure)
{
    const std::vector<Line> lines = linesOf(scene, roles, sure);
    std::size_t nameWidth = 12, wayWidth = 20;
    for (const Line& line : lines) {
        nameWidth = std::max(nameWidth, shownWidth(line.name));
        wayWidth = std::max(wayWidth, std::min<std::size_t>(60, shownWidth(line.way)));
    }
    std::string result;
    for (const Line& line : lines)
        result += "  " + padded(line.name, nameWidth) + "  " + padded(line.way, wayWidth) + "  " + line.sure + "  " +
                  line.reason + "\n";
    if (lines.empty()) result += "  no limbs found\n";
    for (const Limb& limb : roles.limbs)
        if (!limb.toDo.empty()) result += "to check: " + roleInWords(limb.name) + ": " + limb.toDo + "\n";
    if (roles.areSidesSwapped) result += "to check: " + sidesNote(roles) + "\n";
    if (roles.unknown.empty()) return result;
    result += "couldn't tell:\n";
    for (const UnknownJoints& unknown : roles.unknown) {
        const std::string joints = unknown.use == JointUse::Leave && unknown.joints.size() <= 5
                                       ? wayOf(scene, unknown.joints)
                                       : listOf(scene, unknown.joints);
        result += "  " + padded(joints, nameWidth + 8) + "  " + useInWords(unknown.use) + unknown.reason + "\n";
    }
    return result;
}

std::string rolesAsText(const Scene& scene, const SkeletonRoles& roles, double sure)
{
    std::size_t roleWidth = 16, jointWidth = 20;
    for (const RoleGuess& guess : roles.roles) {
        roleWidth = std::max(roleWidth, guess.role.size());
        jointWidth = std::max(jointWidth, std::min<std::size_t>(50, shownWidth(wayOf(scene, guess.joints))));
    }
    std::string result = padded("role", roleWidth) + "  " + padded("joint", jointWidth) + "   sure    because\n";
    for (const RoleGuess& guess : roles.roles)
        result += padded(guess.role, roleWidth) + "  " + padded(wayOf(scene, guess.joints), jointWidth) + "  " +
                  percent(guess.confidence, sure) + "  " + guess.reason + "\n";
    return result;
}

QJsonObject rolesAsJson(const Scene& scene, const SkeletonRoles& roles)
{
    QJsonArray guesses, limbs, unknown;
    for (const RoleGuess& guess : roles.roles)
        guesses.append(QJsonObject{{"role", text(guess.role)},
                                   {"joint", text(nameOf(scene, guess.joints.front()))},
                                   {"joints", namesOf(scene, guess.joints)},
                                   {"confidence", rounded(guess.confidence)},
                                   {"parts", partsAsJson(guess.parts)},
                                   {"reason", text(guess.reason)}});
    for (const Limb& limb : roles.limbs) {
        QJsonObject one{{"name", text(limb.name)},
                        {"joints", namesOf(scene, limb.joints)},
                        {"confidence", rounded(limb.confidence)},
                        {"parts", partsAsJson(limb.parts)},
                        {"reason", text(limb.reason)}};
        if (!limb.toDo.empty()) one.insert("toDo", text(limb.toDo));
        limbs.append(one);
    }
    for (const UnknownJoints& joints : roles.unknown)
        unknown.append(QJsonObject{{"joints", namesOf(scene, joints.joints)},
                                   {"reason", text(useInWords(joints.use) + joints.reason)}});
    QJsonObject json{{"roles", guesses}, {"limbs", limbs}, {"unknown", unknown}};
    if (roles.areSidesSwapped) json.insert("notes", QJsonArray{text(sidesNote(roles))});
    return json;
}

} // namespace tendon::cli
