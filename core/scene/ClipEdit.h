#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// Adds a clip without keys at the end. Error: there is one of that name, or it is empty.
[[nodiscard]] Result<Scene> addClip(Scene scene, const std::string& name);
[[nodiscard]] Result<Scene> renameClip(Scene scene, ClipId clip, const std::string& to);
/// A copy under another name, after all others. It is no longer the source's animation.
[[nodiscard]] Result<Scene> duplicateClip(Scene scene, ClipId clip, const std::string& to);
[[nodiscard]] Result<Scene> removeClip(Scene scene, ClipId clip);

/// `wanted`, or `wanted 2`, `wanted 3`, ... : the first that no clip has.
[[nodiscard]] std::string freeClipName(const Scene& scene, const std::string& wanted);

/// Keys keep their times. Where there are keys the range keeps its time too, to the nearest frame; else its frames
/// stay.
[[nodiscard]] Result<Scene> setFrameRate(Scene scene, FrameRate fps);

/// First and last frame, first <= last, both within +-10 000 000.
[[nodiscard]] Result<Scene> setRange(Scene scene, std::int32_t firstFrame, std::int32_t lastFrame);

inline constexpr std::int32_t kMaxFrame = 10'000'000;

} // namespace tendon
