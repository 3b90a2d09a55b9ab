#pragma once

#include "core/scene/ViewSetup.h"

#include <QJsonObject>

#include <string>
#include <vector>

/// Operations as values, for code that carries them out: the names and fields of the table, checked by the compiler.
namespace tendon::ops {

[[nodiscard]] QJsonObject undo(int count = 1);
[[nodiscard]] QJsonObject redo(int count = 1);
[[nodiscard]] QJsonObject save(const std::string& file = {}); ///< empty = the project's own file
[[nodiscard]] QJsonObject setFrame(int frame);
[[nodiscard]] QJsonObject setCamera(const ViewCamera& camera);
[[nodiscard]] QJsonObject setCameraBookmark(const std::string& name, const ViewCamera& camera);
[[nodiscard]] QJsonObject keyPending();
[[nodiscard]] QJsonObject discardPending();

/// Several operations as one: one undo step, all or nothing. A single one is returned as it is. `operations` must not
/// be empty.
[[nodiscard]] QJsonObject group(const std::vector<QJsonObject>& operations);

} // namespace tendon::ops
