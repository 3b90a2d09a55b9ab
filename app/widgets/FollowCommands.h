#pragma once

#include "core/scene/Channel.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

namespace tendon::editor {

class MainWindow;

/// The operation that keys what the goal or the pole of a handle follows from the current frame on. `space`: the name
/// of a joint or handle; null = the world.
[[nodiscard]] QJsonObject followFromHere(const QString& handle, Property place, const QJsonValue& space);

/// Animate › Follows: hand to prop, and back.
void addFollowCommands(MainWindow& window);

} // namespace tendon::editor
