#include "app/editor/RetargetRows.h"

#include "core/roles/RoleNames.h"

#include <algorithm>

namespace tendon::editor {
namespace {

using Mark = RetargetRow::Mark;

bool isOfLeg(const std::string& role)
{
    return role.ends_with("Leg") || role.ends_with("Foot") || role.ends_with("Toes");
}

std::vector<JointId> jointsOf(const RoledFigure& figure, const std::string& role)
{
    std::vector<JointId> joints;
    for (const JointIndex joint : figure.joints(role)) joints.push_back(figure.rig->id[at(joint)]);
    return joints;
}

/// Which role nearer to the hips stands at or below this one of the trunk; "" = they are in order.
std::string outOfOrder(const RoledFigure& figure, const std::string& role)
{
    static constexpr std::string_view kTrunk[] = {"hips", "spine", "chest", "upperChest", "neck", "head"};
    const auto place = std::find(std::begin(kTrunk), std::end(kTrunk), role);
    if (place == std::end(kTrunk)) return {};
    for (auto below = std::begin(kTrunk); below != place; ++below)
        if (figure.has(*below) && figure.rig->isAtOrBelow(figure.first(*below), figure.first(role)))
            return figure.name(figure.first(role)) + " is above " + figure.name(figure.first(*below)) +
                   ", which has the role " + roleInWords(std::string(*below)) + ": swap them";
    return {};
}

/// A reason that says what was done about it: nothing is to be decided.
bool isSettled(const std::string& role)
{
    return role == "spine" || role == "chest" || role == "upperChest" || role == "neck" || role.ends_with("Shoulder");
}

class Rows
{
public:
    explicit Rows(const RetargetTableSources& sources)
        : m_sources(sources), m_unpaired(unpairedRoles(sources.motion, sources.character))
    {
    }

    std::vector<RetargetRow> make()
    {
        std::vector<std::string> roles;
        for (const std::string_view role : bodyRoles()) roles.emplace_back(role);
        for (const auto& [role, joints] : m_sources.character.roles)
            if (std::find(roles.begin(), roles.end(), role) == roles.end()) roles.push_back(role);
        // The trunk and the arms, the legs, the fingers.
        for (const int group : {0, 1, 2})
            for (const std::string& role : roles)
                if ((isFingerRole(role) ? 2 : isOfLeg(role) ? 1 : 0) == group) add(role);
        for (const Unpaired& one : m_unpaired)
            if (one.isOfMotion) addUnused(one);
        return std::move(m_rows);
    }

private:
    void add(const std::string& role)
    {
        const std::string other = mirroredRole(role);
        const bool isPair = sideOfRole(role) != Side::Centre && m_sources.character.has(other);
        if (!m_sources.character.has(role) || role == "root") return;
        if (isPair && sideOfRole(role) == Side::Right) return; // with its left side
        RetargetRow row;
        row.isFinger = isFingerRole(role);
        for (const std::string& one : isPair ? std::vector{role, other} : std::vector{role}) take(one, row);
        m_rows.push_back(std::move(row));
    }

    void take(const std::string& role, RetargetRow& row)
    {
        RetargetRow::Part part{role, jointsOf(m_sources.motion, role), jointsOf(m_sources.character, role)};
        const bool isSaid = std::find(m_sources.changed.begin(), m_sources.changed.end(), role) !=
                            m_sources.changed.end();
        row.isChanged = row.isChanged || isSaid;
        const auto blame = [&](Mark mark, double confidence, const std::string& reason) {
            if (mark > row.mark || (mark == row.mark && confidence < row.confidence) || row.reason.empty())
                row.reason = reason;
            row.mark = std::max(row.mark, mark);
            row.confidence = std::min(row.confidence, confidence);
        };
        if (part.motion.empty()) {
            const auto found = std::find_if(m_unpaired.begin(), m_unpaired.end(), [&](const Unpaired& one) {
                return !one.isOfMotion && (one.role == role || (row.isFinger && one.role == "fingers"));
            });
            blame(isSaid || row.isFinger || isSettled(role) ? Mark::Note : Mark::Check, 0,
                  found == m_unpaired.end() ? std::string() : found->reason);
        } else {
            const auto judge = [&](const SkeletonRoles& guess, const std::vector<JointId>& joints, bool isSure) {
                const RoleGuess* one = guess.find(role);
                const bool isGuess = !isSure && one != nullptr && one->joints == joints;
                const double confidence = isGuess ? one->confidence : 1;
                blame(confidence < kSureRole ? Mark::Check : Mark::Ok, confidence,
                      isGuess ? one->reason : std::string());
            };
            judge(m_sources.motionGuess, part.motion, isSaid || m_sources.isMapped);
            judge(m_sources.characterGuess, part.character, false);
            for (const RoledFigure* figure : {&m_sources.motion, &m_sources.character})
                if (const std::string wrong = outOfOrder(*figure, role); !wrong.empty()) blame(Mark::Check, 0, wrong);
        }
        row.parts.push_back(std::move(part));
    }

    /// Both sides of what the character lacks stand on one line, and all fingers on one.
    void addUnused(const Unpaired& one)
    {
        const bool isFinger = isFingerRole(one.role);
        RetargetRow::Part part{one.role, jointsOf(m_sources.motion, one.role), {}};
        for (RetargetRow& row : m_rows)
            if (row.isUnused && (isFinger ? row.isFinger : row.parts.front().role == mirroredRole(one.role)))
                return row.parts.push_back(std::move(part));
        RetargetRow row;
        row.isUnused = true;
        row.isFinger = isFinger;
        row.mark = Mark::Note;
        row.reason = one.reason;
        row.parts.push_back(std::move(part));
        m_rows.push_back(std::move(row));
    }

    const RetargetTableSources& m_sources;
    std::vector<Unpaired> m_unpaired;
    std::vector<RetargetRow> m_rows;
};

} // namespace

std::vector<RetargetRow> retargetRows(const RetargetTableSources& sources) { return Rows(sources).make(); }

} // namespace tendon::editor
