#include "core/retarget/TwinJoints.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace tendon {
namespace {

/// By joint, the role that it has.
std::map<JointIndex, std::string> rolesOf(const RoledFigure& figure)
{
    std::map<JointIndex, std::string> roles;
    for (const auto& [role, ids] : figure.roles)
        if (role != "root")
            for (const JointIndex joint : figure.joints(role)) roles.emplace(joint, role);
    return roles;
}

class TwinSearch
{
public:
    TwinSearch(const RoledFigure& motion, const RoledFigure& character)
        : m_motion(motion), m_character(character), m_roles(rolesOf(motion)), m_ownRoles(rolesOf(character)),
          m_near(sizeOf(motion) * 2e-4)
    {
        m_twins.of.assign(character.rig->jointCount(), -1);
    }

    TwinJoints run()
    {
        JointIndex there = m_motion.first("hips"), here = m_character.first("hips");
        if (there < 0 || here < 0 || m_roles.size() != m_ownRoles.size()) return {};
        while (m_motion.rig->parent[at(there)] >= 0 && m_character.rig->parent[at(here)] >= 0 && isAlike(there, here)) {
            there = m_motion.rig->parent[at(there)];
            here = m_character.rig->parent[at(here)];
        }
        m_twins.tops.push_back(here);
        match(there, here);
        matchBeside(there, here);
        for (const auto& [joint, role] : m_ownRoles) {
            const auto twin = m_roles.find(m_twins.of[at(joint)]);
            if (twin == m_roles.end() || twin->second != role) return {};
        }
        return std::move(m_twins);
    }

private:
    /// [m] The farthest that a joint rests from its parent.
    static double sizeOf(const RoledFigure& figure)
    {
        double size = 0;
        for (std::size_t j = 0; j < figure.rig->jointCount(); ++j)
            if (figure.rig->parent[j] >= 0) size = std::max(size, figure.rig->rest[j].translation.norm());
        return size;
    }
    static std::vector<JointIndex> childrenOf(const CompiledRig& rig, JointIndex joint)
    {
        std::vector<JointIndex> children;
        for (JointIndex other = joint + 1; other < rig.subtreeEnd[at(joint)]; ++other)
            if (rig.parent[at(other)] == joint) children.push_back(other);
        return children;
    }
    /// The others that hang from what a joint hangs from, or from nothing as it does.
    static std::vector<JointIndex> besides(const CompiledRig& rig, JointIndex joint)
    {
        std::vector<JointIndex> others;
        for (std::size_t other = 0; other < rig.jointCount(); ++other)
            if (rig.parent[other] == rig.parent[at(joint)] && static_cast<JointIndex>(other) != joint)
                others.push_back(static_cast<JointIndex>(other));
        return others;
    }
    [[nodiscard]] std::string roleOf(const std::map<JointIndex, std::string>& roles, JointIndex joint) const
    {
        const auto found = roles.find(joint);
        return found == roles.end() ? std::string() : found->second;
    }
    [[nodiscard]] bool isAlike(JointIndex there, JointIndex here) const
    {
        return (m_motion.rig->rest[at(there)].translation - m_character.rig->rest[at(here)].translation).norm() <
                   m_near &&
               roleOf(m_roles, there) == roleOf(m_ownRoles, here);
    }

    void match(JointIndex there, JointIndex here)
    {
        m_twins.of[at(here)] = there;
        std::vector<JointIndex> left = childrenOf(*m_motion.rig, there);
        for (const JointIndex child : childrenOf(*m_character.rig, here)) {
            const JointIndex twin = take(left, child, [&](JointIndex other) { return isAlike(other, child); });
            if (twin >= 0) match(twin, child);
        }
    }

    /// What stands beside two tops is alike if it is where it is from there.
    void matchBeside(JointIndex there, JointIndex here)
    {
        const auto from = [](const CompiledRig& rig, JointIndex top, JointIndex other) -> Vector3 {
            return rig.rest[at(other)].translation - rig.rest[at(top)].translation;
        };
        std::vector<JointIndex> left = besides(*m_motion.rig, there);
        for (const JointIndex own : besides(*m_character.rig, here)) {
            const Vector3 place = from(*m_character.rig, here, own);
            const JointIndex twin = take(left, own, [&](JointIndex other) {
                return (from(*m_motion.rig, there, other) - place).norm() < std::max(m_near, 1e-5 * place.norm()) &&
                       roleOf(m_roles, other) == roleOf(m_ownRoles, own);
            });
            if (twin < 0) continue;
            m_twins.tops.push_back(own);
            match(twin, own);
        }
    }

    /// Of several that are alike that with the same name, else the first; -1 = none is. It is no longer among them.
    template <typename IsAlike>
    JointIndex take(std::vector<JointIndex>& others, JointIndex own, const IsAlike& alike) const
    {
        auto found = std::find_if(others.begin(), others.end(), [&](JointIndex other) {
            return alike(other) && m_motion.name(other) == m_character.name(own);
        });
        if (found == others.end()) found = std::find_if(others.begin(), others.end(), alike);
        if (found == others.end()) return -1;
        const JointIndex taken = *found;
        others.erase(found);
        return taken;
    }

    const RoledFigure& m_motion;
    const RoledFigure& m_character;
    std::map<JointIndex, std::string> m_roles, m_ownRoles;
    double m_near; ///< [m]
    TwinJoints m_twins;
};

} // namespace

TwinJoints twinsOf(const RoledFigure& motion, const RoledFigure& character)
{
    return TwinSearch(motion, character).run();
}

} // namespace tendon
