#pragma once

#include "core/io/project/ObjectReader.h"
#include "core/io/project/ObjectWriter.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonObject>

#include <string>

namespace tendon::project {

/// A project that will stand at `path` as JSON. What did not fit is in `state`.
[[nodiscard]] QJsonObject toJson(const Project& project, const std::string& path, WriteState& state);

/// A project that stands at `path` out of JSON of today's version; of its model only where that comes from. What did
/// not fit is in `state`; then `project` is not to be used.
void fromJson(const QJsonObject& json, const std::string& path, Project& project, ReadState& state);

// The parts, each in a file of its own.
[[nodiscard]] QJsonObject jointToJson(const Joint& joint, const std::string& pointer, WriteState& state);
[[nodiscard]] Joint jointFromJson(const QJsonValue& json, const std::string& pointer, ReadState& state);
[[nodiscard]] QJsonObject handleToJson(const Handle& handle, const std::string& pointer, WriteState& state);
[[nodiscard]] Handle handleFromJson(const QJsonValue& json, const std::string& pointer, ReadState& state);
[[nodiscard]] QJsonObject clipToJson(const Clip& clip, const std::string& pointer, WriteState& state);
[[nodiscard]] Clip clipFromJson(const QJsonValue& json, const std::string& pointer, ReadState& state);

/// "target" and "channel" of a static value or a clip's channel.
void putChannel(ObjectWriter& writer, ChannelId channel);
[[nodiscard]] ChannelId takeChannel(ObjectReader& reader);
/// The place of a channel among the unknown members: "12.tx".
[[nodiscard]] std::string channelPlace(ChannelId channel);

/// Ids fit what every JSON reader can hold.
inline constexpr std::int64_t kMaxId = std::int64_t{1} << 53;

} // namespace tendon::project
