#pragma once

#include "core/io/project/ObjectReader.h"
#include "core/io/project/ObjectWriter.h"
#include "core/io/project/ProjectFile.h"

#include <QJsonObject>

#include <string>

namespace tendon::project {

/// The JSON of a project to be written to `path`. The first error is in `state`.
[[nodiscard]] QJsonObject toJson(const Project& project, const std::string& path, WriteState& state);

/// Reads a project at `path` from JSON of the current version, without the model's meshes. If `state` has an error,
/// `project` must not be used.
void fromJson(const QJsonObject& json, const std::string& path, Project& project, ReadState& state);

// The parts, each in its own file.
[[nodiscard]] QJsonObject jointToJson(const Joint& joint, const std::string& pointer, WriteState& state);
[[nodiscard]] Joint jointFromJson(const QJsonValue& json, const std::string& pointer, ReadState& state);
/// The unkeyed points of a handle's curve are written with the handle, and read into `statics`.
[[nodiscard]] QJsonObject handleToJson(const Handle& handle, const StaticValues& statics, const std::string& pointer,
                                       WriteState& state);
[[nodiscard]] Handle handleFromJson(const QJsonValue& json, const std::string& pointer, StaticValues& statics,
                                    ReadState& state);
/// The weight of a clip's corrections is written with the clip, and read into `statics`.
[[nodiscard]] QJsonObject clipToJson(const Clip& clip, const StaticValues& statics, const std::string& pointer,
                                     WriteState& state);
[[nodiscard]] Clip clipFromJson(const QJsonValue& json, const std::string& pointer, StaticValues& statics,
                                ReadState& state);
[[nodiscard]] QJsonObject viewToJson(const ViewSetup& view, WriteState& state);
[[nodiscard]] ViewSetup viewFromJson(const QJsonValue& json, ReadState& state);
/// `place`: of its unknown members.
[[nodiscard]] QJsonObject cameraToJson(const ViewCamera& camera, const std::string& pointer, const std::string& place,
                                       WriteState& state);
[[nodiscard]] ViewCamera cameraFromJson(const QJsonValue& json, const std::string& pointer, const std::string& place,
                                        ReadState& state);

/// "target" and "channel" of a static value or a clip's channel.
void putChannel(ObjectWriter& writer, ChannelId channel);
[[nodiscard]] ChannelId readChannel(ObjectReader& reader);
/// The key of a channel among the unknown members: "12.tx".
[[nodiscard]] std::string channelPlace(ChannelId channel);

/// Every JSON reader can represent ids up to this.
inline constexpr std::int64_t kMaxId = std::int64_t{1} << 53;

} // namespace tendon::project
