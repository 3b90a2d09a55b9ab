#include "app/editor/RoleSearch.h"

#include <utility>

namespace tendon::editor {

void RoleSearch::start(std::shared_ptr<const Scene> scene, SkeletonRoles guessed, std::vector<std::string> roles)
{
    m_found.clear();
    const auto made = std::make_shared<std::map<std::string, std::vector<RoleCandidate>>>();
    m_job.start(
        [scene = std::move(scene), guessed = std::move(guessed), roles = std::move(roles),
         made](Job::Control& control) {
            for (const std::string& role : roles) {
                if (control.cancelled) return;
                (*made)[role] = candidatesFor(*scene, guessed, role, &control.cancelled);
            }
        },
        [this, made] {
            m_found = std::move(*made);
            emit found();
        });
}

std::vector<RoleCandidate> RoleSearch::candidates(const std::string& role) const
{
    const auto known = m_found.find(role);
    return known == m_found.end() ? std::vector<RoleCandidate>() : known->second;
}

} // namespace tendon::editor
