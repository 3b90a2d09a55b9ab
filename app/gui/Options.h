#pragma once

#include "core/base/Result.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace tendon::editor {

/// The command line of tendon-editor.
struct Options
{
    QString file;          ///< project or model to open
    QString screenshot;    ///< take a picture of the window, then exit
    QString render;        ///< draw the model alone to this file, without a window, then exit
    QString side;          ///< the side for --render; empty: perspective
    QString camera;        ///< the camera bookmark for --render; empty: the model is framed
    bool showsRig = false; ///< with --render: joints and handles, too
    QString script;        ///< script to run first
    QStringList select;    ///< names of joints and handles
    QStringList commands;  ///< ids or words of commands of the menus, run last
    QString retarget;      ///< motion to open the task Retarget with
    std::optional<int> frame;
    std::optional<std::pair<int, int>> frames; ///< with --render: the first and the last of a sequence
    std::optional<bool> isDark;                ///< overrides the last choice
    QSize size;                                ///< of the window
    bool isWithoutPlugins = false;             ///< leave out solver plugins that are not Tendon's own
    bool wantsHelp = false, wantsVersion = false;
};

/// Errors name the argument.
[[nodiscard]] Result<Options> parseOptions(const QStringList& arguments);
[[nodiscard]] QString optionsHelp();

} // namespace tendon::editor
