#pragma once

#include "core/base/Result.h"

#include <QJsonObject>

#include <span>

namespace tendon {

/// The version of project files that this program writes. A change that an older program would misread raises it and
/// adds a step to projectUpgrades(); a new optional member does not.
inline constexpr int kProjectVersion = 2;
inline constexpr const char* kProjectSchema = "tendon.project";

/// Turns a project of version `from` into one of `from + 1`. It works on the JSON alone, because the program's types
/// change later and old files do not. It need not set "version".
struct UpgradeStep
{
    int from = 0;
    QJsonObject (*apply)(QJsonObject project) = nullptr;
};

/// The steps from version 1 to kProjectVersion, in order.
[[nodiscard]] std::span<const UpgradeStep> projectUpgrades();

/// Checks that `project` is a tendon.project of version 1 ... `current`, and applies the steps from its version on.
/// Errors: another schema; a version that is missing, invalid, or newer than `current`.
[[nodiscard]] Result<QJsonObject> upgradeProject(QJsonObject project, int current = kProjectVersion,
                                                 std::span<const UpgradeStep> steps = projectUpgrades());

} // namespace tendon
