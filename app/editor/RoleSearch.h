#pragma once

#include "app/editor/CurrentJob.h"
#include "core/roles/RoleCandidates.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tendon::editor {

/// Which joints of a skeleton each of some roles may mean, found in another thread. GUI thread.
class RoleSearch : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    /// Begins anew; what was found is forgotten. `roles`: in the order in which they are wanted.
    void start(std::shared_ptr<const Scene> scene, SkeletonRoles guessed, std::vector<std::string> roles);
    /// Best first; empty while that is not known.
    [[nodiscard]] std::vector<RoleCandidate> candidates(const std::string& role) const;

signals:
    void found();

private:
    std::map<std::string, std::vector<RoleCandidate>> m_found;
    CurrentJob m_job;
};

} // namespace tendon::editor
