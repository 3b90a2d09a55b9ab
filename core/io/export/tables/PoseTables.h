#pragma once

#include "core/base/Result.h"
#include "core/runtime/BakedClip.h"
#include "core/scene/Scene.h"

#include <string>
#include <vector>

namespace tendon {

/// The joints of a bake as numbers for other programs: metres, degrees, quaternions xyzw. Numbers have as many digits
/// as it takes to read the same double again. Same bake, same bytes.
///
/// JSON: {"joints":[{"name","parent"}],"clips":[{"name","fps","samples":[{"frame","seconds","joints":[
/// {"local":{"translation","rotation","scale"},"world":{...},"angles":[x,y,z]}]}]}]}, joints in the order of the list.
[[nodiscard]] Result<std::string> poseTableJson(const Scene& scene, const std::vector<BakedClip>& clips);

/// CSV: a row per clip and sample: clip, frame, seconds, then per joint NAME.x NAME.y NAME.z (world position) and
/// NAME.rx NAME.ry NAME.rz (angles from rest). Names with commas, quotes or line breaks are quoted as RFC 4180 says.
[[nodiscard]] Result<std::string> poseTableCsv(const Scene& scene, const std::vector<BakedClip>& clips);

} // namespace tendon
