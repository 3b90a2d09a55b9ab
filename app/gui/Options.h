#pragma once

#include "core/base/Result.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace tendon::editor {

/// What the command line of tendon-editor says.
struct Options
{
    QString file;         ///< project or model to open
    QString screenshot;   ///< take a picture of the window, then end
    QString render;       ///< draw the model alone to this file, without a window, then end
    QString side;         ///< where --render looks from; empty: in perspective
    QString script;       ///< operations to carry out first
    QStringList select;   ///< names of joints and handles
    QStringList commands; ///< ids of commands of the menus, carried out last
    std::optional<int> frame;
    std::optional<bool> isDark; ///< instead of what was chosen last
    QSize size;                 ///< of the window
    bool wantsHelp = false, wantsVersion = false;
};

/// Errors name the argument.
[[nodiscard]] Result<Options> parseOptions(const QStringList& arguments);
[[nodiscard]] QString optionsHelp();

} // namespace tendon::editor
