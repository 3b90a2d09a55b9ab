#include "core/io/project/Schema.h"

#include <QJsonArray>

#include <string>

namespace tendon {

namespace {

/// Version 2 gives a handle's `stick` a meaning. What version 1 stored there had no effect, and has none now.
QJsonObject forgetStick(QJsonObject project)
{
    QJsonArray handles = project.value(QLatin1StringView("handles")).toArray();
    for (auto&& handle : handles) {
        if (!handle.isObject()) continue;
        QJsonObject members = handle.toObject();
        members.remove(QLatin1StringView("stick"));
        handle = members;
    }
    if (!handles.isEmpty()) project.insert(QStringLiteral("handles"), handles);
    return project;
}

constexpr UpgradeStep kUpgrades[] = {{1, forgetStick}};

} // namespace

std::span<const UpgradeStep> projectUpgrades() { return kUpgrades; }

Result<QJsonObject> upgradeProject(QJsonObject project, int current, std::span<const UpgradeStep> steps)
{
    if (project.value(QStringLiteral("schema")).toString() != QLatin1String(kProjectSchema))
        return Error{ErrorCode::InvalidArgument,
                     "is not \"" + std::string(kProjectSchema) + "\"; this is JSON, but not a Tendon project",
                     "/schema"};
    const QJsonValue stated = project.value(QStringLiteral("version"));
    const int version = stated.toInt(0);
    if (!stated.isDouble() || version < 1)
        return Error{ErrorCode::InvalidArgument, "must be an integer, 1 or greater", "/version"};
    if (version > current)
        return Error{ErrorCode::Unsupported,
                     "is " + std::to_string(version) + ", written by a newer Tendon; this one reads up to version " +
                         std::to_string(current) + ": update Tendon to open the project",
                     "/version"};
    for (const UpgradeStep& step : steps)
        if (step.from >= version && step.from < current) project = step.apply(std::move(project));
    project.insert(QStringLiteral("version"), current);
    return project;
}

} // namespace tendon
