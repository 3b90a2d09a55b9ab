#pragma once

#include "core/scene/Scene.h"

namespace tendon {

/// Adds a clip without keys at the end. Error: another clip has the name, or the name is empty.
[[nodiscard]] Result<Scene> addClip(Scene scene, const std::string& name);
[[nodiscard]] Result<Scene> renameClip(Scene scene, ClipId clip, const std::string& to);
/// Adds a copy under another name at the end. The copy no longer stands for the source's animation.
[[nodiscard]] Result<Scene> duplicateClip(Scene scene, ClipId clip, const std::string& to);
[[nodiscard]] Result<Scene> removeClip(Scene scene, ClipId clip);

/// `wanted`, `wanted 2`, `wanted 3`, ...: the first name that no clip has.
[[nodiscard]] std::string freeClipName(const Scene& scene, const std::string& wanted);

/// Replaces the markers of a clip. Errors: a name as checkMarkerName() says, and two at one time.
[[nodiscard]] Result<Scene> setMarkers(Scene scene, ClipId clip, std::vector<Marker> markers);

/// Keys keep their times. If there are keys, the range keeps its times, too, to the nearest frame; otherwise it keeps
/// its frames.
[[nodiscard]] Result<Scene> setFrameRate(Scene scene, FrameRate fps);

/// Sets the first and last frame: first <= last, both within +-10 000 000.
[[nodiscard]] Result<Scene> setRange(Scene scene, std::int32_t firstFrame, std::int32_t lastFrame);

/// Makes the range long enough for all of a clip, as far as frames go. It never gets shorter.
void growRange(Scene& scene, const Clip& clip);

inline constexpr std::int32_t kMaxFrame = 10'000'000;

} // namespace tendon
