#pragma once

#include <QJsonObject>

#include <string>

namespace tendon {

/// JSON laid out for reading and comparing line by line: an object or array that fits stands on one line, an array of
/// plain numbers always does, everything else is indented. Members are sorted by name, after those that say what an
/// object is (schema, version, id, name, ...). Numbers are the shortest that read back the same; -0 is written 0. The
/// same object gives the same bytes.
[[nodiscard]] std::string jsonText(const QJsonObject& object);

} // namespace tendon
